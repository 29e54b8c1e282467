//! Limits on the size of boards, and errors for larger ones.

use super::{MOST_TILES, Shape};
use crate::layout::error::BoardError;
use crate::layout::geometry::Polygon;
use crate::layout::graph::{Graph, MOST_EDGES, MOST_VERTICES};
use crate::tree::{Node, TextSpan};

/// The maximum number of tiles of a shape with these sides.
pub(super) fn places(shape: Shape, one: usize, two: Option<usize>) -> usize {
    let two = two.unwrap_or(one);
    match shape {
        Shape::Square | Shape::Rectangle | Shape::Diamond | Shape::Triangle | Shape::Spiral => {
            one * two
        }
        Shape::Hexagon | Shape::Prism | Shape::Limping => 3 * (one + 1) * (two + 1) / 2,
        Shape::Star => 7 * one * one,
    }
}

pub(super) fn tiles(span: TextSpan, tiles: usize) -> Result<(), BoardError> {
    match tiles <= MOST_TILES {
        true => Ok(()),
        false => too_large(span, MOST_TILES, "tiles"),
    }
}

/// Checks that an outline can be tiled within the limits.
pub(super) fn bounded(span: TextSpan, outline: Polygon) -> Result<Polygon, BoardError> {
    let [least, most] = outline.extent().unwrap_or_default();
    let area = (most.x - least.x) * (most.y - least.y);
    tiles(span, area as usize)?;
    Ok(outline)
}

/// Checks that a walk with these sides stays within the limits.
pub(super) fn walkable(span: TextSpan, sides: Vec<i64>) -> Result<Vec<i64>, BoardError> {
    let around: i64 = (0..sides.len().max(5))
        .map(|index| sides[index % sides.len()].abs())
        .sum();
    // A circle has the largest area for its circumference.
    tiles(span, (around * around / 12) as usize)?;
    Ok(sides)
}

pub(super) fn check(graph: &Graph, span: TextSpan) -> Result<(), BoardError> {
    if graph.vertices.len() > MOST_VERTICES {
        return too_large(span, MOST_VERTICES, "vertices");
    }
    if graph.edges.len() > MOST_EDGES {
        return too_large(span, MOST_EDGES, "edges");
    }
    Ok(())
}

pub(super) fn too_large<T>(
    span: TextSpan,
    most: usize,
    what: &'static str,
) -> Result<T, BoardError> {
    Err(BoardError::TooLarge { span, most, what })
}

pub(super) fn no_shape<T>(span: TextSpan, expected: &'static str) -> Result<T, BoardError> {
    Err(BoardError::Expected { span, expected })
}

pub(super) fn nothing_there<T>(node: &Node) -> Result<T, BoardError> {
    Err(BoardError::NothingThere { span: node.span })
}
