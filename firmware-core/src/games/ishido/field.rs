//! The squares of the field, the stones on them, and where a stone may be placed.
//!
//! A square is identified by a place, which is counted along the rows from the bottom
//! left: `a1` is 0, `l8` is 95. Places do not depend on the size of the board, which may
//! be larger than the field.
//!
//! Invariants: a place is below [`PLACES`]; a square holds at most one stone.

use postcard::experimental::max_size::MaxSize;
use protocol::{GridSize, Point};
use serde::{Deserialize, Serialize};

use super::stone::{KINDS, Kinds, Stone};

/// "12 x 8 square fields" (Dekker, 1. Introduction).
pub const COLUMNS: u8 = 12;
/// The number of rows; see [`COLUMNS`].
pub const ROWS: u8 = 8;
/// The number of squares of the field.
pub const PLACES: u8 = COLUMNS * ROWS;

/// The set of all squares, as bits.
const ALL: u128 = (1 << PLACES) - 1;
/// The squares of the first column.
const FIRST_COLUMN: u128 = ALL / ((1 << COLUMNS) - 1);
/// The squares of the last column.
const LAST_COLUMN: u128 = FIRST_COLUMN << (COLUMNS - 1);

/// A set of squares: bit `n` is place `n`.
#[derive(Clone, Copy, Debug)]
pub struct Frontier(u128);

impl Iterator for Frontier {
    type Item = u8;
    #[inline]
    fn next(&mut self) -> Option<u8> {
        let place = self.0.trailing_zeros() as u8;
        if place >= PLACES {
            return None;
        }
        self.0 &= self.0 - 1;
        Some(place)
    }
}

/// Which neighbours must share the colour if there are stones on all four sides of a
/// square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Four {
    /// Two neighbours that touch at a corner of the square (Dekker, 2. The rules).
    AtCorner,
    /// Any two of the four neighbours.
    Any,
}

/// A square: 0 if it is empty, otherwise one more than the kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
struct Square(u8);

/// The squares, row by row from the bottom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub struct Field([[Square; COLUMNS as usize]; ROWS as usize]);

/// The place of a point on a board of this size; `None` if the point is outside of the
/// field.
#[must_use]
pub fn place_of(point: Point, sides: GridSize) -> Option<u8> {
    let column = sides.column(point);
    let row = (sides.rows() - 1).checked_sub(sides.row(point))?;
    (column < COLUMNS && row < ROWS).then(|| row * COLUMNS + column)
}

/// The point of a place on a board of this size; `None` if the board has no room for it.
#[must_use]
pub fn point_of(place: u8, sides: GridSize) -> Option<Point> {
    let row = (sides.rows() - 1).checked_sub(place / COLUMNS)?;
    sides.at(place % COLUMNS, row)
}

/// True if a board of this size has room for the field.
#[must_use]
pub fn fits(sides: GridSize) -> bool {
    sides.columns() >= COLUMNS && sides.rows() >= ROWS
}

/// True for a square at the edge of the field, which has fewer than four neighbours.
#[must_use]
pub const fn is_at_edge(place: u8) -> bool {
    let (column, row) = (place % COLUMNS, place / COLUMNS);
    column == 0 || column == COLUMNS - 1 || row == 0 || row == ROWS - 1
}

/// The neighbouring squares, clockwise from above.
#[must_use]
pub const fn beside(place: u8) -> [Option<u8>; 4] {
    let (column, row) = (place % COLUMNS, place / COLUMNS);
    [
        if row < ROWS - 1 {
            Some(place + COLUMNS)
        } else {
            None
        },
        if column < COLUMNS - 1 {
            Some(place + 1)
        } else {
            None
        },
        if row > 0 { Some(place - COLUMNS) } else { None },
        if column > 0 { Some(place - 1) } else { None },
    ]
}

impl Default for Field {
    fn default() -> Self {
        Field([[Square(0); COLUMNS as usize]; ROWS as usize])
    }
}

impl Field {
    /// The stone on this place.
    #[inline]
    #[must_use]
    pub fn at(&self, place: u8) -> Option<Stone> {
        let Square(square) = self.0.as_flattened().get(usize::from(place))?;
        Stone::of_kind(square.checked_sub(1)?)
    }

    /// Puts a stone on a place, or removes the one there.
    pub fn put(&mut self, place: u8, stone: Option<Stone>) {
        if let Some(square) = self.0.as_flattened_mut().get_mut(usize::from(place)) {
            *square = Square(stone.map_or(0, |stone| stone.kind() + 1));
        }
    }

    /// The stones and their places.
    pub fn stones(&self) -> impl Iterator<Item = (u8, Stone)> + '_ {
        (0..PLACES).filter_map(|place| Some((place, self.at(place)?)))
    }

    /// The number of stones next to this place.
    #[must_use]
    pub fn neighbours(&self, place: u8) -> usize {
        self.around(place).into_iter().flatten().count()
    }

    /// The stones on the neighbouring squares, clockwise from above.
    fn around(&self, place: u8) -> [Option<Stone>; 4] {
        beside(place).map(|beside| beside.and_then(|place| self.at(place)))
    }

    /// The kinds of stones that may be placed here, according to the rules of placement.
    ///
    /// The rules are Dekker's, 2. The rules, with one line for each number of neighbours.
    #[must_use]
    pub fn takes(&self, place: u8, four: Four) -> Kinds {
        if place >= PLACES || self.at(place).is_some() {
            return Kinds::NONE;
        }
        takes(self.around(place), four)
    }

    /// True if there is a stone here, and its neighbours allow it.
    #[must_use]
    pub fn fits(&self, place: u8, four: Four) -> bool {
        let stone = self.at(place);
        stone.is_some_and(|stone| takes(self.around(place), four).has(stone))
    }

    /// The empty squares next to a stone, which are the only ones on which stones can be
    /// placed.
    #[must_use]
    pub fn frontier(&self) -> Frontier {
        let squares = self.0.as_flattened().iter().zip(0_u8..);
        let stones = squares
            .filter(|(square, _)| square.0 != 0)
            .fold(0, |stones: u128, (_, place)| stones | 1 << place);
        let right = (stones & !LAST_COLUMN) << 1;
        let left = (stones & !FIRST_COLUMN) >> 1;
        let beside = right | left | stones << COLUMNS | stones >> COLUMNS;
        Frontier(beside & !stones & ALL)
    }

    /// The places on which this stone may be placed.
    pub fn places_for(&self, stone: Stone, four: Four) -> impl Iterator<Item = u8> + '_ {
        let takes = move |place: &u8| self.takes(*place, four).has(stone);
        self.frontier().filter(takes)
    }

    /// False if the value of a square is out of range.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.0.as_flattened().iter().all(|square| square.0 <= KINDS)
    }
}

/// The kinds that may be placed between these stones, which are in their order around the
/// place.
#[must_use]
pub fn takes(around: [Option<Stone>; 4], four: Four) -> Kinds {
    let mut found = [Stone::FIRST; 4];
    let mut count = 0;
    for stone in around.into_iter().flatten() {
        found[count] = stone;
        count += 1;
    }
    let [a, b, c, d] = found;
    match count {
        1 => Kinds::of_colour(a).or(Kinds::of_symbol(a)),
        2 => like(a, b).or(like(b, a)),
        3 => {
            let one_alone = |alone, b, c| two_and(b, c, alone).or(alone_and(alone, b, c));
            one_alone(a, b, c)
                .or(one_alone(b, a, c))
                .or(one_alone(c, a, b))
        }
        4 => {
            let halves = |a, b, c, d| {
                colours(a, b)
                    .and(symbols(c, d))
                    .or(colours(c, d).and(symbols(a, b)))
            };
            let at_corner = halves(a, b, c, d).or(halves(b, c, d, a));
            match four {
                Four::AtCorner => at_corner,
                Four::Any => at_corner.or(halves(a, c, b, d)),
            }
        }
        _ => Kinds::NONE,
    }
}

/// The stone with the colour of one and the symbol of the other.
fn like(colour: Stone, symbol: Stone) -> Kinds {
    Kinds::of_colour(colour).and(Kinds::of_symbol(symbol))
}

/// The kinds that have the colour of both stones.
fn colours(one: Stone, other: Stone) -> Kinds {
    Kinds::of_colour(one).and(Kinds::of_colour(other))
}

/// The kinds that have the symbol of both stones.
fn symbols(one: Stone, other: Stone) -> Kinds {
    Kinds::of_symbol(one).and(Kinds::of_symbol(other))
}

/// The kinds with the colour of two stones and the symbol of the third.
fn two_and(one: Stone, other: Stone, third: Stone) -> Kinds {
    colours(one, other).and(Kinds::of_symbol(third))
}

/// The kinds with the colour of one stone and the symbol of the other two.
fn alone_and(third: Stone, one: Stone, other: Stone) -> Kinds {
    symbols(one, other).and(Kinds::of_colour(third))
}
