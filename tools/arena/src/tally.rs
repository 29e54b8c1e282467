//! Counts games from the point of view of one player, with statistics.

use ludemes::report::wilson_interval;
use protocol::{Outcome, Side};
use serde::Serialize;

/// Finished games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Tally {
    /// The number of games won.
    pub won: u32,
    /// The number of games drawn.
    pub drawn: u32,
    /// The number of games lost.
    pub lost: u32,
}

impl Tally {
    /// Adds a game that was played on this side.
    pub fn add(&mut self, side: Side, outcome: Outcome) {
        match outcome {
            Outcome::Won(winner) if winner == side => self.won += 1,
            Outcome::Won(_) => self.lost += 1,
            Outcome::Draw => self.drawn += 1,
        }
    }

    /// The number of games in total.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// The share of points: a win counts 1 and a draw one half, divided by the games.
    #[must_use]
    pub fn share(&self) -> f64 {
        (f64::from(self.won) + f64::from(self.drawn) / 2.0) / f64::from(self.games().max(1))
    }

    /// The Wilson interval: with a probability of 95 %, the true share lies in it.
    #[must_use]
    pub fn interval(&self) -> [f64; 2] {
        wilson_interval(self.share(), self.games())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(won: u32, drawn: u32, lost: u32) -> Tally {
        Tally { won, drawn, lost }
    }

    #[test]
    fn a_draw_counts_as_half_a_win() {
        assert_eq!(tally(1, 2, 1).share(), 0.5);
        assert_eq!(tally(3, 2, 0).share(), 0.8);
    }

    #[test]
    fn the_interval_is_wilsons_and_narrows_with_games() {
        // 8 of 10, as in published tables: 49.0 to 94.3 %.
        let [low, high] = tally(8, 0, 2).interval();
        assert!(
            (low - 0.490).abs() < 0.001 && (high - 0.943).abs() < 0.001,
            "{low} {high}"
        );
        let [low, high] = tally(800, 0, 200).interval();
        assert!(low > 0.77 && high < 0.83, "{low} {high}");
        assert_eq!(tally(0, 0, 0).interval(), [0.0, 1.0]);
        assert!(tally(200, 0, 0).interval()[1] <= 1.0);
    }
}
