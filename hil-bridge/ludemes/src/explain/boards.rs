//! The words for a board.
use super::view::{Call, call};
use crate::tree::{Kind, Node};

/// The description of a board.
pub(super) struct Board {
    /// The description of the board.
    pub words: String,
    /// The word for a site: `cell` or `point`.
    pub site: &'static str,
    /// The number of directions through which a walk turns, if it is known.
    pub turns: Option<u8>,
}

/// Finds and describes the board of a game.
pub(super) fn find(game: &Call) -> Board {
    let board = game
        .child("equipment")
        .and_then(|equipment| equipment.child("board"));
    let Some(board) = board else {
        return Board {
            words: "as the game says".to_owned(),
            site: "cell",
            turns: None,
        };
    };
    let site = match board.named("use").and_then(Node::word) {
        Some("Vertex") => "point",
        Some("Edge") => "edge",
        _ => "cell",
    };
    let graph = board.calls().next();
    Board {
        words: graph
            .as_ref()
            .map_or_else(|| "as drawn".to_owned(), |graph| words(graph, site)),
        site,
        turns: graph.as_ref().and_then(turns),
    }
}

fn size(graph: &Call, place: usize) -> Option<String> {
    let mut sizes = graph
        .arguments()
        .filter(|node| matches!(node.kind, Kind::Number(_)));
    match &sizes.nth(place)?.kind {
        Kind::Number(size) => Some(size.to_string()),
        _ => None,
    }
}

fn words(graph: &Call, site: &str) -> String {
    let n = size(graph, 0).unwrap_or_else(|| "some".to_owned());
    let m = size(graph, 1).unwrap_or_else(|| n.clone());
    let shape = graph.words().next();
    match (graph.name.as_str(), shape) {
        ("square", _) => format!("a square of {n} by {n} {site}s{}", diagonals(graph)),
        ("rectangle", _) if n == "1" => format!("a row of {m} {site}s"),
        ("rectangle", _) if m == "1" => format!("a column of {n} {site}s"),
        ("rectangle", _) => format!("a rectangle of {n} by {m} {site}s{}", diagonals(graph)),
        ("hex", None | Some("Hexagon")) => {
            format!("a hexagon of hexagonal {site}s, {n} on each side")
        }
        ("hex", Some("Diamond")) => format!("a diamond of hexagonal {site}s, {n} by {n}"),
        ("hex", Some(shape)) => format!(
            "a {} of hexagonal {site}s, {n} on each side",
            shape.to_lowercase()
        ),
        ("tri", Some("Hexagon")) if site == "point" => {
            format!("a hexagon of {site}s joined in triangles, {n} on each side")
        }
        ("tri", Some("Hexagon")) => format!("a hexagon of triangular {site}s, {n} on each side"),
        ("tri", None | Some("Triangle")) => {
            format!("a triangle of triangular {site}s, {n} on each side")
        }
        ("concentric", Some(shape)) => {
            let rings = graph.named("rings").and_then(number).unwrap_or(1);
            let what = shape.to_lowercase();
            format!(
                "{} {what}s within each other, joined at the middles of their sides",
                super::values::small(rings)
            )
        }
        ("rotate" | "shift" | "scale", _) => {
            inner(graph).map_or_else(|| "as drawn".to_owned(), |graph| words(&graph, site))
        }
        ("union" | "merge", _) => {
            let parts: Vec<String> = graph
                .calls_within()
                .map(|part| words(&part, site))
                .collect();
            super::view::list(&parts, "together with")
        }
        _ => format!("as drawn, with {site}s to play on"),
    }
}

fn diagonals(graph: &Call) -> &'static str {
    match graph.named("diagonals").and_then(Node::word) {
        Some("Alternating") => " with every second diagonal",
        Some(_) => " with diagonals",
        None => "",
    }
}

fn number(node: &Node) -> Option<i64> {
    match node.kind {
        Kind::Number(number) => Some(number),
        _ => None,
    }
}

fn inner<'a>(graph: &Call<'a>) -> Option<Call<'a>> {
    graph.arguments().filter_map(call).last()
}

/// The number of directions through which a walk turns on a tiling.
fn turns(graph: &Call) -> Option<u8> {
    match graph.name.as_str() {
        "square" | "rectangle" => Some(4),
        "hex" | "tri" => Some(6),
        "rotate" | "shift" | "scale" => turns(&inner(graph)?),
        _ => None,
    }
}
