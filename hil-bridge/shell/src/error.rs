//! Why a line was not carried out, and how a script that contains it ends.

use touchboard_host::DriverError;

use crate::ExitKind;
use crate::parse_error::ParseError;

/// Why a line was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShellError {
    /// The board is not as the line expects.
    Failed(String),
    /// The line is invalid or cannot be carried out.
    Bad(String),
    /// The board was lost or has restarted.
    Lost(String),
}

impl ShellError {
    /// The line cannot be carried out, for this reason.
    pub(crate) fn bad(why: impl ToString) -> ShellError {
        ShellError::Bad(why.to_string())
    }

    /// How a script ends after this error.
    #[must_use]
    pub const fn ending(&self) -> ExitKind {
        match self {
            ShellError::Failed(_) => ExitKind::Failed,
            ShellError::Bad(_) | ShellError::Lost(_) => ExitKind::Bad,
        }
    }

    /// The sentence for the user.
    #[must_use]
    pub fn sentence(&self) -> &str {
        let (ShellError::Failed(sentence) | ShellError::Bad(sentence) | ShellError::Lost(sentence)) =
            self;
        sentence
    }

    pub(crate) fn sentence_mut(&mut self) -> &mut String {
        let (ShellError::Failed(sentence) | ShellError::Bad(sentence) | ShellError::Lost(sentence)) =
            self;
        sentence
    }
}

impl From<DriverError> for ShellError {
    fn from(error: DriverError) -> ShellError {
        match error {
            DriverError::Refused(refusal) => ShellError::Bad(refusal.to_string()),
            other => ShellError::Lost(other.to_string()),
        }
    }
}

impl From<ParseError> for ShellError {
    fn from(error: ParseError) -> ShellError {
        ShellError::bad(error)
    }
}
