//! All tables of a relay, and the clients at them.
//!
//! The owner has the sockets and the clock: it tells who comes, what is said, who leaves and
//! what time it is, and carries out the [words](LobbyWord) that come of it.
//!
//! Invariants: a client hears only of its own table, and only what its secret allows; a
//! wrong name and a wrong secret get the same answer; each limit binds the client or the
//! network that it is meant for, and locks out nobody else.

mod caller;
mod held_table;
mod room;

use std::collections::{BTreeMap, HashMap};

use crate::message::{
    FromTable, OPENING_BYTES, TableRefusal, TableRole, TableSeat, ToTable, VERSION, decode, encode,
};
use crate::order::PairTable;
use crate::secret::{TOKEN_BYTES, TableKey, TableSecrets, TableToken};

use caller::Caller;
use held_table::HeldTable;
pub use room::{TakenPlace, place_to_clear};

/// How long a client may be silent before it says what it wants.
const INTRODUCTION_MS: u64 = 10_000;

/// A client, by a number that is never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LobbyClient(pub u64);

/// What to do for a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LobbyWord {
    /// Send it this message.
    Say(Vec<u8>),
    /// Close its line, once everything is sent.
    Close,
}

/// The limits of a relay.
#[derive(Clone, Copy, Debug)]
pub struct LobbyLimits {
    /// The most tables.
    pub tables: usize,
    /// The most watchers of a table.
    pub watchers: usize,
    /// How long a table is kept at which nobody is, in ms.
    pub keep_ms: u64,
}

impl Default for LobbyLimits {
    fn default() -> LobbyLimits {
        LobbyLimits {
            tables: 256,
            watchers: 32,
            keep_ms: 24 * 60 * 60 * 1_000,
        }
    }
}

/// Random bytes for a token; `None` if there are none that nobody could guess.
pub type LobbyRandom<'a> = &'a mut dyn FnMut() -> Option<[u8; TOKEN_BYTES]>;

/// All tables and clients of a relay.
pub struct Lobby {
    limits: LobbyLimits,
    now_ms: u64,
    tables: HashMap<[u8; TOKEN_BYTES], HeldTable>,
    callers: BTreeMap<LobbyClient, Caller>,
    words: Vec<(LobbyClient, LobbyWord)>,
}

impl Lobby {
    /// A relay without tables.
    #[must_use]
    pub fn new(limits: LobbyLimits) -> Lobby {
        Lobby {
            limits,
            now_ms: 0,
            tables: HashMap::new(),
            callers: BTreeMap::new(),
            words: Vec::new(),
        }
    }

    /// The number of tables.
    #[must_use]
    pub fn tables(&self) -> usize {
        self.tables.len()
    }

    /// The table of this name.
    #[must_use]
    pub fn table(&self, name: TableToken) -> Option<&PairTable> {
        self.tables.get(&name.bytes()).map(|held| &held.table)
    }

    /// Takes what is to be done for clients, in order.
    pub fn take_words(&mut self) -> Vec<(LobbyClient, LobbyWord)> {
        std::mem::take(&mut self.words)
    }

    /// Lets a client in. `network` is what limits count it by.
    pub fn arrive(&mut self, client: LobbyClient, network: &str) {
        let caller = Caller::new(network, self.now_ms);
        self.callers.insert(client, caller);
    }

    /// Takes in that a client's line is closed.
    pub fn leave(&mut self, client: LobbyClient) {
        let Some(caller) = self.callers.remove(&client) else {
            return;
        };
        let Some((name, _)) = caller.at else {
            return;
        };
        if let Some(held) = self.tables.get_mut(&name) {
            for seat in TableSeat::ALL {
                if held.seats[seat.index()] == Some(client) {
                    held.seats[seat.index()] = None;
                    held.table.set_line(seat, false);
                }
            }
            held.watchers.retain(|watcher| *watcher != client);
            held.empty_since = held.is_empty().then_some(self.now_ms);
            self.tell_presence(name);
        }
    }

    /// Lets time pass, up to this moment of a clock that only goes forward.
    pub fn pass(&mut self, now_ms: u64) {
        let elapsed = now_ms.saturating_sub(self.now_ms);
        self.now_ms = self.now_ms.max(now_ms);
        let keep = self.limits.keep_ms;
        self.tables.retain(|_, held| {
            let is_left = |since| now_ms.saturating_sub(since) >= keep;
            !held.empty_since.is_some_and(is_left)
        });
        let mut words = Vec::new();
        for held in self.tables.values_mut() {
            if let Some(now) = held.table.pass(elapsed) {
                let bytes = encode(&now);
                let say = |client| (client, LobbyWord::Say(bytes.clone()));
                words.extend(held.everybody().map(say));
            }
        }
        self.words.append(&mut words);
        let is_silent = |caller: &Caller| {
            caller.at.is_none() && self.now_ms - caller.arrived_ms > INTRODUCTION_MS
        };
        let silent = self.callers.iter().filter(|(_, caller)| is_silent(caller));
        let silent: Vec<LobbyClient> = silent.map(|(client, _)| *client).collect();
        // Without a refusal: a page that was still loading comes again.
        for client in silent {
            self.words.push((client, LobbyWord::Close));
            self.leave(client);
        }
    }

    /// Tells everybody that the relay shuts down.
    pub fn close(&mut self) {
        let clients: Vec<LobbyClient> = self.callers.keys().copied().collect();
        for client in clients {
            self.refuse(client, TableRefusal::Closing);
        }
    }

    /// Hears a message of a client.
    pub fn hear(&mut self, client: LobbyClient, bytes: &[u8], random: LobbyRandom<'_>) {
        let Some(caller) = self.callers.get_mut(&client) else {
            return;
        };
        let counted = match decode(bytes) {
            Err(_) => Err(TableRefusal::Nonsense),
            Ok(message) => caller.count(&message, self.now_ms).map(|()| message),
        };
        let done = counted.and_then(|message| self.carry_out(client, message, random));
        if let Err(refusal) = done {
            self.refuse(client, refusal);
        }
    }

    fn carry_out(
        &mut self,
        client: LobbyClient,
        message: ToTable,
        random: LobbyRandom<'_>,
    ) -> Result<(), TableRefusal> {
        match message {
            ToTable::Open { version, .. } | ToTable::Join { version, .. } if version != VERSION => {
                Err(TableRefusal::Version)
            }
            ToTable::Open { opening, .. } => self.open(client, opening, random),
            ToTable::Join { key, have, .. } => self.join(client, key, have),
            ToTable::Wish(wish) => {
                let (name, seat) = self.seat_of(client)?;
                let held = self.tables.get_mut(&name);
                let told = held.map(|held| held.table.enter(seat, wish));
                told.into_iter()
                    .flatten()
                    .for_each(|word| self.tell_all(name, &word));
                Ok(())
            }
            ToTable::Digest { tick, digest } => {
                let (name, seat) = self.seat_of(client)?;
                let held = self.tables.get_mut(&name);
                let told = held.and_then(|held| held.table.compare(seat, tick, digest));
                if let Some(word) = told {
                    self.tell_all(name, &word);
                }
                Ok(())
            }
            ToTable::Again { from } => {
                let at = self.callers.get(&client).and_then(|caller| caller.at);
                let (name, _) = at.ok_or(TableRefusal::Nonsense)?;
                self.tell_since(client, name, from);
                Ok(())
            }
        }
    }

    /// The table and the seat of a client.
    fn seat_of(&self, client: LobbyClient) -> Result<([u8; TOKEN_BYTES], TableSeat), TableRefusal> {
        let at = self.callers.get(&client).and_then(|caller| caller.at);
        let (name, role) = at.ok_or(TableRefusal::Nonsense)?;
        let seat = role.seat().ok_or(TableRefusal::Nonsense)?;
        Ok((name, seat))
    }

    fn open(
        &mut self,
        client: LobbyClient,
        opening: Vec<u8>,
        random: LobbyRandom<'_>,
    ) -> Result<(), TableRefusal> {
        let caller = &self.callers[&client];
        let (network, is_opener) = (caller.network.clone(), caller.is_opener);
        if let Some((name, role)) = caller.at {
            // A repeated request gets the same answer.
            return match is_opener {
                true => {
                    self.welcome(client, name, role, 0);
                    Ok(())
                }
                false => Err(TableRefusal::Nonsense),
            };
        }
        if opening.len() > OPENING_BYTES {
            return Err(TableRefusal::Nonsense);
        }
        // All secrets come first, so that nobody's table goes for one that cannot be opened.
        let mut token = || random().ok_or(TableRefusal::NoSecrets);
        let (name, secrets) = (token()?, [token()?, token()?, token()?]);
        let [first, second, watch] = secrets.map(TableToken::new);
        let seed = token()?;
        let seed = u64::from_le_bytes(std::array::from_fn(|at| seed[at]));
        self.make_room(&network)?;
        if self.tables.contains_key(&name) {
            // Chance does not do this; whoever has that table keeps it.
            return Err(TableRefusal::NoRoom);
        }
        let held = HeldTable {
            table: PairTable::new(opening, seed),
            secrets: TableSecrets {
                seats: [first, second],
                watch,
            },
            seats: [None; 2],
            watchers: Vec::new(),
            network,
            empty_since: None,
        };
        self.tables.insert(name, held);
        if let Some(caller) = self.callers.get_mut(&client) {
            caller.is_opener = true;
        }
        self.sit(client, name, TableRole::Seat(TableSeat::First), 0);
        Ok(())
    }

    fn join(&mut self, client: LobbyClient, key: TableKey, have: u32) -> Result<(), TableRefusal> {
        let name = key.table.bytes();
        let held = self.tables.get(&name).ok_or(TableRefusal::NoTable)?;
        let role = held.role(key.secret).ok_or(TableRefusal::NoTable)?;
        match self.callers[&client].at {
            Some(at) if at == (name, role) => self.welcome(client, name, role, have),
            Some(_) => return Err(TableRefusal::Nonsense),
            None => {
                if role == TableRole::Watcher {
                    self.make_room_to_watch(client, name)?;
                }
                self.sit(client, name, role, have);
            }
        }
        Ok(())
    }

    /// Puts a client at a table. Whoever had the seat loses it: the line may be dead, and
    /// the secret is the same.
    fn sit(&mut self, client: LobbyClient, name: [u8; TOKEN_BYTES], role: TableRole, have: u32) {
        if let Some(caller) = self.callers.get_mut(&client) {
            caller.at = Some((name, role));
        }
        let Some(held) = self.tables.get_mut(&name) else {
            return;
        };
        held.empty_since = None;
        let mut before = None;
        match role {
            TableRole::Seat(seat) => {
                before = held.seats[seat.index()].replace(client);
                held.table.set_line(seat, true);
            }
            TableRole::Watcher => held.watchers.push(client),
        }
        if let Some(before) = before {
            self.refuse(before, TableRefusal::Replaced);
        }
        self.welcome(client, name, role, have);
        self.tell_presence(name);
    }

    fn welcome(
        &mut self,
        client: LobbyClient,
        name: [u8; TOKEN_BYTES],
        role: TableRole,
        have: u32,
    ) {
        let Some(held) = self.tables.get(&name) else {
            return;
        };
        let (table, secrets) = (TableToken::new(name), held.secrets);
        let opened = FromTable::Opened { table, secrets };
        let is_opener = self.callers.get(&client).is_some_and(|own| own.is_opener);
        let welcome = FromTable::Welcome {
            role,
            opening: held.table.opening().to_vec(),
            seed: held.table.seed(),
            wishes: role.seat().map_or(0, |seat| held.table.wishes(seat)),
            tick: held.table.tick(),
        };
        let words = is_opener.then_some(opened).into_iter();
        for word in words.chain([welcome]) {
            self.tell(client, &word);
        }
        self.tell_since(client, name, have);
    }

    fn tell(&mut self, client: LobbyClient, word: &FromTable) {
        self.words.push((client, LobbyWord::Say(encode(word))));
    }

    fn tell_all(&mut self, name: [u8; TOKEN_BYTES], word: &FromTable) {
        if let Some(held) = self.tables.get(&name) {
            let bytes = encode(word);
            let say = |client| (client, LobbyWord::Say(bytes.clone()));
            self.words.extend(held.everybody().map(say));
        }
    }

    fn tell_presence(&mut self, name: [u8; TOKEN_BYTES]) {
        if let Some(held) = self.tables.get(&name) {
            let presence = FromTable::Present(held.presence());
            self.tell_all(name, &presence);
        }
    }

    fn tell_since(&mut self, client: LobbyClient, name: [u8; TOKEN_BYTES], have: u32) {
        if let Some(held) = self.tables.get(&name) {
            let say = |word| (client, LobbyWord::Say(encode(&word)));
            let presence = FromTable::Present(held.presence());
            let words = [presence].into_iter().chain(held.table.since(have));
            self.words.extend(words.map(say));
        }
    }

    /// Tells a client why, closes its line, and forgets it.
    fn refuse(&mut self, client: LobbyClient, why: TableRefusal) {
        self.tell(client, &FromTable::Refused(why));
        self.words.push((client, LobbyWord::Close));
        self.leave(client);
    }

    /// Makes room for a table of this network.
    fn make_room(&mut self, network: &str) -> Result<(), TableRefusal> {
        if self.tables.len() < self.limits.tables {
            return Ok(());
        }
        let places = self.tables.iter().map(|(name, held)| {
            let is_used = !held.is_empty();
            (
                held.network.as_str(),
                (is_used, held.table.log().len()),
                *name,
            )
        });
        let name = place_to_clear(places, network).ok_or(TableRefusal::NoRoom)?;
        let held = self.tables.get(&name);
        let clients: Vec<LobbyClient> = held.into_iter().flat_map(HeldTable::everybody).collect();
        for client in clients {
            self.refuse(client, TableRefusal::NoTable);
        }
        self.tables.remove(&name);
        Ok(())
    }

    /// Makes room for a watcher.
    fn make_room_to_watch(
        &mut self,
        client: LobbyClient,
        name: [u8; TOKEN_BYTES],
    ) -> Result<(), TableRefusal> {
        let watchers = self.tables.get(&name).map(|held| held.watchers.as_slice());
        let watchers = watchers.unwrap_or_default();
        if watchers.len() < self.limits.watchers {
            return Ok(());
        }
        let network = |client: &LobbyClient| self.callers[client].network.as_str();
        // The oldest one has the smallest number.
        let places = watchers
            .iter()
            .map(|watcher| (network(watcher), (true, watcher.0 as usize), *watcher));
        let one = place_to_clear(places, network(&client)).ok_or(TableRefusal::NoRoomToWatch)?;
        self.refuse(one, TableRefusal::NoRoomToWatch);
        Ok(())
    }
}
