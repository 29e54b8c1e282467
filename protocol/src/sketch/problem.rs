//! Why a text is not a layout or a drawing.

use core::fmt;
use std::string::String;

use crate::drawing::MAX_WAYS;
use crate::{DrawingError, GridSize, LayoutError, PointError};

/// Why a text is not a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutTextError {
    /// A line of the drawing is wrong.
    Sketch(SketchError),
    /// The game does not fit the drawing, or another drawing with the same number is
    /// known.
    Drawing(DrawingError),
    /// The text is neither a drawing nor two numbers with an `x` between them.
    NoSides,
    /// This side of a rectangle is not a number.
    Side(String),
    /// A side of a rectangle is 0 or too long.
    Grid(LayoutError),
}

impl fmt::Display for LayoutTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LayoutTextError::Sketch(error) => error.fmt(f),
            LayoutTextError::Drawing(error) => error.fmt(f),
            LayoutTextError::NoSides => {
                f.write_str("write columns and rows with an x between, like 9x9")
            }
            LayoutTextError::Side(side) => {
                write!(f, "{side:?} is not a number from 1 to {}", GridSize::MAX)
            }
            LayoutTextError::Grid(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for LayoutTextError {}

/// Why a text is not a drawing, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SketchError {
    /// The number of the wrong line, counted from 1.
    pub line: usize,
    /// The error, and what was expected.
    pub what: SketchProblem,
}

impl fmt::Display for SketchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the drawing: {}", self.line, self.what)
    }
}

impl core::error::Error for SketchError {}

/// What is wrong in a line of a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SketchProblem {
    /// The first line does not give the size of a character.
    Cell,
    /// The second line does not list the ways.
    Ways,
    /// This word is not a way.
    Way(String),
    /// There are this many ways, more than [`MAX_WAYS`].
    TooManyWays(usize),
    /// The picture contains this character, which means nothing.
    Letter(char),
    /// A point of the picture is too far to the right or too far down.
    TooLarge,
    /// The points and ways are not a drawing.
    Drawing(DrawingError),
    /// An exception is not a point, a way and a point.
    Step,
    /// An exception names a way that is not one of this many.
    NoSuchWay(usize),
    /// An exception names a point that the drawing lacks.
    Point(PointError),
    /// A line of the game is not in hexadecimal digits.
    Game,
}

impl fmt::Display for SketchProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SketchProblem::Cell => "begin with the size of a character, as in `cell 4x7`",
            SketchProblem::Ways => {
                "tell the ways in characters and lines, as in `ways 1,0 0,1`"
            }
            SketchProblem::Way(word) => {
                return write!(
                    f,
                    "`{word}` is not a way: write characters to the right and lines down, as in `-1,1`"
                );
            }
            SketchProblem::TooManyWays(many) => {
                return write!(f, "{many} ways are too many: at most {MAX_WAYS}");
            }
            SketchProblem::Letter(letter) => {
                return write!(
                    f,
                    "`{letter}` means nothing: draw each point as `o`, and leave the rest blank"
                );
            }
            SketchProblem::TooLarge => {
                "the drawing is too large: at most 255 units across and down; choose a smaller cell"
            }
            SketchProblem::Drawing(error) => return error.fmt(f),
            SketchProblem::Step => {
                "write where a way leads as `leads a1 0 c3`, or `leads a1 0 -` for nowhere"
            }
            SketchProblem::NoSuchWay(ways) => {
                return write!(f, "there are {ways} ways, numbered from 0");
            }
            SketchProblem::Point(error) => return error.fmt(f),
            SketchProblem::Game => "write a game as `game` and two hexadecimal digits a byte",
        })
    }
}

impl core::error::Error for SketchProblem {}
