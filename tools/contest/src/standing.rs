//! The results of the bots of a contest.

use std::collections::BTreeMap;

use protocol::{Outcome, Side};
use serde::Serialize;

use crate::bot::Verdict;
use crate::fault::BotFaultKind;
use crate::game::Lost;

/// The summed results of a bot's games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// The number of games played.
    pub games: u32,
    /// The points: 16 for a win, the number of blocks won for a draw.
    pub points: u32,
    /// The number of games won.
    pub won: u32,
    /// The number of games drawn.
    pub drawn: u32,
    /// The number of games lost.
    pub lost: u32,
    /// The number of games lost by its own faults, by kind.
    pub faults: BTreeMap<BotFaultKind, u32>,
    /// The number of rounds without an opponent.
    pub byes: u32,
}

/// A game as the ratings use it: the two bots, and the first one's share of the win.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The indices of the two bots.
    pub bots: [usize; 2],
    /// The first bot's share: 1 for a win, one half for a draw, 0 for a loss.
    pub share: f64,
}

/// The results of all bots of a contest.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    scores: Vec<Score>,
    games: Vec<Meeting>,
}

impl Standing {
    /// The standing of this many bots before the first game.
    #[must_use]
    pub fn new(bots: usize) -> Standing {
        Standing {
            scores: vec![Score::default(); bots],
            games: Vec::new(),
        }
    }

    /// The results of each bot.
    #[must_use]
    pub fn scores(&self) -> &[Score] {
        &self.scores
    }

    /// The games, in the order in which they were added.
    #[must_use]
    pub fn games(&self) -> &[Meeting] {
        &self.games
    }

    /// The two bots of each game.
    pub fn meetings(&self) -> impl Iterator<Item = &[usize; 2]> {
        self.games.iter().map(|game| &game.bots)
    }

    /// Adds a game between these bots, `x` first.
    pub fn add(
        &mut self,
        bots: [usize; 2],
        outcome: Outcome,
        points: [u16; 2],
        lost: Option<&Lost>,
    ) {
        for side in Side::BOTH {
            let Some(score) = self.scores.get_mut(bots[side.index()]) else {
                continue;
            };
            score.games += 1;
            score.points += u32::from(points[side.index()]);
            match Verdict::of(outcome, side) {
                Verdict::Won => score.won += 1,
                Verdict::Drawn => score.drawn += 1,
                Verdict::Lost => score.lost += 1,
            }
            if let Some(lost) = lost.filter(|lost| lost.by == crate::bot::mark(side)) {
                *score.faults.entry(lost.fault.kind).or_default() += 1;
            }
        }
        let share = match outcome {
            Outcome::Won(Side::Green) => 1.0,
            Outcome::Won(Side::Red) => 0.0,
            Outcome::Draw => 0.5,
        };
        self.games.push(Meeting { bots, share });
    }

    /// Gives a bot without an opponent its points.
    pub fn add_bye(&mut self, bot: usize, points: u32) {
        if let Some(score) = self.scores.get_mut(bot) {
            score.byes += 1;
            score.points += points;
        }
    }
}
