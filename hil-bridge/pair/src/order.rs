//! A table at the relay: the order of inputs, the time, and the comparison of digests.
//!
//! The relay decides at which tick a deed takes effect, since it alone hears both sides. It
//! grants board time in small pieces: after "time has come to tick T", no entry gets an
//! earlier tick, so each board may go to T. Whose turn it is, the boards know; see
//! [`crate::rules`].
//!
//! Invariants: ticks of entries never decrease; a wish is entered once, in the order of its
//! seat; time passes only while both seats have a line and the boards agree; every list has
//! a bound.

use std::collections::BTreeMap;

use protocol::Tick;

use crate::message::{
    DIGEST_EVERY, ENTRIES_AT_ONCE, FromTable, MOST_ENTRIES, TableEntry, TableParted, TableSeat,
    TableWish,
};

/// The most time that one call lets pass: a relay that was asleep does not take the time
/// from a player.
const LONGEST_PASS_MS: u64 = 100;

/// The number of digests that wait for those of the other seat: ten minutes. Of more, the
/// earliest are not compared.
const DIGESTS_KEPT: usize = 600;

/// A table.
#[derive(Clone, Debug)]
pub struct PairTable {
    opening: Vec<u8>,
    seed: u64,
    log: Vec<TableEntry>,
    /// The number of deeds that each seat has asked for.
    wishes: [u32; 2],
    tick: Tick,
    has_line: [bool; 2],
    digests: BTreeMap<Tick, [Option<u64>; 2]>,
    /// The last tick at which both digests were equal.
    same: Option<Tick>,
    parted: Option<TableParted>,
}

impl PairTable {
    /// A table that begins with this board. `seed` is the relay's part of its seed.
    #[must_use]
    pub fn new(opening: Vec<u8>, seed: u64) -> PairTable {
        PairTable {
            opening,
            seed,
            log: Vec::new(),
            wishes: [0; 2],
            tick: 0,
            has_line: [false; 2],
            digests: BTreeMap::new(),
            same: None,
            parted: None,
        }
    }

    /// The board with which it began.
    #[must_use]
    pub fn opening(&self) -> &[u8] {
        &self.opening
    }

    /// The relay's part of the seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The number of deeds that a seat has asked for.
    #[must_use]
    pub fn wishes(&self, seat: TableSeat) -> u32 {
        self.wishes[seat.index()]
    }

    /// The tick to which time has come.
    #[must_use]
    pub fn tick(&self) -> Tick {
        self.tick
    }

    /// All entries.
    #[must_use]
    pub fn log(&self) -> &[TableEntry] {
        &self.log
    }

    /// Whether each seat has a line.
    #[must_use]
    pub fn has_line(&self) -> [bool; 2] {
        self.has_line
    }

    /// Sets whether a seat has a line.
    pub fn set_line(&mut self, seat: TableSeat, has_line: bool) {
        self.has_line[seat.index()] = has_line;
    }

    /// True if there is no room for another entry.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.log.len() >= MOST_ENTRIES
    }

    /// True while time passes.
    #[must_use]
    pub fn runs(&self) -> bool {
        self.has_line == [true; 2] && self.parted.is_none() && !self.is_full()
    }

    /// Lets real time pass. Returns what to tell everybody, if time passes at the table.
    pub fn pass(&mut self, elapsed_ms: u64) -> Option<FromTable> {
        if !self.runs() || elapsed_ms == 0 {
            return None;
        }
        self.tick += elapsed_ms.min(LONGEST_PASS_MS);
        Some(self.now())
    }

    /// The time, as it is told.
    #[must_use]
    pub fn now(&self) -> FromTable {
        FromTable::Now {
            tick: self.tick,
            count: self.log.len() as u32,
        }
    }

    /// Enters what a seat asks for. Returns what to tell everybody: nothing, if it was
    /// entered before, an earlier wish is missing, or nothing is entered any more.
    pub fn enter(&mut self, seat: TableSeat, wish: TableWish) -> Vec<FromTable> {
        let expected = &mut self.wishes[seat.index()];
        let is_open = self.parted.is_none() && self.log.len() < MOST_ENTRIES;
        if wish.number != *expected || !is_open {
            return Vec::new();
        }
        *expected += 1;
        let entry = TableEntry {
            tick: self.tick,
            seat,
            deed: wish.deed,
        };
        let from = self.log.len() as u32;
        self.log.push(entry);
        let entries = vec![entry];
        let full = self.is_full().then_some(FromTable::Full);
        let told = FromTable::Entries { from, entries };
        [Some(told), full].into_iter().flatten().collect()
    }

    /// Compares the digest of a seat's board. Returns what to tell everybody.
    pub fn compare(&mut self, seat: TableSeat, tick: Tick, digest: u64) -> Option<FromTable> {
        let is_due = tick.is_multiple_of(DIGEST_EVERY) && tick <= self.tick;
        let is_old = self.same.is_some_and(|same| tick <= same);
        if !is_due || is_old || self.parted.is_some() {
            return None;
        }
        let both = self.digests.entry(tick).or_default();
        // The first word of a seat counts.
        both[seat.index()].get_or_insert(digest);
        let known = both[0].zip(both[1]);
        if self.digests.len() > DIGESTS_KEPT {
            self.digests.pop_first();
        }
        let (first, second) = known?;
        if first != second {
            let digests = [first, second];
            self.parted = Some(TableParted { tick, digests });
            return self.parted.map(FromTable::Parted);
        }
        self.same = Some(tick);
        self.digests = self.digests.split_off(&(tick + 1));
        Some(FromTable::Same { tick, digest })
    }

    /// What to tell somebody who has this many entries.
    pub fn since(&self, have: u32) -> impl Iterator<Item = FromTable> + '_ {
        let have = (have as usize).min(self.log.len());
        let pieces = self.log[have..].chunks(ENTRIES_AT_ONCE).zip(0_usize..);
        let entries = pieces.map(move |(piece, number)| FromTable::Entries {
            from: (have + number * ENTRIES_AT_ONCE) as u32,
            entries: piece.to_vec(),
        });
        let full = self.is_full().then_some(FromTable::Full);
        let parted = self.parted.map(FromTable::Parted);
        entries.chain([self.now()]).chain(full).chain(parted)
    }
}
