//! Files of a touch board, for a board that is a process and for its hosts alike:
//! layouts, what a board keeps over its power-off, and what somebody typed.
//!
//! Invariants: a file that is written is there whole or not at all; whatever
//! is wrong with one is said in a sentence that names it.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod keep;
pub mod layouts;
pub mod shell_history;
pub mod whole_file;
mod why;

pub use keep::KeepFile;
pub use why::why_no_file;
