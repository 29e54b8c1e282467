//! The possible places of a block of 2x2 points, for all blocks at once.
//!
//! A place is given by the upper left point of its block.
//!
//! Invariants: no result contains a point outside of the board.

use protocol::Point;

use crate::grid::{Direction, Grid};
use crate::points::Points;
use crate::word::Word;

/// The four points of a ghost with this upper left point; fewer if it is not completely
/// on the board.
pub(super) fn block<W: Word>(corner: Point, grid: &Grid<W>) -> Points<W> {
    if !grid.sides().has(corner) {
        return Points::NONE;
    }
    let column = Points::one(corner) | grid.shift(Points::one(corner), Direction::South);
    column | grid.shift(column, Direction::East)
}

/// The upper left points of all ghosts that are completely on these points.
pub(super) fn places<W: Word>(free: Points<W>, grid: &Grid<W>) -> Points<W> {
    let column = free & grid.shift(free, Direction::North);
    column & grid.shift(column, Direction::West)
}

/// The places from which a step leads to another one of these places.
pub(super) fn with_a_step<W: Word>(places: Points<W>, grid: &Grid<W>) -> Points<W> {
    let reached = Direction::ALL
        .into_iter()
        .fold(Points::NONE, |reached, direction| {
            reached | grid.shift(places, direction)
        });
    places & reached
}

/// The points that are not at an edge.
pub(super) fn inner<W: Word>(grid: &Grid<W>) -> Points<W> {
    Direction::STRAIGHT
        .into_iter()
        .fold(grid.all(), |inner, direction| {
            inner & grid.shift(grid.all(), direction)
        })
}

/// The points within `steps` king's moves, including this one.
pub(super) fn around<W: Word>(point: Point, steps: u8, grid: &Grid<W>) -> Points<W> {
    let centre = Points::one(point) & grid.all();
    (0..steps).fold(centre, |ball, _| ball | grid.neighbours(ball))
}
