//! The LM3S6965 evaluation board: what its programs share.
//!
//! [`main`](../src/main.rs) is the image, `instructions` the program that
//! measures what the image's code costs; both have the same chip under them and
//! the same board in them.

#![no_std]
#![deny(unsafe_code)]
#![deny(missing_docs)]

pub mod boot;
pub mod clock;
pub mod registers;
pub mod uart;
pub mod vectors;

use firmware_core::Board;

/// The board: 9x9 points fit 128 bits.
#[cfg(not(feature = "broken-rule"))]
pub type Own = Board<u128>;
/// The board, with a mistake in it.
#[cfg(feature = "broken-rule")]
pub type Own = firmware_core::Broken<Board<u128>>;
