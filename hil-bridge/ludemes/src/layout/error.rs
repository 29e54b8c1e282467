//! Why a text does not describe a board.

use crate::tree::TextSpan;

/// Why a text does not describe a board, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// A board or graph is required here.
    #[error("write {expected} here")]
    Expected {
        /// The position in the text.
        span: TextSpan,
        /// What is expected there, with an example.
        expected: &'static str,
    },
    /// A word that is not a generator or operator.
    #[error(
        "`{word}` makes no board: there are square, rectangle, hex, tri, tiling, concentric, merge and others"
    )]
    Unknown {
        /// The position in the text.
        span: TextSpan,
        /// The unknown word.
        word: String,
    },
    /// A generator or operator has too many arguments.
    #[error("`{head}` takes no further argument: remove this")]
    Surplus {
        /// The position in the text.
        span: TextSpan,
        /// The name of the generator or operator.
        head: String,
    },
    /// A number is out of range.
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
    /// The board would be too large.
    #[error("this board has more than {most} {what}: make it smaller")]
    TooLarge {
        /// The position in the text.
        span: TextSpan,
        /// The limit.
        most: usize,
        /// What is limited, such as vertices.
        what: &'static str,
    },
    /// The number of a vertex that does not exist.
    #[error("there is no vertex {value}: the graph has {vertices}, numbered from 0")]
    NoSuchVertex {
        /// The position in the text.
        span: TextSpan,
        /// The number of the missing vertex.
        value: i64,
        /// The number of vertices of the graph.
        vertices: usize,
    },
    /// A place where the graph has no element.
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
