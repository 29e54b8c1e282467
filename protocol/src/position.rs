//! Positions that can be set up on a board.

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

use crate::{List, Packed, Side};

/// Bytes of the longest position that a game has in its own form: six bits for
/// each of 256 points. With it no frame to a device is longer than the longest
/// one from it, which is a [`Frame`](crate::Frame).
pub const POSITION_BYTES: usize = 192;

/// A position to set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub enum Position {
    /// The visible stones are the whole position. Every game of stones accepts it.
    Diagram(Diagram),
    /// More than is seen: piles, hands, dice, hidden points. The game with this
    /// number reads the bytes and checks them; no other one takes them.
    Own {
        /// The number of the game.
        game: u8,
        /// The position, in the game's own encoding.
        bytes: List<u8, POSITION_BYTES>,
    },
}

/// The colours of the points, and who moves.
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
