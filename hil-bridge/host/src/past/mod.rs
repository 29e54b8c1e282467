//! What happened to a board, from its beginning to now.
//!
//! - [`session`]: the file of it. [`recorder`]: the way back to any moment.
//! - [`kept_game`]: a game that was left, as a file.
//! - [`transcript`], [`scenario`]: a session in words, and as lines of the shell.

pub mod kept_game;
pub mod recorder;
pub mod scenario;
pub mod session;
pub mod transcript;
