//! Layouts that are not rectangles: the place and the neighbours of each point.
//!
//! A drawing is a table of integers. A host makes it (see [`Sketch`](crate::Sketch)) and
//! sends it to the board, which keeps it beside its state. The bytes of a drawing, where
//! each value takes one byte unless stated otherwise:
//!
//! ```text
//! points - 1, ways, straight ways (two bytes, the low one first)
//! x, y                for each point
//! point of each way   for each point; the point itself where there is none
//! ```
//!
//! A drawing may carry a game. Then 128 is added to the number of ways, and the points
//! are followed by the length of the game (two bytes, low byte first) and the bytes of
//! the game, which are verified by whoever plays it. The game is a part of the drawing:
//! the same points with a different game are a different layout.
//!
//! A *way* corresponds to a direction on a grid: points that follow one another along the
//! same way form a line of the board. Bit `n` of the straight ways is set if way `n`
//! leads along a side, not across a corner.
//!
//! Invariants: places are in the order of points (row by row from the top); both the
//! smallest x and the smallest y are 0, and all are below 255; no two points share a
//! place; every way leads to a point.

use core::fmt;

use crate::wire::CRC;
use crate::{Layout, MAX_POINTS, Place, Point};

/// The largest number of ways from a point.
pub const MAX_WAYS: usize = 12;

const HEAD: usize = 4;
/// Added to the number of ways if a game follows the points.
const HAS_GAME: u8 = 0x80;
/// The length field of a game, in bytes.
const LENGTH: usize = 2;

/// The maximum length in bytes of a game that a layout carries.
pub const GAME_BYTES: usize = 4_608;

/// The size in bytes of a drawing with this number of points, [`MAX_WAYS`] ways and no
/// game.
#[must_use]
pub const fn drawing_bytes(points: usize) -> usize {
    HEAD + points * (2 + MAX_WAYS)
}

/// The size in bytes of the largest drawing, with the largest game.
pub const DRAWING_BYTES: usize = drawing_bytes(MAX_POINTS) + LENGTH + GAME_BYTES;

/// A valid drawing, as its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawing<'a> {
    bytes: &'a [u8],
}

impl<'a> Drawing<'a> {
    /// Validates these bytes.
    ///
    /// # Errors
    /// [`DrawingError`] says why the bytes are not a drawing.
    pub fn new(bytes: &'a [u8]) -> Result<Drawing<'a>, DrawingError> {
        let drawing = Drawing { bytes };
        let [_, _, low, high] = *bytes.first_chunk().ok_or(DrawingError::Length)?;
        let (points, ways) = (drawing.points(), drawing.ways());
        if ways > MAX_WAYS {
            return Err(DrawingError::Ways);
        }
        if Some(bytes.len()) != drawing.length() {
            return Err(DrawingError::Length);
        }
        let fits = |game: &[u8]| (1..=GAME_BYTES).contains(&game.len());
        if !drawing.game().is_none_or(fits) {
            return Err(DrawingError::Game);
        }
        if usize::from(u16::from_le_bytes([low, high])) >> ways != 0 {
            return Err(DrawingError::Ways);
        }
        let numbers = || (0..points).map(|index| Point(index as u8));
        let places = || numbers().map(|point| drawing.place(point));
        let begins = places().any(|place| place.x == 0) && drawing.place(Point(0)).y == 0;
        let ends = places().all(|place| place.x.max(place.y) < u8::MAX);
        if !begins || !ends || !places().is_sorted_by(|one, next| one < next) {
            return Err(DrawingError::Order);
        }
        let steps = bytes.get(HEAD + 2 * points..drawing.points_end());
        let mut steps = steps.unwrap_or(&[]).iter();
        match steps.all(|to| usize::from(*to) < points) {
            true => Ok(drawing),
            false => Err(DrawingError::NoSuchPoint),
        }
    }

    /// The drawing at the beginning of these bytes.
    ///
    /// # Errors
    /// [`DrawingError`] if they do not begin with one.
    pub fn first(bytes: &'a [u8]) -> Result<Drawing<'a>, DrawingError> {
        let drawing = Drawing { bytes };
        let first = drawing.length().and_then(|length| bytes.get(..length));
        Drawing::new(first.ok_or(DrawingError::Length)?)
    }

    /// The offset in bytes at which the tables of points end.
    fn points_end(self) -> usize {
        HEAD + self.points() * (2 + self.ways())
    }

    /// The length in bytes that its header declares; `None` if it is cut off.
    fn length(self) -> Option<usize> {
        let end = self.points_end();
        if self.byte(1) & HAS_GAME == 0 {
            return Some(end);
        }
        let length = self.bytes.get(end..end + LENGTH)?.try_into().ok()?;
        Some(end + LENGTH + usize::from(u16::from_le_bytes(length)))
    }

    /// The bytes of the layout's own game, which must be verified before it is
    /// played.
    #[must_use]
    pub fn game(self) -> Option<&'a [u8]> {
        // Without a game, the bytes end with the points.
        self.bytes.get(self.points_end() + LENGTH..)
    }

    /// The drawing in bytes that were validated before. For any other bytes the results
    /// are meaningless.
    #[inline]
    #[must_use]
    pub const fn looked_through(bytes: &'a [u8]) -> Drawing<'a> {
        Drawing { bytes }
    }

    /// The drawing as bytes.
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    fn byte(self, index: usize) -> u8 {
        self.bytes.get(index).copied().unwrap_or_default()
    }

    /// The number of points, `1..=256`.
    #[must_use]
    pub fn points(self) -> usize {
        usize::from(self.byte(0)) + 1
    }

    /// The number of ways from each point, `0..=`[`MAX_WAYS`].
    #[must_use]
    pub fn ways(self) -> usize {
        usize::from(self.byte(1) & !HAS_GAME)
    }

    /// True if this way leads along a side, not across a corner.
    #[must_use]
    pub fn is_straight(self, way: usize) -> bool {
        let straight = u16::from_le_bytes([self.byte(2), self.byte(3)]);
        way < MAX_WAYS && straight >> way & 1 == 1
    }

    /// The place of a point, `0..=254`, in units that are as long across as down.
    #[must_use]
    pub fn place(self, point: Point) -> Place {
        let at = HEAD + 2 * point.index();
        Place {
            x: self.byte(at),
            y: self.byte(at + 1),
        }
    }

    /// The next point this way; `None` at the edge.
    #[inline]
    #[must_use]
    pub fn step(self, point: Point, way: usize) -> Option<Point> {
        if way >= self.ways() || point.index() >= self.points() {
            return None;
        }
        let tables = HEAD + 2 * self.points();
        let to = Point(self.byte(tables + point.index() * self.ways() + way));
        (to != point).then_some(to)
    }

    /// The number that identifies the drawing: a checksum of its bytes.
    #[must_use]
    pub fn id(self) -> u32 {
        CRC.checksum(self.bytes)
    }

    /// The layout that this drawing describes.
    #[must_use]
    pub fn layout(self) -> Layout {
        Layout::Drawn {
            points: self.points() as u16,
            id: self.id(),
        }
    }
}

/// Adds a game to the bytes of a drawing without one.
///
/// # Errors
/// [`DrawingError::Game`] if the game is too long.
#[cfg(feature = "std")]
pub(crate) fn with_game(
    drawing: Drawing<'_>,
    game: &[u8],
) -> Result<std::vec::Vec<u8>, DrawingError> {
    let length = u16::try_from(game.len()).map_err(|_| DrawingError::Game)?;
    let mut bytes = drawing.bytes[..drawing.points_end()].to_vec();
    bytes[1] |= HAS_GAME;
    bytes.extend(length.to_le_bytes());
    bytes.extend(game);
    Drawing::new(&bytes)?;
    Ok(bytes)
}

/// Why bytes are not a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawingError {
    /// There are fewer or more bytes than its points need.
    Length,
    /// The drawing has no points, or more than [`MAX_POINTS`].
    Points,
    /// There are more than [`MAX_WAYS`] ways, or a way that does not exist is marked
    /// straight.
    Ways,
    /// The points are not in order, row by row from the top; the coordinates do not begin
    /// at 0 or exceed 254; or two points share a place.
    Order,
    /// A way leads to a point that does not exist.
    NoSuchPoint,
    /// The game of the layout is empty, or longer than [`GAME_BYTES`].
    Game,
    /// A different known drawing has the same number.
    SameNumber,
}

// The sentences for these errors contain both numbers.
const _: () = assert!(MAX_POINTS == 256 && GAME_BYTES == 4_608);

impl fmt::Display for DrawingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DrawingError::Length => "a drawing has another length: it was cut off or damaged",
            DrawingError::Points => "a drawing has 1 to 256 points",
            DrawingError::Ways => "a drawing has too many ways, or names one that does not exist",
            DrawingError::Order => {
                "the points of a drawing are not row by row from the top left, or two lie in one place"
            }
            DrawingError::NoSuchPoint => "a way of a drawing leads to a point that does not exist",
            DrawingError::Game => "the game of a layout has 1 to 4,608 bytes: shorten its rules, or leave it out",
            DrawingError::SameNumber => {
                "another drawing has the same number: move one of its points a little"
            }
        })
    }
}

impl core::error::Error for DrawingError {}
