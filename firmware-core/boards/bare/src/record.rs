//! The records of a recorded game, in the order in which it is repeated. The program
//! that writes the file includes this source, too.
//!
//! In the file, each record follows its length: two bytes, the lower one first.

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
        /// The seed of all chance.
        seed: u64,
    },
    /// This is done to it.
    Deed(Deed),
    /// Time passes up to this tick.
    Until(Tick),
    /// The board has this digest at this point.
    Digest(u64),
}
