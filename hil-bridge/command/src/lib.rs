//! What the command `hil-bridge` is made of besides its subcommands, for programs
//! that want the same.
//!
//! - [`shell`]: the shell at a terminal, over the language of `touchboard-shell`.
//! - [`mirror`]: a board in the terminal, live.
//! - [`line_view`]: what crosses a line, in the terminal, live.
//! - [`play`]: a board on a grid controller.
//! - [`page`]: the protocol, described for programs in other languages.
//! - [`colours`]: whether a terminal is written to in colours, and in which.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod colours;
pub mod line_view;
pub mod mirror;
pub mod page;
pub mod play;
mod screen;
pub mod shell;
