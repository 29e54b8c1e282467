//! Why a text is no board.

use crate::tree::Span;

/// Why a text is no board, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// Something else stands where a board or a graph has to stand.
    #[error("write {expected} here")]
    Expected {
        /// Where.
        span: Span,
        /// What has to stand there, with an example.
        expected: &'static str,
    },
    /// A word that no generator or operator has.
    #[error(
        "`{word}` makes no board: there are square, rectangle, hex, tri, tiling, concentric, merge and others"
    )]
    Unknown {
        /// Where.
        span: Span,
        /// The word.
        word: String,
    },
    /// A generator or operator says more than it can.
    #[error("`{head}` has nothing more to say: take this away")]
    Surplus {
        /// Where.
        span: Span,
        /// The generator or operator.
        head: String,
    },
    /// A number is too small or too large.
    #[error("{value} is too {}: write a number from {least} to {most}", if value < least { "small" } else { "large" })]
    Number {
        /// Where.
        span: Span,
        /// The number.
        value: i64,
        /// The least that goes.
        least: i64,
        /// The greatest that goes.
        most: i64,
    },
    /// A board is too large to be made.
    #[error("this board has more than {most} {what}: make it smaller")]
    TooLarge {
        /// Where.
        span: Span,
        /// The most there can be.
        most: usize,
        /// Of what.
        what: &'static str,
    },
    /// A number of a vertex that is not there.
    #[error("there is no vertex {value}: the graph has {vertices}, numbered from 0")]
    NoSuchVertex {
        /// Where.
        span: Span,
        /// The number.
        value: i64,
        /// How many there are.
        vertices: usize,
    },
    /// A place where the graph has nothing.
    #[error("nothing of the board lies there: write the place of something that it has")]
    NothingThere {
        /// Where in the text.
        span: Span,
    },
    /// A board without sites.
    #[error("this board has no sites: make it larger, or choose what it is played on with use:")]
    Empty {
        /// Where.
        span: Span,
    },
}

impl LayoutError {
    /// The bytes of the text that are wrong.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            LayoutError::Expected { span, .. }
            | LayoutError::Unknown { span, .. }
            | LayoutError::Surplus { span, .. }
            | LayoutError::Number { span, .. }
            | LayoutError::TooLarge { span, .. }
            | LayoutError::NoSuchVertex { span, .. }
            | LayoutError::NothingThere { span }
            | LayoutError::Empty { span } => *span,
        }
    }
}
