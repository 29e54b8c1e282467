//! Why no turn can be made.

use std::io;
use std::path::PathBuf;

use post::names::{BoardNumber, UserName};
use protocol::{LayoutError, Refusal};
use touchboard_files::why_no_file;
use touchboard_host::DriverError;
use touchboard_links::{At, SessionFileError};

/// Why no turn can be made. The text is a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The user does not play on the board.
    #[error("{user} does not play on board {board}")]
    NotPlaying {
        /// The user.
        user: UserName,
        /// The number of the board.
        board: BoardNumber,
    },
    /// The file with the password cannot be read.
    #[error("the password cannot be read from {}: {}", .path.display(), why_no_file(.error))]
    PasswordFile {
        /// The path of the file.
        path: PathBuf,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// No password is given.
    #[error("write the password into a file for --password-file, or into POST_PASSWORD")]
    NoPassword,
    /// The password is not one word.
    #[error(
        "a password is one word without spaces: write only that into the file for --password-file, or into POST_PASSWORD"
    )]
    PasswordWords,
    /// The board's own player makes no turn at this level.
    #[error("the board found no turn at level {0}: leave out --level, and make it yourself")]
    NoTurn(u8),
    /// A board without a line cannot be touched.
    #[error(
        "touches come over a line: write --at virtual for a board in this process that has one"
    )]
    NoLine,
    /// The board has another game, or too few points.
    #[error("the board at {at} has to play Malaka on {side}x{side} points or more")]
    OtherBoard {
        /// Where the board is.
        at: At,
        /// The points along a side of the game.
        side: u8,
    },
    /// The board cannot be driven.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// The board refused a request.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The board reports a touch at a point, of this name, that it does not have.
    #[error(
        "the board at the other end reports a touch at {0}, which it does not have: reset it, and start again"
    )]
    NoPoint(String),
    /// No board has the size of the game.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The session for the window cannot be written.
    #[error(transparent)]
    Session(#[from] SessionFileError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_says_what_to_do() {
        let told = [
            PlayError::NotPlaying {
                user: "alice".parse().unwrap(),
                board: 17,
            },
            PlayError::PasswordFile {
                path: "password".into(),
                error: io::ErrorKind::NotFound.into(),
            },
            PlayError::NoPassword,
            PlayError::PasswordWords,
            PlayError::NoTurn(4),
            PlayError::NoLine,
            PlayError::OtherBoard {
                at: At::Virtual,
                side: 12,
            },
            PlayError::NoPoint("c3".to_owned()),
        ];
        insta::assert_snapshot!(told.map(|error| error.to_string()).join("\n"));
    }
}
