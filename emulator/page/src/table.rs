//! What the document is told of a table: who is there, the links, and what is wrong.
//!
//! Invariant: nothing but the links contains a secret, and a watcher has none to tell.

use serde::Serialize;
use touchboard_pair::message::{TablePresence, TableRole, TableSeat};
use touchboard_pair::secret::{TableKey, TableToken};
use touchboard_pair::side::TableSide;

/// A table, as the document shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableReport {
    /// What is going on, in a sentence.
    pub words: String,
    /// `green`, `red` or `watcher`; `None` before the relay has said it.
    pub role: Option<&'static str>,
    /// The name of the table and the own secret, for the address of the page.
    pub own: Option<TableLink>,
    /// The links for others, for who opened the table.
    pub links: Option<OtherLinks>,
    /// True while the board's time passes.
    pub runs: bool,
    /// True once nothing more comes of the table.
    pub is_over: bool,
    /// The last tick at which the boards are known to be equal, and their digest.
    pub same: Option<(u64, String)>,
}

/// The changing parts of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableLink {
    /// The name of the table.
    pub table: String,
    /// The secret.
    pub secret: String,
}

/// The links that are given to others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OtherLinks {
    /// For the person who plays red.
    pub play: TableLink,
    /// For those who watch.
    pub watch: TableLink,
}

impl TableLink {
    fn to(table: TableToken, secret: TableToken) -> TableLink {
        TableLink {
            table: table.to_string(),
            secret: secret.to_string(),
        }
    }
}

/// The key of a link.
///
/// # Errors
/// A sentence, if the link is damaged.
pub fn key(table: &str, secret: &str) -> Result<TableKey, String> {
    let token = |text: &str| text.parse::<TableToken>();
    let both = token(table).and_then(|table| Ok((table, token(secret)?)));
    let (table, secret) = both.map_err(|error| error.to_string())?;
    Ok(TableKey { table, secret })
}

/// Describes a table.
#[must_use]
pub fn of_side(side: &TableSide) -> TableReport {
    let presence = side.presence();
    let runs = side.is_there() && presence.seats == [true; 2];
    let is_over = side.failed().is_some() || side.parted().is_some() || side.is_full();
    let links = side
        .key()
        .zip(side.secrets())
        .map(|(key, secrets)| OtherLinks {
            play: TableLink::to(key.table, secrets.seats[1]),
            watch: TableLink::to(key.table, secrets.watch),
        });
    TableReport {
        words: words(side, presence),
        role: side.role().map(role),
        own: side.key().map(|key| TableLink::to(key.table, key.secret)),
        links,
        runs: runs && !is_over,
        is_over,
        same: side
            .same()
            .map(|(tick, digest)| (tick, format!("{digest:016x}"))),
    }
}

fn role(role: TableRole) -> &'static str {
    match role {
        TableRole::Seat(seat) => seat.side().name(),
        TableRole::Watcher => "watcher",
    }
}

fn words(side: &TableSide, presence: TablePresence) -> String {
    if let Some(error) = side.failed() {
        return sentence(&error.to_string());
    }
    if let Some(parted) = side.parted() {
        return sentence(&format!(
            "{parted}. Save the session, and open another table"
        ));
    }
    if side.is_full() {
        return "This table is full. Save the session, and open another one.".to_owned();
    }
    let Some(own) = side.role() else {
        return "Connecting to the relay.".to_owned();
    };
    if !side.is_there() {
        return "The line is lost, the board's time waits. It is being connected again.".to_owned();
    }
    let playing = match own {
        TableRole::Watcher => "You watch".to_owned(),
        TableRole::Seat(seat) => format!("You play {}", seat.side().name()),
    };
    let missing = TableSeat::ALL
        .into_iter()
        .filter(|seat| !presence.seats[seat.index()]);
    let missing: Vec<&str> = missing.map(|seat| seat.side().name()).collect();
    let others = match presence.watchers {
        0 => String::new(),
        1 => "; one person watches".to_owned(),
        number => format!("; {number} people watch"),
    };
    match missing.as_slice() {
        [] => format!("{playing}{others}."),
        [one] => format!("{playing}{others}. {one} is not here: the board's time waits."),
        _ => format!("{playing}{others}. Nobody plays at present: the board's time waits."),
    }
}

/// A sentence with a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    let rest: String = letters.collect();
    first.into_iter().collect::<String>() + &rest + "."
}

#[cfg(test)]
mod tests {
    use touchboard_pair::message::{FromTable, TableRefusal, encode};
    use touchboard_pair::secret::TableSecrets;

    use super::*;

    fn token(byte: u8) -> TableToken {
        TableToken::new([byte; 16])
    }

    fn welcome(role: TableRole) -> FromTable {
        FromTable::Welcome {
            role,
            opening: Vec::new(),
            seed: 0,
            wishes: 0,
            tick: 0,
        }
    }

    fn hear(side: &mut TableSide, words: &[FromTable]) {
        side.connected(0);
        words.iter().for_each(|word| side.hear(&encode(word)));
    }

    #[test]
    fn who_opens_a_table_gets_links_and_is_told_who_is_missing() {
        let mut side = TableSide::opening_with(Vec::new());
        assert_eq!(of_side(&side).words, "Connecting to the relay.");
        let secrets = TableSecrets {
            seats: [token(1), token(2)],
            watch: token(3),
        };
        let (table, role) = (token(9), TableRole::Seat(TableSeat::First));
        let mut presence = TablePresence {
            seats: [true, false],
            watchers: 0,
        };
        let opened = FromTable::Opened { table, secrets };
        hear(
            &mut side,
            &[opened, welcome(role), FromTable::Present(presence)],
        );
        let report = of_side(&side);
        let words = "You play green. red is not here: the board's time waits.";
        assert_eq!(report.words, words);
        assert!(!report.runs);
        let links = report.links.unwrap();
        let read = |link: &TableLink| key(&link.table, &link.secret).unwrap().secret;
        assert_eq!(read(&links.play), token(2));
        assert_eq!(read(&links.watch), token(3));
        assert_eq!(read(&report.own.unwrap()), token(1));
        presence.seats[1] = true;
        presence.watchers = 2;
        side.hear(&encode(&FromTable::Present(presence)));
        let report = of_side(&side);
        assert_eq!(report.words, "You play green; 2 people watch.");
        assert!(report.runs);
        side.disconnected();
        assert!(of_side(&side).words.starts_with("The line is lost"));
    }

    #[test]
    fn a_watcher_has_no_links_to_give() {
        let key = key(&token(9).to_string(), &token(3).to_string()).unwrap();
        let mut side = TableSide::joining(key);
        hear(&mut side, &[welcome(TableRole::Watcher)]);
        let report = of_side(&side);
        assert_eq!((report.role, report.links), (Some("watcher"), None));
        let json = serde_json::to_string(&report.own).unwrap();
        assert!(json.contains(&token(3).to_string()), "{json}");
    }

    #[test]
    fn a_refusal_and_a_damaged_link_are_sentences() {
        let damaged = key("12", "34").unwrap_err();
        assert_eq!(damaged, "the link is damaged: ask for it again");
        let mut side = TableSide::opening_with(Vec::new());
        hear(&mut side, &[FromTable::Refused(TableRefusal::NoRoom)]);
        let report = of_side(&side);
        assert!(report.is_over);
        let words = "The relay has no room for another table: try again later.";
        assert_eq!(report.words, words);
    }
}
