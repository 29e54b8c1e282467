//! What the two ends of a shared board say before and between the bytes of its line.
//!
//! - [`greeting`]: a line of text in each direction, which proves that both ends know the
//!   same password, and says who has the board.
//! - [`telnet`], [`rfc2217`]: a serial port over the network, as other programs know it.
//!
//! Invariants: nothing here calls the operating system; random numbers and ports are
//! passed in. Whatever the other end sends, the memory that it takes is bounded, and no
//! answer is longer than a small multiple of what it answers.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod greeting;
pub mod rfc2217;
pub mod telnet;
