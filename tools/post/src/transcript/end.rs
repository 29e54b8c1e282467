//! The end of a transcript that is sent to people: `end 43 31aa...`.
//!
//! Without it, a transcript whose last lines are missing could not be detected. It
//! contains the number of lines and the hash of all of them.

use std::fmt;

use crate::dice::{Hash, hash_of_hex, hex_of_hash};
use crate::transcript::{EndMarkError, Match};

/// The end mark of a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndMark {
    /// The number of lines before it.
    pub lines: u32,
    /// The hash of these lines.
    pub written: Hash,
}

impl EndMark {
    /// The end mark of a board in its current state.
    #[must_use]
    pub fn of(board: &Match) -> EndMark {
        EndMark {
            lines: board.lines,
            written: board.written,
        }
    }

    /// Reads an end mark; `None` if the line is not one.
    pub(super) fn read(line: &str) -> Option<Result<EndMark, EndMarkError>> {
        let words = line.strip_prefix("end ")?;
        let read = words.split_once(' ').and_then(|(lines, hash)| {
            Some(EndMark {
                lines: lines.parse().ok()?,
                written: hash_of_hex(hash)?,
            })
        });
        let read = read.filter(|end| end.to_string() == line);
        Some(read.ok_or(EndMarkError::Form))
    }

    /// Checks that it ends these lines.
    pub(super) fn check_match(self, board: &Match) -> Result<(), EndMarkError> {
        let EndMark { lines, written } = self;
        let there = board.lines;
        if lines != there {
            return Err(EndMarkError::Lines { lines, there });
        }
        let is_same = written == board.written;
        is_same.then_some(()).ok_or(EndMarkError::Hash)
    }
}

impl fmt::Display for EndMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "end {} {}", self.lines, hex_of_hash(&self.written))
    }
}
