//! Why files of shards cannot be used.

use std::io;
use std::path::{Path, PathBuf};

use touchboard_files::why_no_file;

/// Why a file cannot be used. The text is a sentence that says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// A line is not one of such a file.
    #[error(
        "line {line} is not one of a file of shards ({why}): name another file, or remove this one"
    )]
    Line {
        /// The number of the line, counted from 1.
        line: usize,
        /// Why not.
        why: String,
    },
    /// Another command wrote the file.
    #[error("it is a file of `{found}` and not of `{expected}`: name another file")]
    OtherCommand {
        /// The command that wrote it.
        found: String,
        /// The command that reads it.
        expected: String,
    },
    /// What the file was begun for is not what is asked for.
    #[error(
        "it was begun with other options, inputs or another shard: name another file, or remove this one"
    )]
    OtherPlan,
    /// The files belong to different runs.
    #[error("the files do not belong together: merge shards of one command with equal options")]
    Different,
    /// A job is missing.
    #[error("job {0} is in none of the files: let its shard finish first")]
    Missing(u64),
    /// A job has two results.
    #[error("job {0} has two different results: different versions of the program wrote them")]
    Contradiction(u64),
    /// There is no file.
    #[error("there is nothing to merge: name the files of all shards")]
    Nothing,
    /// Another process writes the file.
    #[error("it is in use: wait for the other process, or name another file")]
    InUse,
    /// The file cannot be read or written.
    #[error("it cannot be used: {0}")]
    File(String),
    /// One of these, with the name of the file.
    #[error("{}: {why}", path.display())]
    At {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: Box<ShardError>,
    },
}

impl ShardError {
    /// The error with the name of the file.
    #[must_use]
    pub(crate) fn at(self, path: &Path) -> ShardError {
        ShardError::At {
            path: path.to_owned(),
            why: Box::new(self),
        }
    }
}

impl From<io::Error> for ShardError {
    fn from(error: io::Error) -> ShardError {
        ShardError::File(why_no_file(&error))
    }
}
