//! The timing of repetitions: when to send a request again, and when to give up.
//!
//! Invariants: the clerk never gives up without having listened. Time during which this
//! program did not run (it was suspended, or the computer slept) or the chip was halted
//! is not counted, because the answer may be waiting in the line.

use std::time::Duration;

/// If a wait ends this much too late, this program was not running.
const OVERSLEPT: Duration = Duration::from_millis(20);

/// The maximum wait, as a multiple of the first wait.
const MOST_WAITS: u32 = 8;

/// How much longer a board that sends other messages gets for its answer, as a multiple of
/// the time from the first request to the deadline.
const MOST_EXTENSIONS: u32 = 1;

/// The timing of one request.
pub struct Patience {
    deadline: Duration,
    /// When the request was first sent; `None` before that.
    begin: Option<Duration>,
    /// The deadline without extensions.
    own_deadline: Duration,
    first: Duration,
    wait: Duration,
    /// When to send the request again; `None` before it is sent.
    until: Option<Duration>,
}

impl Patience {
    /// Gives up at the deadline. Repeats the request after `first`, then after waits that
    /// double each time.
    pub fn new(deadline: Duration, first: Duration) -> Patience {
        Patience {
            deadline,
            begin: None,
            own_deadline: deadline,
            first,
            wait: first,
            until: None,
        }
    }

    /// Notes that the request was sent at `now`.
    pub fn begin(&mut self, now: Duration) {
        self.begin.get_or_insert(now);
        let until = if now < self.deadline {
            self.deadline.min(now + self.wait)
        } else {
            now + self.first
        };
        self.until = Some(until);
        self.wait = (self.wait * 2).min(self.first * MOST_WAITS);
    }

    /// Notes a message other than the answer: the board is alive, and on a slow line its
    /// answer is behind others. Extends the deadline so that there is as much time left as
    /// at first, but not for ever.
    pub fn hears_other(&mut self, now: Duration) {
        let limit = self.own_deadline.saturating_sub(self.begin.unwrap_or(now));
        let latest = self.own_deadline + limit * MOST_EXTENSIONS;
        self.deadline = self.deadline.max((now + limit).min(latest));
    }

    /// Extends all times by a period in which the board could not answer.
    pub fn pass_over(&mut self, time: Duration, now: Duration) {
        self.deadline += time;
        self.own_deadline += time;
        let soonest = now + self.first;
        self.until = self.until.map(|until| (until + time).max(soonest));
    }

    /// The time until which to wait for an answer.
    pub fn until(&self) -> Duration {
        self.until.unwrap_or(self.deadline)
    }

    /// Repeats the request at this time at the latest.
    pub fn shorten(&mut self, soon: Duration) {
        self.until = self.until.map(|until| until.min(soon));
    }

    /// True if the request should be sent, for the first time or again; false to give up.
    pub fn lasts(&self, now: Duration) -> bool {
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
        let now = Duration::from_secs(7);
        let late = now + 50 * MS;
        let mut patience = Patience::new(now, 5 * MS);
        assert!(patience.lasts(late));
        patience.begin(late);
        assert_eq!(patience.until(), late + 5 * MS);
        assert!(!patience.lasts(late + 5 * MS));
    }

    #[test]
    fn a_wait_spent_suspended_does_not_count() {
        let now = Duration::from_secs(7);
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
        let now = Duration::from_secs(7);
        let mut patience = Patience::new(now + 10 * MS, 5 * MS);
        patience.begin(now);
        let later = now + 60_000 * MS;
        patience.pass_over(60_000 * MS, later);
        assert_eq!(patience.until(), later + 5 * MS);
        assert!(patience.lasts(later + 9 * MS));
        assert!(!patience.lasts(later + 10 * MS));
    }

    #[test]
    fn a_board_that_sends_other_messages_gets_more_time_but_not_for_ever() {
        let now = Duration::from_secs(7);
        let mut patience = Patience::new(now + 100 * MS, 10 * MS);
        patience.begin(now);
        patience.hears_other(now + 60 * MS);
        assert!(patience.lasts(now + 159 * MS));
        let mut at = now;
        while patience.lasts(at) {
            patience.begin(at);
            patience.hears_other(at);
            at = patience.until();
        }
        assert_eq!(at - now, 200 * MS);
    }

    #[test]
    fn waits_double_up_to_the_deadline() {
        let now = Duration::from_secs(7);
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
