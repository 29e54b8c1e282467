//! The best scores of a board: a few for each mode of a game whose scores are worth
//! keeping ([`About::keeps_best`](crate::About::keeps_best)).
//!
//! They are kept beside the board and not in its state ([`crate::keeping`]), so neither
//! digests nor moves depend on them. Their bytes are sealed with a digest: data that is
//! damaged or from a different firmware is not read.
//!
//! Invariants: each mode has at most [`BEST_PLACES`] entries, the best first; no entry is
//! 0, and no game has two entries; of two equal entries the older one is first.
//!
//! ```
//! use firmware_core::best::{BestScores, BestScore};
//! use firmware_core::games::{keeps_best, number::ISHIDO};
//!
//! let mut best = BestScores::new();
//! # if keeps_best(ISHIDO, 0) {
//! assert_eq!(best.enter(ISHIDO, 0, BestScore { points: 61, game: 1 }), Some(1));
//! assert_eq!(best.enter(ISHIDO, 0, BestScore { points: 74, game: 2 }), Some(1));
//! assert_eq!(best.points(ISHIDO, 0), [74, 61, 0, 0, 0]);
//! # }
//! ```

use postcard::experimental::max_size::MaxSize;
use protocol::{BEST_PLACES, List};
use serde::{Deserialize, Serialize};

use crate::digest::{digest_of_bytes, write};
use crate::games;
use crate::state_reader::StateReader;

/// The maximum number of modes with entries, in all games together.
const TABLES: usize = 8;
const _: () = assert!(games::MODES_KEPT <= TABLES, "more room for best scores");

/// An entry in the list of best scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub struct BestScore {
    /// The points of the finished game: [`Game::worth`](crate::Game::worth).
    pub points: u32,
    /// The digest of the board at the end of the game. A replay with the same seed and
    /// touches ends with the same digest.
    pub game: u64,
}

/// The best scores of one mode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
struct Table {
    game: u8,
    mode: u8,
    entries: List<BestScore, BEST_PLACES>,
}

impl Table {
    fn is_sound(&self) -> bool {
        let mut rest = &self.entries[..];
        while let Some((entry, later)) = rest.split_first() {
            let is_next = |next: &BestScore| next.points <= entry.points && next.game != entry.game;
            if entry.points == 0 || !later.iter().all(is_next) {
                return false;
            }
            rest = later;
        }
        !self.entries.is_empty() && games::keeps_best(self.game, self.mode)
    }
}

/// The best scores of all games of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub struct BestScores {
    /// Ordered by game and mode; no table is empty.
    tables: List<Table, TABLES>,
}

const SEAL_BYTES: usize = 8;

/// The maximum number of bytes that [`BestScores::save`] writes.
pub const BEST_BYTES: usize = BestScores::POSTCARD_MAX_SIZE + SEAL_BYTES;

impl BestScores {
    /// Best scores without an entry.
    #[must_use]
    pub const fn new() -> BestScores {
        BestScores {
            tables: List::new(),
        }
    }

    /// The entries of this mode, the best first.
    #[must_use]
    pub fn of(&self, game: u8, mode: u8) -> &[BestScore] {
        let table = self.place(game, mode).ok();
        let table = table.and_then(|place| self.tables.get(place));
        table.map_or(&[], |table| &table.entries)
    }

    /// The points of the entries, the best first; 0 for places without an entry.
    #[must_use]
    pub fn points(&self, game: u8, mode: u8) -> [u32; BEST_PLACES] {
        let mut points = [0; BEST_PLACES];
        for (points, entry) in points.iter_mut().zip(self.of(game, mode)) {
            *points = entry.points;
        }
        points
    }

    /// True if there is no entry at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// Enters a score if it is among the best, and returns its place, counted from 1.
    /// A score equal to an earlier one comes after it; 0 is never entered, and a game
    /// enters only once.
    pub fn enter(&mut self, game: u8, mode: u8, entry: BestScore) -> Option<u8> {
        let before = self.of(game, mode);
        let rank = before.partition_point(|other| other.points >= entry.points);
        let is_known = before.iter().any(|other| other.game == entry.game);
        if entry.points == 0 || is_known || rank >= BEST_PLACES || !games::keeps_best(game, mode) {
            return None;
        }
        let place = self.place(game, mode);
        let table = match place {
            Ok(place) => self.tables.get_mut(place)?,
            Err(place) => {
                let entries = List::new();
                let fresh = Table {
                    game,
                    mode,
                    entries,
                };
                self.tables.insert(place, fresh).ok()?;
                self.tables.get_mut(place)?
            }
        };
        table.entries.truncate(BEST_PLACES - 1);
        table.entries.insert(rank, entry).ok()?;
        u8::try_from(rank + 1).ok()
    }

    /// Removes the best scores of all games.
    pub fn clear(&mut self) {
        self.tables.clear();
    }

    /// The index of the mode's table, or where it would be inserted.
    fn place(&self, game: u8, mode: u8) -> Result<usize, usize> {
        let key = |table: &Table| (table.game, table.mode);
        self.tables.binary_search_by_key(&(game, mode), key)
    }

    /// Writes the sealed bytes into `buffer` and returns the part used. [`BEST_BYTES`]
    /// are always enough.
    ///
    /// # Errors
    /// `None` if the buffer is too short.
    pub fn save<'a>(&self, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
        let length = write(self, buffer)?;
        let seal = digest_of_bytes(&buffer[..length]).to_le_bytes();
        let whole = length + SEAL_BYTES;
        buffer.get_mut(length..whole)?.copy_from_slice(&seal);
        buffer.get(..whole)
    }

    /// Reads the bytes that [`BestScores::save`] wrote.
    ///
    /// # Errors
    /// `None` if the bytes are damaged, or the scores cannot come from play.
    #[must_use]
    pub fn load(bytes: &[u8]) -> Option<BestScores> {
        let (plain, seal) = bytes.split_at_checked(bytes.len().checked_sub(SEAL_BYTES)?)?;
        if digest_of_bytes(plain).to_le_bytes() != seal {
            return None;
        }
        let mut source = StateReader::new(plain);
        let best: BestScores = source.value()?;
        (source.is_at_end() && best.is_sound()).then_some(best)
    }

    /// False if the scores cannot come from play.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let keys = self.tables.iter().map(|table| (table.game, table.mode));
        keys.is_sorted_by(|one, next| one < next) && self.tables.iter().all(Table::is_sound)
    }
}

#[cfg(test)]
mod tests;
