//! The interface through which a host stores what a board keeps over a power-off.
//!
//! The trait is in the core, which itself writes no files: a board in a host's
//! process keeps its scores through it, `touchboard-files` implements it with a file,
//! and neither of these packages knows the other.

use std::string::String;

use protocol::{Layout, Roster};

use super::Keeping;
use crate::any_board::AnyBoard;
use crate::best::BestScores;

/// A place in which a board keeps data over its power-off: a file, for example.
pub trait Store: Send + Sync {
    /// The best scores in it.
    fn best(&self) -> &BestScores;

    /// The layout that a board with these games comes up with, whose own layout is
    /// this; a sentence where one was kept that it cannot have.
    fn comes_up(&self, own: Layout, games: Roster) -> (Layout, Option<&'static str>);

    /// Writes what this board keeps, if it is something else than before.
    ///
    /// # Errors
    /// A sentence, once; it is tried again when it changes again.
    fn look_after(&mut self, board: &Keeping<AnyBoard>) -> Result<(), String>;
}
