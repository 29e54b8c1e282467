//! Why no game is played by the protocol, and why a command is refused.

use std::io;
use std::path::{Path, PathBuf};

use protocol::{Layout, LayoutError};

use super::engine::{StartError, Trouble};
use crate::names::{ChoiceError, NotFitting};

/// Why no game is played by the protocol.
#[derive(Debug, thiserror::Error)]
pub enum GtpError {
    /// The game is not played in the mode.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// The protocol cannot express the game of this name.
    #[error("the protocol has no words for {0}: take SpeedGo or Reversi")]
    NoWords(&'static str),
    /// The usual layout of the game does not exist.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The layout is not a square.
    #[error("the protocol knows square boards only, and {0} is none")]
    NotSquare(Layout),
    /// The layout is too small for the game.
    #[error(transparent)]
    NotFitting(#[from] NotFitting),
    /// The usual layout is too small for the game.
    #[error("the game does not fit the board")]
    NoTable,
    /// The engine does not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The engine does not answer.
    #[error(transparent)]
    Engine(#[from] Trouble),
    /// A file or folder for the games cannot be written.
    #[error("{}: {error}", .path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// Why not.
        #[source]
        error: io::Error,
    },
}

impl GtpError {
    /// The error of a file or folder that cannot be written.
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> GtpError {
        move |error| GtpError::File {
            path: path.to_owned(),
            error,
        }
    }
}

/// Why `arena serve` refuses a command, in the words of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// There is no such command.
    #[error("unknown command")]
    Unknown,
    /// The arguments cannot be read.
    #[error("syntax error")]
    Syntax,
    /// The game cannot be played on a board of this size.
    #[error("unacceptable size")]
    Size,
    /// The rules forbid the move.
    #[error("illegal move")]
    Illegal,
    /// There is no move to take back.
    #[error("cannot undo")]
    Undo,
    /// The list of stones is another than that of dead ones.
    #[error("only dead stones are told, and there are none")]
    OnlyDead,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_says_what_is_missing() {
        let program = || "gnugo".to_owned();
        let told: [GtpError; 8] = [
            GtpError::NoWords("Life"),
            GtpError::NotSquare(Layout::MALDOO),
            GtpError::NoTable,
            GtpError::file(Path::new("games"))(io::Error::other("it is gone")),
            StartError::Line {
                line: "gnugo '".to_owned(),
                error: shell_words::ParseError,
            }
            .into(),
            StartError::NoProgram.into(),
            StartError::Program {
                program: program(),
                error: io::Error::other("it is gone"),
            }
            .into(),
            StartError::NoStreams(program()).into(),
        ];
        let refused = [
            Refused::Unknown,
            Refused::Syntax,
            Refused::Size,
            Refused::Illegal,
            Refused::Undo,
            Refused::OnlyDead,
        ];
        let refused = refused.map(|refused| refused.to_string());
        let told = told.map(|error| error.to_string());
        insta::assert_snapshot!([&told[..], &refused].concat().join("\n"));
    }
}
