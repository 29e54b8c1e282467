//! Why the store refused.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::mail::compose::ComposeError;
use crate::names::{BoardNumber, UserName};
use crate::store::FORMAT;

/// The advice for a store that cannot be read.
const WHAT_TO_DO: &str = "end the server and take a copy of the store (`serve --backup`), or save what can be read with `post --store DAMAGED salvage NEW`";

/// Why the store refused. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has opened the store.
    #[error(
        "the store {0} is open in another process: send it commands with --tcp, or end it first"
    )]
    Busy(String),
    /// The store cannot be opened.
    #[error(
        "the store {name} does not open: {why}; check that its folder exists and can be written in"
    )]
    Open {
        /// The path of the store.
        name: String,
        /// The reason.
        #[source]
        why: OpenError,
    },
    /// The store was written by another version of this program.
    #[error(
        "the store has format {0}, and this program reads format {FORMAT}: use the program that wrote it"
    )]
    Format(u64),
    /// The store cannot be read or written.
    #[error(
        "the store cannot be read or written: {0}; check that its disk has room, and try again"
    )]
    Storage(#[from] StorageError),
    /// A record cannot be decoded.
    #[error("{0} in the store cannot be read: {WHAT_TO_DO}")]
    Record(RecordName),
    /// The file is damaged, by these words of the database.
    #[error("the store is damaged ({0}): {WHAT_TO_DO}")]
    Damaged(String),
    /// The copy of the store would overwrite the store itself.
    #[error("{} is the store itself: name another file for its copy", .0.display())]
    Itself(PathBuf),
}

impl StoreError {
    /// The error of a store with this name that does not open.
    pub(super) fn open(name: &str, why: impl Into<OpenError>) -> StoreError {
        StoreError::Open {
            name: name.to_owned(),
            why: why.into(),
        }
    }
}

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be opened, created or copied.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The file is not a database.
    #[error(transparent)]
    Database(#[from] redb::DatabaseError),
    /// The new store would overwrite a file.
    #[error("this name is taken: name a new file")]
    Taken,
}

/// Why the store cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// The database failed.
    #[error(transparent)]
    Database(#[from] redb::Error),
    /// The store is being dropped.
    #[error("it is closed")]
    Closed,
    /// A record is too large: it has more than this many bytes.
    #[error("a record has more than {0} bytes")]
    Record(usize),
    /// A file next to the store cannot be written.
    #[error("{} cannot be written: {error}", .path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// An outgoing mail cannot be written.
    #[error(transparent)]
    Mail(#[from] ComposeError),
}

macro_rules! is_storage {
    ($($error:ty),+) => { $(
        impl From<$error> for StoreError {
            fn from(error: $error) -> StoreError {
                match redb::Error::from(error) {
                    redb::Error::Corrupted(what) => StoreError::Damaged(what),
                    error => StorageError::Database(error).into(),
                }
            }
        }
    )+ };
}
is_storage!(
    redb::StorageError,
    redb::TableError,
    redb::TransactionError,
    redb::CommitError,
    redb::CompactionError,
    redb::SetDurabilityError
);

/// Which record cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordName {
    /// The record of this user.
    User(UserName),
    /// The record of this board.
    Board(BoardNumber),
    /// The record of the outgoing mail with this number.
    Mail(u64),
}

impl fmt::Display for RecordName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordName::User(name) => write!(f, "the user {name}"),
            RecordName::Board(number) => write!(f, "board {number}"),
            RecordName::Mail(number) => write!(f, "mail {number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_names_the_store_or_what_to_do() {
        let (name, path) = ("post.redb", || PathBuf::from("copy.redb"));
        let error = io::Error::other("the disk is gone");
        let told: [StoreError; 13] = [
            StoreError::Busy(name.to_owned()),
            StoreError::open(name, io::Error::other("no such folder")),
            StoreError::open(name, redb::DatabaseError::RepairAborted),
            StoreError::open(name, OpenError::Taken),
            StoreError::Format(9),
            redb::StorageError::PreviousIo.into(),
            StorageError::Closed.into(),
            StorageError::Record(9).into(),
            StorageError::File {
                path: path(),
                error,
            }
            .into(),
            StoreError::Record(RecordName::User("alice".parse().unwrap())),
            StoreError::Record(RecordName::Board(17)),
            redb::StorageError::Corrupted("a page".to_owned()).into(),
            StoreError::Itself(path()),
        ];
        insta::assert_snapshot!(told.map(|error| error.to_string()).join("\n"));
    }
}
