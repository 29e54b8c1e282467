//! The two players, and the outcome of a game between them.

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

/// A player, named by the colour of the turn light. Green moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Schema, MaxSize)]
pub enum Side {
    /// The player of the green light; the human when the board plays.
    Green,
    /// The player of the red light; the board at levels 1-4.
    Red,
}

impl Side {
    /// Both sides: green, then red.
    pub const BOTH: [Side; 2] = [Side::Green, Side::Red];

    /// The opponent of this side.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::Green => Side::Red,
            Side::Red => Side::Green,
        }
    }

    /// 0 for green, 1 for red: the index in every `[green, red]` pair.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The name of the side, for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Side::Green => "green",
            Side::Red => "red",
        }
    }
}

/// The outcome of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Schema, MaxSize)]
pub enum Outcome {
    /// This side won the game.
    Won(Side),
    /// The game ended in a draw.
    Draw,
}

impl Outcome {
    /// The outcome in a game where the larger score of `[green, red]` wins.
    #[must_use]
    pub fn by_score<N: Ord>(score: [N; 2]) -> Outcome {
        match score[0].cmp(&score[1]) {
            core::cmp::Ordering::Greater => Outcome::Won(Side::Green),
            core::cmp::Ordering::Less => Outcome::Won(Side::Red),
            core::cmp::Ordering::Equal => Outcome::Draw,
        }
    }

    /// The word for people: `green`, `red` or `draw`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Won(side) => side.name(),
            Outcome::Draw => "draw",
        }
    }
}
