//! The texts of Malaka: turns in the notation of its mail server, the slanted picture of a
//! position, positions in words, and the effects of touches.
//!
//! The core decides what is legal ([`firmware_core::games::malaka`]). The mail server and
//! the shell share this module.

pub mod diagram;
pub mod notation;
pub mod obstacle;
pub mod own;
pub mod tale;

#[cfg(test)]
mod tests;

pub use diagram::diagram;
pub use notation::{NotationError, read, written};
