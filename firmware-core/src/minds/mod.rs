//! How the board thinks: what is common to all who play by looking ahead.
//!
//! - [`pace`]: when a mind begins, thinks on, rests and answers.
//! - [`alphabeta`]: what a position is worth if both sides play on as well as they can,
//!   searched a node at a time; [`positions`]: its line of moves in a game whose
//!   positions are small enough to be kept.
//! - [`thinker`]: the player that is made of these two.
//! - [`tree`]: what was learned from games played at random, in a pool of a fixed
//!   number of nodes.
//!
//! Each of them is here once. A game says what they need of it through a small
//! trait ([`alphabeta::SearchGame`], [`tree::Rollout`]). The tree calls it through a
//! pointer, which costs nothing beside a random game. A position may cost less
//! than such calls, so alpha-beta is compiled for each game; but not in an image,
//! which has room for it once and calls its games through a pointer as well.
//!
//! Invariants: a call does a bounded amount of work, counted in
//! positions and steps and never in time; all that a mind knows is in its
//! state. So every machine comes to the same move at the same tick, and so does
//! a board that was saved and loaded in mid-thought.

pub mod alphabeta;
pub mod pace;
pub mod positions;
pub mod thinker;
pub mod tree;

#[cfg(test)]
mod laws;

/// The entry of a level in a table for levels 1-4; a number out of range gives the
/// nearest level.
#[must_use]
pub fn at_level<T>(levels: &[T; 4], number: u8) -> &T {
    let [first, .., last] = levels;
    let found = levels.get(usize::from(number).wrapping_sub(1));
    found.unwrap_or(if number == 0 { first } else { last })
}
