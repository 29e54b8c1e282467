//! Lowers the quality of the scene where pictures take too long.
//!
//! The kind of a graphics device does not tell how fast it is: a discrete card may be ten
//! years old. So the quality that the device begins with is only a first guess. While
//! pictures take longer than a screen of 60 Hz allows, the next lower quality is tried, and
//! kept if it makes them faster.
//!
//! Invariants: a quality that the user chose is never changed; a lower quality that does not
//! help is taken back, and none is tried again at this size of the window; each change is in
//! the log.

use std::time::Duration;

use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowResized};

use super::quality::{Quality, WantedQuality};
use crate::source::{BoardTime, Log, SourceSet};

/// A picture may take this long. It is between the intervals of a screen of 60 Hz (16.7 ms)
/// and of the first rate below it that waiting for the screen allows (33.3 ms), and above
/// that of a screen of 50 Hz.
const LONGEST: Duration = Duration::from_millis(21);

/// The number of pictures whose median is compared: two seconds at 45 pictures a second.
const PICTURES: usize = 90;

/// The number of pictures that are left out after a change, while shaders are compiled and
/// textures are made.
const LEFT_OUT: usize = 30;

/// Longer intervals are not those of drawing: the window was hidden, or something was loaded.
const PAUSE: Duration = Duration::from_millis(500);

/// A lower quality is kept if a picture takes at most this percentage of the time before.
const KEPT_AT_PERCENT: u32 = 85;

/// Watches how long pictures take, and decides on the quality.
#[derive(Resource, Clone, Debug, Default)]
pub struct PicturePace {
    intervals: Vec<Duration>,
    left_out: usize,
    /// The quality that is being improved on, and how long its pictures took.
    tried_below: Option<(Quality, Duration)>,
    /// True once a lower quality did not help.
    is_settled: bool,
}

/// A change of quality, and how long a picture took before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaceChange {
    /// The quality from now on.
    pub quality: Quality,
    /// The median of the last pictures.
    pub took: Duration,
}

impl PaceChange {
    /// The change in words, for the log.
    #[must_use]
    pub fn sentence(&self, before: Quality) -> String {
        let ms = self.took.as_millis();
        let words = |quality: Quality| quality.name().to_lowercase();
        let (now, before, is_lower) = (words(self.quality), words(before), self.quality < before);
        match is_lower {
            true => {
                format!("a picture took {ms} ms: the quality is now {now}, not {before} (View)")
            }
            false => {
                format!("pictures are not faster in {before} quality: it is {now} again (View)")
            }
        }
    }
}

impl PicturePace {
    /// Takes in the time since the last picture, in this quality. Returns the quality to
    /// change to, if any.
    pub fn picture(&mut self, took: Duration, quality: Quality) -> Option<PaceChange> {
        if self.is_settled || took > PAUSE {
            return None;
        }
        if self.left_out < LEFT_OUT {
            self.left_out += 1;
            return None;
        }
        self.intervals.push(took);
        if self.intervals.len() < PICTURES {
            return None;
        }
        let took = self.median();
        let next = self.judge(took, quality)?;
        self.left_out = 0;
        Some(PaceChange {
            quality: next,
            took,
        })
    }

    /// The median of the intervals, which are dropped.
    fn median(&mut self) -> Duration {
        let middle = self.intervals.len() / 2;
        let (_, median, _) = self.intervals.select_nth_unstable(middle);
        let median = *median;
        self.intervals.clear();
        median
    }

    fn judge(&mut self, took: Duration, quality: Quality) -> Option<Quality> {
        if let Some((before, took_before)) = self.tried_below.take()
            && took * 100 > took_before * KEPT_AT_PERCENT
        {
            self.is_settled = true;
            return Some(before);
        }
        let lower = quality.lower().filter(|_| took > LONGEST)?;
        self.tried_below = Some((quality, took));
        Some(lower)
    }
}

/// Lowers the quality where pictures take too long.
pub struct PacePlugin;

impl Plugin for PacePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<PicturePace>()
            .add_systems(Update, keep_pace.after(SourceSet::Exchange));
    }
}

fn keep_pace(
    (time, clock): (Res<Time<Real>>, Res<BoardTime>),
    wanted: Res<WantedQuality>,
    windows: Query<&Window, With<PrimaryWindow>>,
    mut resized: MessageReader<WindowResized>,
    (mut pace, mut quality, mut log): (ResMut<PicturePace>, ResMut<Quality>, ResMut<Log>),
) {
    let is_other_size = resized.read().count() > 0;
    if is_other_size || wanted.is_changed() {
        *pace = PicturePace::default();
    }
    // A window in the background is drawn more rarely.
    let is_in_front = windows.single().is_ok_and(|window| window.focused);
    if wanted.0.is_some() || !is_in_front {
        return;
    }
    if let Some(change) = pace.picture(time.delta(), *quality) {
        log.add_sentence(clock.0, change.sentence(*quality));
        *quality = change.quality;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The qualities and logged sentences of a window whose pictures take this long in each
    /// quality.
    fn driven(took_ms: fn(Quality) -> u64) -> (Quality, Vec<String>) {
        let (mut pace, mut quality) = (PicturePace::default(), Quality::Fine);
        let mut sentences = Vec::new();
        for _ in 0..2_000 {
            let took = Duration::from_millis(took_ms(quality));
            if let Some(change) = pace.picture(took, quality) {
                sentences.push(change.sentence(quality));
                quality = change.quality;
            }
        }
        (quality, sentences)
    }

    #[test]
    fn a_slow_card_gets_the_best_quality_it_can_draw_in_time() {
        let (quality, sentences) = driven(|quality| match quality {
            Quality::Fine => 33,
            Quality::Standard | Quality::Plain => 17,
        });
        assert_eq!(quality, Quality::Standard);
        assert_eq!(
            sentences,
            ["a picture took 33 ms: the quality is now standard, not fine (View)"]
        );
        let (quality, sentences) = driven(|quality| match quality {
            Quality::Fine => 90,
            Quality::Standard => 40,
            Quality::Plain => 16,
        });
        assert_eq!((quality, sentences.len()), (Quality::Plain, 2));
    }

    #[test]
    fn a_quality_that_is_not_faster_is_taken_back_for_good() {
        // A screen of 30 Hz.
        let (quality, sentences) = driven(|_| 33);
        assert_eq!(quality, Quality::Fine);
        let told = [
            "a picture took 33 ms: the quality is now standard, not fine (View)",
            "pictures are not faster in standard quality: it is fine again (View)",
        ];
        assert_eq!(sentences, told);
    }

    #[test]
    fn fast_pictures_and_single_slow_ones_change_nothing() {
        assert_eq!(driven(|_| 17), (Quality::Fine, Vec::new()));
        let mut pace = PicturePace::default();
        for number in 0..2_000 {
            let ms = [16, 16, 16, 16, 300, 900][number % 6];
            let change = pace.picture(Duration::from_millis(ms), Quality::Fine);
            assert_eq!(change, None);
        }
    }

    /// A window with this choice of the user, after many slow pictures.
    fn slow_window(wanted: Option<Quality>, focused: bool) -> Quality {
        let mut app = App::new();
        app.init_resource::<Time<Real>>()
            .init_resource::<BoardTime>()
            .init_resource::<Log>()
            .init_resource::<Quality>()
            .insert_resource(WantedQuality(wanted))
            .add_message::<WindowResized>()
            .add_plugins(PacePlugin);
        let window = Window {
            focused,
            ..Window::default()
        };
        app.world_mut().spawn((window, PrimaryWindow));
        for _ in 0..150 {
            let mut time = app.world_mut().resource_mut::<Time<Real>>();
            time.advance_by(Duration::from_millis(40));
            app.update();
        }
        *app.world().resource::<Quality>()
    }

    #[test]
    fn a_chosen_quality_stays_however_slow_pictures_are() {
        assert_eq!(slow_window(None, true), Quality::Plain);
        assert_eq!(
            slow_window(Some(Quality::Standard), true),
            Quality::Standard
        );
        assert_eq!(slow_window(None, false), Quality::Standard);
    }
}
