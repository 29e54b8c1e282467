//! Time limits by the clock of this machine.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use touchboard_host::check::TimeLimit;

/// A limit of this duration, starting now.
#[must_use]
pub fn time_limit(at_most: Duration) -> TimeLimit {
    TimeLimit {
        at_most,
        now: since_start,
    }
}

/// The time since this was asked for the first time.
fn since_start() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}
