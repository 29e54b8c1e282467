//! The destination of a recorder that writes events at once, line by line, instead of
//! keeping them.

use std::path::PathBuf;

use protocol::Tick;

pub use crate::driver::Unwritten;
use crate::session::SessionItem;

/// A session that grows somewhere: a file, for most.
pub trait SessionLog: Send + Sync {
    /// Writes what happened.
    ///
    /// # Errors
    /// When it takes no more.
    fn note(&mut self, tick: Tick, item: SessionItem) -> Result<(), Unwritten>;

    /// The tick of what was noted last.
    fn last_tick(&self) -> Tick;

    /// Writes that the session ended, at this tick or at the last one that was noted.
    ///
    /// # Errors
    /// When it takes no more.
    fn finish(self: Box<Self>, tick: Tick) -> Result<(), Unwritten>;

    /// Closes the log without an end marker. Returns the path of the rest if anything
    /// was recorded; otherwise no file is left.
    fn abandon(self: Box<Self>) -> Option<PathBuf>;
}
