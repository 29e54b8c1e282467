//! Measures the actual speed of board time, which may be below the requested one on a
//! slow machine or a slow board.

use std::collections::VecDeque;
use std::time::Duration;

use bevy::prelude::*;
use protocol::Tick;

use super::BoardPace;

/// The period of a measurement. A board at the end of a line reports its tick only a few
/// times a second.
const WINDOW: Duration = Duration::from_secs(2);

/// The least number of moments that are kept, even if pictures are slow: the tick of a
/// board at the end of a line is up to one picture old.
const FEWEST: usize = 8;

/// The shortest period that counts as a measurement.
const LEAST: Duration = Duration::from_millis(900);

/// A rate differs from the requested one once it has done so for this long: the first
/// pictures of a window, or the loading of a game, are slow on every machine.
const PERSISTS: Duration = Duration::from_secs(2);

/// A board keeps up unless its time passes slower than this fraction of the requested
/// speed, or faster than its reciprocal.
const KEEPS_UP: f32 = 0.85;

/// Measures how fast board time passes in real time.
#[derive(Resource, Clone, Debug, Default)]
pub struct RealRate {
    /// Moments at which the tick changed, in real time since the start.
    moments: VecDeque<(Duration, Tick)>,
    now: Duration,
    /// Since when the rate has differed from the requested one.
    off_since: Option<Duration>,
}

impl RealRate {
    /// Records the board's tick at this time.
    pub fn note(&mut self, now: Duration, tick: Tick, pace: BoardPace) {
        let elapsed = now.saturating_sub(self.now);
        self.now = now;
        if let Some((_, last)) = self.moments.back() {
            // More ticks than real time can account for: another state was loaded.
            let most = 1_000.0 + 4.0 * elapsed.as_secs_f32() * 1_000.0 * pace.speed;
            if tick < *last || (tick - last) as f32 > most {
                self.restart();
            }
        }
        if self.moments.back().is_none_or(|(_, last)| *last != tick) {
            self.moments.push_back((now, tick));
        }
        while self.moments.len() > FEWEST && self.moments[1].0 + WINDOW <= now {
            self.moments.pop_front();
        }
        self.off_since = match self.off_now(pace) {
            Some(_) => self.off_since.or(Some(now)),
            None => None,
        };
    }

    /// Drops earlier measurements, because the pace has changed.
    pub fn restart(&mut self) {
        self.moments.clear();
        self.off_since = None;
    }

    /// The ratio of board time to real time; `None` until it has been measured.
    #[must_use]
    pub fn measured(&self) -> Option<f32> {
        let (began, first) = *self.moments.front()?;
        let (mut ended, last) = *self.moments.back()?;
        if self.now.saturating_sub(ended) > LEAST {
            // Board time is frozen, or almost.
            ended = self.now;
        }
        let span = ended.saturating_sub(began);
        (span >= LEAST).then(|| (last - first) as f32 / 1_000.0 / span.as_secs_f32())
    }

    /// The measured rate if it differs from the requested one, and has for a while.
    #[must_use]
    pub fn off(&self, pace: BoardPace) -> Option<f32> {
        let lasted = self.now.saturating_sub(self.off_since?);
        self.off_now(pace).filter(|_| lasted >= PERSISTS)
    }

    /// The measured rate if it differs from the requested one now.
    fn off_now(&self, pace: BoardPace) -> Option<f32> {
        let part = |measured: f32| measured / pace.speed;
        let keeps_up = KEEPS_UP..=1.0 / KEEPS_UP;
        self.measured()
            .filter(|measured| !pace.frozen && !keeps_up.contains(&part(*measured)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rate after five seconds of pictures, each `picture_ms` long; `ticks`
    /// gives the board's tick at a time.
    fn measured_at(picture_ms: u64, ticks: impl Fn(u64) -> Tick) -> RealRate {
        let mut rate = RealRate::default();
        for ms in (0..=5_000).step_by(picture_ms as usize) {
            rate.note(Duration::from_millis(ms), ticks(ms), BoardPace::default());
        }
        rate
    }

    fn is_about(measured: Option<f32>, wanted: f32) {
        let measured = measured.unwrap();
        assert!((measured / wanted - 1.0).abs() < 0.05, "{measured}");
    }

    #[test]
    fn a_board_in_real_time_has_no_rate_error() {
        for picture_ms in [16, 200, 2_500] {
            let rate = measured_at(picture_ms, |ms| ms);
            is_about(rate.measured(), 1.0);
            assert_eq!(rate.off(BoardPace::default()), None);
        }
    }

    #[test]
    fn a_rate_of_one_seventh_is_measured() {
        for picture_ms in [16, 200, 2_500] {
            let rate = measured_at(picture_ms, |ms| ms / 7);
            is_about(rate.off(BoardPace::default()), 1.0 / 7.0);
        }
    }

    #[test]
    fn rare_ticks_are_enough_to_measure_the_rate() {
        is_about(measured_at(16, |ms| ms / 200 * 200).measured(), 1.0);
    }

    #[test]
    fn a_stopped_board_has_a_rate_error() {
        let rate = measured_at(16, |ms| ms.min(1_000));
        assert!(
            rate.off(BoardPace::default())
                .is_some_and(|rate| rate < 0.1)
        );
    }

    #[test]
    fn a_slow_second_is_no_slow_board() {
        let slow = |ms: u64| match ms {
            ..4_000 => ms,
            _ => 4_000 + (ms - 4_000) / 5,
        };
        assert!(
            measured_at(16, slow)
                .measured()
                .is_some_and(|rate| rate < 0.8)
        );
        assert_eq!(measured_at(16, slow).off(BoardPace::default()), None);
    }

    #[test]
    fn a_jump_in_time_discards_the_measurement() {
        for there in [50_000, 10] {
            let rate = measured_at(16, |ms| if ms < 4_500 { ms } else { there + ms - 4_500 });
            assert_eq!(rate.measured(), None);
        }
    }

    #[test]
    fn a_rate_needs_more_than_one_picture() {
        assert_eq!(RealRate::default().measured(), None);
        assert_eq!(measured_at(6_000, |ms| ms).measured(), None);
    }
}
