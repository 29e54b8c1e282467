//! The variants of Malaka and their boards: places, walls, ways, home edges.
//!
//! O's way leads from its home edge, the bottom row of the left third, upwards, to the
//! right along the top, down through the middle third, to the right along the bottom, and
//! up the right third to X's home edge at its top. X's way is O's, rotated by 180 degrees
//! about the centre of the board. O is green, X is red.
//!
//! Invariants: a step forwards changes only the column or only the row, and no way
//! returns to an earlier place.

use core::fmt;
use core::str::FromStr;

use postcard::experimental::max_size::MaxSize;
use protocol::Side;
use serde::{Deserialize, Serialize};

/// The number of points on each side of the largest board.
pub const MOST_SIDE: u8 = 12;
/// The number of points of the largest board.
pub const MOST_PLACES: usize = MOST_SIDE as usize * MOST_SIDE as usize;

/// The number of variants: four choices of two.
pub const VARIANTS: u8 = 16;

/// The size of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// A board of 9x9; its usual dice have four sides.
    Small,
    /// A board of 12x12 (`-large`); its usual dice have six sides.
    Large,
}

/// The number of rows of pieces at the start, with two pieces on each point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartRows {
    /// Two rows are filled at the start.
    Two,
    /// Three rows are filled at the start (`-many`).
    Three,
}

/// The shape of the starting rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartShape {
    /// The rows follow one another on the way.
    Staggered,
    /// The rows form one block at the home edge (`-no_stagger`).
    Block,
}

/// The kind of dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DieKind {
    /// Dice with four sides (`-d4`).
    Four,
    /// Dice with six sides (`-d6`).
    Six,
}

/// A variant of Malaka. In saved states it is represented by the number of its mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Variant {
    /// The size of the board.
    pub size: Size,
    /// The number of rows of pieces at the start.
    pub rows: StartRows,
    /// The shape of the starting rows.
    pub start: StartShape,
    /// The kind of dice.
    pub die: DieKind,
}

impl Variant {
    /// 9x9, two rows, staggered, dice with four sides.
    pub const USUAL: Variant = Variant {
        size: Size::Small,
        rows: StartRows::Two,
        start: StartShape::Staggered,
        die: DieKind::Four,
    };

    /// The variant of a mode, 0-15. The mode is the sum of 1 for three rows, 2 for a
    /// start in a block, 4 for the dice of the other board, and 8 for the large board.
    #[must_use]
    pub const fn of_mode(mode: u8) -> Option<Variant> {
        if mode >= VARIANTS {
            return None;
        }
        let is_large = mode & 8 != 0;
        let has_other_dice = mode & 4 != 0;
        Some(Variant {
            size: if is_large { Size::Large } else { Size::Small },
            rows: match mode & 1 {
                0 => StartRows::Two,
                _ => StartRows::Three,
            },
            start: match mode & 2 {
                0 => StartShape::Staggered,
                _ => StartShape::Block,
            },
            die: if is_large == has_other_dice {
                DieKind::Four
            } else {
                DieKind::Six
            },
        })
    }

    /// The mode with this variant, from 0 to 15.
    #[must_use]
    pub const fn mode(self) -> u8 {
        let is_large = matches!(self.size, Size::Large);
        let has_other_dice = is_large == matches!(self.die, DieKind::Four);
        let is_block = matches!(self.start, StartShape::Block);
        let has_three = matches!(self.rows, StartRows::Three);
        has_three as u8
            | (is_block as u8) << 1
            | (has_other_dice as u8) << 2
            | (is_large as u8) << 3
    }

    /// The number of points on each side of the board: 9 or 12.
    #[inline]
    #[must_use]
    pub const fn side(self) -> u8 {
        match self.size {
            Size::Small => 9,
            Size::Large => MOST_SIDE,
        }
    }

    /// The number of points on each side of one of the nine subareas: 3 or 4.
    #[inline]
    #[must_use]
    pub const fn third(self) -> u8 {
        self.side() / 3
    }

    /// The number of pieces of a player at the start: 12 to 24.
    #[must_use]
    pub const fn pieces(self) -> u8 {
        let rows = match self.rows {
            StartRows::Two => 2,
            StartRows::Three => 3,
        };
        rows * self.third() * 2
    }

    /// The number of sides of a die: 4 or 6.
    #[must_use]
    pub const fn die_sides(self) -> u8 {
        match self.die {
            DieKind::Four => 4,
            DieKind::Six => 6,
        }
    }

    /// True if the place is on the board.
    #[must_use]
    pub const fn has(self, place: MalakaPoint) -> bool {
        place.column() < self.side() && place.row() < self.side()
    }

    /// All places, row by row from a1.
    pub fn places(self) -> impl Iterator<Item = MalakaPoint> {
        let side = self.side();
        let row = move |row| (0..side).map(move |column| MalakaPoint::of(column, row));
        (0..side).flat_map(row)
    }

    /// The place at the top right, the last one: `i9` or `l12`.
    #[must_use]
    pub const fn last(self) -> MalakaPoint {
        MalakaPoint::of(self.side() - 1, self.side() - 1)
    }

    /// The opposite place: what O has on one, X has on the other.
    #[must_use]
    pub const fn turned(self, place: MalakaPoint) -> MalakaPoint {
        let last = self.side() - 1;
        MalakaPoint::of(
            last.saturating_sub(place.column()),
            last.saturating_sub(place.row()),
        )
    }

    /// The place that is for O what this one is for `side`.
    #[inline]
    const fn seen_by(self, side: Side, place: MalakaPoint) -> MalakaPoint {
        match side {
            Side::Green => place,
            Side::Red => self.turned(place),
        }
    }

    /// The direction that leads forwards from a place.
    #[must_use]
    pub const fn way(self, side: Side, place: MalakaPoint) -> AreaDirection {
        let third = self.third();
        let place = self.seen_by(side, place);
        let (column, row) = (place.column() / third, place.row() / third);
        let way = match (column, row) {
            (0, 0 | 1) => AreaDirection::Up,
            (0, _) => AreaDirection::Right,
            (1, 0) => AreaDirection::Right,
            (1, _) => AreaDirection::Down,
            _ => AreaDirection::Up,
        };
        match side {
            Side::Green => way,
            Side::Red => way.turned(),
        }
    }

    /// The point that is `pips` steps straight ahead; `None` if it is off the board, or
    /// behind a wall.
    #[must_use]
    pub fn forward(self, side: Side, from: MalakaPoint, pips: u8) -> Option<MalakaPoint> {
        let to = self.along(self.way(side, from), from, pips)?;
        (self.walls_between(from, to) == 0).then_some(to)
    }

    /// The point that is `pips` steps away in a straight line over one wall; `None` if it
    /// is off the board, or both walls or none lie in between. O crosses walls to the
    /// right and X to the left; the other direction leads backwards.
    #[must_use]
    pub fn over_wall(self, side: Side, from: MalakaPoint, pips: u8) -> Option<MalakaPoint> {
        let way = match side {
            Side::Green => AreaDirection::Right,
            Side::Red => AreaDirection::Left,
        };
        let to = self.along(way, from, pips)?;
        (self.walls_between(from, to) == 1).then_some(to)
    }

    /// The places that are `pips` points away in a straight line.
    pub(super) fn around(self, place: MalakaPoint, pips: u8) -> impl Iterator<Item = MalakaPoint> {
        let ways = [
            AreaDirection::Up,
            AreaDirection::Down,
            AreaDirection::Right,
            AreaDirection::Left,
        ];
        ways.into_iter()
            .filter_map(move |way| self.along(way, place, pips))
    }

    #[inline]
    fn along(self, way: AreaDirection, from: MalakaPoint, pips: u8) -> Option<MalakaPoint> {
        let (column, row) = (from.column(), from.row());
        let (column, row) = match way {
            AreaDirection::Up => (column, row.checked_add(pips)?),
            AreaDirection::Down => (column, row.checked_sub(pips)?),
            AreaDirection::Right => (column.checked_add(pips)?, row),
            AreaDirection::Left => (column.checked_sub(pips)?, row),
        };
        let side = self.side();
        (column < side && row < side).then(|| MalakaPoint::of(column, row))
    }

    /// The columns with a wall at their right side in this row.
    const fn wall_beside(self, row: u8) -> [Option<u8>; 2] {
        let third = self.third();
        [
            if row < 2 * third {
                Some(third - 1)
            } else {
                None
            },
            if row >= third {
                Some(2 * third - 1)
            } else {
                None
            },
        ]
    }

    /// The number of walls between two places in a row; 0 for places in different rows,
    /// because all walls are vertical.
    #[must_use]
    pub fn walls_between(self, one: MalakaPoint, other: MalakaPoint) -> u8 {
        if one.row() != other.row() {
            return 0;
        }
        let left = one.column().min(other.column());
        let right = one.column().max(other.column());
        let is_crossed = |wall: &Option<u8>| wall.is_some_and(|wall| left <= wall && wall < right);
        let walls = self.wall_beside(one.row());
        walls.iter().filter(|wall| is_crossed(wall)).count() as u8
    }

    /// The walls, each part given by the two neighbouring places that it separates.
    pub fn walls(self) -> impl Iterator<Item = (MalakaPoint, MalakaPoint)> {
        let of_row = move |row| {
            let walls = self.wall_beside(row).into_iter().flatten();
            walls.map(move |column| {
                (
                    MalakaPoint::of(column, row),
                    MalakaPoint::of(column + 1, row),
                )
            })
        };
        (0..self.side()).flat_map(of_row)
    }

    /// The columns of a row without a wall at their right side, as bits.
    pub(super) fn open_to_right(self, row: u8) -> u16 {
        let walls = self.wall_beside(row).into_iter().flatten();
        walls.fold(u16::MAX, |open, column| open & !(1 << column))
    }

    /// The edge where a side starts, which is the goal of the other side.
    pub fn home_edge(self, side: Side) -> impl Iterator<Item = MalakaPoint> {
        (0..self.third()).map(move |column| self.seen_by(side, MalakaPoint::of(column, 0)))
    }

    /// True for a place on a side's home edge.
    #[must_use]
    pub const fn is_home_edge(self, side: Side, place: MalakaPoint) -> bool {
        let place = self.seen_by(side, place);
        place.row() == 0 && place.column() < self.third()
    }

    /// The number of one-point steps from a place to the other side's home edge along
    /// the subareas' directions: 0 to 22 on 9x9.
    #[must_use]
    pub const fn distance(self, side: Side, place: MalakaPoint) -> u16 {
        let third = self.third();
        let place = self.seen_by(side, place);
        let (column, row) = (place.column(), place.row());
        let steps = match column / third {
            0 => {
                let (climb, top) = if row < 2 * third {
                    (2 * third - row, 2 * third)
                } else {
                    (0, row)
                };
                climb + (third - column) + down(third, third, top)
            }
            1 => down(third, column, row),
            _ => 3 * third - 1 - row,
        };
        steps as u16
    }

    /// The places of a side's pieces at the start, two pieces on each.
    pub fn start_places(self, side: Side) -> impl Iterator<Item = MalakaPoint> {
        let third = self.third();
        let rows = match self.rows {
            StartRows::Two => 2,
            StartRows::Three => 3,
        };
        // The index of each place in its row, from O's point of view.
        let place = move |row: u8, n: u8| match (self.start, row) {
            (StartShape::Block, _) | (StartShape::Staggered, 0) => MalakaPoint::of(n, row),
            // The first line of the subarea in which the way turns to the right.
            (StartShape::Staggered, 1) => MalakaPoint::of(0, 2 * third + n),
            // The first line of the subarea in between.
            (StartShape::Staggered, _) => MalakaPoint::of(n, third),
        };
        let of_row = move |row| (0..third).map(move |n| self.seen_by(side, place(row, n)));
        (0..rows).flat_map(of_row)
    }
}

/// The number of steps from a place in the middle third to the top of the right third.
const fn down(third: u8, column: u8, row: u8) -> u8 {
    let (fall, bottom) = if row >= third {
        (row - (third - 1), third - 1)
    } else {
        (0, row)
    };
    fall + (2 * third - column) + (3 * third - 1 - bottom)
}

impl MaxSize for Variant {
    const POSTCARD_MAX_SIZE: usize = 1;
}

impl TryFrom<u8> for Variant {
    type Error = &'static str;

    fn try_from(mode: u8) -> Result<Variant, &'static str> {
        Variant::of_mode(mode).ok_or("Malaka has modes 0 to 15")
    }
}

impl From<Variant> for u8 {
    fn from(variant: Variant) -> u8 {
        variant.mode()
    }
}

/// The direction in which a subarea leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AreaDirection {
    /// To the next row, away from row 1.
    Up,
    /// One row down.
    Down,
    /// To the next column, away from column a.
    Right,
    /// One column to the left.
    Left,
}

impl AreaDirection {
    const fn turned(self) -> AreaDirection {
        match self {
            AreaDirection::Up => AreaDirection::Down,
            AreaDirection::Down => AreaDirection::Up,
            AreaDirection::Right => AreaDirection::Left,
            AreaDirection::Left => AreaDirection::Right,
        }
    }
}

/// A point of Malaka's board, wherever that is on a board of lights; a1 is at the bottom
/// left. It is written as `c3`; upper case is also read.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, MaxSize,
)]
#[serde(try_from = "u8", into = "u8")]
pub struct MalakaPoint(u8);

impl MalakaPoint {
    /// The place in this column and row, both from 0; `None` if it is outside of the
    /// largest board.
    #[inline]
    #[must_use]
    pub const fn new(column: u8, row: u8) -> Option<MalakaPoint> {
        if column < MOST_SIDE && row < MOST_SIDE {
            Some(MalakaPoint::of(column, row))
        } else {
            None
        }
    }

    #[inline]
    const fn of(column: u8, row: u8) -> MalakaPoint {
        MalakaPoint(row << 4 | column)
    }

    /// The column, counted from the left, from 0.
    #[inline]
    #[must_use]
    pub const fn column(self) -> u8 {
        self.0 & 0x0F
    }

    /// The row, counted from the bottom, from 0.
    #[inline]
    #[must_use]
    pub const fn row(self) -> u8 {
        self.0 >> 4
    }

    /// The index in a table of [`MOST_PLACES`] entries.
    #[inline]
    pub(super) const fn index(self) -> usize {
        self.row() as usize * MOST_SIDE as usize + self.column() as usize
    }

    /// The place with this index in such a table.
    #[inline]
    pub(super) const fn at(index: usize) -> Option<MalakaPoint> {
        let side = MOST_SIDE as usize;
        MalakaPoint::new((index % side) as u8, (index / side) as u8)
    }
}

/// A number from outside must be that of a place on the largest board.
impl TryFrom<u8> for MalakaPoint {
    type Error = &'static str;

    fn try_from(byte: u8) -> Result<MalakaPoint, &'static str> {
        MalakaPoint::new(byte & 0x0F, byte >> 4).ok_or("there are 12 columns and rows")
    }
}

/// Encodes the row in the upper four bits and the column in the lower ones.
impl From<MalakaPoint> for u8 {
    fn from(place: MalakaPoint) -> u8 {
        place.0
    }
}

impl fmt::Display for MalakaPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = char::from(b'a' + self.column());
        write!(f, "{letter}{}", self.row() + 1)
    }
}

/// The error for a text that is not the name of a point, which is a letter from `a` to
/// `l` and a number from 1 to 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPlace;

impl fmt::Display for NoPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a point is a letter from a to l and a number from 1 to 12")
    }
}

impl FromStr for MalakaPoint {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<MalakaPoint, NoPlace> {
        let mut letters = text.chars();
        let letter = letters.next().ok_or(NoPlace)?.to_ascii_lowercase();
        let number = letters.as_str();
        let column = u8::try_from(u32::from(letter).wrapping_sub(u32::from('a')));
        let is_plain = !number.starts_with(['0', '+']);
        let row = number.parse::<u8>().ok().filter(|_| is_plain);
        let row = row.and_then(|row| row.checked_sub(1));
        let place = column
            .ok()
            .zip(row)
            .and_then(|(column, row)| MalakaPoint::new(column, row));
        place.ok_or(NoPlace)
    }
}
