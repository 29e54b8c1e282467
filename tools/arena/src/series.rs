//! Series of games, and what they say about two levels.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

use firmware_core::games;
use indicatif::{ProgressBar, ProgressStyle};
use protocol::{Outcome, Side};
use serde::Serialize;

use crate::contest::Contest;

/// What came of a series, as the first level sees it.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Series {
    /// The level that is counted.
    pub level: u8,
    /// The level it played.
    pub against: u8,
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// Games that green won, at whichever level: what the first move is worth.
    pub won_by_green: u32,
    /// Games that red won.
    pub won_by_red: u32,
    /// Games that had to be broken off.
    pub endless: u32,
    /// Moves of both in all games.
    pub moves: u64,
    /// Calls of both players in all games: slices of a millisecond.
    pub wakes: u64,
    /// Points made by the level that is counted, in all games.
    pub points: u64,
    /// Points made by the other one.
    pub points_against: u64,
}

impl Series {
    /// Games that came to an end.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// Won games and half of the drawn ones, of 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        (f64::from(self.won) + f64::from(self.drawn) / 2.0) / f64::from(self.games().max(1))
    }

    /// By how many points the level that is counted led at the end, on average.
    #[must_use]
    pub fn lead(&self) -> f64 {
        let lead = self.points as f64 - self.points_against as f64;
        lead / f64::from((self.games() + self.endless).max(1))
    }

    /// The Wilson interval of [`Series::share`] at 95 %.
    #[must_use]
    pub fn interval(&self) -> [f64; 2] {
        interval(self.share(), self.games())
    }
}

/// Between what the true share lies, with a probability of 95 %, if so many
/// games showed this one (the Wilson interval).
#[must_use]
pub fn interval(share: f64, games: u32) -> [f64; 2] {
    const Z: f64 = 1.96;
    if games == 0 {
        return [0.0, 1.0];
    }
    let n = f64::from(games);
    let middle = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let spread = (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let half = Z / (1.0 + Z * Z / n) * spread;
    [(middle - half).max(0.0), (middle + half).min(1.0)]
}

/// A bar for so many games, on the standard error stream; nothing is drawn where
/// that is no terminal.
#[must_use]
pub fn progress(games: u64) -> ProgressBar {
    let style = "{msg} {bar:30} {pos}/{len}  {elapsed} of about {duration}";
    let style = ProgressStyle::with_template(style);
    ProgressBar::new(games).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Plays `games` games between two levels, colours in turn, on `jobs` threads.
/// `None` if the board is too small for the game.
#[must_use]
pub fn play(
    contest: Contest,
    levels: [u8; 2],
    games: u64,
    seed: u64,
    jobs: usize,
) -> Option<Series> {
    let bar = progress(games);
    bar.set_message(format!(
        "{} mode {}, level {} against {}",
        games::about(contest.game).map_or("", |about| about.name),
        contest.mode,
        levels[0],
        levels[1]
    ));
    let next = AtomicU64::new(0);
    let (sender, results) = mpsc::channel();
    let mut series = Series {
        level: levels[0],
        against: levels[1],
        ..Series::default()
    };
    let played = std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games || sender.send(one(contest, levels, seed, number)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for result in results {
            bar.inc(1);
            add(&mut series, result?);
        }
        Some(())
    });
    bar.finish_and_clear();
    played.map(|()| series)
}

type Result = (Side, crate::contest::Course);

/// Game `number` of a series. Two games in a row have the same chance, and the
/// colours changed.
fn one(contest: Contest, levels: [u8; 2], seed: u64, number: u64) -> Option<Result> {
    let side = if number.is_multiple_of(2) {
        Side::Green
    } else {
        Side::Red
    };
    let by_colour = match side {
        Side::Green => levels,
        Side::Red => [levels[1], levels[0]],
    };
    let course = contest.play(seed.wrapping_add(number / 2), by_colour)?;
    Some((side, course))
}

fn add(series: &mut Series, (side, course): Result) {
    match course.outcome {
        Some(Outcome::Won(Side::Green)) => series.won_by_green += 1,
        Some(Outcome::Won(Side::Red)) => series.won_by_red += 1,
        Some(Outcome::Draw) | None => {}
    }
    match course.outcome {
        Some(Outcome::Won(winner)) if winner == side => series.won += 1,
        Some(Outcome::Won(_)) => series.lost += 1,
        Some(Outcome::Draw) => series.drawn += 1,
        None => series.endless += 1,
    }
    series.moves += u64::from(course.moves);
    series.wakes += course.wakes;
    series.points += u64::from(course.score[side.index()]);
    series.points_against += u64::from(course.score[side.other().index()]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(won: u32, drawn: u32, lost: u32) -> Series {
        Series {
            won,
            drawn,
            lost,
            ..Series::default()
        }
    }

    #[test]
    fn a_drawn_game_is_half_a_won_one() {
        assert_eq!(series(1, 2, 1).share(), 0.5);
        assert_eq!(series(3, 2, 0).share(), 0.8);
    }

    #[test]
    fn the_interval_is_that_of_wilson_and_narrows_with_games() {
        // 8 of 10, as in the tables: 49.0 to 94.3 %.
        let [low, high] = series(8, 0, 2).interval();
        assert!(
            (low - 0.490).abs() < 0.001 && (high - 0.943).abs() < 0.001,
            "{low} {high}"
        );
        let [low, high] = series(800, 0, 200).interval();
        assert!(low > 0.77 && high < 0.83, "{low} {high}");
        assert_eq!(series(0, 0, 0).interval(), [0.0, 1.0]);
        assert!(series(200, 0, 0).interval()[1] <= 1.0);
    }

    #[test]
    fn the_lead_is_an_average_over_games() {
        let series = Series {
            points: 30,
            points_against: 10,
            ..series(4, 0, 0)
        };
        assert_eq!(series.lead(), 5.0);
    }
}
