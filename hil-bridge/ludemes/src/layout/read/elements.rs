//! Vertices, edges and cells in a text, given by their numbers or places.

use super::bounds::nothing_there;
use crate::layout::arguments::{Arguments, is_number, outline, set, spots, whole, wholes};
use crate::layout::error::BoardError;
use crate::layout::geometry::Polygon;
use crate::layout::graph::Graph;
use crate::tree::Node;

/// True for a set of numbers.
pub(super) fn are_numbers(node: &Node) -> bool {
    match &node.kind {
        crate::tree::Kind::Set(nodes) => nodes.iter().all(is_number),
        _ => false,
    }
}

/// The elements of a set, each given by its number, less than `many`, or in a form that
/// `find` reads.
pub(super) fn found(
    graph: &Graph,
    node: &Node,
    many: usize,
    find: impl Fn(&Graph, &Node) -> Option<usize>,
) -> Result<Vec<usize>, BoardError> {
    if are_numbers(node) {
        return numbers(node, many);
    }
    let all = set(node, "a set in braces, such as {0 1} or {{0 0} {1 0}},")?.iter();
    all.map(|node| find(graph, node).map_or_else(|| nothing_there(node), Ok))
        .collect()
}

/// The vertices at these spots; `None` if one does not exist.
pub(super) fn known_corners(graph: &Graph, node: &Node) -> Option<Vec<usize>> {
    let spots = spots(node).ok()?.into_iter();
    spots.map(|spot| graph.vertex_at(spot)).collect()
}

pub(super) fn next_outline(call: &mut Arguments) -> Result<Polygon, BoardError> {
    match call.next() {
        Some(node) => outline(node),
        None => call.expected("an outline, such as (poly {{0 0} {0 4} {4 0}}),"),
    }
}

/// The elements of the argument with this name; empty if it is missing.
pub(super) fn elements<'a>(call: &mut Arguments<'a>, name: &str) -> Result<&'a [Node], BoardError> {
    match call.named(name) {
        Some(node) => set(node, "a set in braces, such as {{0 0} {1 0}},"),
        None => Ok(&[]),
    }
}

/// Numbers of elements, each less than `many`.
pub(super) fn numbers(node: &Node, many: usize) -> Result<Vec<usize>, BoardError> {
    let found = wholes(node, 0, many as i64 - 1)?;
    Ok(found.into_iter().map(|number| number as usize).collect())
}

/// Numbers of vertices, each less than `many`.
pub(super) fn vertices(node: &Node, many: usize) -> Result<Vec<usize>, BoardError> {
    let number = |node: &Node| {
        let value = whole(node, 0, i64::MAX)?;
        let found = usize::try_from(value).ok().filter(|value| *value < many);
        found.ok_or(BoardError::NoSuchVertex {
            span: node.span,
            value,
            vertices: many,
        })
    };
    let all = set(node, "numbers of vertices, such as {0 1},")?;
    all.iter().map(number).collect()
}

/// The pairs `{{a b} ...}` of different vertices.
pub(super) fn pairs(node: &Node, many: usize) -> Result<Vec<[usize; 2]>, BoardError> {
    const EXAMPLE: &str = "pairs of different vertices, such as {{0 1} {1 2}},";
    let all = set(node, EXAMPLE)?.iter();
    all.map(|pair| match vertices(pair, many)?[..] {
        [one, other] if one != other => Ok([one, other]),
        _ => Err(BoardError::Expected {
            span: pair.span,
            expected: EXAMPLE,
        }),
    })
    .collect()
}
