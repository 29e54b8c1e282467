//! Series of games, and their result for two levels.

use firmware_core::games;
use protocol::{Outcome, Side};
use serde::{Deserialize, Serialize};

use crate::error::ArenaError;
use crate::names::NotFitting;
use crate::parallel::{play_all, seed_of, side_of};
use crate::played_game::{MatchSetup, PlayedGame};
use crate::tally::Tally;

/// What the games of a series have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesPlan {
    /// The number of the game.
    pub game: u8,
    /// Its name.
    pub name: String,
    /// Its mode.
    pub mode: u8,
    /// The layout in words.
    pub layout: String,
    /// Random moves at the beginning of each game.
    pub random_moves: u8,
    /// The level whose results are counted, and that of its opponent.
    pub levels: [u8; 2],
}

/// The results of a series, from the point of view of the first level.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Series {
    /// The level whose results these are.
    pub level: u8,
    /// The level of the opponent.
    pub against: u8,
    /// Games won, drawn and lost.
    #[serde(flatten)]
    pub tally: Tally,
    /// The number of games that green won, at any level. It shows the advantage of the
    /// first move.
    pub won_by_green: u32,
    /// The number of games that red won.
    pub won_by_red: u32,
    /// The number of games that were stopped because they were too long.
    pub endless: u32,
    /// Moves of both in all games.
    pub moves: u64,
    /// How often the players were called in all games, each time for a slice of a
    /// millisecond.
    pub wakes: u64,
    /// The points of the counted level in all games.
    pub points: u64,
    /// The points of its opponent in all games.
    pub points_against: u64,
}

impl Series {
    /// The average lead of the counted level at the end, in points.
    #[must_use]
    pub fn lead(&self) -> f64 {
        let lead = self.points as f64 - self.points_against as f64;
        lead / f64::from((self.tally.games() + self.endless).max(1))
    }

    /// The result of these games, with their numbers.
    #[must_use]
    pub fn of<'g>(
        plan: &SeriesPlan,
        games: impl IntoIterator<Item = (u64, &'g PlayedGame)>,
    ) -> Series {
        let mut series = Series {
            level: plan.levels[0],
            against: plan.levels[1],
            ..Series::default()
        };
        for (number, played) in games {
            add(&mut series, side_of(number), played);
        }
        // In Malaka, points are the steps still to go, so the side with fewer points leads.
        if plan.game == games::number::MALAKA {
            std::mem::swap(&mut series.points, &mut series.points_against);
        }
        series
    }
}

/// Plays the games with these numbers, with changing sides, on this many threads, and passes
/// on each as soon as it is over.
///
/// # Errors
/// If the layout is too small for the game, or the first error of `keep`.
pub fn play(
    setup: &MatchSetup,
    plan: &SeriesPlan,
    numbers: &[u64],
    seed: u64,
    threads: usize,
    mut keep: impl FnMut(u64, PlayedGame) -> Result<(), ArenaError>,
) -> Result<(), ArenaError> {
    let SeriesPlan {
        name, mode, levels, ..
    } = plan;
    let what = format!(
        "{name} mode {mode}, level {} against {}",
        levels[0], levels[1]
    );
    let one = |_: &mut (), place: u64| {
        let number = numbers[place as usize];
        let by_colour = match side_of(number) {
            Side::Green => *levels,
            Side::Red => [levels[1], levels[0]],
        };
        let played = setup.play(seed_of(seed, number), by_colour);
        played.ok_or_else(|| NotFitting::new(name, setup.layout).into())
    };
    play_all(numbers.len() as u64, threads, what, one, |place, played| {
        keep(numbers[place as usize], played)
    })
}

fn add(series: &mut Series, side: Side, played: &PlayedGame) {
    match played.outcome {
        Some(Outcome::Won(Side::Green)) => series.won_by_green += 1,
        Some(Outcome::Won(Side::Red)) => series.won_by_red += 1,
        Some(Outcome::Draw) | None => {}
    }
    match played.outcome {
        Some(outcome) => series.tally.add(side, outcome),
        None => series.endless += 1,
    }
    series.moves += u64::from(played.moves);
    series.wakes += played.wakes;
    series.points += u64::from(played.score[side.index()]);
    series.points_against += u64::from(played.score[side.other().index()]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lead_is_an_average_over_games() {
        let series = Series {
            points: 30,
            points_against: 10,
            tally: Tally {
                won: 4,
                ..Tally::default()
            },
            ..Series::default()
        };
        assert_eq!(series.lead(), 5.0);
    }
}
