//! Where the points of a board lie.

use core::fmt;

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

/// One light and one touch sensor: `row * columns + column`, row 0 at the top.
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
    /// The place in an array of points.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which points exist and where they lie. Today: a rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Schema, MaxSize)]
pub struct Layout {
    columns: u8,
    rows: u8,
}

impl Layout {
    /// The longest side.
    pub const MAX_SIDE: u8 = 16;
    /// The board of the Maldoo manual. Its nine lines follow from the Symmetry
    /// modes (four lines, mapped to lines 5-8 by all four operations).
    pub const MALDOO: Layout = Layout {
        columns: 9,
        rows: 9,
    };

    /// A rectangle of points.
    ///
    /// # Errors
    /// [`LayoutError`] when a side is 0 or longer than [`Layout::MAX_SIDE`].
    pub const fn grid(columns: u8, rows: u8) -> Result<Layout, LayoutError> {
        if columns == 0 || rows == 0 || columns > Self::MAX_SIDE || rows > Self::MAX_SIDE {
            return Err(LayoutError { columns, rows });
        }
        Ok(Layout { columns, rows })
    }

    /// Points in a row, 1..=16.
    #[must_use]
    pub const fn columns(self) -> u8 {
        self.columns
    }

    /// Rows, 1..=16.
    #[must_use]
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// Points in all, 1..=256.
    #[must_use]
    pub const fn points(self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// True for a layout that [`Layout::grid`] would make; a layout read from
    /// the wire is to be asked this first.
    #[must_use]
    pub const fn is_valid(self) -> bool {
        Layout::grid(self.columns, self.rows).is_ok()
    }

    /// Every point, row by row from the top.
    pub fn iter(self) -> impl Iterator<Item = Point> {
        (0..self.points()).map(|index| Point(index as u8))
    }

    /// True if the layout has this point.
    #[must_use]
    pub const fn has(self, point: Point) -> bool {
        (point.0 as usize) < self.points()
    }

    /// The point in this column from the left and this row from the top.
    #[must_use]
    pub const fn at(self, column: u8, row: u8) -> Option<Point> {
        if column < self.columns && row < self.rows {
            Some(Point(row * self.columns + column))
        } else {
            None
        }
    }

    /// Column from the left.
    #[must_use]
    pub const fn column(self, point: Point) -> u8 {
        point.0 % self.columns
    }

    /// Row from the top: the "line" of the manual.
    #[must_use]
    pub const fn row(self, point: Point) -> u8 {
        point.0 / self.columns
    }

    /// The name of a point, as it is written: column letter from the left, row
    /// number from the bottom (`a1` is the bottom left corner).
    #[must_use]
    pub fn name(self, point: Point) -> impl fmt::Display {
        PointName {
            column: (b'a' + self.column(point)) as char,
            row: self.rows.saturating_sub(self.row(point)),
        }
    }

    /// The point of this name.
    ///
    /// # Errors
    /// [`PointError`] when the text is no name, or of a point that is not here.
    pub fn point(self, name: &str) -> Result<Point, PointError> {
        let error = PointError { layout: self };
        let mut letters = name.chars();
        let column = letters.next().ok_or(error)?.to_ascii_lowercase();
        let digits = letters.as_str();
        if !column.is_ascii_lowercase() || digits.starts_with('+') {
            return Err(error);
        }
        let number: u8 = digits.parse().map_err(|_| error)?;
        let row = self.rows.checked_sub(number).ok_or(error)?;
        self.at(column as u8 - b'a', row).ok_or(error)
    }
}

struct PointName {
    column: char,
    row: u8,
}

impl fmt::Display for PointName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.column, self.row)
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

/// A layout with a side of 0, or longer than 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutError {
    /// Columns asked for.
    pub columns: u8,
    /// Rows asked for.
    pub rows: u8,
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a {}x{} layout is not possible: each side must have 1 to {} points",
            self.columns,
            self.rows,
            Layout::MAX_SIDE
        )
    }
}

impl core::error::Error for LayoutError {}

/// A text that names no point of the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointError {
    /// The layout it was looked up in.
    pub layout: Layout,
}

impl fmt::Display for PointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no such point: this board has a1 to {}{}",
            (b'a' + self.layout.columns() - 1) as char,
            self.layout.rows()
        )
    }
}

impl core::error::Error for PointError {}
