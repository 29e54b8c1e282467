//! What the core is told, a record at a time: a recorded game as it is repeated. The
//! program that writes the file has this source, too.
//!
//! In the file each record follows its length, two bytes, the lower one first.

use postcard::experimental::max_size::MaxSize;
use protocol::{Deed, Layout, Roster, Tick};
use serde::{Deserialize, Serialize};

/// One record of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
pub enum Record {
    /// Another board is switched on.
    Begin {
        /// The layout of the board.
        layout: Layout,
        /// The games that the board has.
        roster: Roster,
        /// What its chance follows from.
        seed: u64,
    },
    /// This is done to it.
    Deed(Deed),
    /// Time passes up to this tick.
    Until(Tick),
    /// It has this digest now.
    Digest(u64),
}
