//! The timing of repetitions: when to send a request again, and when to give up.
//!
//! Invariants: the clerk never gives up without having listened. Time during which this
//! program did not run (it was suspended, or the computer slept) or the chip was halted
//! is not counted, because the answer may be waiting in the line.

use std::time::{Duration, Instant};

/// If a wait ends this much too late, this program was not running.
const OVERSLEPT: Duration = Duration::from_millis(20);

/// The maximum wait, as a multiple of the first wait.
const MOST_WAITS: u32 = 8;

/// The timing of one request.
pub struct Patience {
    deadline: Instant,
    first: Duration,
    wait: Duration,
    /// When to send the request again; `None` before it is sent.
    until: Option<Instant>,
}

impl Patience {
    /// Gives up at the deadline. Repeats the request after `first`, then after waits that
    /// double each time.
    pub fn new(deadline: Instant, first: Duration) -> Patience {
        Patience {
            deadline,
            first,
            wait: first,
            until: None,
        }
    }

    /// Notes that the request was sent at `now`.
    pub fn begin(&mut self, now: Instant) {
        let until = if now < self.deadline {
            self.deadline.min(now + self.wait)
        } else {
            now + self.first
        };
        self.until = Some(until);
        self.wait = (self.wait * 2).min(self.first * MOST_WAITS);
    }

    /// Extends all times by a period in which the board could not answer.
    pub fn pass_over(&mut self, time: Duration, now: Instant) {
        self.deadline += time;
        let soonest = now + self.first;
        self.until = self.until.map(|until| (until + time).max(soonest));
    }

    /// The time until which to wait for an answer.
    pub fn until(&self) -> Instant {
        self.until.unwrap_or(self.deadline)
    }

    /// Repeats the request at this time at the latest.
    pub fn shorten(&mut self, soon: Instant) {
        self.until = self.until.map(|until| until.min(soon));
    }

    /// True if the request should be sent, for the first time or again; false to give up.
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
    fn a_late_request_is_still_asked_once() {
        let now = Instant::now();
        let late = now + 50 * MS;
        let mut patience = Patience::new(now, 5 * MS);
        assert!(patience.lasts(late));
        patience.begin(late);
        assert_eq!(patience.until(), late + 5 * MS);
        assert!(!patience.lasts(late + 5 * MS));
    }

    #[test]
    fn a_wait_spent_suspended_does_not_count() {
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
    fn suspended_time_does_not_count_towards_the_timeout() {
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
    fn waits_double_up_to_the_deadline() {
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
