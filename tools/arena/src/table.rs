//! Series of games, and what they say about two levels.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

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
    /// Games that had to be broken off.
    pub endless: u32,
    /// Moves of both in all games.
    pub moves: u64,
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

    /// The Wilson interval of [`Series::share`] at 95 %.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        const Z: f64 = 1.96;
        let n = f64::from(self.games().max(1));
        let p = self.share();
        let middle = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half = Z / (1.0 + Z * Z / n) * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        (middle - half, middle + half)
    }
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
    let bar = ProgressBar::new(games).with_style(
        ProgressStyle::with_template("{msg} {bar:40} {pos}/{len}  {elapsed} of about {duration}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar.set_message(format!("level {} against {}", levels[0], levels[1]));
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
        Some(Outcome::Won(winner)) if winner == side => series.won += 1,
        Some(Outcome::Won(_)) => series.lost += 1,
        Some(Outcome::Draw) => series.drawn += 1,
        None => series.endless += 1,
    }
    series.moves += u64::from(course.moves);
    series.points += u64::from(course.score[side.index()]);
    series.points_against += u64::from(course.score[side.other().index()]);
}
