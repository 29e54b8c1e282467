//! Where a block of 2x2 points can lie, for all blocks at once.
//!
//! A place is named by the upper left point of its block. No result ever holds
//! a point that is not on the board.

use protocol::Point;

use crate::grid::{Direction, Grid};
use crate::points::Points;
use crate::word::Word;

/// The four points of a ghost with this upper left one; fewer if it does not
/// lie wholly on the board.
pub(super) fn block<W: Word>(corner: Point, grid: &Grid<W>) -> Points<W> {
    if !grid.sides().has(corner) {
        return Points::NONE;
    }
    let column = Points::one(corner) | grid.shift(Points::one(corner), Direction::South);
    column | grid.shift(column, Direction::East)
}

/// The upper left points of all ghosts that lie wholly on these points.
pub(super) fn places<W: Word>(free: Points<W>, grid: &Grid<W>) -> Points<W> {
    let column = free & grid.shift(free, Direction::North);
    column & grid.shift(column, Direction::West)
}

/// The places from which a step leads to another of these places.
pub(super) fn with_a_step<W: Word>(places: Points<W>, grid: &Grid<W>) -> Points<W> {
    let reached = Direction::ALL
        .into_iter()
        .fold(Points::NONE, |reached, direction| {
            reached | grid.shift(places, direction)
        });
    places & reached
}

/// The points that do not lie at an edge.
pub(super) fn inner<W: Word>(grid: &Grid<W>) -> Points<W> {
    Direction::STRAIGHT
        .into_iter()
        .fold(grid.all(), |inner, direction| {
            inner & grid.shift(grid.all(), direction)
        })
}

/// The points up to `steps` king's steps away, this one included.
pub(super) fn around<W: Word>(point: Point, steps: u8, grid: &Grid<W>) -> Points<W> {
    let centre = Points::one(point) & grid.all();
    (0..steps).fold(centre, |ball, _| ball | grid.neighbours(ball))
}
