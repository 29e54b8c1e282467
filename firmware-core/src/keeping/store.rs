//! The interface through which a host stores what a board keeps over a power-off.
//!
//! The trait is in the core, which itself writes no files: a board in a host's process
//! keeps its scores through it, `touchboard-files` implements it with a file, and neither
//! of these packages depends on the other.

use core::error::Error;
use std::boxed::Box;

use protocol::{Layout, Roster};

use super::Keeping;
use crate::any_board::AnyBoard;
use crate::best::BestScores;

/// A place where the data of a board survives a power-off, such as a file.
pub trait Store: Send + Sync {
    /// The stored best scores.
    fn best(&self) -> &BestScores;

    /// The layout with which a board with these games and this layout of its own comes
    /// up, and a sentence for the user if a layout is stored that the board cannot have.
    fn layout_at_power_on(&self, own: Layout, games: Roster) -> (Layout, Option<&'static str>);

    /// Stores the data that the board keeps, if it has changed.
    ///
    /// # Errors
    /// Why they are not stored, as a sentence for the user, once for each failure; the next
    /// change is tried again.
    fn store_changes(
        &mut self,
        board: &Keeping<AnyBoard>,
    ) -> Result<(), Box<dyn Error + Send + Sync>>;
}
