//! Why a command failed.

use std::io;
use std::path::{Path, PathBuf};

use touchboard_files::why_no_file;
use touchboard_host::DriverError;
use touchboard_links::SessionFileError;

use crate::bot::BotFileError;
use crate::journal::JournalError;
use crate::sandbox::RunAsRoot;

/// Why a command failed. The text is a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// The games of Swiss rounds depend on results.
    #[error(
        "in Swiss rounds, results decide who meets next, so shards cannot share them: leave out --shard, or choose --format round-robin"
    )]
    SwissShards,
    /// There are too few bots, or too many.
    #[error(
        "a contest takes 2 to {most} bots, and there are {count} in {}{}",
        .folder.display(),
        listed(.left_out)
    )]
    Bots {
        /// The number of bots.
        count: usize,
        /// The most bots that there may be.
        most: usize,
        /// The folder of the bots.
        folder: PathBuf,
        /// The files in it that are no bots.
        left_out: Vec<BotFileError>,
    },
    /// A file is not a bot.
    #[error(transparent)]
    BotFile(#[from] BotFileError),
    /// The user is root, and a bot is a program.
    #[error(transparent)]
    Root(#[from] RunAsRoot),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The folders cannot be put together.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// The folder for the results cannot be made.
    #[error("the folder {} cannot be made: {}", .path.display(), why_no_file(.error))]
    Folder {
        /// Its path.
        path: PathBuf,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// A file cannot be written.
    #[error("{} cannot be written: {}", .path.display(), why_no_file(.error))]
    File {
        /// Its path.
        path: PathBuf,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// The game with this number has no result.
    #[error("game {0} did not end: run the contest again, and it is played")]
    NotEnded(u32),
    /// No board of this build can play the game.
    #[error("game {game} cannot be put on a board: {error}")]
    NoBoard {
        /// The number of the game.
        game: u32,
        /// Why not.
        #[source]
        error: DriverError,
    },
    /// No board of this build can play the game of `contest play`.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// The session cannot be written.
    #[error(transparent)]
    Session(#[from] SessionFileError),
    /// The journal has no game with this number.
    #[error("there is no game {game} in the journal: they have the numbers 1 to {last}")]
    NoGame {
        /// The number.
        game: u32,
        /// The highest number that there is.
        last: u32,
    },
    /// A game in the journal has an illegal move.
    #[error("move {number} of game {game} is illegal: the journal is of another program")]
    IllegalMove {
        /// The number of the game.
        game: u32,
        /// The number of the move in the game, from 1.
        number: usize,
    },
}

impl ContestError {
    /// The error of a file that cannot be written.
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> ContestError {
        move |error| ContestError::File {
            path: path.to_owned(),
            error,
        }
    }
}

/// Why folders are not all shards of a contest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// There is no folder.
    #[error("there is nothing to merge: name the folders of all shards")]
    Nothing,
    /// This folder is of another contest than the first one.
    #[error(
        "{} is the folder of another contest: merge shards with the same bots and options",
        .0.display()
    )]
    OtherContest(PathBuf),
    /// Two folders have a game with different moves.
    #[error(
        "game {number} was played twice: leave out {}, or another folder with that game",
        .folder.display()
    )]
    Twice {
        /// The number of the game.
        number: u32,
        /// The later of the two folders.
        folder: PathBuf,
    },
    /// No folder has the game with this number.
    #[error("game {0} is in none of the folders: let its shard finish first")]
    Missing(u32),
}

/// The reasons why files were left out, after a colon; empty without any.
fn listed(left_out: &[BotFileError]) -> String {
    let listed: Vec<String> = left_out.iter().map(ToString::to_string).collect();
    match listed.is_empty() {
        true => String::new(),
        false => format!(": {}", listed.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{Difference, LostLine, OtherFile};

    #[test]
    fn each_error_is_a_sentence() {
        let (path, name) = (|| PathBuf::from("results"), || "bot.py".to_owned());
        let error = || io::Error::from(io::ErrorKind::NotFound);
        let (game, number, bytes) = (3, 4, 1 << 31);
        let is_other = |why| JournalError::Other { path: path(), why };
        let told: [ContestError; 26] = [
            ContestError::SwissShards,
            ContestError::Bots {
                count: 1,
                most: 1_000,
                folder: "bots".into(),
                left_out: Vec::new(),
            },
            ContestError::Bots {
                count: 0,
                most: 1_000,
                folder: "bots".into(),
                left_out: vec![
                    BotFileError::NotBot(name()),
                    BotFileError::TooLarge {
                        name: name(),
                        bytes,
                        most: 1 << 30,
                    },
                ],
            },
            BotFileError::Folder {
                path: path(),
                error: error(),
            }
            .into(),
            BotFileError::File {
                path: path(),
                error: error(),
            }
            .into(),
            BotFileError::IsFolder(name()).into(),
            BotFileError::Missing(name()).into(),
            RunAsRoot.into(),
            JournalError::File {
                path: path(),
                verb: "used",
                error: error(),
            }
            .into(),
            JournalError::InUse(path()).into(),
            JournalError::NotJournal(path()).into(),
            is_other(OtherFile::NoJournal).into(),
            is_other(OtherFile::Contest(Difference::Format)).into(),
            is_other(OtherFile::Contest(Difference::Bots)).into(),
            is_other(OtherFile::Contest(Difference::Plan)).into(),
            is_other(OtherFile::Contest(Difference::Limits)).into(),
            MergeError::Nothing.into(),
            MergeError::OtherContest(path()).into(),
            MergeError::Twice {
                number: game,
                folder: path(),
            }
            .into(),
            MergeError::Missing(game).into(),
            ContestError::Folder {
                path: path(),
                error: error(),
            },
            ContestError::file(&path())(error()),
            ContestError::NotEnded(game),
            ContestError::NoBoard {
                game,
                error: DriverError::Panicked("at the start".to_owned()),
            },
            ContestError::NoGame { game, last: 2 },
            ContestError::IllegalMove { game, number },
        ];
        let lost = [LostLine::Torn(7), LostLine::Damaged(7)].map(|line| line.to_string());
        let told = told.map(|error| error.to_string());
        insta::assert_snapshot!([&told[..], &lost].concat().join("\n"));
    }
}
