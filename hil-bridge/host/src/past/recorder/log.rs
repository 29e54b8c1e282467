//! The destination of a recorder that writes events at once, line by line, instead of
//! keeping them.

use std::path::PathBuf;

use protocol::Tick;

pub use crate::driver::Unwritten;
use crate::session::SessionItem;

/// A session that is written while it is recorded, usually to a file.
pub trait SessionLog: Send + Sync {
    /// Writes an item.
    ///
    /// # Errors
    /// When the log cannot be written any more.
    fn record(&mut self, tick: Tick, item: SessionItem) -> Result<(), Unwritten>;

    /// The tick of the last item.
    fn last_tick(&self) -> Tick;

    /// Writes the end marker, at this tick or at that of the last item, whichever is later.
    ///
    /// # Errors
    /// When the log cannot be written any more.
    fn finish(self: Box<Self>, tick: Tick) -> Result<(), Unwritten>;

    /// Closes the log without an end marker. Returns the path of the rest if anything
    /// was recorded; otherwise no file is left.
    fn abandon(self: Box<Self>) -> Option<PathBuf>;
}
