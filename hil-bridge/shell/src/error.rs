//! Why a line was not carried out, and how a script ends because of it.

use touchboard_host::DriverError;

use crate::ExitKind;

/// Why a line was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShellError {
    /// The board is not as the line expects.
    Failed(String),
    /// The line means nothing, or cannot be done.
    Bad(String),
    /// The board is lost, or is no longer the same: it was restarted.
    Lost(String),
}

impl ShellError {
    /// How a script ends because of it.
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

impl From<String> for ShellError {
    fn from(sentence: String) -> ShellError {
        ShellError::Bad(sentence)
    }
}
