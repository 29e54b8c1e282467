//! Malaka for people who write: turns in the notation of its mail server, the
//! slanted picture of a position, positions as a line of words, and what touches did.
//!
//! The rules are the core's ([`firmware_core::games::malaka`]); nothing here
//! decides what may be played. A mail server and the shell use the same.

pub mod diagram;
pub mod notation;
pub mod obstacle;
pub mod own;
pub mod tale;

#[cfg(test)]
mod tests;

pub use diagram::diagram;
pub use notation::{NotationError, read, written};
