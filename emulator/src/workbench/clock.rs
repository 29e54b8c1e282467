//! A clock that is reported occasionally and shown continuously.
//!
//! A board at the end of a line reports the remaining time a few times a second; in
//! between, this clock continues by itself at the rate of board time. Invariants: it
//! never shows more than the last report, and stops if reports stop.

use std::time::Duration;

use protocol::Clock;

/// How long the clock continues by itself: a little longer than the interval between
/// reports.
const ALONE: Duration = Duration::from_millis(700);

/// The clock that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunningClock {
    /// The last report, and its time.
    said: Option<(Clock, Duration)>,
}

impl RunningClock {
    /// The time to show now, given the last report; `rate` is the ratio of board
    /// time to real time, 0 while board time is frozen.
    pub fn show(&mut self, said: Option<Clock>, rate: f32, now: Duration) -> Option<Clock> {
        let clock = said?;
        let since = match self.said {
            Some((before, since)) if before == clock => since,
            _ => now,
        };
        self.said = Some((clock, since));
        let alone = now.saturating_sub(since).min(ALONE);
        let passed_ms = (alone.as_secs_f32() * 1_000.0 * rate) as u32;
        Some(clock.after(passed_ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(left_ms: u32) -> Clock {
        Clock {
            left_ms,
            of_ms: 30_000,
            waits: false,
        }
    }

    fn shown(hand: &mut RunningClock, left_ms: u32, rate: f32, now_ms: u64) -> u32 {
        let now = Duration::from_millis(now_ms);
        let shown = hand.show(Some(clock(left_ms)), rate, now);
        shown.expect("a clock was said").left_ms
    }

    #[test]
    fn the_clock_runs_on_at_board_speed_between_reports() {
        let mut hand = RunningClock::default();
        assert_eq!(shown(&mut hand, 9_000, 1.0, 0), 9_000);
        assert_eq!(shown(&mut hand, 9_000, 1.0, 150), 8_850);
        assert_eq!(shown(&mut hand, 8_800, 1.0, 200), 8_800);
        assert_eq!(shown(&mut hand, 8_800, 2.0, 300), 8_600);
    }

    #[test]
    fn a_stopped_clock_stands_still() {
        let mut hand = RunningClock::default();
        assert_eq!(shown(&mut hand, 9_000, 0.0, 0), 9_000);
        assert_eq!(shown(&mut hand, 9_000, 0.0, 5_000), 9_000);
    }

    #[test]
    fn a_silent_board_does_not_run_out_of_time() {
        let mut hand = RunningClock::default();
        assert_eq!(shown(&mut hand, 9_000, 1.0, 0), 9_000);
        assert_eq!(shown(&mut hand, 9_000, 1.0, 60_000), 8_300);
    }
}
