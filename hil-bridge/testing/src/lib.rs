#![doc = include_str!("../README.md")]
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod board;
mod failure;
mod place;
pub mod scenarios;

pub use board::TestBoard;
pub use place::{AT, PlaceError, SESSIONS};
pub use touchboard_host::signals::EventKind;
