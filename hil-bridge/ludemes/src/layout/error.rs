//! Why a text is no board.

use crate::tree::TextSpan;

/// Why a text is no board, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Something else stands where a board or a graph has to stand.
    #[error("write {expected} here")]
    Expected {
        /// The position in the text.
        span: TextSpan,
        /// What is expected there, with an example.
        expected: &'static str,
    },
    /// A word that no generator or operator has.
    #[error(
        "`{word}` makes no board: there are square, rectangle, hex, tri, tiling, concentric, merge and others"
    )]
    Unknown {
        /// The position in the text.
        span: TextSpan,
        /// The unknown word.
        word: String,
    },
    /// A generator or operator says more than it can.
    #[error("`{head}` has nothing more to say: take this away")]
    Surplus {
        /// The position in the text.
        span: TextSpan,
        /// The name of the generator or operator.
        head: String,
    },
    /// A number is too small or too large.
    #[error("{value} is too {}: write a number from {least} to {most}", if value < least { "small" } else { "large" })]
    Number {
        /// The position in the text.
        span: TextSpan,
        /// The number that is out of range.
        value: i64,
        /// The smallest number allowed.
        least: i64,
        /// The largest number allowed.
        most: i64,
    },
    /// A board is too large to be made.
    #[error("this board has more than {most} {what}: make it smaller")]
    TooLarge {
        /// The position in the text.
        span: TextSpan,
        /// The most there can be.
        most: usize,
        /// The parts that are too many, such as vertices.
        what: &'static str,
    },
    /// A number of a vertex that is not there.
    #[error("there is no vertex {value}: the graph has {vertices}, numbered from 0")]
    NoSuchVertex {
        /// The position in the text.
        span: TextSpan,
        /// The number of the missing vertex.
        value: i64,
        /// The number of vertices of the graph.
        vertices: usize,
    },
    /// A place where the graph has nothing.
    #[error("nothing of the board lies there: write the place of something that it has")]
    NothingThere {
        /// The position in the text.
        span: TextSpan,
    },
    /// The board has no sites.
    #[error("this board has no sites: make it larger, or choose what it is played on with use:")]
    Empty {
        /// The position in the text.
        span: TextSpan,
    },
}

impl BoardError {
    /// The bytes of the text that are wrong.
    #[must_use]
    pub fn span(&self) -> TextSpan {
        match self {
            BoardError::Expected { span, .. }
            | BoardError::Unknown { span, .. }
            | BoardError::Surplus { span, .. }
            | BoardError::Number { span, .. }
            | BoardError::TooLarge { span, .. }
            | BoardError::NoSuchVertex { span, .. }
            | BoardError::NothingThere { span }
            | BoardError::Empty { span } => *span,
        }
    }
}
