//! Where a host puts what a board keeps over its power-off.
//!
//! The trait stands in the core, which itself writes nothing: the board in a host's
//! process keeps its scores through it, the file of `touchboard-files` implements it,
//! and neither of these packages knows the other.

use std::string::String;

use protocol::{Layout, Roster};

use super::Keeping;
use crate::any_board::AnyBoard;
use crate::best::BestScores;

/// What a board keeps over its power-off, and where: a file, or whatever else a host
/// has.
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
