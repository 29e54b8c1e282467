//! The chains: three points in a row or around a corner, and the places where they fit on
//! the board.
//!
//! Invariants: every chain that is drawn or read fits the board and the mode; a pair that
//! is drawn is symmetrical under half a turn of the board, so that players on opposite
//! sides see the same.

use postcard::experimental::max_size::MaxSize;
use protocol::Point;
use serde::{Deserialize, Serialize};

use crate::grid::{Direction, Grid};
use crate::points::Points;
use crate::rng::Rng;
use crate::word::Word;

/// The direction of a chain after its second point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bend {
    /// Straight on, in the direction of the last step.
    Straight,
    /// Clockwise: a right turn in the direction of the chain.
    Right,
    /// Counter-clockwise: a left turn.
    Left,
}

impl Bend {
    /// The index in [`Direction::STRAIGHT`], which is clockwise, of the direction after a
    /// step in the direction `heading`.
    const fn after(self, heading: usize) -> usize {
        let quarters = match self {
            Bend::Straight => 0,
            Bend::Right => 1,
            Bend::Left => 3,
        };
        (heading + quarters) % Direction::STRAIGHT.len()
    }
}

/// Three points in the order in which they light up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub(super) struct Chain(pub(super) [Point; 3]);

/// The offsets of the second and third point from the first, in columns and rows.
type Shape = [(i8, i8); 3];

fn shape(heading: usize, turn: Bend) -> Shape {
    let directions = Direction::STRAIGHT;
    let (x, y) = directions[heading].step();
    let (dx, dy) = directions[turn.after(heading)].step();
    [(0, 0), (x, y), (x + dx, y + dy)]
}

/// All shapes that these turns allow.
fn shapes(turns: &[Bend]) -> impl Iterator<Item = Shape> + '_ {
    (0..Direction::STRAIGHT.len())
        .flat_map(move |heading| turns.iter().map(move |turn| shape(heading, *turn)))
}

impl Chain {
    /// The chain of this shape that starts here; `None` if it leaves the board.
    fn at<W: Word>(start: Point, shape: Shape, grid: &Grid<W>) -> Option<Chain> {
        let mut points = [start; 3];
        for (point, (columns, rows)) in points.iter_mut().zip(shape) {
            *point = grid.offset(start, columns, rows)?;
        }
        Some(Chain(points))
    }

    /// The image of the chain after half a turn of the board.
    fn opposite<W: Word>(self, grid: &Grid<W>) -> Chain {
        let last = (grid.sides().points() - 1) as u8;
        Chain(self.0.map(|point| Point(last.saturating_sub(point.0))))
    }

    /// True if the chain is on the board and makes one of these turns.
    pub(super) fn fits<W: Word>(self, turns: &[Bend], grid: &Grid<W>) -> bool {
        let [start, ..] = self.0;
        grid.sides().has(start)
            && shapes(turns).any(|shape| Chain::at(start, shape, grid) == Some(self))
    }
}

/// The points where a chain of this shape can start without leaving the board or meeting
/// its image.
fn starts<W: Word>(shape: Shape, grid: &Grid<W>) -> Points<W> {
    let layout = grid.sides();
    let (columns, rows) = (layout.columns() as i8, layout.rows() as i8);
    let inside = |start: i8, steps: [i8; 3], length: i8| {
        steps
            .iter()
            .all(|step| (0..length).contains(&(start + step)))
    };
    let (across, up) = (shape.map(|step| step.0), shape.map(|step| step.1));
    let on_board = layout.iter().filter(|point| {
        let (column, row) = (layout.column(*point) as i8, layout.row(*point) as i8);
        inside(column, across, columns) && inside(row, up, rows)
    });
    let mut starts: Points<W> = on_board.collect();
    // Points `i` and `j` of the two chains coincide if their places add up to the far
    // corner, which determines twice the start.
    for (x, y) in shape {
        for (other_x, other_y) in shape {
            let column = columns - 1 - x - other_x;
            let row = rows - 1 - y - other_y;
            if column % 2 == 0
                && row % 2 == 0
                && let (Ok(column), Ok(row)) = (u8::try_from(column / 2), u8::try_from(row / 2))
                && let Some(point) = layout.at(column, row)
            {
                starts.remove(point);
            }
        }
    }
    starts
}

/// A pair of chains, `[green, red]`, with a random heading and turn, at a random place
/// where they fit. `None` if no chain fits anywhere.
pub(super) fn draw<W: Word>(turns: &[Bend], grid: &Grid<W>, rng: &mut Rng) -> Option<[Chain; 2]> {
    let headings = Direction::STRAIGHT.len();
    let heading = rng.below(headings as u32) as usize;
    let turn = rng.below(turns.len() as u32) as usize;
    let drawn = heading * turns.len() + turn;
    // On narrow boards the drawn shape may not fit; then the next one is tried.
    let all = shapes(turns).chain(shapes(turns));
    for shape in all.skip(drawn) {
        if let Some(start) = rng.pick(starts(shape, grid)) {
            let green = Chain::at(start, shape, grid)?;
            return Some([green, green.opposite(grid)]);
        }
    }
    None
}

/// The chain that these points form, if they form one. If it can be read in both
/// directions, it starts at the lower number.
pub(super) fn read<W: Word>(points: Points<W>, turns: &[Bend], grid: &Grid<W>) -> Option<Chain> {
    if points.len() != 3 {
        return None;
    }
    points
        .flat_map(|start| shapes(turns).map(move |shape| Chain::at(start, shape, grid)))
        .flatten()
        .find(|chain| chain.0.iter().all(|point| points.has(*point)))
}
