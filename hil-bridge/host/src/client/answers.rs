//! Reads a board's answers: each request has one kind of answer, and any other is an
//! error.

use protocol::{Done, Layout, Point, Status};

use crate::driver::DriverError;
use crate::link_error::LinkError;

/// The error for an answer that does not belong to its request.
#[must_use]
pub fn nonsense(name: &str, to_what: &str) -> DriverError {
    LinkError::lost(format!(
        "the board at {name} gave an answer that does not belong to {to_what}"
    ))
}

/// An answer of the board at a place.
#[derive(Clone, Debug)]
pub struct BoardAnswer<'a> {
    /// The name of the place, for errors.
    pub name: &'a str,
    /// What the board answered.
    pub done: Done,
}

impl BoardAnswer<'_> {
    /// The answer to [`Command::Status`](protocol::Command::Status).
    ///
    /// # Errors
    /// If it is another answer.
    pub fn status(self) -> Result<Status, DriverError> {
        match self.done {
            Done::Status(status) => Ok(status),
            _ => Err(nonsense(self.name, "a question for its status")),
        }
    }

    /// The answer to [`Command::Digest`](protocol::Command::Digest).
    ///
    /// # Errors
    /// If it is another answer.
    pub fn digest(self) -> Result<u64, DriverError> {
        match self.done {
            Done::Digest(digest) => Ok(digest),
            _ => Err(nonsense(self.name, "a question for its digest")),
        }
    }

    /// The answer to [`Command::Legal`](protocol::Command::Legal) of a board with this
    /// layout: the points in order.
    ///
    /// # Errors
    /// If it is another answer.
    pub fn legal(self, layout: Layout) -> Result<Vec<Point>, DriverError> {
        match self.done {
            Done::Legal(bits) => Ok(legal_points(&bits, layout)),
            _ => Err(nonsense(self.name, "a question for the legal points")),
        }
    }
}

/// The points in the bits of a [`Done::Legal`], in order.
#[must_use]
pub fn legal_points(bits: &[u8], layout: Layout) -> Vec<Point> {
    let is_set = |point: &Point| {
        let byte = bits.get(point.index() / 8).copied().unwrap_or(0);
        byte >> (point.0 % 8) & 1 == 1
    };
    layout.iter().filter(is_set).collect()
}
