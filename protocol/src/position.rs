//! Positions that can be set up on a board.

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

use crate::{List, Packed, Side};

/// The maximum length in bytes of a position in a game's own form: six bits for each of
/// 256 points. With this limit, no wire frame to a device is longer than the longest one
/// from it, which holds a [`Frame`](crate::Frame).
pub const POSITION_BYTES: usize = 192;

/// A position to set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub enum Position {
    /// The visible stones are the whole position. Every game of stones accepts it.
    Diagram(Diagram),
    /// More than the visible stones: piles, hands, dice, hidden points. Only the game
    /// with this number accepts the bytes, and it validates them.
    Own {
        /// The number of the game.
        game: u8,
        /// The position, in the game's own encoding.
        bytes: List<u8, POSITION_BYTES>,
    },
}

/// The colours of the points, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub struct Diagram {
    /// The colours of the points.
    pub points: Packed,
    /// The side that moves next.
    pub turn: Side,
}

impl From<Diagram> for Position {
    fn from(diagram: Diagram) -> Position {
        Position::Diagram(diagram)
    }
}
