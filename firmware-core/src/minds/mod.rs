//! How the board thinks: the code shared by all players that look ahead.
//!
//! - [`pace`]: when a mind begins, thinks, rests and answers.
//! - [`alphabeta`]: the value of a position if both sides continue as well as they can,
//!   searched node by node; [`positions`]: the line of moves in a game whose positions
//!   are small enough to be stored.
//! - [`thinker`]: the player that consists of these two.
//! - [`arena`]: the nodes of a tree of moves; [`tree`]: what was learned from random games.
//!
//! Each of them is written once, and reaches the games through a small trait
//! ([`alphabeta::SearchGame`], [`tree::Rollout`]). The tree calls it through a pointer,
//! which costs little compared with a random game. A position may take less time than
//! such calls, so alpha-beta is compiled for each game; an image has room for only one
//! copy, which also calls its games through a pointer.
//!
//! Invariants: a call does a bounded amount of work, which is counted in positions and
//! steps, never in time; all knowledge of a mind is in its state. Every machine therefore
//! comes to the same move at the same tick, and so does a board that was saved and loaded
//! while it thought.

pub mod alphabeta;
pub mod arena;
pub mod pace;
pub mod positions;
pub mod thinker;
pub mod tree;

#[cfg(test)]
mod laws;

/// The entry of a level in a table for levels 1-4. A number out of range gets the entry
/// of the nearest level.
#[must_use]
pub fn at_level<T>(levels: &[T; 4], number: u8) -> &T {
    let [first, .., last] = levels;
    let found = levels.get(usize::from(number).wrapping_sub(1));
    found.unwrap_or(if number == 0 { first } else { last })
}
