//! Files of a touch board, for a board in a process and for its hosts: layouts, the data
//! that a board keeps over its power-off, and the history of the shell.
//!
//! Invariants: a written file is complete or absent; every error is a sentence that
//! names the file.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod keep;
pub mod layouts;
pub mod shell_history;
pub mod whole_file;
mod why;

pub use keep::KeepFile;
pub use why::why_no_file;
