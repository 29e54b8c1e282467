//! Which points a board has, and how they are called.
//!
//! A [`Layout`] says which board it is, in a few bytes. Where its points lie and
//! which are neighbours follows from its sides, or is told by its [`Drawing`](crate::Drawing).
//!
//! What always holds: points are numbered from the top, each row from the left;
//! every point has a name, and the name of a point is that of no other.

use core::fmt;

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

/// One light and one touch sensor: counted row by row from the top, each row
/// from the left. On a grid that is `row * columns + column`.
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

/// Where a point lies, from the left and from the top.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// From the top; first, so that places are in the order of points.
    pub y: u8,
    /// From the left.
    pub x: u8,
}

/// The sides of a rectangle of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Schema, MaxSize)]
pub struct Sides {
    columns: u8,
    rows: u8,
}

impl Sides {
    /// The longest.
    pub const MAX: u8 = 16;

    /// The board of the Maldoo manual. Its nine lines follow from the Symmetry
    /// modes (four lines, mapped to lines 5-8 by all four operations).
    pub const MALDOO: Sides = Sides {
        columns: 9,
        rows: 9,
    };

    /// A rectangle of so many points.
    ///
    /// # Errors
    /// [`LayoutError`] when a side is 0 or longer than [`Sides::MAX`].
    pub const fn new(columns: u8, rows: u8) -> Result<Sides, LayoutError> {
        if columns == 0 || rows == 0 || columns > Self::MAX || rows > Self::MAX {
            return Err(LayoutError { columns, rows });
        }
        Ok(Sides { columns, rows })
    }

    /// Points in a row, 1..=16.
    #[inline]
    #[must_use]
    pub const fn columns(self) -> u8 {
        self.columns
    }

    /// Rows, 1..=16.
    #[inline]
    #[must_use]
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// Points in all, 1..=256.
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

    /// Column from the left.
    #[inline]
    #[must_use]
    pub const fn column(self, point: Point) -> u8 {
        point.0 % self.columns
    }

    /// Row from the top: the "line" of the manual.
    #[inline]
    #[must_use]
    pub const fn row(self, point: Point) -> u8 {
        point.0 / self.columns
    }
}

impl fmt::Display for Sides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

/// Which points exist: what tells one board's shape from another's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Schema, MaxSize)]
pub enum Layout {
    /// A rectangle.
    Grid(Sides),
    /// Any other: its points lie where its [`Drawing`](crate::Drawing) says.
    Drawn {
        /// How many points it has, 1..=256.
        points: u16,
        /// The number of the drawing: [`Drawing::id`](crate::Drawing::id).
        id: u32,
    },
}

impl Layout {
    /// The board of the Maldoo manual: [`Sides::MALDOO`].
    pub const MALDOO: Layout = Layout::Grid(Sides::MALDOO);

    /// A rectangle of points.
    ///
    /// # Errors
    /// As [`Sides::new`].
    pub const fn grid(columns: u8, rows: u8) -> Result<Layout, LayoutError> {
        match Sides::new(columns, rows) {
            Ok(sides) => Ok(Layout::Grid(sides)),
            Err(error) => Err(error),
        }
    }

    /// The sides of a rectangle; `None` for any other layout.
    #[inline]
    #[must_use]
    pub const fn sides(self) -> Option<Sides> {
        match self {
            Layout::Grid(sides) => Some(sides),
            Layout::Drawn { .. } => None,
        }
    }

    /// Points in all, 1..=256.
    #[inline]
    #[must_use]
    pub const fn points(self) -> usize {
        match self {
            Layout::Grid(sides) => sides.points(),
            Layout::Drawn { points, .. } => points as usize,
        }
    }

    /// False for what was read from the wire and has no points, or too many.
    #[must_use]
    pub const fn is_valid(self) -> bool {
        match self {
            Layout::Grid(Sides { columns, rows }) => Sides::new(columns, rows).is_ok(),
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

    /// Points in the longest row.
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

    /// How many rows there are.
    #[must_use]
    pub fn rows(self) -> u8 {
        match self {
            Layout::Grid(sides) => sides.rows(),
            Layout::Drawn { .. } => self.in_rows().count() as u8,
        }
    }

    /// The point that has so many before it in its row, and so many rows above.
    #[must_use]
    pub fn at(self, column: u8, row: u8) -> Option<Point> {
        match self {
            Layout::Grid(sides) => sides.at(column, row),
            Layout::Drawn { .. } => self.in_rows().nth(row.into())?.nth(column.into()),
        }
    }

    /// How many points a point has before it in its row: on a rectangle, the
    /// column from the left.
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

    /// Where a point lies: its column and row, or as the drawing says; `None` if
    /// that is not known here, or there is no such point.
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
            Layout::Drawn { .. } => Some(self.drawing()?.place(point)),
        }
    }

    /// The points of each row, from the top; a drawing that is not known here is
    /// one row.
    pub fn in_rows(self) -> impl Iterator<Item = impl DoubleEndedIterator<Item = Point> + Clone> {
        let drawing = self.drawing();
        let y = move |point| match self {
            Layout::Grid(sides) => sides.row(point),
            Layout::Drawn { .. } => drawing.map_or(0, |drawing| drawing.place(point).y),
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

    /// The row of a point, counted from the top, and its place in it.
    fn row_and_order(self, point: Point) -> (usize, usize) {
        let found = self.in_rows().enumerate().find_map(|(row, mut points)| {
            let order = points.position(|other| other == point)?;
            Some((row, order))
        });
        found.unwrap_or_default()
    }

    /// The name of a point, as it is written: a letter for its place in its row,
    /// from the left (`z` is followed by `aa`), and the number of the row, from
    /// the bottom (`a1` is the left one of the lowest row).
    #[must_use]
    pub fn name(self, point: Point) -> impl fmt::Display {
        PointName {
            order: self.column(point).into(),
            number: usize::from(self.rows()).saturating_sub(self.row(point).into()),
        }
    }

    /// The point of this name.
    ///
    /// # Errors
    /// [`PointError`] when the text is no name, or of a point that is not here.
    pub fn point(self, name: &str) -> Result<Point, PointError> {
        let error = PointError { layout: self };
        let letters = name.find(|letter: char| !letter.is_ascii_alphabetic());
        let (letters, digits) = name.split_at(letters.ok_or(error)?);
        let number: usize = digits.parse().map_err(|_| error)?;
        if letters.is_empty() || letters.len() > 2 || digits.starts_with('+') {
            return Err(error);
        }
        let order = letters.bytes().fold(0, |order, letter| {
            order * 26 + usize::from(letter.to_ascii_lowercase() - b'a') + 1
        }) - 1;
        let row = usize::from(self.rows()).checked_sub(number).ok_or(error)?;
        let place = u8::try_from(order).ok().zip(u8::try_from(row).ok());
        let (column, row) = place.ok_or(error)?;
        self.at(column, row).ok_or(error)
    }
}

/// A place in a row and the row's number.
struct PointName {
    order: usize,
    number: usize,
}

impl fmt::Display for PointName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |order: usize| char::from(b'a' + (order % 26) as u8);
        if let Some(before) = (self.order / 26).checked_sub(1) {
            write!(f, "{}", letter(before))?;
        }
        write!(f, "{}{}", letter(self.order), self.number)
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
            Sides::MAX
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
        let first = self.layout.in_rows().last().and_then(|mut row| row.next());
        let top = self.layout.in_rows().next();
        let top = top.and_then(|mut row| row.next_back());
        let (Some(first), Some(top)) = (first, top) else {
            return f.write_str("no such point: this board has none");
        };
        let name = |point| self.layout.name(point);
        write!(
            f,
            "no such point: this board has {} to {}",
            name(first),
            name(top)
        )?;
        // In rows of a hexagon that does not say how far the others go.
        let rows = || self.layout.in_rows();
        let longest = rows().max_by_key(|row| row.clone().count());
        let shortest = rows().map(Iterator::count).min();
        match longest {
            Some(mut row) if Some(row.clone().count()) != shortest => match row.next_back() {
                Some(end) => write!(f, ", and its longest row ends at {}", name(end)),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

impl core::error::Error for PointError {}
