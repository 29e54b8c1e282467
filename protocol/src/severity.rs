//! How much a line of the log matters.

use core::fmt;

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

/// The severity of a line of [`ToHost::Log`](crate::ToHost::Log).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Schema, MaxSize,
)]
pub enum Severity {
    /// Information only.
    Information,
    /// Something is wrong, but the board can still be played.
    Warning,
    /// The board could not continue.
    Error,
}

/// What a line begins with where a person reads it.
impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Information => "",
            Severity::Warning => "warning: ",
            Severity::Error => "error: ",
        })
    }
}
