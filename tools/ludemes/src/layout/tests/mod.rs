//! Laws and counts of layouts.

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
        panic!("{text} is no call");
    };
    arguments[1].node.clone()
}

/// The board of a text, without its bracket.
fn try_board(text: &str) -> Result<Board, LayoutError> {
    Board::from_node(&read(&format!("(board {text})")))
}

/// The board of a text that is one.
fn board(text: &str) -> Board {
    try_board(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The board in a game, the first that it names.
fn board_in(node: &Node) -> Option<&Node> {
    match &node.kind {
        Kind::Call(arguments) => match &arguments[0].node.kind {
            Kind::Word(word) if word == "board" => Some(node),
            _ => arguments
                .iter()
                .find_map(|argument| board_in(&argument.node)),
        },
        Kind::Set(nodes) => nodes.iter().find_map(board_in),
        _ => None,
    }
}
