//! Clients and relays that mean harm.

use law::{Judged, Weight, law};
use proptest::prelude::*;

use super::table::{Room, Tokens, first_board};
use super::{deed, seat};
use crate::lobby::{LobbyClient, LobbyWord};
use crate::message::{
    FromTable, TableDeed, TableEntry, TableParted, TablePresence, TableRefusal, TableRole,
    TableSeat, TableWish, ToTable, VERSION, encode,
};
use crate::secret::{TableKey, TableSecrets, TableToken};
use crate::side::{TableError, TableSide, TableStep};

/// What a client without a seat may send.
#[derive(Clone, Debug)]
enum Attack {
    Bytes(Vec<u8>),
    Wish(u32, TableDeed),
    Digest(u64, u64),
    Again(u32),
    Join(u8, [u8; 16]),
    Open(Vec<u8>),
    ComeAgain,
}

fn attack() -> impl Strategy<Value = Attack> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..40).prop_map(Attack::Bytes),
        (0_u32..4, deed()).prop_map(|(number, deed)| Attack::Wish(number, deed)),
        (0_u64..3, any::<u64>()).prop_map(|(at, digest)| Attack::Digest(at * 1_000, digest)),
        (0_u32..9).prop_map(Attack::Again),
        (0_u8..3, any::<[u8; 16]>()).prop_map(|(kind, guess)| Attack::Join(kind, guess)),
        prop::collection::vec(any::<u8>(), 0..40).prop_map(Attack::Open),
        Just(Attack::ComeAgain),
    ]
}

/// What a honest person does between two attacks.
#[derive(Clone, Debug)]
enum Move {
    Ask(usize, TableDeed),
    Pass(u64),
}

fn honest_move() -> impl Strategy<Value = Move> {
    prop_oneof![
        (0_usize..2, deed()).prop_map(|(who, deed)| Move::Ask(who, deed)),
        (1_u64..90).prop_map(Move::Pass),
    ]
}

/// Plays these moves, with an attack after each. Returns the log, and what is known to be
/// equal.
fn play(moves: &[(Move, Option<Attack>)]) -> (Vec<TableEntry>, Option<(u64, u64)>) {
    let mut room = Room::with_three();
    let table = room.name();
    let watch = room.people[0].side.secrets().unwrap().watch;
    let mut tokens = Tokens::of_others();
    let mut number = 1_000_000;
    for (one, attack) in moves {
        match one {
            Move::Ask(who, deed) => room.people[*who].ask(*deed),
            Move::Pass(ms) => room.pass(*ms),
        }
        room.settle();
        let Some(attack) = attack else {
            continue;
        };
        let mut client = LobbyClient(number);
        if number == 1_000_000 || matches!(attack, Attack::ComeAgain) {
            number += 1;
            client = LobbyClient(number);
            room.lobby.arrive(client, "elsewhere");
        }
        let bytes = match attack.clone() {
            Attack::ComeAgain => continue,
            Attack::Bytes(bytes) => bytes,
            Attack::Wish(number, deed) => encode(&ToTable::Wish(TableWish { number, deed })),
            Attack::Digest(tick, digest) => encode(&ToTable::Digest { tick, digest }),
            Attack::Again(from) => encode(&ToTable::Again { from }),
            Attack::Open(opening) => encode(&ToTable::Open {
                version: VERSION,
                opening,
            }),
            Attack::Join(kind, guess) => {
                let guess = TableToken::new(guess);
                let (table, secret) = match kind {
                    0 => (guess, guess),
                    1 => (table, guess),
                    _ => (table, watch),
                };
                let (version, have) = (VERSION, 0);
                let key = TableKey { table, secret };
                encode(&ToTable::Join { version, key, have })
            }
        };
        room.lobby.hear(client, &bytes, &mut || Some(tokens.next()));
        for (of, word) in room.lobby.take_words() {
            let LobbyWord::Say(bytes) = word else {
                continue;
            };
            let mut people = room.people.iter_mut();
            if let Some(person) = people.find(|person| person.line == Some(of)) {
                person.from_relay.push_back(bytes);
            }
        }
        room.settle();
    }
    room.heal();
    let log = room.lobby.table(table).unwrap().log().to_vec();
    let same = room.people.iter().map(|person| person.side.same());
    let same: Vec<_> = same.collect();
    assert!(same.iter().all(|one| *one == same[0]), "{same:?}");
    (log, same[0])
}

#[test]
fn whoever_has_no_seat_changes_nothing() {
    let moves = prop::collection::vec((honest_move(), attack()), 1..40);
    law(Weight::of(100, 60), moves, |moves| {
        let attacked = moves
            .iter()
            .cloned()
            .map(|(one, attack)| (one, Some(attack)));
        let alone = moves.iter().cloned().map(|(one, _)| (one, None));
        let attacked = play(&attacked.collect::<Vec<_>>());
        let alone = play(&alone.collect::<Vec<_>>());
        prop_assert_eq!(&attacked, &alone);
        Ok(Judged::if_any(!alone.0.is_empty()))
    });
}

/// A message as a relay of the worst kind may send it.
fn from_relay() -> impl Strategy<Value = FromTable> {
    let token = || any::<[u8; 16]>().prop_map(TableToken::new);
    let secrets = (token(), token(), token()).prop_map(|(first, second, watch)| TableSecrets {
        seats: [first, second],
        watch,
    });
    let role = prop_oneof![
        9 => Just(TableRole::Seat(TableSeat::First)),
        1 => Just(TableRole::Watcher),
    ];
    let entry =
        (0_u64..300, seat(), deed()).prop_map(|(tick, seat, deed)| TableEntry { tick, seat, deed });
    let parted =
        (any::<u64>(), any::<[u64; 2]>()).prop_map(|(tick, digests)| TableParted { tick, digests });
    let presence = (any::<[bool; 2]>(), any::<u16>())
        .prop_map(|(seats, watchers)| TablePresence { seats, watchers });
    let welcome = (role, 0_u32..4, 0_u64..2_000).prop_map(|(role, wishes, tick)| {
        let (opening, seed) = (first_board(), 1);
        FromTable::Welcome {
            role,
            opening,
            seed,
            wishes,
            tick,
        }
    });
    let entries = (0_u32..4, prop::collection::vec(entry, 0..4)).prop_map(|(from, mut entries)| {
        // Otherwise hardly any would be taken.
        entries.sort_by_key(|entry| entry.tick);
        FromTable::Entries { from, entries }
    });
    let tick = prop_oneof![20 => 0_u64..300, 1 => any::<u64>()];
    let now = (tick, 0_u32..9).prop_map(|(tick, count)| FromTable::Now { tick, count });
    let same = (0_u64..9, any::<u64>()).prop_map(|(at, digest)| FromTable::Same {
        tick: at * 1_000,
        digest,
    });
    prop_oneof![
        2 => (token(), secrets).prop_map(|(table, secrets)| FromTable::Opened { table, secrets }),
        2 => welcome,
        30 => entries,
        20 => now,
        2 => presence.prop_map(FromTable::Present),
        1 => same,
        1 => parted.prop_map(FromTable::Parted),
        1 => Just(FromTable::Full),
        1 => Just(FromTable::Refused(TableRefusal::Closing)),
    ]
}

/// Lets a client sit down, as an honest relay does.
fn begin_honestly(side: &mut TableSide) {
    let token = |byte| TableToken::new([byte; 16]);
    let secrets = TableSecrets {
        seats: [token(1), token(2)],
        watch: token(3),
    };
    let table = token(4);
    side.hear(&encode(&FromTable::Opened { table, secrets }));
    side.hear(&encode(&FromTable::Welcome {
        role: TableRole::Seat(TableSeat::First),
        opening: first_board(),
        seed: 1,
        wishes: 0,
        tick: 0,
    }));
}

#[test]
fn a_relay_that_lies_can_only_end_the_table() {
    let heard = prop::collection::vec((from_relay(), any::<bool>()), 0..30);
    let like = (heard, 0_u8..5);
    law(Weight::of(400, 30), like, |(heard, begins)| {
        let mut side = TableSide::opening_with(first_board());
        side.connected(0);
        if begins > 0 {
            begin_honestly(&mut side);
        }
        let (mut at, mut taken, mut clock) = (0, Vec::new(), 0);
        for (message, reconnects) in &heard {
            side.hear(&encode(message));
            clock += 400;
            side.poll(clock);
            for _ in 0..20 {
                match side.next_step(at) {
                    Some(TableStep::Pass(ticks)) => {
                        prop_assert!(ticks > 0);
                        at += ticks;
                    }
                    Some(TableStep::Take(entry)) => {
                        prop_assert_eq!(entry.tick, at, "an entry is taken at its tick");
                        taken.push(entry);
                    }
                    Some(TableStep::Digest) => side.tell_digest(at, at),
                    None => break,
                }
            }
            prop_assert!(side.take_to_send().len() <= 80);
            if *reconnects && clock % 3 == 0 {
                side.disconnected();
                side.connected(clock);
                if begins > 0 {
                    begin_honestly(&mut side);
                }
            }
        }
        prop_assert_eq!(taken.as_slice(), &side.entries()[..taken.len()]);
        Ok(Judged::if_any(!side.entries().is_empty()))
    });
}

#[test]
fn bytes_that_are_no_message_end_the_table_with_a_sentence() {
    let mut side = TableSide::opening_with(first_board());
    side.connected(0);
    side.hear(b"HTTP/1.1 200 OK");
    assert_eq!(side.failed(), Some(TableError::Nonsense));
    assert!(side.take_to_send().is_empty());
}
