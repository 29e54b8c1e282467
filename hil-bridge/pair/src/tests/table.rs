//! A relay and its clients in one value, with lines that lose, repeat and reorder.

use std::collections::VecDeque;

use protocol::{Layout, Settings, Tick};
use touchboard_host::{CoreDriver, Driver};

use crate::lobby::{Lobby, LobbyClient, LobbyLimits, LobbyWord};
use crate::message::TableDeed;
use crate::opening;
use crate::play::TablePlay;
use crate::secret::{TOKEN_BYTES, TableKey, TableToken};
use crate::side::TableSide;

/// The opening of a board of 9x9 points.
pub fn first_board() -> Vec<u8> {
    let (layout, settings) = (Layout::MALDOO, Settings::default());
    opening::of_board(layout.into(), firmware_core::games::ROSTER, settings).unwrap()
}

/// Tokens that are all different.
#[derive(Default)]
pub struct Tokens(u64);

impl Tokens {
    /// Tokens that are none of those of a room.
    pub fn of_others() -> Tokens {
        Tokens(1 << 40)
    }

    pub fn next(&mut self) -> [u8; TOKEN_BYTES] {
        self.0 += 1;
        let mut bytes = [7; TOKEN_BYTES];
        bytes[..8].copy_from_slice(&self.0.to_le_bytes());
        bytes
    }
}

/// A client with its board, and the messages on its line.
pub struct Person {
    pub side: TableSide,
    pub board: Option<(CoreDriver, TablePlay)>,
    pub line: Option<LobbyClient>,
    pub to_relay: VecDeque<Vec<u8>>,
    pub from_relay: VecDeque<Vec<u8>>,
    /// What the side accepted to ask for.
    pub asked: Vec<TableDeed>,
}

impl Person {
    pub fn new(side: TableSide) -> Person {
        Person {
            side,
            board: None,
            line: None,
            to_relay: VecDeque::new(),
            from_relay: VecDeque::new(),
            asked: Vec::new(),
        }
    }

    /// Lets the board follow by at most this many ticks.
    pub fn follow(&mut self, most: Tick) {
        if self.board.is_none() {
            let Some((opening, seed)) = self.side.begun_with() else {
                return;
            };
            let board = opening::board(opening, seed).expect("an honest opening");
            let play = TablePlay::on(&board);
            self.board = Some((board, play));
        }
        if let Some((board, play)) = &mut self.board {
            let followed = play.follow(&mut self.side, board, most);
            followed.expect("a board in this process");
        }
        self.to_relay.extend(self.side.take_to_send());
    }

    pub fn ask(&mut self, deed: TableDeed) {
        if self.side.wish(deed).is_ok() {
            self.asked.push(deed);
        }
        self.to_relay.extend(self.side.take_to_send());
    }

    pub fn digest(&mut self) -> (Tick, u64) {
        let (board, _) = self.board.as_mut().expect("it was at the table");
        (board.tick(), board.digest().unwrap())
    }
}

/// A relay, and the people at one of its tables: both seats and a watcher.
pub struct Room {
    pub lobby: Lobby,
    pub people: Vec<Person>,
    pub now_ms: u64,
    tokens: Tokens,
    clients: u64,
}

impl Room {
    /// Three people at a table, whose lines are there.
    pub fn with_three() -> Room {
        let mut room = Room {
            lobby: Lobby::new(LobbyLimits::default()),
            people: vec![Person::new(TableSide::opening_with(first_board()))],
            now_ms: 0,
            tokens: Tokens::default(),
            clients: 0,
        };
        room.connect(0);
        room.settle();
        let secrets = room.people[0].side.secrets().expect("the table is open");
        let table = room.people[0].side.key().expect("it has a name").table;
        for secret in [secrets.seats[1], secrets.watch] {
            let key = TableKey { table, secret };
            room.people.push(Person::new(TableSide::joining(key)));
            room.connect(room.people.len() - 1);
        }
        room.settle();
        room
    }

    pub fn name(&self) -> TableToken {
        self.people[0].side.key().expect("the table is open").table
    }

    /// Gives a person a new line. The relay may not have noticed that the old one is lost.
    pub fn connect(&mut self, who: usize) {
        self.clients += 1;
        let client = LobbyClient(self.clients);
        self.lobby.arrive(client, &format!("network {who}"));
        let person = &mut self.people[who];
        person.line = Some(client);
        person.to_relay.clear();
        person.from_relay.clear();
        person.side.connected(self.now_ms);
        person.to_relay.extend(person.side.take_to_send());
    }

    /// Cuts a person's line, with what is on it. `is_noticed`: by the relay, too.
    pub fn cut(&mut self, who: usize, is_noticed: bool) {
        let person = &mut self.people[who];
        person.to_relay.clear();
        person.from_relay.clear();
        person.side.disconnected();
        if let Some(client) = person.line.take().filter(|_| is_noticed) {
            self.lobby.leave(client);
        }
        self.sort_words();
    }

    /// A new page of the same link.
    pub fn reload(&mut self, who: usize) {
        if let Some(key) = self.people[who].side.key() {
            self.cut(who, true);
            self.people[who] = Person::new(TableSide::joining(key));
            self.connect(who);
        }
    }

    /// Puts what the relay says on the lines.
    pub fn sort_words(&mut self) {
        for (client, word) in self.lobby.take_words() {
            let mut people = self.people.iter_mut();
            let whose = people.find(|person| person.line == Some(client));
            if let (Some(person), LobbyWord::Say(bytes)) = (whose, word) {
                person.from_relay.push_back(bytes);
            }
        }
    }

    /// The relay hears the next message of a person.
    pub fn relay_hears(&mut self, who: usize) {
        let person = &mut self.people[who];
        if let (Some(client), Some(bytes)) = (person.line, person.to_relay.pop_front()) {
            let tokens = &mut self.tokens;
            self.lobby.hear(client, &bytes, &mut || Some(tokens.next()));
            self.sort_words();
        }
    }

    /// A person hears the next message of the relay.
    pub fn person_hears(&mut self, who: usize) {
        let person = &mut self.people[who];
        if let Some(bytes) = person.from_relay.pop_front() {
            person.side.hear(&bytes);
            person.to_relay.extend(person.side.take_to_send());
        }
    }

    pub fn pass(&mut self, ms: u64) {
        self.now_ms += ms;
        self.lobby.pass(self.now_ms);
        self.sort_words();
        for person in &mut self.people {
            person.side.poll(self.now_ms);
            person.to_relay.extend(person.side.take_to_send());
        }
    }

    /// Everything that is on the lines arrives.
    pub fn settle(&mut self) {
        for _ in 0..10_000 {
            let is_done =
                |person: &Person| person.to_relay.is_empty() && person.from_relay.is_empty();
            if self.people.iter().all(is_done) {
                return;
            }
            for who in 0..self.people.len() {
                self.relay_hears(who);
                self.person_hears(who);
            }
        }
        panic!("the lines never come to rest");
    }

    /// All lines are whole again, and everybody comes to the table's present.
    pub fn heal(&mut self) {
        for who in 0..self.people.len() {
            if self.people[who].line.is_none() {
                self.connect(who);
            }
        }
        self.settle();
        // Longer than anything waits before it is repeated, and up to the next digest.
        for _ in 0..40 {
            self.pass(100);
            self.settle();
            for who in 0..self.people.len() {
                self.people[who].follow(Tick::MAX);
            }
            self.settle();
        }
    }
}
