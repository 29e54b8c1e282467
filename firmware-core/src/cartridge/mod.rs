//! Games that are bytes: a layout, pieces and a program, a few kilobytes of
//! them, made on a host from a text and played here.
//!
//! [`verify()`] looks the bytes through, once, and gives the [`Cartridge`];
//! a [`Machine`] plays it: [`Machine::legal`] tells of the moves, and
//! [`Machine::play`] makes one.
//!
//! - [`op`]: the words of a program. [`bytes`]: where all lies. [`mod@verify`]: what
//!   is refused.
//! - [`state`]: a position. [`action`]: what a move does to it.
//! - [`candidates`]: moves by number, and a search that can be cut.
//! - [`machine`]: numbers, sets and moves that a program finds, and a turn.
//! - `inside`: parts of a turn, for hosts that play thousands of games.
//!
//! Invariants: no call panics or goes on for ever, whatever the bytes; a
//! program has no way back, so that each run of it ends, and what it may need of
//! the stack is known before it runs.

pub mod action;
mod adapter;
pub mod bytes;
pub mod candidates;
mod captures;
mod eval;
mod flood;
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
mod playout;
mod shapes;
mod shifts;
mod sites;
pub mod sowing;
pub mod span;
pub mod state;
#[cfg(test)]
mod tests;
mod turn;
pub mod verify;

pub use action::{Action, Draft};
pub use bytes::Cartridge;
pub use layout_game::LayoutGame;
pub use machine::{Flow, Machine};
pub use shifts::Shifts;
pub use span::Span;
pub use state::{EndedBy, State, Unended};
pub use verify::{Refused, Scratch, verify};
