//! The text form of a position of a layout's own game:
//! `rnbqk/ppppp/...../PPPPP/RNBQK turn green`.
//!
//! The rows of points are written from the top, with `.` for an empty point. If each side
//! has pieces of one kind only, they are written like lights: `g`, `r` and `n`
//! (nobody's). Otherwise a piece has the letter that it has on the screen, a capital for
//! green and a small letter for red; nobody's pieces are signs. After a piece follow its
//! count (`g4`), its state (`K:1`) and its value (`n=3`). Stacked pieces are in brackets,
//! the lowest first (`(grg)`). A kind without a letter is written as its number (`<12>`).
//! On a board of columns that is seen from its side, each level is a place of its own.
//! Then follow, in any order:
//!
//! - `turn green`, `red`, or `none` where the game plays by itself;
//! - `hands g4/r4`: the places beside the board, in order, up to the last that is not
//!   empty;
//! - `swapped`, if the players have exchanged their colours;
//! - `turns 13` and `moves 12`, unless it is the first turn, or if the number of moves is
//!   not that of the turns; `last e2>e4`: the start and end of the last move (`last e4`
//!   if they are the same, `*` for a place beside the board);
//! - `score 3 1`: the scores of player 1 and player 2; `phases 1 0`: the phase that each
//!   of them is in; `counter 4`: the game's counter of moves;
//! - `also` and hexadecimal digits: everything else that the game stores and nobody sees.
//!
//! Earlier positions, which some games forbid to repeat, are not part of it: a position
//! that is set up has no past.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::{Chars, FromStr};

use firmware_core::cartridge::bytes::flag;
use firmware_core::cartridge::state::Here;
use firmware_core::cartridge::{Cartridge, LayoutGame, State};
use firmware_core::word::Wide;
use ludemes::shown::{rows, side_of, signs};
use protocol::{Layout, POSITION_BYTES, Point, Side};

use ludemes::shown::game_of;

use crate::games::PositionText;
use crate::hex::{bytes_of, hex_of};

/// The text form of a layout's own positions.
pub(super) const TEXT: PositionText = PositionText {
    usage: "position E: ROWS turn green",
    read,
    write,
};

/// The sites beside the board, which are the hands.
fn beside(game: &LayoutGame<'_>) -> Vec<u8> {
    let sites = 0..game.cartridge.sites();
    let hands = sites.filter(|site| game.point(*site as i16).is_none());
    hands.map(|site| site as u8).collect()
}

/// The site of a point, and its level there.
fn place_of(game: &LayoutGame<'_>, point: Point) -> (u8, u8) {
    let site = game.site(point);
    let mut levels = 0..game.levels();
    let level = levels.find(|level| game.at(site.into(), *level) == Some(point));
    (site, level.unwrap_or(0) as u8)
}

/// Writes the contents of sites.
struct PositionWriter<'a> {
    cartridge: &'a Cartridge<'a>,
    signs: Vec<Option<char>>,
    state: &'a State<Wide>,
}

impl PositionWriter<'_> {
    fn sign(&self, what: u8) -> String {
        let sign = self.signs.get(usize::from(what)).copied().flatten();
        sign.map_or_else(|| format!("<{what}>"), |sign| sign.to_string())
    }

    /// The text of one level of a site, on a board that is seen from its side.
    fn level(&self, site: u8, level: u8) -> String {
        match self.state.level(self.cartridge, site, level) {
            0 => ".".to_owned(),
            what => self.sign(what),
        }
    }

    fn site(&self, site: u8) -> String {
        let here = self.state.here(site);
        let mut text = match here {
            Here { what: 0, .. } => ".".to_owned(),
            Here { count, .. } if self.cartridge.is(flag::STACKS) => {
                let levels = (0..count)
                    .map(|level| self.sign(self.state.level(self.cartridge, site, level)));
                match count {
                    1 => levels.collect(),
                    _ => format!("({})", levels.collect::<String>()),
                }
            }
            Here { what, count: 1, .. } => self.sign(what),
            Here { what, count, .. } => format!("{}{count}", self.sign(what)),
        };
        if here.state > 0 {
            text += &format!(":{}", here.state);
        }
        if here.value > 0 {
            text += &format!("={}", here.value);
        }
        text
    }
}

fn write(bytes: &[u8], layout: Layout) -> Option<String> {
    let known = layout.drawing()?;
    let game = game_of(&known)?;
    let cartridge = &game.cartridge;
    let state = State::<Wide>::of_laid(cartridge, bytes)?;
    let swapped = state.swapped;
    let writer = PositionWriter {
        cartridge,
        signs: signs(cartridge, swapped),
        state: &state,
    };
    let row = |points: &Vec<Point>| {
        let places = points.iter().map(|point| place_of(&game, *point));
        let written = places.map(|(site, level)| match game.levels() {
            1 => writer.site(site),
            _ => writer.level(site, level),
        });
        written.collect::<String>()
    };
    let rows: Vec<String> = rows(layout).iter().map(row).collect();
    let turn = match cartridge.players() {
        0 => "none",
        _ => side_of(state.mover, swapped).map_or("none", Side::name),
    };
    let mut words = vec![rows.join("/"), format!("turn {turn}")];
    words.extend(hands_in_words(&game, &writer));
    words.extend(numbers_in_words(cartridge, &state));
    let name = |site: i16| match game.point(site) {
        Some(point) => layout.name(point).to_string(),
        None => "*".to_owned(),
    };
    match [state.last_from, state.last_to].map(name) {
        [from, to] if from == "*" && to == "*" => {}
        [from, to] if from == to => words.push(format!("last {to}")),
        [from, to] => words.push(format!("last {from}>{to}")),
    }
    if let Some(more) = unsaid(cartridge, &words, bytes, layout)? {
        words.push(more);
    }
    Some(words.join(" "))
}

fn hands_in_words(game: &LayoutGame<'_>, writer: &PositionWriter<'_>) -> Option<String> {
    let hands = beside(game).into_iter().map(|site| writer.site(site));
    let mut hands: Vec<String> = hands.collect();
    while hands.pop_if(|hand| hand == ".").is_some() {}
    (!hands.is_empty()).then(|| format!("hands {}", hands.join("/")))
}

/// The numbers of a state that are not what they usually are.
fn numbers_in_words(cartridge: &Cartridge<'_>, state: &State<Wide>) -> Vec<String> {
    let mut words = Vec::new();
    if state.swapped {
        words.push("swapped".to_owned());
    }
    if state.turns != 1 {
        words.push(format!("turns {}", state.turns));
    }
    if state.moves.checked_add(1) != Some(state.turns) {
        words.push(format!("moves {}", state.moves));
    }
    if cartridge.players() == 2 {
        let [one, other] = [1, 2].map(|player| state.score[player]);
        if [one, other] != [0, 0] {
            words.push(format!("score {one} {other}"));
        }
        let first = [1, 2].map(|player| cartridge.first_phase(player));
        let [one, other] = [1, 2].map(|player: usize| state.phase[player]);
        if [one, other] != first {
            words.push(format!("phases {one} {other}"));
        }
    }
    if i64::from(state.counter) != i64::from(state.moves) - 1 {
        words.push(format!("counter {}", state.counter));
    }
    words
}

/// What these words do not express, as bytes.
fn unsaid(
    cartridge: &Cartridge<'_>,
    words: &[String],
    bytes: &[u8],
    layout: Layout,
) -> Option<Option<String>> {
    let said = words.join(" ");
    let said = read(&said.split(' ').collect::<Vec<_>>(), layout).ok()?;
    let known = unseen(cartridge, &said)?;
    let more = unseen(cartridge, bytes)?.into_iter();
    let more = more.filter(|(number, entry)| known.get(number) != Some(entry));
    let more: Vec<u8> = more.flat_map(|(_, entry)| entry).collect();
    Some((!more.is_empty()).then(|| format!("also {}", hex_of(&more))))
}

/// The stored entries that are not visible, by their number; `None` if the bytes are not a
/// position.
fn unseen(cartridge: &Cartridge<'_>, bytes: &[u8]) -> Option<BTreeMap<u8, Vec<u8>>> {
    entries(bytes.get(State::<Wide>::unseen_at(cartridge, bytes)?..)?)
}

fn entries(mut bytes: &[u8]) -> Option<BTreeMap<u8, Vec<u8>>> {
    let mut entries = BTreeMap::new();
    while let Some(number) = bytes.first() {
        let length = match number {
            // A set: its size, then its sites.
            0x80.. => 2 + usize::from(*bytes.get(1)?),
            // A number: bit 7 is clear in its last byte only.
            _ => 2 + bytes.get(1..)?.iter().position(|byte| byte & 0x80 == 0)?,
        };
        let (entry, rest) = bytes.split_at_checked(length)?;
        entries.insert(*number, entry.to_vec());
        bytes = rest;
    }
    Some(entries)
}

/// The words after the rows of a position.
struct Remainder<'a> {
    mover: u8,
    swapped: bool,
    hands: Option<&'a str>,
    turns: u32,
    moves: Option<u32>,
    score: [i32; 2],
    phases: Option<[u8; 2]>,
    counter: Option<i16>,
    last: Option<[&'a str; 2]>,
    also: Vec<u8>,
}

fn remainder<'a>(words: &[&'a str], players: u8) -> Result<Remainder<'a>, String> {
    let usage = TEXT.usage;
    let mut said = Remainder {
        mover: 1,
        swapped: false,
        hands: None,
        turns: 1,
        moves: None,
        score: [0; 2],
        phases: None,
        counter: None,
        last: None,
        also: Vec::new(),
    };
    let mut turn = None;
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        if word.eq_ignore_ascii_case("swapped") {
            said.swapped = true;
            continue;
        }
        let value = words
            .next()
            .ok_or_else(|| format!("`{word}` needs a word behind it: write `{usage}`"))?;
        let number = || {
            let number = value.parse().ok();
            number.ok_or_else(|| format!("`{value}` is not a number of {word}"))
        };
        match word.to_ascii_lowercase().as_str() {
            "turn" => turn = Some(value),
            "hands" => said.hands = Some(value),
            "turns" => said.turns = number()?,
            "moves" => said.moves = Some(number()?),
            "phases" => said.phases = Some(pair("phases", "phase", value, words.next())?),
            "counter" => {
                let counter = value.parse();
                said.counter = Some(counter.map_err(|_| format!("`{value}` is not a counter"))?);
            }
            "score" => said.score = pair("score", "score", value, words.next())?,
            "last" => said.last = Some(value.split_once('>').unwrap_or((value, value)).into()),
            "also" => {
                said.also = bytes_of(value).ok_or_else(|| {
                    format!("`{value}` is not two hexadecimal digits for each byte")
                })?;
            }
            _ => {
                return Err(format!(
                    "`{word}` is not part of a position: write turn, hands, swapped, turns, moves, score, phases, counter, last or also"
                ));
            }
        }
    }
    let turn = turn.ok_or_else(|| format!("a position says who moves: write `{usage}`"))?;
    said.mover = mover(turn, players, said.swapped)?;
    Ok(said)
}

/// The number of the player whose turn a word says.
fn mover(turn: &str, players: u8, swapped: bool) -> Result<u8, String> {
    let side = Side::BOTH
        .into_iter()
        .find(|side| turn.eq_ignore_ascii_case(side.name()));
    match (players, side) {
        (0, None) if turn.eq_ignore_ascii_case("none") => Ok(1),
        (1, Some(Side::Green)) => Ok(1),
        (2, Some(side)) => Ok(1 + u8::from((side == Side::Red) != swapped)),
        _ => {
            let sides = ["none", "green", "green or red"][usize::from(players.min(2))];
            Err(format!(
                "`{turn}` does not move in this game: write turn {sides}"
            ))
        }
    }
}

/// Two numbers behind a word, of player 1 and 2.
fn pair<T: FromStr>(
    word: &str,
    what: &str,
    one: &str,
    other: Option<&str>,
) -> Result<[T; 2], String> {
    let other = other.ok_or_else(|| format!("{word} needs two numbers: of player 1 and 2"))?;
    let number = |text: &str| {
        let number = text.parse();
        number.map_err(|_| format!("`{text}` is not a {what}"))
    };
    Ok([number(one)?, number(other)?])
}

/// Reads the contents of sites.
struct PositionReader<'a> {
    cartridge: &'a Cartridge<'a>,
    /// True for a board that is seen from its side.
    is_upright: bool,
    signs: Vec<Option<char>>,
    state: State<Wide>,
}

impl PositionReader<'_> {
    /// Reads the contents of these places from a row.
    fn row(&mut self, row: &str, places: &[(u8, u8)], name: &str) -> Result<(), String> {
        let sites = places;
        let mut left = row.chars().peekable();
        for (place, (site, level)) in sites.iter().enumerate() {
            if left.peek().is_none() {
                return Err(format!(
                    "{name} has {} places and not {place}: `{row}`",
                    sites.len()
                ));
            }
            self.place(&mut left, *site, *level).ok_or_else(|| {
                format!(
                    "{name} is wrong at place {}: `{row}`; {}",
                    place + 1,
                    self.possible()
                )
            })?;
        }
        match left.peek() {
            None => Ok(()),
            Some(_) => Err(format!(
                "{name} has {} places and not more: `{row}`",
                sites.len()
            )),
        }
    }

    /// The pieces that may be written, for an error message.
    fn possible(&self) -> String {
        let kinds = self.signs.iter().enumerate().skip(1);
        let kinds = kinds.map(|(what, sign)| {
            let name = self.cartridge.name_of_piece(what as u8);
            match sign {
                Some(sign) => format!("{sign} ({name})"),
                None => format!("<{what}> ({name})"),
            }
        });
        let kinds: Vec<String> = kinds.collect();
        format!("write . or {}", kinds.join(", "))
    }

    /// Reads the contents of a site, or of one level where each level is a place of its
    /// own.
    fn place(&mut self, left: &mut Peekable<Chars<'_>>, site: u8, level: u8) -> Option<()> {
        if !self.is_upright {
            return self.site(left, site);
        }
        if left.next_if_eq(&'.').is_some() {
            return Some(());
        }
        (self.state.height(site) == level).then(|| self.push(left, site))?
    }

    fn site(&mut self, left: &mut Peekable<Chars<'_>>, site: u8) -> Option<()> {
        let cartridge = self.cartridge;
        match left.peek()? {
            '.' => {
                left.next();
            }
            '(' if cartridge.is(flag::STACKS) => {
                left.next();
                while *left.peek()? != ')' {
                    self.push(left, site)?;
                }
                left.next();
            }
            _ if cartridge.is(flag::STACKS) => self.push(left, site)?,
            _ => {
                let what = self.what(left)?;
                let count = number(left).unwrap_or(1);
                (count > 0).then_some(())?;
                self.change(site, |here| (here.what, here.count) = (what, count));
            }
        }
        if left.next_if_eq(&':').is_some() {
            let state = number(left)?;
            self.change(site, |here| here.state = state);
        }
        if left.next_if_eq(&'=').is_some() {
            let value = number(left)?;
            self.change(site, |here| here.value = value);
        }
        Some(())
    }

    fn change(&mut self, site: u8, what: impl FnOnce(&mut Here)) {
        let mut here = self.state.here(site);
        what(&mut here);
        self.state.set(self.cartridge, site, here);
    }

    fn push(&mut self, left: &mut Peekable<Chars<'_>>, site: u8) -> Option<()> {
        let what = self.what(left)?;
        let is_room = usize::from(self.state.height(site)) < self.cartridge.stack();
        is_room.then(|| self.state.push(self.cartridge, site, what))
    }

    fn what(&self, left: &mut Peekable<Chars<'_>>) -> Option<u8> {
        let sign = left.next()?;
        let what = if sign == '<' {
            let what = number(left)?;
            left.next_if_eq(&'>')?;
            usize::from(what)
        } else {
            self.signs.iter().position(|known| *known == Some(sign))?
        };
        let is_one = (1..self.cartridge.pieces()).contains(&what);
        is_one.then(|| u8::try_from(what).ok()).flatten()
    }
}

fn number(left: &mut Peekable<Chars<'_>>) -> Option<u8> {
    let mut digits = String::new();
    while let Some(digit) = left.next_if(char::is_ascii_digit) {
        digits.push(digit);
    }
    digits.parse().ok()
}

fn read(words: &[&str], layout: Layout) -> Result<Vec<u8>, String> {
    let known = layout.drawing();
    let game = known
        .as_ref()
        .and_then(game_of)
        .ok_or("this board has no game of its layout's own: insert one, as in `insert hex.lud`")?;
    let cartridge = &game.cartridge;
    let (text, rest) = words.split_first().ok_or_else(|| {
        format!(
            "a position is its rows and who moves: write `{}`",
            TEXT.usage
        )
    })?;
    let said = remainder(rest, cartridge.players())?;
    let mut reader = PositionReader {
        cartridge,
        is_upright: game.levels() > 1,
        signs: signs(cartridge, said.swapped),
        state: State::new(cartridge),
    };
    read_rows(&mut reader, &game, layout, text)?;
    if let Some(text) = said.hands {
        read_hands(&mut reader, &game, text)?;
    }
    let mut state = reader.state;
    set_turn(&mut state, &said, &game, layout)?;
    let too_long = || {
        format!(
            "this position is more than the {POSITION_BYTES} bytes of a message: use save and load"
        )
    };
    let bytes = state.laid::<POSITION_BYTES>(cartridge);
    let bytes = bytes.ok_or_else(too_long)?;
    if said.also.is_empty() {
        return checked(cartridge, bytes.to_vec());
    }
    let bytes = with_entries(cartridge, &bytes, &said.also)?;
    if bytes.len() > POSITION_BYTES {
        return Err(too_long());
    }
    checked(cartridge, bytes)
}

fn read_rows(
    reader: &mut PositionReader<'_>,
    game: &LayoutGame<'_>,
    layout: Layout,
    text: &str,
) -> Result<(), String> {
    let wanted = rows(layout);
    let given: Vec<&str> = text.split('/').collect();
    if given.len() != wanted.len() {
        return Err(format!(
            "a position of this board has {} rows with / between them, and not {}",
            wanted.len(),
            given.len()
        ));
    }
    let places = |points: &[Point]| points.iter().map(|point| place_of(game, *point)).collect();
    let rows: Vec<(usize, Vec<(u8, u8)>)> = (1..)
        .zip(wanted.iter().map(|points| places(points)))
        .collect();
    // The pieces of a column are stacked from the lowest level up.
    let mut order: Vec<usize> = (0..rows.len()).collect();
    if game.levels() > 1 {
        order.reverse();
    }
    for index in order {
        let (number, places) = &rows[index];
        reader.row(given[index], places, &format!("row {number} from the top"))?;
    }
    Ok(())
}

fn read_hands(
    reader: &mut PositionReader<'_>,
    game: &LayoutGame<'_>,
    text: &str,
) -> Result<(), String> {
    let sites = beside(game);
    let hands: Vec<&str> = text.split('/').collect();
    if hands.len() > sites.len() {
        return Err(format!(
            "{} places are beside this board, with / between them, and no more: there are {}",
            sites.len(),
            hands.len()
        ));
    }
    for (number, (hand, site)) in hands.iter().zip(&sites).enumerate() {
        reader.row(hand, &[(*site, 0)], &format!("hand {}", number + 1))?;
    }
    Ok(())
}

/// Whose turn it is and all else that is said in words.
fn set_turn(
    state: &mut State<Wide>,
    said: &Remainder<'_>,
    game: &LayoutGame<'_>,
    layout: Layout,
) -> Result<(), String> {
    let site = |name: &str| match name {
        "*" => Ok(-1),
        name => {
            let point = layout.point(name);
            let point = point.map_err(|error| format!("`{name}`: {error}"))?;
            Ok::<i16, String>(game.site(point).into())
        }
    };
    state.mover = said.mover;
    state.swapped = said.swapped;
    state.turns = said.turns;
    state.moves = said.moves.unwrap_or(said.turns.saturating_sub(1));
    if let Some([from, to]) = said.last {
        (state.last_from, state.last_to) = (site(from)?, site(to)?);
    }
    state.score[1..3].copy_from_slice(&said.score);
    if let Some(phases) = said.phases {
        state.phase[1..3].copy_from_slice(&phases);
    }
    state.follow(&game.cartridge);
    state.counter = said.counter.unwrap_or(state.counter);
    Ok(())
}

/// The bytes of a state with more entries of what words do not say.
fn with_entries(cartridge: &Cartridge<'_>, bytes: &[u8], also: &[u8]) -> Result<Vec<u8>, String> {
    let begin = State::<Wide>::unseen_at(cartridge, bytes).unwrap_or(bytes.len());
    let mut all = entries(&bytes[begin..]).unwrap_or_default();
    all.extend(entries(also).ok_or("what stands after also is cut off")?);
    let entries = all.into_values().collect::<Vec<_>>().concat();
    Ok([&bytes[..begin], &entries].concat())
}

fn checked(cartridge: &Cartridge<'_>, bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    match State::<Wide>::of_laid(cartridge, &bytes) {
        Some(_) => Ok(bytes),
        None => Err(format!(
            "{} has no such position: its pieces, hands or numbers cannot be so",
            cartridge.name()
        )),
    }
}

#[cfg(test)]
mod tests;
