//! The timing of repetitions: when to ask again, and when to give up.
//!
//! Invariants: the clerk never gives up without having listened; time in which this
//! program did not run (it was suspended, or the computer slept) or the chip was
//! halted does not count, since the answer may be waiting in the line.

use std::time::{Duration, Instant};

/// A wait that ends this much too late was one in which this program did not run.
const OVERSLEPT: Duration = Duration::from_millis(20);

/// How often the wait doubles: up to eight times the first.
const MOST_WAITS: u32 = 8;

/// The patience with one request.
pub struct Patience {
    deadline: Instant,
    first: Duration,
    wait: Duration,
    /// When to ask again; `None` before the first request.
    until: Option<Instant>,
}

impl Patience {
    /// Gives up at the deadline, and asks again after `first`, then after longer and
    /// longer waits.
    pub fn new(deadline: Instant, first: Duration) -> Patience {
        Patience {
            deadline,
            first,
            wait: first,
            until: None,
        }
    }

    /// A request was sent at `now`.
    pub fn begin(&mut self, now: Instant) {
        let until = if now < self.deadline {
            self.deadline.min(now + self.wait)
        } else {
            now + self.first
        };
        self.until = Some(until);
        self.wait = (self.wait * 2).min(self.first * MOST_WAITS);
    }

    /// Excludes a time in which the board could not answer.
    pub fn pass_over(&mut self, time: Duration, now: Instant) {
        self.deadline += time;
        let soonest = now + self.first;
        self.until = self.until.map(|until| (until + time).max(soonest));
    }

    /// The time until which to wait for an answer.
    pub fn until(&self) -> Instant {
        self.until.unwrap_or(self.deadline)
    }

    /// Listens no longer than this, before it is asked again.
    pub fn shorten(&mut self, soon: Instant) {
        self.until = self.until.map(|until| until.min(soon));
    }

    /// True if it is to be asked, or asked again.
    pub fn lasts(&self, now: Instant) -> bool {
        self.until
            .is_none_or(|until| now < self.deadline || now > until + OVERSLEPT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn it_is_asked_once_and_listened_to_however_late_it_is() {
        let now = Instant::now();
        let late = now + 50 * MS;
        let mut patience = Patience::new(now, 5 * MS);
        assert!(patience.lasts(late));
        patience.begin(late);
        assert_eq!(patience.until(), late + 5 * MS);
        assert!(!patience.lasts(late + 5 * MS));
    }

    #[test]
    fn a_wait_that_was_slept_through_is_none() {
        let now = Instant::now();
        let mut patience = Patience::new(now + 10 * MS, 5 * MS);
        patience.begin(now);
        let woken = now + 3_600_000 * MS;
        assert!(patience.lasts(woken));
        patience.begin(woken);
        assert_eq!(patience.until(), woken + 5 * MS);
        assert!(!patience.lasts(woken + 6 * MS));
    }

    #[test]
    fn time_that_was_none_is_passed_over() {
        let now = Instant::now();
        let mut patience = Patience::new(now + 10 * MS, 5 * MS);
        patience.begin(now);
        let later = now + 60_000 * MS;
        patience.pass_over(60_000 * MS, later);
        assert_eq!(patience.until(), later + 5 * MS);
        assert!(patience.lasts(later + 9 * MS));
        assert!(!patience.lasts(later + 10 * MS));
    }

    #[test]
    fn the_waits_double_and_none_is_past_the_deadline() {
        let now = Instant::now();
        let mut patience = Patience::new(now + 400 * MS, 10 * MS);
        let mut waits = Vec::new();
        let mut at = now;
        while patience.lasts(at) {
            patience.begin(at);
            waits.push((patience.until() - at).as_millis());
            at = patience.until();
        }
        assert_eq!(waits, [10, 20, 40, 80, 80, 80, 80, 10]);
        patience.shorten(now + MS);
        assert_eq!(patience.until(), now + MS);
    }
}
