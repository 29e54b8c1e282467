//! Why a file could not be opened or written, in words.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A file was not written: `cannot write x.png: there is no such file or folder: check the
/// name`.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {}", path.display(), why_no_file(error))]
pub struct WritingError {
    path: PathBuf,
    error: io::Error,
}

impl WritingError {
    /// Makes the error about this file of an error of the operating system.
    pub fn about(path: &Path) -> impl FnOnce(io::Error) -> WritingError {
        |error| WritingError {
            path: path.to_owned(),
            error,
        }
    }
}

/// Why a file could not be opened, and what to do, as the rest of a sentence that names
/// the file.
#[must_use]
pub fn why_no_file(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file or folder: check the name".to_owned(),
        ErrorKind::NotADirectory => "a part of its path is not a folder: check its name".to_owned(),
        ErrorKind::IsADirectory => "it is a folder: name a file".to_owned(),
        ErrorKind::StorageFull => {
            "there is no room left: free some, or name another place".to_owned()
        }
        ErrorKind::PermissionDenied => {
            "the system does not allow it: check whose file it is, or choose another".to_owned()
        }
        _ => error.to_string(),
    }
}
