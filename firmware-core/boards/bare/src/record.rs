//! The records of a recorded game, in the order in which they are replayed. The program
//! that writes the file also includes this source.
//!
//! In the file, each record is preceded by its length: two bytes, low byte first.

use postcard::experimental::max_size::MaxSize;
use protocol::{Deed, Layout, Roster, Tick};
use serde::{Deserialize, Serialize};

/// One record of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
pub enum Record {
    /// A new board is switched on.
    Begin {
        /// The layout of the board.
        layout: Layout,
        /// The games that the board has.
        roster: Roster,
        /// The seed of all random numbers.
        seed: u64,
    },
    /// Carries out this deed.
    Deed(Deed),
    /// Advances to this tick.
    Until(Tick),
    /// The board has this digest now.
    Digest(u64),
}
