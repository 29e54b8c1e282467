//! Injected faults of a board and its line, determined by a seed.
//!
//! A [`Fault`] has the same text form everywhere: `drop-ppm 500`, `stuck d4`, `ghosting`.
//! The text form of [`Faults`] is a list of faults separated by commas, or `none`. Code
//! that owns a line passes bytes through a [`FaultyBytes`]; code that simulates sensors
//! uses [`Contacts`] for what they detect, and [`BoardFaults::darken`] for what the
//! lights show.
//!
//! ```
//! use firmware_core::Faults;
//!
//! let faults: Faults = "seed 7, stuck d4, bounce-ms 3".parse()?;
//! assert_eq!(faults.to_string(), "seed 7, stuck d4, bounce-ms 3");
//! assert_eq!("none".parse(), Ok(Faults::default()));
//! # Ok::<(), firmware_core::faults::FaultError>(())
//! ```
//!
//! Invariants: the same faults and seed have the same effect on the same bytes and
//! fingers; without faults, everything arrives as it was sent or touched; an image that
//! does not use faults contains none of their code.

mod board;
mod contacts;
#[cfg(feature = "std")]
mod late;
mod line;
#[cfg(feature = "std")]
mod shared;
mod text;

use crate::rng::Rng;

pub use board::{BoardFaults, Drift, FaultyPart, FaultyParts, Lacking, MOST_SITES};
pub use contacts::Contacts;
#[cfg(feature = "std")]
pub use late::Late;
pub use line::{FaultyBytes, LineDirection, LineFaults, Passed};
#[cfg(feature = "std")]
pub use shared::{Arrived, FaultyLine};
pub use text::{Fault, FaultArgument, FaultError, FaultKind, FaultTarget, FaultValue};

/// All faults of a board and its line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// The seed of all random faults.
    pub seed: u64,
    /// The faults of the line.
    pub line: LineFaults,
    /// The faults of the board itself.
    pub board: BoardFaults,
}

impl Faults {
    /// True if there are no faults.
    #[must_use]
    pub fn are_none(&self) -> bool {
        self.line.are_none() && self.board.are_none()
    }

    /// The faults that a board has itself, without those of its line and its lamps, which
    /// its host simulates.
    #[must_use]
    pub fn own(&self) -> Faults {
        let mut own = self.clone();
        own.line = LineFaults::default();
        own.board.dead_leds.clear();
        own
    }

    /// A separate source of random numbers for each direction of the line and for the
    /// contacts.
    fn chance(&self) -> [Rng; 3] {
        let mut rng = Rng::new(self.seed);
        [rng.split(), rng.split(), rng.split()]
    }
}
