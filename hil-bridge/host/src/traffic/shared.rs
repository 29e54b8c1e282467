//! A record that a line fills and views read.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{LineDirection, LineFigures, LineRecord};

/// The clock of a line: the time since any fixed moment.
pub type LineClock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// A record that is filled by a line and read by a view.
#[derive(Clone)]
pub struct SharedRecord {
    clock: LineClock,
    record: Arc<Mutex<LineRecord>>,
}

impl SharedRecord {
    /// Shares this record, whose times are those of `clock`.
    #[must_use]
    pub fn new(record: LineRecord, clock: LineClock) -> SharedRecord {
        SharedRecord {
            clock,
            record: Arc::new(Mutex::new(record)),
        }
    }

    /// The clock of the record's times.
    #[must_use]
    pub fn clock(&self) -> LineClock {
        self.clock.clone()
    }

    /// Locks the record; nothing is added while the guard exists.
    pub fn lock(&self) -> MutexGuard<'_, LineRecord> {
        // Each change leaves a record that is as good as any other.
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a line was opened now.
    pub fn open(&self) {
        self.lock().open(self.now_us());
    }

    /// Adds bytes that pass now.
    pub fn pass(&self, direction: LineDirection, bytes: &[u8]) {
        self.lock().pass(self.now_us(), direction, bytes);
    }

    /// The statistics up to now.
    #[must_use]
    pub fn figures(&self) -> LineFigures {
        self.lock().figures_at(self.now_us())
    }

    fn now_us(&self) -> u64 {
        (self.clock)().as_micros() as u64
    }
}

impl fmt::Debug for SharedRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedRecord").finish_non_exhaustive()
    }
}
