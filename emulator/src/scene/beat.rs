//! The board time at which lights are drawn, which decides when they blink.
//!
//! The tick of a board in this process is known in every picture. A board at the end of a
//! line reports its tick only occasionally. In between, the beat is extrapolated for a
//! limited time.

use core::time::Duration;

use bevy::prelude::*;
use protocol::Tick;

use super::SceneSet;
use crate::source::{BoardLink, BoardTime, Shown};

/// The longest silence over which the tick of a board is extrapolated.
const BELIEVED: Duration = Duration::from_millis(400);

/// The estimated tick of the board.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beat {
    /// The tick at which the rhythms of lights are evaluated.
    pub tick: Tick,
    told: Tick,
    told_at: Duration,
    /// The board's tick in the previous picture, and a counter of pictures.
    at: Tick,
    picture: u32,
}

/// From this many ticks per picture on, blinking lights may alias with the pictures.
const SLOW: Tick = 120;
/// More ticks than this are a jump to another moment.
const JUMP: Tick = 3_000;
/// The golden ratio: the fractional parts of its multiples are evenly spread.
const GOLDEN: f32 = 0.618_034;

impl Beat {
    /// Updates the beat. `told` is the last tick that the board reported, `now` the real
    /// time.
    pub fn follow(&mut self, told: Tick, now: Duration, shown: &Shown) {
        if self.told != told {
            self.told = told;
            self.told_at = now;
        }
        let goes_on = matches!(shown.link, BoardLink::Up { .. }) && !shown.pace.frozen;
        let since = (now - self.told_at).min(BELIEVED);
        let ticks = match goes_on {
            true => (since.as_secs_f32() * 1_000.0 * shown.pace.speed) as Tick,
            false => 0,
        };
        self.tick = told + ticks;
    }

    /// Picks a varying moment since the previous picture instead of the latest one.
    /// Otherwise a light that blinks as fast as pictures are drawn could stay dark.
    fn spread(&mut self) {
        // Zero if time is stopped or went back.
        let went_by = self.tick.saturating_sub(self.at);
        self.at = self.tick;
        if went_by == 0 {
            return;
        }
        self.picture = self.picture.wrapping_add(1) % 1_000;
        if (SLOW..JUMP).contains(&went_by) {
            let part = (self.picture as f32 * GOLDEN).fract();
            self.tick -= (went_by as f32 * part) as Tick;
        }
    }
}

/// Keeps the [`Beat`] up to date.
pub struct BeatPlugin;

impl Plugin for BeatPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Beat>()
            .add_systems(Update, follow.in_set(SceneSet::Plan));
    }
}

fn follow(mut beat: ResMut<Beat>, clock: Res<BoardTime>, shown: Res<Shown>, time: Res<Time<Real>>) {
    let mut next = *beat;
    let tick = clock.0.saturating_sub(shown.past.later_ms);
    next.follow(tick, time.elapsed(), &shown);
    next.spread();
    beat.set_if_neq(next);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::BoardPace;

    #[test]
    fn a_light_blinking_at_the_picture_rate_is_seen_lit_and_dark() {
        let mut beat = Beat::default();
        for period in [200, 400, 500, 1_000] {
            let mut lit = 0;
            for picture in 0..100 {
                beat.tick = picture * period;
                beat.spread();
                lit += u32::from(beat.tick % period < period / 2);
            }
            assert!((35..65).contains(&lit), "{period}: {lit}");
        }
    }

    #[test]
    fn frequent_pictures_show_the_exact_beat() {
        let mut beat = Beat::default();
        for tick in (0..2_000).step_by(16) {
            beat.tick = tick;
            beat.spread();
            assert_eq!(beat.tick, tick);
        }
    }

    fn ticks(link: BoardLink, pace: BoardPace, after_ms: &[u64]) -> Vec<Tick> {
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

    fn up() -> BoardLink {
        BoardLink::Up {
            board: "virtual".to_owned(),
        }
    }

    #[test]
    fn the_beat_continues_briefly_without_news_from_the_board() {
        let free = BoardPace::default();
        assert_eq!(ticks(up(), free, &[100, 350, 9_000]), [1_100, 1_350, 1_400]);
        let half = BoardPace { speed: 0.5, ..free };
        assert_eq!(ticks(up(), half, &[100]), [1_050]);
    }

    #[test]
    fn the_beat_of_a_frozen_or_in_process_board_is_its_tick() {
        let frozen = BoardPace {
            frozen: true,
            ..BoardPace::default()
        };
        assert_eq!(ticks(up(), frozen, &[100]), [1_000]);
        assert_eq!(
            ticks(BoardLink::Direct, BoardPace::default(), &[100]),
            [1_000]
        );
    }
}
