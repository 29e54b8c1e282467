//! Files of a board in a process and of its hosts: layouts, the data that a board keeps
//! while its power is off, and the history of the shell; and how any file is read within
//! a bound.
//!
//! Invariants: a written file is complete or absent; every error is a sentence that names
//! the file.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod bounded;
pub mod keep;
pub mod layouts;
mod locked;
pub mod shell_history;
pub mod whole_file;
mod why;

pub use bounded::{GAME_TEXT_BYTES, read_bounded, read_bounded_text, read_rest};
pub use keep::{KeepError, KeepFile};
pub use layouts::LayoutFileError;
pub use locked::LockedFile;
pub use shell_history::HistoryError;
pub use why::{WritingError, why_no_file};
