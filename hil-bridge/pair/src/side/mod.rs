//! A client's end of the line to a table.
//!
//! The owner has the socket and the board: it passes on bytes, says when the line is there
//! or lost, and asks for the [next step](TableSide::next_step) of its board. After a lost
//! line the same value goes on with a new one; nothing is asked for twice, and nothing is
//! left out.
//!
//! Invariants: entries are handed out once, in their order, at their ticks; the board never
//! goes to a tick before all earlier entries are known; what a relay sends needs no more
//! memory than an honest table; once a table has failed, nothing is handed out any more.

mod digests;
mod error;

use std::collections::VecDeque;

use protocol::Tick;

use crate::message::{
    DIGEST_EVERY, FromTable, MOST_ENTRIES, OPENING_BYTES, TableDeed, TableEntry, TableParted,
    TablePresence, TableRole, TableSeat, TableWish, ToTable, VERSION, decode, encode,
};
use crate::secret::{TableKey, TableSecrets};

use digests::KnownDigests;
pub use error::TableError;

/// The most wishes that wait for the relay: a line that is away for a while.
const MOST_WISHES: usize = 64;

/// How long nothing is repeated at first, and at most: the wait doubles while the relay is
/// silent, so that a line that was stuck does not bring a flood.
const RETRY_MS: u64 = 1_000;
const LONGEST_RETRY_MS: u64 = 8_000;

/// The most wishes that are repeated at once. The relay enters them in order, so those
/// behind them come to nothing before.
const REPEATED_WISHES: usize = 8;

/// What the board has to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableStep {
    /// Take this entry now.
    Take(TableEntry),
    /// Let this many ticks pass.
    Pass(Tick),
    /// Tell its digest, by [`TableSide::tell_digest`].
    Digest,
}

/// Whether the client has a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TableLine {
    /// No.
    Away,
    /// Yes, but the relay has not answered yet.
    Asking,
    /// The client is at the table.
    There,
}

/// A client of a table.
#[derive(Debug)]
pub struct TableSide {
    /// The board to open a table with.
    own_opening: Vec<u8>,
    key: Option<TableKey>,
    secrets: Option<TableSecrets>,
    line: TableLine,
    role: Option<TableRole>,
    opening: Option<(Vec<u8>, u64)>,
    entries: Vec<TableEntry>,
    /// The number of entries handed out.
    taken: usize,
    /// The number of entries of the own seat.
    own: u32,
    /// The tick to which the board may go.
    until: Tick,
    /// A later tick, and the number of entries before it, of which some are missing.
    ahead: Option<(Tick, u32)>,
    wishes: VecDeque<TableWish>,
    next_wish: u32,
    /// The number of deeds that the seat had asked for before this client came.
    earlier: u32,
    /// The first tick whose digest is told: earlier ones were compared before this client
    /// came, or came again.
    digests_from: Tick,
    /// The last tick whose digest was handed out.
    digest_at: Option<Tick>,
    digests: KnownDigests,
    presence: TablePresence,
    parted: Option<TableParted>,
    is_full: bool,
    failed: Option<TableError>,
    /// True if the relay has not told the time since something was last repeated.
    is_quiet: bool,
    /// When something was last repeated, and how long nothing is repeated after it.
    repeated_ms: u64,
    wait_ms: u64,
    to_send: Vec<ToTable>,
}

impl TableSide {
    /// A client that opens a table with this board.
    #[must_use]
    pub fn opening_with(opening: Vec<u8>) -> TableSide {
        TableSide::new(None, opening)
    }

    /// A client that joins a table.
    #[must_use]
    pub fn joining(key: TableKey) -> TableSide {
        TableSide::new(Some(key), Vec::new())
    }

    fn new(key: Option<TableKey>, own_opening: Vec<u8>) -> TableSide {
        TableSide {
            own_opening,
            key,
            secrets: None,
            line: TableLine::Away,
            role: None,
            opening: None,
            entries: Vec::new(),
            taken: 0,
            own: 0,
            until: 0,
            ahead: None,
            wishes: VecDeque::new(),
            next_wish: 0,
            earlier: 0,
            digests_from: 0,
            digest_at: None,
            digests: KnownDigests::default(),
            presence: TablePresence::default(),
            parted: None,
            is_full: false,
            failed: None,
            is_quiet: false,
            repeated_ms: 0,
            wait_ms: RETRY_MS,
            to_send: Vec::new(),
        }
    }

    /// The table and the own secret, once known.
    #[must_use]
    pub fn key(&self) -> Option<TableKey> {
        self.key
    }

    /// All secrets, for who opened the table.
    #[must_use]
    pub fn secrets(&self) -> Option<TableSecrets> {
        self.secrets
    }

    /// What the client is at the table, once it was there.
    #[must_use]
    pub fn role(&self) -> Option<TableRole> {
        self.role
    }

    /// The own seat; `None` for a watcher.
    #[must_use]
    pub fn seat(&self) -> Option<TableSeat> {
        self.role.and_then(TableRole::seat)
    }

    /// The board with which the table began, and the relay's part of its seed, once known.
    #[must_use]
    pub fn begun_with(&self) -> Option<(&[u8], u64)> {
        let opening = self.opening.as_ref();
        opening.map(|(opening, seed)| (opening.as_slice(), *seed))
    }

    /// True while the client is at the table.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.line == TableLine::There
    }

    /// Who is at the table.
    #[must_use]
    pub fn presence(&self) -> TablePresence {
        self.presence
    }

    /// The first difference between the boards.
    #[must_use]
    pub fn parted(&self) -> Option<TableParted> {
        self.parted
    }

    /// Why the table is over for this client.
    #[must_use]
    pub fn failed(&self) -> Option<TableError> {
        self.failed
    }

    /// True if the table takes no more entries.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// The tick to which the board may go.
    #[must_use]
    pub fn until(&self) -> Tick {
        self.until
    }

    /// All entries so far.
    #[must_use]
    pub fn entries(&self) -> &[TableEntry] {
        &self.entries
    }

    /// The number of deeds that the seat had asked for before this client came.
    #[must_use]
    pub fn earlier(&self) -> u32 {
        self.earlier
    }

    /// The number of wishes that the relay has not entered yet.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.wishes.len()
    }

    /// The last tick at which the own board is known to equal the others, with its digest.
    #[must_use]
    pub fn same(&self) -> Option<(Tick, u64)> {
        self.digests.last_equal()
    }

    /// Tells that there is a new line to the relay.
    pub fn connected(&mut self, now_ms: u64) {
        self.to_send.clear();
        if self.failed.is_none() {
            self.line = TableLine::Asking;
            self.introduce();
            (self.repeated_ms, self.wait_ms) = (now_ms, RETRY_MS);
        }
    }

    /// Tells that the line is lost.
    pub fn disconnected(&mut self) {
        self.line = TableLine::Away;
        self.presence = TablePresence::default();
        self.to_send.clear();
    }

    /// Leaves the table for good.
    pub fn leave(&mut self) {
        self.failed = self.failed.or(Some(TableError::Left));
        self.to_send.clear();
    }

    /// Asks for a deed.
    ///
    /// # Errors
    /// If it can never be carried out.
    pub fn wish(&mut self, deed: TableDeed) -> Result<(), TableError> {
        let wrong = match self.role {
            _ if self.failed.is_some() => self.failed,
            None => Some(TableError::NotThere),
            Some(TableRole::Watcher) => Some(TableError::Watching),
            _ if self.parted.is_some() => Some(TableError::Parted),
            _ if self.is_full => Some(TableError::Full),
            _ => (self.wishes.len() >= MOST_WISHES).then_some(TableError::TooMuch),
        };
        if let Some(error) = wrong {
            return Err(error);
        }
        let number = self.next_wish;
        self.next_wish += 1;
        let wish = TableWish { number, deed };
        self.wishes.push_back(wish);
        if self.is_there() {
            self.to_send.push(ToTable::Wish(wish));
        }
        Ok(())
    }

    /// True if there are messages to send.
    #[must_use]
    pub fn has_to_send(&self) -> bool {
        !self.to_send.is_empty()
    }

    /// Takes the messages to send, as bytes.
    pub fn take_to_send(&mut self) -> Vec<Vec<u8>> {
        let messages = std::mem::take(&mut self.to_send);
        messages.iter().map(encode).collect()
    }

    /// Repeats what got no answer. Should be called a few times a second.
    pub fn poll(&mut self, now_ms: u64) {
        let is_due = now_ms >= self.repeated_ms + self.wait_ms;
        if !is_due || self.failed.is_some() {
            return;
        }
        match self.line {
            TableLine::Away => return,
            TableLine::Asking => self.introduce(),
            TableLine::There => {
                self.send_wishes(REPEATED_WISHES);
                // Where time waits, nothing else would show that something is missing.
                if self.ahead.is_some() || self.is_quiet {
                    self.ask_again();
                }
            }
        }
        self.is_quiet = true;
        self.repeated_ms = now_ms;
        self.wait_ms = (2 * self.wait_ms).min(LONGEST_RETRY_MS);
    }

    fn introduce(&mut self) {
        self.to_send.push(match self.key {
            Some(key) => ToTable::Join {
                version: VERSION,
                key,
                have: self.entries.len() as u32,
            },
            None => ToTable::Open {
                version: VERSION,
                opening: self.own_opening.clone(),
            },
        });
    }

    /// Sends the first of the wishes that wait.
    fn send_wishes(&mut self, most: usize) {
        let wishes = self.wishes.iter().copied().take(most);
        self.to_send.extend(wishes.map(ToTable::Wish));
    }

    fn ask_again(&mut self) {
        let from = self.entries.len() as u32;
        self.to_send.push(ToTable::Again { from });
    }

    /// Hears a message of the relay.
    pub fn hear(&mut self, bytes: &[u8]) {
        if self.failed.is_some() || self.line == TableLine::Away {
            return;
        }
        self.wait_ms = RETRY_MS;
        let heard = decode(bytes).map_err(|_| TableError::Nonsense);
        if let Err(error) = heard.and_then(|message| self.take_in(message)) {
            self.failed = Some(error);
            self.to_send.clear();
        }
    }

    fn take_in(&mut self, message: FromTable) -> Result<(), TableError> {
        let introduces = matches!(
            message,
            FromTable::Opened { .. } | FromTable::Welcome { .. } | FromTable::Refused(_)
        );
        if !introduces && !self.is_there() {
            // It is asked for once more when the client is there.
            return Ok(());
        }
        match message {
            FromTable::Opened { table, secrets } if self.key.is_none() => {
                let secret = secrets.seats[0];
                self.key = Some(TableKey { table, secret });
                self.secrets = Some(secrets);
            }
            FromTable::Opened { .. } => {}
            FromTable::Welcome {
                role,
                opening,
                seed,
                wishes,
                tick,
            } => self.sit_down(role, (opening, seed), (wishes, tick))?,
            FromTable::Entries { from, entries } => self.add(from, &entries)?,
            FromTable::Now { tick, count } => {
                self.is_quiet = false;
                self.grant(tick, count);
            }
            FromTable::Present(presence) => self.presence = presence,
            FromTable::Same { tick, digest } => {
                let parted = self.digests.hear(tick, digest);
                self.parted = self.parted.or(parted);
            }
            FromTable::Parted(parted) => self.parted = self.parted.or(Some(parted)),
            FromTable::Full => self.is_full = true,
            FromTable::Refused(refusal) => return Err(refusal.into()),
        }
        Ok(())
    }

    fn sit_down(
        &mut self,
        role: TableRole,
        opening: (Vec<u8>, u64),
        (wishes, tick): (u32, Tick),
    ) -> Result<(), TableError> {
        if self.key.is_none() {
            // What comes before is missing: it is asked for once more.
            return Ok(());
        }
        let is_known = self.opening.as_ref().is_none_or(|known| *known == opening);
        let is_same = self.role.is_none_or(|known| known == role);
        let fits = opening.0.len() <= OPENING_BYTES && wishes as usize <= MOST_ENTRIES;
        if !(is_known && is_same && fits) {
            return Err(TableError::Nonsense);
        }
        if self.role.is_none() {
            self.earlier = wishes;
        }
        self.opening = Some(opening);
        self.role = Some(role);
        if self.line == TableLine::There {
            // The answer to a repeated introduction.
            return Ok(());
        }
        self.line = TableLine::There;
        self.digests_from = tick;
        self.wishes.retain(|wish| wish.number >= wishes);
        self.next_wish = self.next_wish.max(wishes);
        self.send_wishes(MOST_WISHES);
        Ok(())
    }

    fn add(&mut self, from: u32, entries: &[TableEntry]) -> Result<(), TableError> {
        let known = self.entries.len();
        let Some(new) = known.checked_sub(from as usize) else {
            // Earlier ones are missing: they are asked for with the next time.
            return Ok(());
        };
        for entry in entries.iter().skip(new) {
            let last = self.entries.last().map_or(0, |last| last.tick);
            let is_late = self.entries.len() >= MOST_ENTRIES;
            // The board may have passed the time up to here.
            if is_late || entry.tick < last.max(self.until) {
                return Err(TableError::Nonsense);
            }
            self.entries.push(*entry);
            if self.seat() == Some(entry.seat) {
                self.own += 1;
                self.wishes.retain(|wish| wish.number >= self.own);
            }
        }
        if let Some((tick, count)) = self.ahead.take() {
            self.grant(tick, count);
        }
        Ok(())
    }

    fn grant(&mut self, tick: Tick, count: u32) {
        if count as usize <= self.entries.len() {
            self.until = self.until.max(tick);
        } else {
            let later = self.ahead.is_none_or(|ahead| ahead.0 <= tick);
            self.ahead = if later {
                Some((tick, count))
            } else {
                self.ahead
            };
        }
    }

    /// What the board has to do next, if it is at this tick of the table and has taken all
    /// that was handed out before. `None`: it waits.
    pub fn next_step(&mut self, at: Tick) -> Option<TableStep> {
        if self.failed.is_some() || self.parted.is_some() || self.opening.is_none() {
            return None;
        }
        let is_due = at.is_multiple_of(DIGEST_EVERY) && self.digest_at.is_none_or(|last| last < at);
        if is_due && at >= self.digests_from {
            self.digest_at = Some(at);
            return Some(TableStep::Digest);
        }
        let next = self.entries.get(self.taken).copied();
        if let Some(entry) = next.filter(|entry| entry.tick <= at) {
            self.taken += 1;
            return Some(TableStep::Take(entry));
        }
        let digest = (at / DIGEST_EVERY + 1) * DIGEST_EVERY;
        // Whoever knows an entry knows all that come before it.
        let until = next.map_or(self.until, |entry| entry.tick);
        let ticks = until.min(digest).saturating_sub(at);
        (ticks > 0).then_some(TableStep::Pass(ticks))
    }

    /// Tells the digest that a step asked for.
    pub fn tell_digest(&mut self, tick: Tick, digest: u64) {
        let parted = self.digests.tell(tick, digest);
        self.parted = self.parted.or(parted);
        if self.seat().is_some() && self.is_there() {
            self.to_send.push(ToTable::Digest { tick, digest });
        }
    }
}
