//! The place of a board: `--at`, which every command accepts.
//!
//! [`At`] is a place, and [`Where`] is a place with all options of the connection. Its
//! methods open the board: as a driver that is stepped, or as a client of a free-running
//! board.

mod access;
mod dials;
mod line;
mod open;
mod options;
#[cfg(feature = "options")]
mod palettes;
mod place;
mod shared;

pub use access::Access;
pub use options::{BAUD, LineOptions, Where};
#[cfg(feature = "options")]
pub use palettes::palettes;
pub use place::{At, SharedBy};
