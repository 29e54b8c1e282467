//! Malaka (Cameron Browne, August 2004): a race around the board that is part
//! Backgammon, part Plakoto and part Lines of Action.
//!
//! O (green) and X (red) move their pieces by the pips of dice, each around the
//! board to the other's home edge, and try to connect all of them with it. A
//! single piece is pinned by an enemy that comes to lie on it, and killed by one
//! that jumps over a wall. [`Variant`] is the board and the start, [`Position`]
//! the rules, for whoever has dice: a server by mail uses them without a board.

pub mod dice;
pub mod position;
pub mod turns;
pub mod variant;

#[cfg(test)]
mod reference;
#[cfg(test)]
mod rules_tests;

pub use dice::Dice;
pub use position::{After, Meets, Pile, Position, PositionError, RollError, StepError};
pub use turns::{MOST_STEPS, Step, Steps, Turn};
pub use variant::{Die, Place, Rows, Size, Start, VARIANTS, Variant, Way};
