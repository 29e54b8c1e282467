//! Games as bytes: a layout, pieces and a program, a few kilobytes in all. They are
//! compiled from a text on a host, and played here.
//!
//! [`verify()`] checks the bytes once and returns the [`Cartridge`]. A [`Machine`] plays
//! it: [`Machine::legal`] lists the moves, and [`Machine::play`] makes one.
//!
//! - [`op`]: the operations of a program. [`bytes`]: the file format. [`mod@verify`]:
//!   what is refused.
//! - [`state`]: a position. [`action`]: what a move does to it.
//! - [`candidates`]: moves by number, and an interruptible search.
//! - [`machine`]: the numbers, sets and moves that a program computes, and a turn.
//! - `inside`: parts of a turn, for hosts that play thousands of games.
//!
//! Invariants: no call panics or runs forever, whatever the bytes; a program has no
//! backward references, so every run ends, and its stack usage is known before it runs.

pub mod action;
mod adapter;
pub mod bytes;
pub mod candidates;
mod captures;
mod count;
mod eval;
mod flood;
mod groups;
#[cfg(feature = "host")]
pub mod inside;
mod kernels;
mod known;
pub mod layout_game;
mod loops;
pub mod machine;
mod moves;
mod notes;
pub mod op;
mod outlet;
mod playout;
mod shapes;
mod shifts;
mod sites;
pub mod sowing;
pub mod state;
#[cfg(test)]
mod tests;
mod turn;
pub mod verify;
mod ways;

pub use action::{Action, Draft};
pub use bytes::Cartridge;
pub use layout_game::LayoutGame;
pub use machine::{Flow, Machine};
pub use shifts::Shifts;
pub use state::{EndedBy, QuestionProgress, State, Unended};
pub use verify::{Refused, Scratch, verify};
