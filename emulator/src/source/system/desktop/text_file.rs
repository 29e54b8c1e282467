//! Tells when the file of a text was last saved.

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

    /// The time since the file was saved.
    #[must_use]
    pub fn age(self) -> Option<Duration> {
        self.0.elapsed().ok()
    }
}
