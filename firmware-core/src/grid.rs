//! A rectangle of points as bits: the adjacency of whole sets of points at once.
//!
//! It is computed and needs no table, so it takes no memory. Games that are played on any
//! layout use [`Ground`](crate::Ground) instead.

use protocol::{GridSize, Layout, Point};

use crate::points::Points;
use crate::word::Word;

/// A direction from a point to one of its eight neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// One column to the right.
    East,
    /// Down and to the right.
    SouthEast,
    /// One row down: to the next line of the manual.
    South,
    /// Down and to the left.
    SouthWest,
    /// One column to the left.
    West,
    /// Up and to the left.
    NorthWest,
    /// One row up.
    North,
    /// Up and to the right.
    NorthEast,
}

impl Direction {
    /// All eight directions, clockwise from east.
    pub const ALL: [Direction; 8] = [
        Direction::East,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
        Direction::North,
        Direction::NorthEast,
    ];
    /// The four directions that are not diagonal.
    pub const STRAIGHT: [Direction; 4] = [
        Direction::East,
        Direction::South,
        Direction::West,
        Direction::North,
    ];

    /// The step in columns and rows.
    #[must_use]
    pub const fn step(self) -> (i8, i8) {
        match self {
            Direction::East => (1, 0),
            Direction::SouthEast => (1, 1),
            Direction::South => (0, 1),
            Direction::SouthWest => (-1, 1),
            Direction::West => (-1, 0),
            Direction::NorthWest => (-1, -1),
            Direction::North => (0, -1),
            Direction::NorthEast => (1, -1),
        }
    }
}

/// A rectangle, with the masks that keep shifted sets inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid<W> {
    sides: GridSize,
    all: Points<W>,
    not_west_edge: Points<W>,
    not_east_edge: Points<W>,
}

impl<W: Word> Grid<W> {
    /// The grid of a layout; `None` if it is not a rectangle or the word is too
    /// narrow for it.
    #[must_use]
    pub fn new(layout: Layout) -> Option<Self> {
        let sides = layout.sides()?;
        if sides.points() > W::BITS {
            return None;
        }
        let edge = |column| {
            let others = sides.iter().filter(|p| sides.column(*p) != column);
            others.collect()
        };
        Some(Grid {
            sides,
            all: sides.iter().collect(),
            not_west_edge: edge(0),
            not_east_edge: edge(sides.columns() - 1),
        })
    }

    /// A grid without points.
    pub(crate) const NOTHING: Self = Grid {
        sides: match GridSize::new(1, 1) {
            Ok(sides) => sides,
            Err(_) => unreachable!(),
        },
        all: Points::NONE,
        not_west_edge: Points::NONE,
        not_east_edge: Points::NONE,
    };

    /// The layout of the grid.
    #[inline]
    #[must_use]
    pub fn layout(&self) -> Layout {
        Layout::Grid(self.sides)
    }

    /// The number of columns and rows.
    #[inline]
    #[must_use]
    pub fn sides(&self) -> GridSize {
        self.sides
    }

    /// The set of all points.
    #[inline]
    #[must_use]
    pub fn all(&self) -> Points<W> {
        self.all
    }

    /// The number of points in a row.
    #[inline]
    #[must_use]
    pub fn columns(&self) -> usize {
        self.sides.columns() as usize
    }

    /// The number of rows.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> usize {
        self.sides.rows() as usize
    }

    /// The set moved by one step; points that would leave the board are dropped.
    #[inline]
    #[must_use]
    pub fn shift(&self, set: Points<W>, direction: Direction) -> Points<W> {
        let columns = self.columns();
        let bits = set.0;
        let up = |by: usize| bits.up_short(by);
        let down = |by: usize| bits.down_short(by);
        let (moved, mask) = match direction {
            Direction::East => (up(1), self.not_west_edge),
            Direction::SouthEast => (up(columns + 1), self.not_west_edge),
            Direction::South => (up(columns), self.all),
            Direction::SouthWest => (up(columns - 1), self.not_east_edge),
            Direction::West => (down(1), self.not_east_edge),
            Direction::NorthWest => (down(columns + 1), self.not_east_edge),
            Direction::North => (down(columns), self.all),
            Direction::NorthEast => (down(columns - 1), self.not_west_edge),
        };
        Points(moved) & mask
    }

    /// The neighbours of the set's points in their rows and columns; some may be in the
    /// set.
    // Written out, because flood fills consist of this call.
    #[inline]
    #[must_use]
    pub fn beside(&self, set: Points<W>) -> Points<W> {
        let (bits, columns) = (set.0, self.columns());
        let along_row = (bits.up(1) & self.not_west_edge.0) | (bits.down(1) & self.not_east_edge.0);
        let along_column = (bits.up_short(columns) | bits.down_short(columns)) & self.all.0;
        Points(along_row | along_column)
    }

    /// The points that touch the set along a row or a column, without the set.
    #[inline]
    #[must_use]
    pub fn straight_neighbours(&self, set: Points<W>) -> Points<W> {
        self.beside(set).without(set)
    }

    /// The points that touch the set, diagonally too, without the set.
    #[inline]
    #[must_use]
    pub fn neighbours(&self, set: Points<W>) -> Points<W> {
        let row = set | self.shift(set, Direction::East) | self.shift(set, Direction::West);
        let block = row | self.shift(row, Direction::North) | self.shift(row, Direction::South);
        block.without(set)
    }

    /// The point at this offset in columns and rows.
    #[must_use]
    pub fn offset(&self, point: Point, columns: i8, rows: i8) -> Option<Point> {
        let column = self.sides.column(point).checked_add_signed(columns)?;
        let row = self.sides.row(point).checked_add_signed(rows)?;
        self.sides.at(column, row)
    }
}
