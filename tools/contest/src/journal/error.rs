//! Why a journal cannot be used, and what is lost of one.

use std::io;
use std::path::{Path, PathBuf};

use touchboard_files::why_no_file;

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be opened, read or written.
    #[error("the journal {} cannot be {verb}: {}", .path.display(), why_no_file(.error))]
    File {
        /// The path of the journal.
        path: PathBuf,
        /// What cannot be done: `used`, `read` or `written`.
        verb: &'static str,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// Another process is writing the journal at this path.
    #[error(
        "the journal {} is in use: another contest runs in this folder, name another with --out",
        .0.display()
    )]
    InUse(PathBuf),
    /// The file at this path does not begin like a journal.
    #[error("{} is not a journal of a contest", .0.display())]
    NotJournal(PathBuf),
    /// The file is not the journal of this contest.
    #[error("{}: {why}", .path.display())]
    Other {
        /// The path of the file.
        path: PathBuf,
        /// What it is instead.
        why: OtherFile,
    },
}

impl JournalError {
    /// The error of a journal that cannot be used, read or written.
    pub(super) fn file(path: &Path, verb: &'static str) -> impl Fn(io::Error) -> JournalError {
        move |error| JournalError::File {
            path: path.to_owned(),
            verb,
            error,
        }
    }

    /// The error of another file at this path.
    pub(super) fn other(path: &Path) -> impl Fn(OtherFile) -> JournalError {
        move |why| JournalError::Other {
            path: path.to_owned(),
            why,
        }
    }
}

/// What a file is instead of the journal of a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OtherFile {
    /// The journal of a contest that differs in this.
    #[error(
        "this is the journal of another contest, {0}: name another folder with --out, or remove it"
    )]
    Contest(Difference),
    /// No journal.
    #[error("this is not a journal of a contest: name another folder with --out")]
    NoJournal,
}

/// The first property in which the contest of a journal differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// The version of the format.
    #[error("another version of this program wrote it")]
    Format,
    /// The bots.
    #[error("its bots are others, or were changed since")]
    Bots,
    /// The plan.
    #[error("its seed, format or rounds are others")]
    Plan,
    /// The limits of the bots.
    #[error("its limits are others")]
    Limits,
}

/// A line that cannot be read, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LostLine {
    /// The program was stopped while it wrote the line.
    #[error("line {0} of the journal was torn: its game is played again")]
    Torn(usize),
    /// The line has other bytes than were written.
    #[error("line {0} of the journal is damaged: its game is played again")]
    Damaged(usize),
}
