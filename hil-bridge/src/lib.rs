//! A real or emulated board at the end of a serial port, and everything that a
//! host does with it.
//!
//! From the bottom up:
//!
//! 1. [`driver`]: a board that can be driven step by step, wherever it is.
//! 2. [`words`]: what happens on a board, in words; [`whole_file`]: files that
//!    are there whole or not at all.
//! 3. [`shell`]: one small language for people, pipes and scenario files.
//! 4. [`mirror`]: a board in the terminal, live.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod driver;
pub mod mirror;
pub mod shell;
pub mod whole_file;
pub mod words;

pub use driver::{BridgeError, CoreDriver, Driver};
