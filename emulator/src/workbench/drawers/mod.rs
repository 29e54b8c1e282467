//! The drawers, which slide over the board.
//!
//! - [`how_to`]: the rules of the game;
//! - [`keys`]: the table of all keys.

mod diagram;
pub mod how_to;
pub mod keys;
