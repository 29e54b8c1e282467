//! Why the program could not start: a sentence for the user, and the exit code.

use std::fmt;

/// The exit code of bad input, as in every command of the project.
pub const BAD_INPUT: u8 = 2;

/// The reason why there is no window and no picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartError {
    /// The exit code of the process: [`BAD_INPUT`], or that of a scenario that failed.
    pub code: u8,
    /// What is wrong, and what to do about it.
    pub sentence: String,
}

impl StartError {
    /// An option, a file or a place that cannot be used, or a board that does not do what
    /// the options ask for.
    pub fn bad_input(error: impl fmt::Display) -> StartError {
        StartError {
            code: BAD_INPUT,
            sentence: error.to_string(),
        }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for StartError {}
