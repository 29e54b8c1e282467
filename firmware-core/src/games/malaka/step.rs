//! A step of a turn: the move of a piece by the pips of one die.

use core::fmt;

use heapless::Vec;
use postcard::experimental::max_size::MaxSize;
use serde::{Deserialize, Serialize};

use super::variant::MalakaPoint;

/// A straight move of one piece.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, MaxSize,
)]
pub struct Step {
    /// The point that the piece leaves.
    pub from: MalakaPoint,
    /// The point that the piece goes to.
    pub to: MalakaPoint,
}

impl Step {
    /// The length of the step: the pips of the die that it plays.
    #[must_use]
    pub const fn pips(self) -> u8 {
        let columns = self.from.column().abs_diff(self.to.column());
        columns + self.from.row().abs_diff(self.to.row())
    }
}

/// Writes a step such as `c3-c6`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

/// The maximum number of steps: 24 piles, two dice, forwards and over a wall.
pub const MOST_STEPS: usize = 96;

/// A list of legal steps.
pub type Steps = Vec<Step, MOST_STEPS>;
