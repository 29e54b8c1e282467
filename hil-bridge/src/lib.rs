//! A real or emulated board at the end of a serial port, and everything that a
//! host does with it.
//!
//! From the bottom up:
//!
//! 1. [`driver`]: a board that can be driven step by step, wherever it is.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod driver;

pub use driver::{BridgeError, CoreDriver, Driver};
