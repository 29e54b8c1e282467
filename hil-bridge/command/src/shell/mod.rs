//! The shell at this process's own terminal, pipe or file: [`run_here`].
//!
//! The language is `touchboard_shell`; this module adds what needs a terminal and a
//! user's folders: the line editor, the options of the command line.

mod edit;
mod here;

pub use here::{ShellArguments, run_here};
