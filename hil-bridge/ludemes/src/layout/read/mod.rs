//! Reads the board of a text.
//!
//! `(board (hex 5) use:Vertex)` contains a graph and the type of its sites. A graph is a
//! generator with sizes, or an operator with graphs. The other parts of a board, tracks
//! and values, belong to the rules and are ignored here.
//!
//! Invariants: the size of the result is limited, whatever the text.

use self::bounds::{check, too_large};
use super::arguments::{Arguments, is_call};
use super::board::BoardGraph;
use super::error::BoardError;
use super::geometry::Polygon;
use super::graph::{Graph, SiteType};
use crate::tree::{Kind, Node};

mod bounds;
mod elements;
mod figures;
mod operators;
mod tilings;

/// The maximum length of a side.
const MOST_SIDE: i64 = 100;

/// The maximum number of tiles, of the largest kind.
const MOST_TILES: usize = 2048;

/// The maximum depth of nested operators.
const DEEPEST: usize = 32;

/// The heads of boards: any board; rows of pits; and a board with loops at its corners,
/// which are tracks.
const BOARDS: [&str; 3] = ["board", "mancalaBoard", "surakartaBoard"];

impl BoardGraph {
    /// The first `(board ...)` of a game.
    pub fn in_game(game: &Node) -> Option<&Node> {
        game.all().find(|node| is_call(node, "board"))
    }

    /// Reads the board of a text: `(board (hex 5) use:Vertex)`.
    ///
    /// # Errors
    ///
    /// [`BoardError`] with the place of the error.
    pub fn from_node(node: &Node) -> Result<BoardGraph, BoardError> {
        const EXAMPLE: &str = "a board, such as (board (square 8)),";
        let error = BoardError::Expected {
            span: node.span,
            expected: EXAMPLE,
        };
        let mut call = match Arguments::new(node) {
            Some(call) if BOARDS.contains(&call.head) => call,
            _ => return Err(error),
        };
        let used = match call.named("use") {
            Some(node) => site_type(node)?,
            None if call.head == "board" => SiteType::Cell,
            None => SiteType::Vertex,
        };
        if call.head == "mancalaBoard" {
            return Ok(BoardGraph::new(figures::mancala(&mut call)?, used));
        }
        let Some(first) = call.next() else {
            return call.expected(EXAMPLE);
        };
        let graph = Reader { used, depth: 0 }.graph(first)?;
        if graph.len(used) == 0 {
            return Err(BoardError::Empty { span: first.span });
        }
        Ok(BoardGraph::new(graph, used))
    }

    /// Reads a graph, made for a board with this type of sites.
    ///
    /// # Errors
    /// [`BoardError`] with the place of the error.
    #[cfg(test)]
    pub(crate) fn graph_from_node(node: &Node, used: SiteType) -> Result<Graph, BoardError> {
        Reader { used, depth: 0 }.graph(node)
    }
}

fn site_type(node: &Node) -> Result<SiteType, BoardError> {
    match &node.kind {
        Kind::Word(word) if word == "Vertex" => Ok(SiteType::Vertex),
        Kind::Word(word) if word == "Edge" => Ok(SiteType::Edge),
        Kind::Word(word) if word == "Cell" => Ok(SiteType::Cell),
        _ => Err(BoardError::Expected {
            span: node.span,
            expected: "Cell, Vertex or Edge",
        }),
    }
}

/// The words for outlines, in the same order for all generators.
const SHAPES: [&str; 9] = [
    "Square",
    "Rectangle",
    "Diamond",
    "Triangle",
    "Hexagon",
    "Star",
    "Limping",
    "Prism",
    "Spiral",
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Square,
    Rectangle,
    Diamond,
    Triangle,
    Hexagon,
    Star,
    Limping,
    Prism,
    Spiral,
}

impl Shape {
    const ALL: [Shape; 9] = [
        Shape::Square,
        Shape::Rectangle,
        Shape::Diamond,
        Shape::Triangle,
        Shape::Hexagon,
        Shape::Star,
        Shape::Limping,
        Shape::Prism,
        Shape::Spiral,
    ];
}

/// An outline in a text: its corners, or the sides of a walk.
enum Around {
    Corners(Polygon),
    Sides(Vec<i64>),
}

#[derive(Clone, Copy)]
struct Reader {
    used: SiteType,
    depth: usize,
}

impl Reader {
    fn graph(self, node: &Node) -> Result<Graph, BoardError> {
        let error = BoardError::Expected {
            span: node.span,
            expected: "what the board looks like, such as (square 8),",
        };
        let call = Arguments::new(node).ok_or(error)?;
        if self.depth > DEEPEST {
            return too_large(node.span, DEEPEST, "operators within each other");
        }
        let deeper = Reader {
            depth: self.depth + 1,
            ..self
        };
        let graph = match call.head {
            "square" => deeper.square(call),
            "rectangle" => deeper.rectangle(call),
            "hex" => deeper.hex(call),
            "tri" => deeper.tri(call),
            "tiling" => deeper.tiling(call),
            "brick" => deeper.brick(call),
            "celtic" => deeper.celtic(call),
            "quadhex" => deeper.quadhex(call),
            "concentric" => deeper.concentric(call),
            "spiral" => deeper.spiral(call),
            "wedge" => deeper.wedge(call),
            "regular" => deeper.regular(call),
            "repeat" => deeper.repeat(call),
            "mesh" => deeper.mesh(call),
            "graph" => deeper.explicit(call),
            _ => deeper.operator(call),
        }?;
        check(&graph, node.span)?;
        Ok(graph)
    }
}
