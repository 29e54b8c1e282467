//! Tests of layouts.

mod boards;
mod laws;
mod patterns;
mod walks;

use super::*;
use crate::tree::{Kind, Node};

/// The tree of a piece of text.
pub fn read(text: &str) -> Node {
    let game = crate::text::read(&format!("(game {text})"));
    let Kind::Call(arguments) = game
        .unwrap_or_else(|trouble| panic!("{text}: {trouble:?}"))
        .kind
    else {
        panic!("{text} is not a call");
    };
    arguments[1].node.clone()
}

/// The board of a text without its brackets.
fn try_board(text: &str) -> Result<BoardGraph, BoardError> {
    BoardGraph::from_node(&read(&format!("(board {text})")))
}

/// The board of a valid text.
fn board(text: &str) -> BoardGraph {
    try_board(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}
