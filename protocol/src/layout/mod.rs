//! The points of a board, and their names.
//!
//! A [`Layout`] identifies the shape of a board in a few bytes. The places and neighbours
//! of the points of a rectangle follow from its sides; those of any other layout are in a
//! [`Drawing`](crate::Drawing).
//!
//! Invariants: points are numbered from the top, each row from the left; every point
//! has a name, and no two points have the same.

use core::fmt;

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

mod point_error;

pub use point_error::PointError;

/// A light and its touch sensor, numbered row by row from the top, each row from the
/// left. On a grid the number is `row * columns + column`.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    Schema,
    MaxSize,
)]
#[serde(transparent)]
pub struct Point(pub u8);

impl Point {
    /// The index of the point in an array of points.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The place of a point: its distances from the left and top edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The distance from the top edge. It is the first field, so that places sort like
    /// points.
    pub y: u8,
    /// The distance from the left edge.
    pub x: u8,
}

/// The sides of a rectangle of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Schema, MaxSize)]
pub struct GridSize {
    columns: u8,
    rows: u8,
}

impl GridSize {
    /// The maximum number of columns or rows.
    pub const MAX: u8 = 16;

    /// The board of the Maldoo manual. Its nine lines follow from the modes of Symmetry,
    /// in which four operations map four lines to lines 5-8.
    pub const MALDOO: GridSize = GridSize {
        columns: 9,
        rows: 9,
    };

    /// A rectangle of this size, in points.
    ///
    /// # Errors
    /// [`LayoutError`] if a side is 0 or longer than [`GridSize::MAX`].
    pub const fn new(columns: u8, rows: u8) -> Result<GridSize, LayoutError> {
        if columns == 0 || rows == 0 || columns > Self::MAX || rows > Self::MAX {
            return Err(LayoutError { columns, rows });
        }
        Ok(GridSize { columns, rows })
    }

    /// The number of points in a row, `1..=16`.
    #[inline]
    #[must_use]
    pub const fn columns(self) -> u8 {
        self.columns
    }

    /// The number of rows, `1..=16`.
    #[inline]
    #[must_use]
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// The number of points, `1..=256`.
    #[inline]
    #[must_use]
    pub const fn points(self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// True if the rectangle has this point.
    #[inline]
    #[must_use]
    pub const fn has(self, point: Point) -> bool {
        (point.0 as usize) < self.points()
    }

    /// Every point, row by row from the top.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Point> {
        (0..self.points()).map(|index| Point(index as u8))
    }

    /// The point in this column from the left and this row from the top.
    #[inline]
    #[must_use]
    pub const fn at(self, column: u8, row: u8) -> Option<Point> {
        if column < self.columns && row < self.rows {
            Some(Point(row * self.columns + column))
        } else {
            None
        }
    }

    /// The column of a point, counted from the left, from 0.
    #[inline]
    #[must_use]
    pub const fn column(self, point: Point) -> u8 {
        point.0 % self.columns
    }

    /// The row of a point, counted from the top, from 0: the "line" of the manual.
    #[inline]
    #[must_use]
    pub const fn row(self, point: Point) -> u8 {
        point.0 / self.columns
    }
}

impl fmt::Display for GridSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

/// The set of a board's points, which identifies its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Schema, MaxSize)]
pub enum Layout {
    /// A rectangle of points.
    Grid(GridSize),
    /// Any other shape: the places of its points are in its
    /// [`Drawing`](crate::Drawing).
    Drawn {
        /// The number of points, `1..=256`.
        points: u16,
        /// The number of the drawing: [`Drawing::id`](crate::Drawing::id).
        id: u32,
    },
}

impl Layout {
    /// The board of the Maldoo manual: [`GridSize::MALDOO`].
    pub const MALDOO: Layout = Layout::Grid(GridSize::MALDOO);

    /// A rectangle of points.
    ///
    /// # Errors
    /// As [`GridSize::new`].
    pub const fn grid(columns: u8, rows: u8) -> Result<Layout, LayoutError> {
        match GridSize::new(columns, rows) {
            Ok(sides) => Ok(Layout::Grid(sides)),
            Err(error) => Err(error),
        }
    }

    /// The sides of a rectangle; `None` for any other layout.
    #[inline]
    #[must_use]
    pub const fn sides(self) -> Option<GridSize> {
        match self {
            Layout::Grid(sides) => Some(sides),
            Layout::Drawn { .. } => None,
        }
    }

    /// The number of points, `1..=256`.
    #[inline]
    #[must_use]
    pub const fn points(self) -> usize {
        match self {
            Layout::Grid(sides) => sides.points(),
            Layout::Drawn { points, .. } => points as usize,
        }
    }

    /// False for an invalid layout from the wire: one without points, or with too many.
    #[must_use]
    pub const fn is_valid(self) -> bool {
        match self {
            Layout::Grid(GridSize { columns, rows }) => GridSize::new(columns, rows).is_ok(),
            Layout::Drawn { points, .. } => 1 <= points && points <= 256,
        }
    }

    /// Every point, row by row from the top.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Point> {
        (0..self.points()).map(|index| Point(index as u8))
    }

    /// True if the layout has this point.
    #[must_use]
    pub const fn has(self, point: Point) -> bool {
        (point.0 as usize) < self.points()
    }

    /// The number of points in the longest row.
    #[must_use]
    pub fn columns(self) -> u8 {
        match self {
            Layout::Grid(sides) => sides.columns(),
            Layout::Drawn { .. } => {
                let lengths = self.in_rows().map(Iterator::count);
                lengths.max().map_or(0, |length| length as u8)
            }
        }
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(self) -> u8 {
        match self {
            Layout::Grid(sides) => sides.rows(),
            Layout::Drawn { .. } => self.in_rows().count() as u8,
        }
    }

    /// The point in this column and row, counted from 0 at the top left.
    #[must_use]
    pub fn at(self, column: u8, row: u8) -> Option<Point> {
        match self {
            Layout::Grid(sides) => sides.at(column, row),
            Layout::Drawn { .. } => self.in_rows().nth(row.into())?.nth(column.into()),
        }
    }

    /// The number of points before this one in its row; on a rectangle, the column
    /// counted from the left, from 0.
    #[must_use]
    pub fn column(self, point: Point) -> u8 {
        match self {
            Layout::Grid(sides) => sides.column(point),
            Layout::Drawn { .. } => self.row_and_order(point).1 as u8,
        }
    }

    /// The row of a point, from the top: the "line" of the manual.
    #[must_use]
    pub fn row(self, point: Point) -> u8 {
        match self {
            Layout::Grid(sides) => sides.row(point),
            Layout::Drawn { .. } => self.row_and_order(point).0 as u8,
        }
    }

    /// The place of a point: its column and row, or its place in the drawing; `None`
    /// if the drawing is not known, or there is no such point.
    #[must_use]
    pub fn place(self, point: Point) -> Option<Place> {
        if !self.has(point) {
            return None;
        }
        match self {
            Layout::Grid(sides) => Some(Place {
                x: sides.column(point),
                y: sides.row(point),
            }),
            Layout::Drawn { .. } => Some(self.drawing()?.as_drawing().place(point)),
        }
    }

    /// The points of each row, from the top. If the drawing is not known, all points form
    /// one row.
    pub fn in_rows(self) -> impl Iterator<Item = impl DoubleEndedIterator<Item = Point> + Clone> {
        let drawing = self.drawing();
        let y = move |point| match self {
            Layout::Grid(sides) => sides.row(point),
            Layout::Drawn { .. } => {
                let known = drawing.as_ref();
                known.map_or(0, |known| known.as_drawing().place(point).y)
            }
        };
        let mut begin = 0;
        core::iter::from_fn(move || {
            let first = Point(u8::try_from(begin).ok()?);
            let top = self.has(first).then(|| y(first))?;
            let is_on = |index: &usize| y(Point(*index as u8)) == top;
            let length = (begin..self.points()).take_while(is_on).count();
            let row = begin..begin + length;
            begin += length;
            Some(row.map(|index| Point(index as u8)))
        })
    }

    /// The row of a point, counted from the top, and its index in the row.
    fn row_and_order(self, point: Point) -> (usize, usize) {
        let found = self.in_rows().enumerate().find_map(|(row, mut points)| {
            let order = points.position(|other| other == point)?;
            Some((row, order))
        });
        found.unwrap_or_default()
    }

    /// The name of a point. On a rectangle it consists of column and row (`a1` is at the
    /// bottom left); on a drawing it consists of the lines that players count there.
    ///
    /// If the drawing is not known, all points count as one row.
    #[must_use]
    pub fn name(self, point: Point) -> Name {
        match self {
            Layout::Grid(sides) => Name {
                column: sides.column(point),
                row: sides.rows().saturating_sub(1 + sides.row(point)),
            },
            Layout::Drawn { .. } => self.drawn_name(point).unwrap_or(Name {
                column: point.0,
                row: 0,
            }),
        }
    }

    /// The point with this name, in upper or lower case.
    ///
    /// # Errors
    /// [`PointError`] if the text is not a name, or names a point that the layout
    /// lacks.
    pub fn point(self, name: &str) -> Result<Point, PointError> {
        let name = Name::from_text(name);
        let found = name.and_then(|name| self.iter().find(|point| self.name(*point) == name));
        found.ok_or_else(|| PointError::new(self, name))
    }

    /// The point with this name in the older naming, which counted each row by itself:
    /// `c2` was the third point of the second row from the bottom. Older files with
    /// drawings use it. On rectangles both namings are the same.
    ///
    /// # Errors
    /// As [`Layout::point`].
    pub fn point_by_rows(self, name: &str) -> Result<Point, PointError> {
        let name = Name::from_text(name);
        let found = name.and_then(|name| {
            let row = self.rows().checked_sub(1 + name.row)?;
            self.at(name.column, row)
        });
        found.ok_or_else(|| PointError::new(self, name))
    }
}

/// The name of a point: one or more letters for its column, from the left (`z` is
/// followed by `aa`), then the number of its row, from the bottom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name {
    /// The row from the bottom, counted from 0. It is the first field, so that names sort
    /// by row.
    pub row: u8,
    /// The column from the left, counted from 0.
    pub column: u8,
}

impl Name {
    /// Parses a name; `None` if the text is not one.
    fn from_text(text: &str) -> Option<Name> {
        let digits = text.find(|letter: char| !letter.is_ascii_alphabetic())?;
        let (letters, digits) = text.split_at(digits);
        if letters.is_empty() || letters.len() > 2 || digits.starts_with('+') {
            return None;
        }
        let number: u16 = digits.parse().ok()?;
        let column = letters.bytes().fold(0, |column, letter| {
            column * 26 + u16::from(letter.to_ascii_lowercase() - b'a') + 1
        });
        Some(Name {
            row: u8::try_from(number.checked_sub(1)?).ok()?,
            column: u8::try_from(column - 1).ok()?,
        })
    }

    /// The letters of the column.
    #[must_use]
    pub fn letters(self) -> impl fmt::Display {
        Letters(self.column)
    }

    /// The number of the row, `1..=256`.
    #[must_use]
    pub fn number(self) -> u16 {
        u16::from(self.row) + 1
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.letters(), self.number())
    }
}

/// The letters of a column.
struct Letters(u8);

impl fmt::Display for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |order: u8| char::from(b'a' + order % 26);
        if let Some(before) = (self.0 / 26).checked_sub(1) {
            write!(f, "{}", letter(before))?;
        }
        write!(f, "{}", letter(self.0))
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Layout::Grid(sides) => sides.fmt(f),
            Layout::Drawn { points, id } => write!(f, "drawn {id:08x} of {points} points"),
        }
    }
}

/// The error for a layout with a side of 0, or longer than [`GridSize::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutError {
    /// The requested number of columns.
    pub columns: u8,
    /// The requested number of rows.
    pub rows: u8,
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a {}x{} layout is not possible: each side must have 1 to {} points",
            self.columns,
            self.rows,
            GridSize::MAX
        )
    }
}

impl core::error::Error for LayoutError {}
