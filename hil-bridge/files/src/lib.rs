//! Files of a touch board, for a board in a process and for its hosts: layouts, and
//! the data that a board keeps over its power-off.
//!
//! Invariants: a written file is complete or absent; every error is a sentence that
//! names the file.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod keep;
pub mod layouts;
pub mod whole_file;
mod why;

pub use keep::KeepFile;
pub use why::why_no_file;
