//! The files of texts: whether one was saved since it was last read.

use std::path::Path;
use std::time::{Duration, SystemTime};

/// The time at which a file was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp(SystemTime);

impl Stamp {
    /// The stamp of this file; `None` if it cannot be read.
    #[must_use]
    pub fn of(file: &Path) -> Option<Stamp> {
        let about = std::fs::metadata(file).ok()?;
        about.modified().ok().map(Stamp)
    }

    /// How long ago that was.
    #[must_use]
    pub fn age(self) -> Option<Duration> {
        self.0.elapsed().ok()
    }
}
