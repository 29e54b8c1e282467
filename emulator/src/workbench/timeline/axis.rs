//! The axis of the timeline: the visible part of the session, and the places of its ticks
//! on the screen.
//!
//! Invariants: the visible part lies within the session; zooming keeps the tick under the
//! pointer in its place.

use protocol::Tick;

/// The shortest visible part, in which a tick is as wide as a finger.
const CLOSEST_MS: f64 = 20.0;
/// The least distance between two lines of the scale, in points.
const LEAST_GAP: f64 = 64.0;

/// The visible part of the session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Beginning and end of the session, in ms.
    pub session: [f64; 2],
    /// Beginning and end of the visible part, in ms; `None` for the whole session.
    seen: Option<[f64; 2]>,
    /// Left and right edge on the screen, in points.
    pub place: [f32; 2],
}

impl Default for Axis {
    fn default() -> Axis {
        Axis {
            session: [0.0, 1.0],
            seen: None,
            place: [0.0, 1.0],
        }
    }
}

impl Axis {
    /// Sets the extent of the session, and the edges on the screen.
    pub fn set(&mut self, from: Tick, until: Tick, place: [f32; 2]) {
        let until = until.max(from + 1);
        self.session = [from as f64, until as f64];
        self.place = [place[0], place[1].max(place[0] + 1.0)];
        if let Some([from, until]) = self.seen {
            self.see(from, until);
        }
    }

    /// The first and the last visible ms.
    pub fn span(&self) -> [f64; 2] {
        self.seen.unwrap_or(self.session)
    }

    /// True if the whole session is visible.
    pub fn is_whole(&self) -> bool {
        self.seen.is_none()
    }

    /// Zooms out to the whole session.
    pub fn see_all(&mut self) {
        self.seen = None;
    }

    /// Shows this part, limited to the session.
    pub fn see(&mut self, from: f64, until: f64) {
        let [begin, end] = self.session;
        let length = (until - from).max(CLOSEST_MS);
        if length >= end - begin {
            self.seen = None;
            return;
        }
        let from = from.clamp(begin, end - length);
        self.seen = Some([from, from + length]);
    }

    /// The ms per point of the screen.
    fn ms_in_a_point(&self) -> f64 {
        let [from, until] = self.span();
        (until - from) / f64::from(self.place[1] - self.place[0])
    }

    /// The place of a moment on the screen.
    pub fn x(&self, ms: f64) -> f32 {
        let [from, _] = self.span();
        self.place[0] + ((ms - from) / self.ms_in_a_point()) as f32
    }

    /// The tick at a place on the screen, limited to the session.
    pub fn tick(&self, x: f32) -> Tick {
        let [from, _] = self.span();
        let ms = from + f64::from(x - self.place[0]) * self.ms_in_a_point();
        ms.round().clamp(self.session[0], self.session[1]) as Tick
    }

    /// Scales the visible part around a place on the screen; a factor above 1 shows more.
    pub fn zoom(&mut self, factor: f64, x: f32) {
        let [from, until] = self.span();
        let about = from + f64::from(x - self.place[0]) * self.ms_in_a_point();
        let length = ((until - from) * factor).max(CLOSEST_MS);
        let share = (about - from) / (until - from);
        self.see(about - share * length, about + (1.0 - share) * length);
    }

    /// Moves the visible part by this distance on the screen, in points.
    pub fn pan(&mut self, points: f32) {
        if let Some([from, until]) = self.seen {
            let ms = f64::from(points) * self.ms_in_a_point();
            self.see(from - ms, until - ms);
        }
    }

    /// Moves the visible part to include this tick.
    pub fn show(&mut self, tick: Tick) {
        let Some([from, until]) = self.seen else {
            return;
        };
        let (tick, length) = (tick as f64, until - from);
        if tick < from {
            self.see(tick - 0.1 * length, tick + 0.9 * length);
        } else if tick > until {
            self.see(tick - 0.9 * length, tick + 0.1 * length);
        }
    }

    /// The lines of the scale: the ms and the label of each.
    pub fn scale(&self) -> impl Iterator<Item = (f64, String)> {
        let least = self.ms_in_a_point() * LEAST_GAP;
        let step = step(least);
        let [from, until] = self.span();
        let first = (from / step).ceil() as i64;
        let last = (until / step).floor() as i64;
        (first..=last).map(move |line| {
            let ms = line as f64 * step;
            (ms, written(ms as Tick, step))
        })
    }
}

/// The smallest step of a scale that is at least this long: 1, 2, 5, 10 ms and so
/// on up to a minute, then whole minutes.
fn step(least: f64) -> f64 {
    let steps = [
        1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 10e3, 20e3, 30e3,
        60e3, 120e3, 300e3, 600e3, 1_800e3, 3_600e3,
    ];
    let found = steps.into_iter().find(|step| *step >= least);
    found.unwrap_or_else(|| (least / 3_600e3).ceil() * 3_600e3)
}

/// The label of a moment on a scale with this step.
fn written(tick: Tick, step: f64) -> String {
    let (minutes, seconds) = (tick / 60_000, tick / 1_000 % 60);
    match step {
        step if step >= 60e3 => format!("{minutes} min"),
        step if step >= 1e3 && minutes > 0 => format!("{minutes}:{seconds:02}"),
        step if step >= 1e3 => format!("{seconds} s"),
        _ => format!("{}.{:03}", tick / 1_000, tick % 1_000),
    }
}

#[cfg(test)]
mod tests {
    use law::{Judged, Weight, law};
    use proptest::prelude::*;

    use super::*;

    fn axis(until: Tick, width: f32) -> Axis {
        let mut axis = Axis::default();
        axis.set(0, until, [100.0, 100.0 + width]);
        axis
    }

    #[test]
    fn zooming_and_panning_stay_within_the_session() {
        // In as often as out.
        let factor = prop_oneof![0.1..1.0_f64, 1.0..8.0_f64];
        let moves = prop::collection::vec((factor, 0.0..900.0_f32, -500.0..500.0_f32), 0..12);
        law(
            Weight::of(200, 60),
            (1..4_000_000_u64, moves),
            |(until, moves)| {
                let mut axis = axis(until, 800.0);
                let mut was_part = false;
                for (factor, x, points) in moves {
                    axis.zoom(factor, 100.0 + x);
                    axis.pan(points);
                    axis.show(until / 3);
                    let [from, to] = axis.span();
                    prop_assert!(from >= 0.0 && to <= until as f64 && from < to);
                    was_part |= !axis.is_whole();
                }
                Ok(Judged::if_any(was_part))
            },
        );
    }

    #[test]
    fn zooming_keeps_the_moment_under_the_mouse() {
        let mut axis = axis(600_000, 800.0);
        let x = 431.0;
        let before = axis.tick(x);
        for _ in 0..10 {
            axis.zoom(0.6, x);
            assert!(axis.tick(x).abs_diff(before) <= 300, "{}", axis.tick(x));
        }
        assert!(!axis.is_whole());
        axis.see_all();
        assert_eq!(axis.span(), [0.0, 600_000.0]);
    }

    #[test]
    fn places_and_ticks_convert_both_ways() {
        let axis = axis(10_000, 500.0);
        for tick in [0, 20, 1_000, 9_980, 10_000] {
            assert_eq!(axis.tick(axis.x(tick as f64)), tick);
        }
        assert_eq!(axis.tick(-50.0), 0);
        assert_eq!(axis.tick(9_000.0), 10_000);
    }

    #[test]
    fn the_scale_is_never_crowded_and_never_empty() {
        for until in [30, 700, 9_000, 61_000, 3_600_000, 90_000_000] {
            let axis = axis(until, 800.0);
            let lines: Vec<(f64, String)> = axis.scale().collect();
            assert!(lines.len() >= 2 && lines.len() <= 14, "{until}: {lines:?}");
        }
        let text = |tick, step| written(tick, step);
        assert_eq!(text(61_000, 1_000.0), "1:01");
        assert_eq!(text(1_250, 50.0), "1.250");
        assert_eq!(text(600_000, 60_000.0), "10 min");
    }
}
