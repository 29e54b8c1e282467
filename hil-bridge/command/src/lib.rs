//! The parts of the command `hil-bridge` besides its subcommands, for programs that need
//! the same.
//!
//! - [`shell`]: the shell at a terminal; the language is that of `touchboard-shell`.
//! - [`mirror`]: a live board in the terminal.
//! - [`line_view`]: the live traffic of a line in the terminal.
//! - [`play`]: a board on a grid controller.
//! - [`protocol_page`]: the description of the protocol for programs in other languages.
//! - [`colours`]: whether to write to a terminal in colours.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod colours;
pub mod line_view;
pub mod mirror;
pub mod play;
pub mod protocol_page;
mod screen;
pub mod shell;
