//! The tick that lights blink by.
//!
//! A board in this process is at its tick in every picture. One at the end of a
//! line says its tick now and then; between, its own timer goes on, and so does
//! the beat, but never further than the board is asked again.

use core::time::Duration;

use bevy::prelude::*;
use protocol::Tick;

use super::SceneSet;
use crate::source::{Clock, Link, Shown};

/// The longest time without a word for which a board is believed to go on.
const BELIEVED: Duration = Duration::from_millis(400);

/// The tick that the board is at, as far as one can know.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beat {
    /// That tick.
    pub tick: Tick,
    told: Tick,
    told_at: Duration,
}

impl Beat {
    /// The board is, or was last, at `told`; it is `now`.
    pub fn follow(&mut self, told: Tick, now: Duration, shown: &Shown) {
        if self.told != told {
            self.told = told;
            self.told_at = now;
        }
        let goes_on = matches!(shown.link, Link::Up { .. }) && !shown.pace.paused;
        let since = (now - self.told_at).min(BELIEVED);
        let ticks = match goes_on {
            true => (since.as_secs_f32() * 1_000.0 * shown.pace.speed) as Tick,
            false => 0,
        };
        self.tick = told + ticks;
    }
}

/// Keeps the [`Beat`].
pub struct BeatPlugin;

impl Plugin for BeatPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Beat>()
            .add_systems(Update, follow.in_set(SceneSet::Plan));
    }
}

fn follow(mut beat: ResMut<Beat>, clock: Res<Clock>, shown: Res<Shown>, time: Res<Time<Real>>) {
    let mut next = *beat;
    next.follow(clock.0, time.elapsed(), &shown);
    beat.set_if_neq(next);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Pace;

    fn ticks(link: Link, pace: Pace, after_ms: &[u64]) -> Vec<Tick> {
        let shown = Shown {
            link,
            pace,
            ..Shown::default()
        };
        let mut beat = Beat::default();
        let begin = Duration::from_secs(5);
        beat.follow(1_000, begin, &shown);
        let later = after_ms.iter().map(|ms| begin + Duration::from_millis(*ms));
        later
            .map(|now| {
                beat.follow(1_000, now, &shown);
                beat.tick
            })
            .collect()
    }

    fn up() -> Link {
        Link::Up {
            board: "virtual".to_owned(),
        }
    }

    #[test]
    fn between_two_words_of_a_board_its_time_goes_on_for_a_while() {
        let free = Pace::default();
        assert_eq!(ticks(up(), free, &[100, 350, 9_000]), [1_100, 1_350, 1_400]);
        let half = Pace { speed: 0.5, ..free };
        assert_eq!(ticks(up(), half, &[100]), [1_050]);
    }

    #[test]
    fn a_board_that_stands_still_or_is_in_this_process_is_at_its_tick() {
        let paused = Pace {
            paused: true,
            ..Pace::default()
        };
        assert_eq!(ticks(up(), paused, &[100]), [1_000]);
        assert_eq!(ticks(Link::Direct, Pace::default(), &[100]), [1_000]);
    }
}
