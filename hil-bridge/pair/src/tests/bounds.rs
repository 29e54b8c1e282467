//! The limits of a relay, and whom they bind.

use super::table::{Room, Tokens, first_board};
use crate::lobby::{Lobby, LobbyClient, LobbyLimits, LobbyWord};
use crate::message::{
    FromTable, MOST_ENTRIES, TableDeed, TableRefusal, TableSeat, TableWish, ToTable, VERSION,
    decode, encode,
};
use crate::order::PairTable;
use crate::secret::TableKey;
use crate::side::{TableError, TableSide};
use protocol::Input;

const PASS: TableDeed = TableDeed::Input(Input::Pass);

/// The messages for a client, decoded, and whether its line is closed.
fn words(lobby: &mut Lobby, client: LobbyClient) -> (Vec<FromTable>, bool) {
    let (mut said, mut is_closed) = (Vec::new(), false);
    for (_, word) in lobby
        .take_words()
        .into_iter()
        .filter(|(of, _)| *of == client)
    {
        match word {
            LobbyWord::Say(bytes) => said.push(decode(&bytes).expect("a message")),
            LobbyWord::Close => is_closed = true,
        }
    }
    (said, is_closed)
}

fn open(lobby: &mut Lobby, tokens: &mut Tokens, number: u64, network: &str) -> LobbyClient {
    let client = LobbyClient(number);
    lobby.arrive(client, network);
    let open = ToTable::Open {
        version: VERSION,
        opening: first_board(),
    };
    lobby.hear(client, &encode(&open), &mut || Some(tokens.next()));
    client
}

fn is_open(said: &[FromTable]) -> bool {
    said.iter()
        .any(|word| matches!(word, FromTable::Opened { .. }))
}

#[test]
fn a_full_table_takes_nothing_more_and_says_so() {
    let mut table = PairTable::new(Vec::new(), 0);
    for seat in TableSeat::ALL {
        table.set_line(seat, true);
    }
    for number in 0..MOST_ENTRIES as u32 {
        let told = table.enter(TableSeat::First, TableWish { number, deed: PASS });
        let is_last = number as usize + 1 == MOST_ENTRIES;
        assert_eq!(told.contains(&FromTable::Full), is_last);
    }
    let number = MOST_ENTRIES as u32;
    let told = table.enter(TableSeat::First, TableWish { number, deed: PASS });
    assert_eq!((told.len(), table.log().len()), (0, MOST_ENTRIES));
    assert_eq!(table.pass(50), None);
    assert!(table.since(0).any(|word| word == FromTable::Full));
}

/// A browser opens the line of a page while the page is still being compiled.
#[test]
fn a_page_that_takes_long_to_load_comes_again() {
    let (mut lobby, mut tokens) = (Lobby::new(LobbyLimits::default()), Tokens::default());
    let slow = LobbyClient(1);
    lobby.arrive(slow, "slow");
    lobby.pass(10_000);
    assert_eq!(words(&mut lobby, slow), (Vec::new(), false));
    lobby.pass(10_001);
    // Its line is closed, and it is not told that anything is wrong with it.
    assert_eq!(words(&mut lobby, slow), (Vec::new(), true));
    let again = open(&mut lobby, &mut tokens, 2, "slow");
    assert!(is_open(&words(&mut lobby, again).0));
}

#[test]
fn one_network_cannot_take_all_tables() {
    let limits = LobbyLimits {
        tables: 3,
        ..LobbyLimits::default()
    };
    let (mut lobby, mut tokens) = (Lobby::new(limits), Tokens::default());
    let greedy = [1, 2, 3].map(|number| open(&mut lobby, &mut tokens, number, "greedy"));
    let fourth = open(&mut lobby, &mut tokens, 4, "greedy");
    let refused = FromTable::Refused(TableRefusal::NoRoom);
    assert_eq!(words(&mut lobby, fourth), (vec![refused], true));
    let other = open(&mut lobby, &mut tokens, 5, "other");
    let all = lobby.take_words();
    let of = |client| all.iter().filter(move |(of, _)| *of == client);
    assert_eq!(
        of(other)
            .filter(|(_, word)| *word == LobbyWord::Close)
            .count(),
        0
    );
    let closed = greedy
        .iter()
        .filter(|client| of(**client).any(|(_, word)| *word == LobbyWord::Close));
    assert_eq!(closed.count(), 1);
    assert_eq!(lobby.tables(), 3);
}

#[test]
fn a_table_without_secrets_is_refused_and_costs_nobody_another() {
    let limits = LobbyLimits {
        tables: 1,
        ..LobbyLimits::default()
    };
    let (mut lobby, mut tokens) = (Lobby::new(limits), Tokens::default());
    let first = open(&mut lobby, &mut tokens, 1, "a");
    lobby.leave(first);
    lobby.take_words();
    let second = LobbyClient(2);
    lobby.arrive(second, "b");
    let wanted = encode(&ToTable::Open {
        version: VERSION,
        opening: first_board(),
    });
    // The system has random numbers for the name, but not for all secrets.
    let mut left = 4;
    lobby.hear(second, &wanted, &mut || {
        left -= 1;
        (left > 0).then(|| tokens.next())
    });
    let refused = FromTable::Refused(TableRefusal::NoSecrets);
    assert_eq!(words(&mut lobby, second), (vec![refused], true));
    assert_eq!(lobby.tables(), 1);
}

#[test]
fn a_table_at_which_nobody_is_goes_after_its_time() {
    let limits = LobbyLimits {
        keep_ms: 1_000,
        ..LobbyLimits::default()
    };
    let (mut lobby, mut tokens) = (Lobby::new(limits), Tokens::default());
    let client = open(&mut lobby, &mut tokens, 1, "a");
    lobby.pass(5_000);
    assert_eq!(lobby.tables(), 1);
    lobby.leave(client);
    lobby.pass(5_999);
    assert_eq!(lobby.tables(), 1);
    lobby.pass(6_000);
    assert_eq!(lobby.tables(), 0);
}

#[test]
fn whoever_says_nothing_or_too_much_loses_the_line() {
    let (mut lobby, mut tokens) = (Lobby::new(LobbyLimits::default()), Tokens::default());
    let client = LobbyClient(1);
    lobby.arrive(client, "a");
    lobby.pass(10_000);
    assert_eq!(words(&mut lobby, client), (vec![], false));
    lobby.pass(10_001);
    assert!(words(&mut lobby, client).1);
    let client = open(&mut lobby, &mut tokens, 2, "a");
    assert!(is_open(&words(&mut lobby, client).0));
    let wish = encode(&ToTable::Wish(TableWish {
        number: 9,
        deed: PASS,
    }));
    for _ in 0..256 {
        lobby.hear(client, &wish, &mut || Some(tokens.next()));
    }
    let (said, is_closed) = words(&mut lobby, client);
    assert!(is_closed);
    assert_eq!(
        said.last(),
        Some(&FromTable::Refused(TableRefusal::TooFast))
    );
}

#[test]
fn the_same_link_opened_twice_moves_the_seat_and_says_so() {
    let mut room = Room::with_three();
    let key = room.people[1].side.key().unwrap();
    let mut old = std::mem::replace(
        &mut room.people[1],
        super::table::Person::new(TableSide::joining(key)),
    );
    room.people
        .push(super::table::Person::new(TableSide::joining(key)));
    std::mem::swap(&mut room.people[3], &mut old);
    room.connect(1);
    room.settle();
    let replaced = TableError::Refused(TableRefusal::Replaced);
    assert_eq!(room.people[3].side.failed(), Some(replaced));
    assert!(room.people[1].side.is_there());
}

#[test]
fn a_watchers_secret_opens_no_seat_and_a_wrong_one_nothing() {
    let mut room = Room::with_three();
    let (table, secrets) = (room.name(), room.people[0].side.secrets().unwrap());
    assert_eq!(room.people[2].side.wish(PASS), Err(TableError::Watching));
    let swapped = TableKey {
        table: secrets.watch,
        secret: secrets.watch,
    };
    let name_as_secret = TableKey {
        table,
        secret: table,
    };
    for key in [swapped, name_as_secret] {
        let mut side = TableSide::joining(key);
        side.connected(0);
        let client = LobbyClient(77);
        room.lobby.arrive(client, "x");
        for bytes in side.take_to_send() {
            room.lobby.hear(client, &bytes, &mut || Some([0; 16]));
        }
        let refused = FromTable::Refused(TableRefusal::NoTable);
        assert_eq!(words(&mut room.lobby, client), (vec![refused], true));
    }
}
