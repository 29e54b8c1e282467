//! Why a file is not a bot.

use std::io;
use std::path::{Path, PathBuf};

use touchboard_files::why_no_file;

use crate::plain::plain;

/// Why a file or a name is not a bot.
#[derive(Debug, thiserror::Error)]
pub enum BotFileError {
    /// The folder of the bots cannot be read.
    #[error("the folder {} cannot be read: {}", .path.display(), why_no_file(.error))]
    Folder {
        /// Its path.
        path: PathBuf,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// The file of a bot cannot be read.
    #[error("{} cannot be read: {}", plain(&.path.to_string_lossy()), why_no_file(.error))]
    File {
        /// Its path.
        path: PathBuf,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// A folder was named instead of a file.
    #[error("{0} is a folder: name a bot in it")]
    IsFolder(String),
    /// Neither a file nor a built-in bot has this name.
    #[error("there is no bot {0}: write the path of a file, random, or level1 to level4")]
    Missing(String),
    /// The file of this name is neither a module nor a program.
    #[error(
        "{0} is not a bot: it is not a .wasm file, and nothing that can be executed (chmod +x)"
    )]
    NotBot(String),
    /// The program is too large.
    #[error("{name} is not a bot: it has {bytes} bytes, and a program has at most {most}")]
    TooLarge {
        /// The name of its file.
        name: String,
        /// Its size.
        bytes: u64,
        /// The largest size of a program, in bytes.
        most: u64,
    },
}

impl BotFileError {
    /// The error of a folder that cannot be read.
    pub(super) fn folder(path: &Path) -> impl Fn(io::Error) -> BotFileError {
        move |error| BotFileError::Folder {
            path: path.to_owned(),
            error,
        }
    }

    /// The error of a file that cannot be read.
    pub(super) fn file(path: &Path) -> impl Fn(io::Error) -> BotFileError {
        move |error| BotFileError::File {
            path: path.to_owned(),
            error,
        }
    }
}
