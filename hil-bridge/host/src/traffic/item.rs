//! The items of a wire log, and their form as lines of text.
//!
//! A line of text is a piece of bytes, `1250 > 00 05 01`: microseconds since the
//! beginning, `>` to the board or `<` from it, and the bytes in hexadecimal. `1250 open`
//! means that a line was opened.

use std::fmt::Write;
use std::str::FromStr;

use super::{BOTH_WAYS, LineDirection, way_sign};
use crate::hex::bytes_of;

/// An item of a wire log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineItem {
    /// A line was opened, so earlier bytes are no longer in transit.
    Opened {
        /// The time in microseconds since the record began.
        at_us: u64,
    },
    /// Bytes that passed in one direction.
    Bytes {
        /// The time in microseconds since the record began.
        at_us: u64,
        /// The direction of the bytes.
        direction: LineDirection,
        /// The bytes that passed.
        bytes: Vec<u8>,
    },
}

/// The error for a line of text that is not one of a wire log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not a line of a wire log, which looks like `1250 > 00 05 01`")]
pub struct LineItemError;

/// A piece of bytes as a line of text, with a line break.
#[must_use]
pub fn log_line(at_us: u64, direction: LineDirection, bytes: &[u8]) -> String {
    let mut line = format!("{at_us} {}", way_sign(direction));
    for byte in bytes {
        let _ = write!(line, " {byte:02x}");
    }
    line.push('\n');
    line
}

impl FromStr for LineItem {
    type Err = LineItemError;

    fn from_str(line: &str) -> Result<LineItem, LineItemError> {
        let mut words = line.split_ascii_whitespace();
        let at_us = words.next().and_then(|time| time.parse().ok());
        let (Some(at_us), Some(what)) = (at_us, words.next()) else {
            return Err(LineItemError);
        };
        if what == "open" && words.next().is_none() {
            return Ok(LineItem::Opened { at_us });
        }
        let has_sign = |direction: &LineDirection| what.chars().eq([way_sign(*direction)]);
        let direction = BOTH_WAYS.into_iter().find(has_sign);
        let byte = |word: &str| match bytes_of(word)?[..] {
            [byte] => Some(byte),
            _ => None,
        };
        let bytes: Option<Vec<u8>> = words.map(byte).collect();
        match (direction, bytes) {
            (Some(direction), Some(bytes)) if !bytes.is_empty() => Ok(LineItem::Bytes {
                at_us,
                direction,
                bytes,
            }),
            _ => Err(LineItemError),
        }
    }
}

/// The contents of a wire log file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WireLog {
    /// All items that could be read.
    pub items: Vec<LineItem>,
    /// Sentences about what could not be read.
    pub remarks: Vec<String>,
}
