//! The shell at this process's own terminal, pipe or file: [`run_here`].
//!
//! The language is in `touchboard_shell`. This module adds what needs a terminal and the
//! user's folders: the line editor and the command-line options.

mod edit;
mod here;

pub use here::{ShellArguments, run_here};
