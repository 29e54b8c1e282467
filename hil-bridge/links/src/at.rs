//! Where a board is: `--at`, which every command takes.
//!
//! [`At`] is a place, [`Where`] a place with all options of the way there. Its methods open
//! the board: as a driver that is stepped, or as a client of a board whose time goes on.

mod dials;
mod line;
mod open;
mod options;
mod place;

pub use options::{BAUD, LineOptions, Where};
pub use place::At;
