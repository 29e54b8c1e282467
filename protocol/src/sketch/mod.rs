//! Drawings as people write them and as programs print them; on hosts only.
//!
//! ```text
//! cell 4x7
//! ways 2,0 1,1 -1,1 -2,0 -1,-1 1,-1
//!   o o o
//!  o o o o
//! o o o o o
//!  o o o o
//!   o o o
//! ```
//!
//! Each `o` is a point. `cell` gives the width of a character and the height of a line.
//! `ways` lists directions in characters and lines; those after the word `diagonal` lead
//! across a corner. A way leads to the point in its direction, if there is one. Lines
//! below the picture make exceptions: `leads a1 0 c3` (way 0 of `a1` leads to `c3`) or
//! `leads a1 0 -` (it leads nowhere). The bytes of a game that comes with the layout
//! follow in hexadecimal, in lines that start with `game`. Older files have `step`
//! instead of `leads`, and name points by [rows](Layout::point_by_rows).
//!
//! Invariants: the text of a drawing reads back as the same drawing.

use core::fmt;
use core::str::FromStr;
use std::borrow::ToOwned;
use std::collections::BTreeMap;
use std::format;
use std::string::String;
use std::vec::Vec;

use crate::drawing::{GAME_BYTES, MAX_WAYS, with_game};
use crate::naming;
use crate::{Drawing, DrawingError, KnownLayout, Layout, MAX_POINTS, Name, Place, Point};

mod problem;

pub use problem::{LayoutTextError, SketchError, SketchProblem};

/// A direction of a drawing, as the step to the next point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The step to the right, in the units of [`Place`].
    pub dx: i16,
    /// The step downwards, in the units of [`Place`].
    pub dy: i16,
    /// True if the way leads along a side, not across a corner.
    pub straight: bool,
}

/// A drawing under construction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sketch {
    /// The places of the points, row by row from the top.
    pub places: Vec<Place>,
    /// The ways, at most [`MAX_WAYS`].
    pub ways: Vec<Way>,
    /// The exceptions: where a way of a point leads if it is not to the point in its
    /// direction.
    pub steps: BTreeMap<(Point, usize), Option<Point>>,
    /// The game that the layout carries; empty if it has none.
    pub game: Vec<u8>,
}

impl Sketch {
    /// The point at these coordinates.
    fn at(&self, x: i32, y: i32) -> Option<Point> {
        let place = Place {
            x: u8::try_from(x).ok()?,
            y: u8::try_from(y).ok()?,
        };
        self.places.binary_search(&place).ok().map(number)
    }

    /// The next point in this way, according to the places.
    fn beside(&self, point: Point, way: usize) -> Option<Point> {
        let (place, way) = (self.places.get(point.index())?, self.ways.get(way)?);
        self.at(
            i32::from(place.x) + i32::from(way.dx),
            i32::from(place.y) + i32::from(way.dy),
        )
    }

    /// The next point this way.
    #[must_use]
    pub fn step(&self, point: Point, way: usize) -> Option<Point> {
        let told = self.steps.get(&(point, way)).copied();
        told.unwrap_or_else(|| self.beside(point, way))
    }

    /// The bytes of the drawing.
    ///
    /// # Errors
    /// [`DrawingError`] if there are no points, too many points, too many ways, or two
    /// points in one place.
    pub fn bytes(&self) -> Result<Vec<u8>, DrawingError> {
        let (points, ways) = (self.places.len(), self.ways.len());
        if points == 0 || points > MAX_POINTS {
            return Err(DrawingError::Points);
        }
        if ways > MAX_WAYS {
            return Err(DrawingError::Ways);
        }
        let straight = self.ways.iter().rev();
        let straight = straight.fold(0_u16, |bits, way| bits << 1 | u16::from(way.straight));
        let [low, high] = straight.to_le_bytes();
        let mut bytes = std::vec![(points - 1) as u8, ways as u8, low, high];
        bytes.extend(self.places.iter().flat_map(|place| [place.x, place.y]));
        for point in (0..points).map(number) {
            bytes.extend((0..ways).map(|way| self.step(point, way).unwrap_or(point).0));
        }
        let drawing = Drawing::new(&bytes)?;
        if self.game.is_empty() {
            return Ok(bytes);
        }
        with_game(drawing, &self.game)
    }

    /// The names of the points, in order; see [`Layout::name`].
    #[must_use]
    pub fn names(&self) -> Vec<Name> {
        naming::names(&self.places)
    }

    /// Makes the drawing known while the returned value exists; see
    /// [`Drawing::keep`].
    ///
    /// # Errors
    /// As [`Sketch::bytes`] and [`Drawing::keep`].
    pub fn keep(&self) -> Result<KnownLayout, DrawingError> {
        Drawing::new(&self.bytes()?)?.keep()
    }

    /// The sketch of a drawing. Each way gets its most frequent step; other steps become
    /// exceptions.
    #[must_use]
    pub fn of(drawing: Drawing<'_>) -> Sketch {
        let points = || (0..drawing.points()).map(number);
        let mut sketch = Sketch {
            places: points().map(|point| drawing.place(point)).collect(),
            game: drawing.game().unwrap_or_default().to_vec(),
            ..Sketch::default()
        };
        for way in 0..drawing.ways() {
            let mut counts: BTreeMap<(i16, i16), usize> = BTreeMap::new();
            for point in points() {
                if let Some(to) = drawing.step(point, way) {
                    let (from, to) = (drawing.place(point), drawing.place(to));
                    let along = |to: u8, from: u8| i16::from(to) - i16::from(from);
                    *counts
                        .entry((along(to.x, from.x), along(to.y, from.y)))
                        .or_default() += 1;
                }
            }
            let most = counts.into_iter().max_by_key(|(_, count)| *count);
            let (dx, dy) = most.map_or((0, 0), |(step, _)| step);
            let straight = drawing.is_straight(way);
            sketch.ways.push(Way { dx, dy, straight });
        }
        for point in points() {
            for way in 0..drawing.ways() {
                let to = drawing.step(point, way);
                if sketch.beside(point, way).filter(|to| *to != point) != to {
                    sketch.steps.insert((point, way), to);
                }
            }
        }
        sketch
    }

    /// The width and height of a character of the picture.
    fn cell(&self) -> (u8, u8) {
        let of = |side: fn(&Place) -> u8, step: fn(&Way) -> i16| {
            let least = self.places.iter().map(side).min().unwrap_or_default();
            let sides = self
                .places
                .iter()
                .map(|place| u16::from(side(place) - least));
            let steps = self.ways.iter().map(|way| step(way).unsigned_abs());
            sides.chain(steps).fold(0, greatest_common_divisor)
        };
        let [wide, high] = [
            of(|place| place.x, |way| way.dx),
            of(|place| place.y, |way| way.dy),
        ]
        .map(|side| side.clamp(1, 255) as u8);
        (wide, high)
    }
}

fn number(index: usize) -> Point {
    Point(index as u8)
}

fn greatest_common_divisor(one: u16, other: u16) -> u16 {
    match other {
        0 => one,
        other => greatest_common_divisor(other, one % other),
    }
}

impl fmt::Display for Sketch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wide, high) = self.cell();
        writeln!(f, "cell {wide}x{high}")?;
        f.write_str("ways")?;
        let mut straight = true;
        for way in &self.ways {
            if straight != way.straight {
                f.write_str(if way.straight {
                    " straight"
                } else {
                    " diagonal"
                })?;
                straight = way.straight;
            }
            let [dx, dy] = [way.dx / i16::from(wide), way.dy / i16::from(high)];
            write!(f, " {dx},{dy}")?;
        }
        let least = |side: fn(&Place) -> u8| self.places.iter().map(side).min().unwrap_or_default();
        let (left, top) = (least(|place| place.x), least(|place| place.y));
        let mut at = (0, 0);
        f.write_str("\n")?;
        for place in &self.places {
            let (x, y) = ((place.x - left) / wide, (place.y - top) / high);
            while at.1 < y {
                f.write_str("\n")?;
                at = (0, at.1 + 1);
            }
            write!(f, "{:1$}o", "", usize::from(x - at.0))?;
            at.0 = x + 1;
        }
        f.write_str("\n")?;
        // Names depend on places alone.
        let Ok(layout) = self.keep() else {
            return Ok(());
        };
        for ((from, way), to) in &self.steps {
            write!(f, "{LEADS}{} {way} ", layout.name(*from))?;
            match to {
                Some(to) => writeln!(f, "{}", layout.name(*to))?,
                None => f.write_str("-\n")?,
            }
        }
        for bytes in self.game.chunks(GAME_LINE_BYTES) {
            f.write_str(GAME)?;
            for byte in bytes {
                write!(f, "{byte:02x}")?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

impl Layout {
    /// The complete layout as text: `9x9`, or the text of its drawing.
    /// [`KnownLayout::from_str`] reads it.
    #[must_use]
    pub fn to_text(self) -> String {
        match self.drawing() {
            Some(known) => format!("{}", Sketch::of(known.as_drawing())),
            None => format!("{self}"),
        }
    }
}

/// The start of the text of a drawing.
const CELL: &str = "cell ";
/// The start of a line with an exception, and its older form, in which points were named
/// by rows.
const LEADS: &str = "leads ";
const STEP: &str = "step ";
/// The start of a line of a game, and the number of bytes on such a line.
const GAME: &str = "game ";
const GAME_LINE_BYTES: usize = 48;

impl FromStr for KnownLayout {
    type Err = LayoutTextError;

    /// Reads `9x9`, or the text of a drawing, which becomes known.
    fn from_str(text: &str) -> Result<KnownLayout, LayoutTextError> {
        if text.starts_with(CELL) {
            let sketch: Sketch = text.parse().map_err(LayoutTextError::Sketch)?;
            return sketch.keep().map_err(LayoutTextError::Drawing);
        }
        let sides = text.split_once(['x', 'X']);
        let (columns, rows) = sides.ok_or(LayoutTextError::NoSides)?;
        let side = |side: &str| match side.parse::<u8>() {
            Ok(number) if !side.starts_with('+') => Ok(number),
            _ => Err(LayoutTextError::Side(side.to_owned())),
        };
        let layout = Layout::grid(side(columns)?, side(rows)?);
        Ok(layout.map_err(LayoutTextError::Grid)?.into())
    }
}

impl FromStr for Sketch {
    type Err = SketchError;

    fn from_str(text: &str) -> Result<Sketch, SketchError> {
        let mut lines = text.lines().enumerate();
        let wrong = |line: usize, what| SketchError {
            line: line + 1,
            what,
        };
        let (at, cell) = lines.next().unwrap_or((0, ""));
        let cell = read_cell(cell).ok_or_else(|| wrong(at, SketchProblem::Cell))?;
        let (at, ways) = lines.next().unwrap_or((at + 1, ""));
        let ways = read_ways(ways, cell).map_err(|what| wrong(at, what))?;
        let mut sketch = Sketch {
            ways,
            ..Sketch::default()
        };
        let (game, lines): (Vec<_>, Vec<_>) = lines.partition(|(_, line)| line.starts_with(GAME));
        let (steps, picture): (Vec<_>, Vec<_>) = lines
            .into_iter()
            .partition(|(_, line)| line.starts_with(LEADS) || line.starts_with(STEP));
        read_picture(&mut sketch, &picture, cell)?;
        let layout = sketch.keep();
        let layout = layout.map_err(|error| wrong(at, SketchProblem::Drawing(error)))?;
        for (at, line) in steps {
            let step = read_step(line, *layout, sketch.ways.len());
            let step = step.map_err(|what| wrong(at, what))?;
            sketch.steps.insert((step.from, step.way), step.to);
        }
        for (at, line) in game {
            let bytes = read_game(line).ok_or_else(|| wrong(at, SketchProblem::Game))?;
            sketch.game.extend(bytes);
            if sketch.game.len() > GAME_BYTES {
                return Err(wrong(at, SketchProblem::Drawing(DrawingError::Game)));
            }
        }
        Ok(sketch)
    }
}

/// The size of a character of a sketch, in units of the drawing.
#[derive(Clone, Copy)]
struct Cell {
    wide: u8,
    high: u8,
}

fn read_cell(line: &str) -> Option<Cell> {
    let (wide, high) = line.trim().strip_prefix(CELL)?.split_once('x')?;
    let side = |text: &str| text.parse().ok().filter(|side: &u8| *side > 0);
    Some(Cell {
        wide: side(wide)?,
        high: side(high)?,
    })
}

fn read_ways(line: &str, cell: Cell) -> Result<Vec<Way>, SketchProblem> {
    let mut words = line.split_whitespace();
    if words.next() != Some("ways") {
        return Err(SketchProblem::Ways);
    }
    let (mut straight, mut ways) = (true, Vec::new());
    for word in words {
        match word {
            "diagonal" => straight = false,
            "straight" => straight = true,
            word => {
                let step = word.split_once(',').and_then(|(dx, dy)| {
                    let dx = dx.parse::<i16>().ok()?.checked_mul(cell.wide.into())?;
                    Some((dx, dy.parse::<i16>().ok()?.checked_mul(cell.high.into())?))
                });
                let (dx, dy) = step.ok_or_else(|| SketchProblem::Way(word.to_owned()))?;
                ways.push(Way { dx, dy, straight });
            }
        }
    }
    match ways.len() {
        0..=MAX_WAYS => Ok(ways),
        many => Err(SketchProblem::TooManyWays(many)),
    }
}

fn read_game(line: &str) -> Option<Vec<u8>> {
    let digits = line.strip_prefix(GAME)?.trim_end().as_bytes();
    let digit = |letter: u8| char::from(letter).to_digit(16);
    let byte = |pair: &[u8]| match pair {
        [high, low] => Some((digit(*high)? * 16 + digit(*low)?) as u8),
        _ => None,
    };
    digits.chunks(2).map(byte).collect()
}

fn read_picture(
    sketch: &mut Sketch,
    picture: &[(usize, &str)],
    cell: Cell,
) -> Result<(), SketchError> {
    let cells = picture.iter().map(|(_, line)| line.trim_end());
    let indent = |line: &str| line.len() - line.trim_start().len();
    let inked = || {
        cells
            .clone()
            .enumerate()
            .filter(|(_, line)| !line.is_empty())
    };
    let left = inked()
        .map(|(_, line)| indent(line))
        .min()
        .unwrap_or_default();
    let top = inked().map(|(row, _)| row).min().unwrap_or_default();
    for (row, (at, line)) in picture.iter().enumerate() {
        let wrong = |what| SketchError { line: at + 1, what };
        for (column, letter) in line.trim_end().chars().enumerate() {
            match letter {
                ' ' | '.' => continue,
                'o' => {}
                other => return Err(wrong(SketchProblem::Letter(other))),
            }
            let raster = |cells: usize, side: u8| u8::try_from(cells * usize::from(side)).ok();
            let place = raster(column - left, cell.wide).zip(raster(row - top, cell.high));
            let (x, y) = place.ok_or_else(|| wrong(SketchProblem::TooLarge))?;
            sketch.places.push(Place { y, x });
        }
    }
    Ok(())
}

/// An exception: where a way of a point leads.
struct SketchStep {
    from: Point,
    /// The number of the way.
    way: usize,
    /// The point to which it leads, if it leads anywhere.
    to: Option<Point>,
}

fn read_step(line: &str, layout: Layout, ways: usize) -> Result<SketchStep, SketchProblem> {
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    let [from, way, to] = words[..] else {
        return Err(SketchProblem::Step);
    };
    let point = |name| {
        let point = match line.starts_with(STEP) {
            true => layout.point_by_rows(name),
            false => layout.point(name),
        };
        point.map_err(SketchProblem::Point)
    };
    let way = way.parse().ok().filter(|way| *way < ways);
    let way = way.ok_or(SketchProblem::NoSuchWay(ways))?;
    let to = match to {
        "-" => None,
        name => Some(point(name)?),
    };
    let from = point(from)?;
    Ok(SketchStep { from, way, to })
}
