//! Names for the blocks of TicDabToe.
//!
//! Blocks are named like points: `a1` at the bottom left, `d4` at the top right.
//! Invariants: while a game is paused, nothing about its blocks is revealed.

use firmware_core::AnyBoard;
use firmware_core::games::ticdabtoe::squares::{PLACES, SIDE};
use firmware_core::games::ticdabtoe::{Position, point_of};
use protocol::{Layout, Point};

/// The name of a block.
#[must_use]
pub fn block_name(block: usize) -> String {
    let column = char::from(b'a' + (block % SIDE) as u8);
    format!("{column}{}", SIDE - block / SIDE % SIDE)
}

/// The block in which the next mark has to be made, with its corners:
/// `block b3 (e9 to h12)`. `None` if the board has a different game, the game is paused,
/// or no side is to move.
#[must_use]
pub fn open_block(board: &AnyBoard) -> Option<String> {
    let position = board.ticdabtoe()?;
    if board.is_paused() || board.outcome().is_some() {
        return None;
    }
    let Some(block) = position.open_block() else {
        return Some("any block in play".to_owned());
    };
    Some(with_corners(block, board.layout()))
}

/// A block with its corners, whose names are printed on the board: `block b3 (e9 to h12)`.
#[must_use]
pub fn with_corners(block: usize, layout: Layout) -> String {
    let [from, to] = [PLACES - SIDE, SIDE - 1].map(|cell| layout.name(point_of(block, cell)));
    format!("block {} ({from} to {to})", block_name(block))
}

/// Where the other side has to answer to a mark on this free point:
/// `sends red to block b3 (e9 to h12)`.
#[must_use]
pub fn answer_to(position: &Position, point: Point, layout: Layout) -> String {
    let side = position.mover().other().name();
    let after = position.after(point);
    match (after.outcome(), after.open_block()) {
        (Some(_), _) => "ends the game".to_owned(),
        (None, Some(block)) => format!("sends {side} to {}", with_corners(block, layout)),
        (None, None) => format!("lets {side} play in any block"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_named_like_points() {
        let names = [0, 3, 4, 12, 15].map(block_name);
        assert_eq!(names, ["a4", "d4", "a3", "a1", "d1"]);
    }
}
