//! Reads a board's answers: each request has one kind of answer, and any other is an
//! error.

use protocol::{Command, Done, Layout, Point, Status};

use crate::driver::{Driver, DriverError};
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
    /// The answer to [`Command::Status`].
    ///
    /// # Errors
    /// If it is another answer.
    pub fn status(self) -> Result<Status, DriverError> {
        match self.done {
            Done::Status(status) => Ok(status),
            _ => Err(nonsense(self.name, "a question for its status")),
        }
    }

    /// The answer to [`Command::Digest`].
    ///
    /// # Errors
    /// If it is another answer.
    pub fn digest(self) -> Result<u64, DriverError> {
        match self.done {
            Done::Digest(digest) => Ok(digest),
            _ => Err(nonsense(self.name, "a question for its digest")),
        }
    }

    /// The answer to [`Command::Legal`] of a board with this
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

/// A driver whose board answers requests.
pub trait AsksBoard: Driver {
    /// Sends a request, and waits until it is carried out.
    ///
    /// # Errors
    /// If the board refuses it, does not answer, or has restarted.
    fn request(&mut self, command: Command) -> Result<Done, DriverError>;

    /// Asks the board something, and returns its answer, to be read.
    ///
    /// # Errors
    /// Those of [`AsksBoard::request`].
    fn ask(&mut self, command: Command) -> Result<BoardAnswer<'_>, DriverError> {
        let done = self.request(command)?;
        let name = self.at();
        Ok(BoardAnswer { name, done })
    }
}

/// The methods of [`Driver`] that are a single request to the board, for a
/// driver that [`AsksBoard`].
#[macro_export]
macro_rules! ask_board {
    () => {
        fn status(&mut self) -> Result<::protocol::Status, $crate::DriverError> {
            $crate::client::AsksBoard::ask(self, ::protocol::Command::Status)?.status()
        }

        fn legal(&mut self) -> Result<Vec<::protocol::Point>, $crate::DriverError> {
            let layout = $crate::Driver::layout(self);
            $crate::client::AsksBoard::ask(self, ::protocol::Command::Legal)?.legal(layout)
        }

        fn digest(&mut self) -> Result<u64, $crate::DriverError> {
            $crate::client::AsksBoard::ask(self, ::protocol::Command::Digest)?.digest()
        }

        fn clear_best(&mut self) -> Result<(), $crate::DriverError> {
            $crate::client::AsksBoard::request(self, ::protocol::Command::ClearBest).map(drop)
        }

        fn count_best(&mut self, counts: bool) -> Result<(), $crate::DriverError> {
            let command = ::protocol::Command::CountBest(counts);
            $crate::client::AsksBoard::request(self, command).map(drop)
        }
    };
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
