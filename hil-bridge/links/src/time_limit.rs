//! Time limits by the clock of this machine.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use touchboard_host::check::TimeLimit;

/// A time limit that starts now.
#[must_use]
pub fn time_limit(at_most: Duration) -> TimeLimit {
    TimeLimit {
        at_most,
        now: since_start,
    }
}

/// The time since the first call.
fn since_start() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}
