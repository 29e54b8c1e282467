//! Pairings: round robin and Swiss.
//!
//! Invariants: the games of a round are determined by the plan and, in a Swiss contest,
//! by the results of the previous rounds. Their numbers and seeds are always the same, so
//! a stopped contest continues unchanged.

use std::collections::BTreeMap;

use clap::ValueEnum;
use firmware_core::games::ticdabtoe::POINTS_OF_A_WIN;
use serde::{Deserialize, Serialize};

use crate::chance;
use crate::standing::Standing;

/// The most pairings that are tried in a Swiss round before two bots may meet a second
/// time.
const MOST_TRIES: u32 = 200_000;

/// The form of a contest, which determines the pairings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Every bot meets every other one in each round.
    RoundRobin,
    /// In each round, bots with about equal points meet that have not met before.
    Swiss,
}

/// How a contest is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The form of the contest.
    pub form: Form,
    /// The number of rounds.
    pub rounds: u32,
    /// True for one game per meeting; otherwise there are two, and each bot begins one.
    pub once: bool,
    /// The seed of all randomness.
    pub seed: u64,
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its number in the contest, from 1.
    pub number: u32,
    /// The bot that has `x` and moves first, and the bot that has `o`.
    pub bots: [usize; 2],
    /// The random seed of the game.
    pub seed: u64,
}

/// A round: its games, and the bot without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The games of the round.
    pub games: Vec<Game>,
    /// The bot without an opponent. It gets the points of a win for each game.
    pub bye: Option<usize>,
}

/// The rounds of a plan, in their order.
pub struct Rounds {
    plan: Plan,
    /// The number of the next round, from 0.
    next: u32,
    /// The number of games of the rounds before it.
    games: u32,
}

impl Rounds {
    /// The next round, after the games of this standing; `None` after the last one.
    pub fn next(&mut self, standing: &Standing) -> Option<Round> {
        if self.next == self.plan.rounds {
            return None;
        }
        let round = self.plan.round(self.next, self.games, standing);
        self.next += 1;
        self.games += u32::try_from(round.games.len()).unwrap_or(u32::MAX);
        Some(round)
    }
}

impl Plan {
    /// All rounds, from the first.
    #[must_use]
    pub fn rounds(self) -> Rounds {
        Rounds {
            plan: self,
            next: 0,
            games: 0,
        }
    }

    /// The default number of rounds for this many bots: one round robin, or as many
    /// Swiss rounds as it takes to find a single winner.
    #[must_use]
    pub fn usual_rounds(form: Form, bots: usize) -> u32 {
        match form {
            Form::RoundRobin => 1,
            Form::Swiss => bots.next_power_of_two().ilog2().max(1),
        }
    }

    /// The number of games when two bots meet.
    #[must_use]
    pub fn games_of_a_meeting(&self) -> u32 {
        if self.once { 1 } else { 2 }
    }

    /// All games of a contest.
    #[must_use]
    pub fn games(&self, bots: usize) -> u64 {
        let meetings = match self.form {
            Form::RoundRobin => bots * bots.saturating_sub(1) / 2,
            Form::Swiss => bots / 2,
        };
        meetings as u64 * u64::from(self.games_of_a_meeting()) * u64::from(self.rounds)
    }

    /// The points of a bye.
    #[must_use]
    pub fn points_of_a_bye(&self) -> u32 {
        self.games_of_a_meeting() * u32::from(POINTS_OF_A_WIN)
    }

    /// Round `round`, counted from 0. The number of its first game is `played` + 1.
    #[must_use]
    pub fn round(&self, round: u32, played: u32, standing: &Standing) -> Round {
        let bots = standing.scores().len();
        let (meetings, bye) = match self.form {
            Form::RoundRobin => (everybody(bots), None),
            Form::Swiss => swiss(self.seed, round, standing),
        };
        let numbers = (played + 1..).step_by(self.games_of_a_meeting() as usize);
        let mut games = Vec::new();
        for (meeting, number) in meetings.into_iter().zip(numbers) {
            let mut rng = chance::of(self.seed, u64::from(number));
            // A coin decides who begins.
            let first = rng.below(2) as usize;
            let [one, other] = [meeting[first], meeting[1 - first]];
            let mut add = |number, bots| {
                let seed = chance::bits(&mut rng);
                games.push(Game { number, bots, seed });
            };
            add(number, [one, other]);
            if !self.once {
                add(number + 1, [other, one]);
            }
        }
        Round { games, bye }
    }
}

/// All pairs of this many bots.
fn everybody(bots: usize) -> Vec<[usize; 2]> {
    let all = 0..bots;
    all.flat_map(|one| (one + 1..bots).map(move |other| [one, other]))
        .collect()
}

/// The pairs of a Swiss round, and the bot with a bye.
fn swiss(seed: u64, round: u32, standing: &Standing) -> (Vec<[usize; 2]>, Option<usize>) {
    let bots = standing.scores().len();
    // Among bots with equal points, the order is random, but the same in all rounds.
    let mut order = chance::shuffled(&mut chance::of(seed, u64::MAX), bots);
    order.sort_by_key(|bot| std::cmp::Reverse(standing.scores()[*bot].points));
    let bye = (bots % 2 == 1).then(|| {
        let byes = |bot: &usize| standing.scores()[*bot].byes;
        let fewest = order.iter().map(byes).min().unwrap_or(0);
        let last = order.iter().rposition(|bot| byes(bot) == fewest);
        order.remove(last.unwrap_or(bots - 1))
    });
    let mut met = BTreeMap::new();
    for [one, other] in standing.meetings() {
        *met.entry([*one.min(other), *one.max(other)]).or_insert(0) += 1;
    }
    let often = |one: usize, other: usize| -> u32 {
        met.get(&[one.min(other), one.max(other)])
            .copied()
            .unwrap_or(0)
    };
    // First without repeating any meeting, then repeating none more than once, and so on.
    let mut pairs = Vec::new();
    for most in 0..=round {
        let mut tries = MOST_TRIES;
        pairs.clear();
        if pair(
            &order,
            &|one, other| often(one, other) <= most,
            &mut pairs,
            &mut tries,
        ) {
            return (pairs, bye);
        }
    }
    (
        order.chunks_exact(2).map(|two| [two[0], two[1]]).collect(),
        bye,
    )
}

/// Pairs the first bot with the nearest permitted opponent, and so on; false if that is
/// impossible, or no solution was found within the number of attempts.
fn pair(
    order: &[usize],
    may_meet: &dyn Fn(usize, usize) -> bool,
    pairs: &mut Vec<[usize; 2]>,
    tries: &mut u32,
) -> bool {
    let Some((first, rest)) = order.split_first() else {
        return true;
    };
    for (index, other) in rest.iter().enumerate() {
        if !may_meet(*first, *other) {
            continue;
        }
        let Some(left) = tries.checked_sub(1) else {
            return false;
        };
        *tries = left;
        pairs.push([*first, *other]);
        let others: Vec<usize> = [&rest[..index], &rest[index + 1..]].concat();
        if pair(&others, may_meet, pairs, tries) {
            return true;
        }
        pairs.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use protocol::{Outcome, Side};

    use super::*;

    fn plan(form: Form, once: bool) -> Plan {
        Plan {
            form,
            rounds: 1,
            once,
            seed: 3,
        }
    }

    /// Plays a contest in which the bot with the lower number always wins, and calls
    /// `each` with every round.
    fn play_out(plan: Plan, bots: usize, rounds: u32, each: &mut dyn FnMut(&Round)) -> Standing {
        let mut standing = Standing::new(bots);
        let mut played = 0;
        for round in 0..rounds {
            let round = plan.round(round, played, &standing);
            each(&round);
            for game in &round.games {
                played += 1;
                assert_eq!(game.number, played);
                let (outcome, points) = match game.bots[0] < game.bots[1] {
                    true => (Outcome::Won(Side::Green), [16, 0]),
                    false => (Outcome::Won(Side::Red), [0, 16]),
                };
                standing.add(game.bots, outcome, points, None);
            }
            if let Some(bot) = round.bye {
                standing.add_bye(bot, plan.points_of_a_bye());
            }
        }
        standing
    }

    #[test]
    fn a_round_robin_pairs_all_with_both_colours() {
        let plan = plan(Form::RoundRobin, false);
        play_out(plan, 7, 1, &mut |round| {
            assert_eq!(round.games.len() as u64, plan.games(7));
            let mut pairs: Vec<_> = round.games.iter().map(|game| game.bots).collect();
            pairs.sort_unstable();
            pairs.dedup();
            assert_eq!(pairs.len(), 7 * 6);
            assert_eq!(round.bye, None);
        });
    }

    #[test]
    fn the_first_colour_is_drawn_fairly() {
        let plan = plan(Form::RoundRobin, true);
        let mut first = 0;
        play_out(plan, 40, 1, &mut |round| {
            assert_eq!(round.games.len(), 40 * 39 / 2);
            first = round
                .games
                .iter()
                .filter(|game| game.bots[0] < game.bots[1])
                .count();
        });
        // 780 coin tosses: five standard deviations on each side.
        assert!((320..=460).contains(&first), "{first}");
    }

    #[test]
    fn swiss_rounds_avoid_rematches_and_rotate_byes() {
        for bots in [2, 3, 8, 9, 33] {
            let plan = plan(Form::Swiss, false);
            let rounds = Plan::usual_rounds(Form::Swiss, bots);
            let mut met = Vec::new();
            let standing = play_out(plan, bots, rounds, &mut |round| {
                assert_eq!(round.games.len(), bots / 2 * 2);
                assert_eq!(round.bye.is_some(), bots % 2 == 1);
                let mut seated: Vec<usize> = round.bye.into_iter().collect();
                for game in round.games.iter().step_by(2) {
                    seated.extend(game.bots);
                    met.push([
                        game.bots[0].min(game.bots[1]),
                        game.bots[0].max(game.bots[1]),
                    ]);
                }
                seated.sort_unstable();
                assert_eq!(seated, (0..bots).collect::<Vec<_>>());
            });
            let count = met.len();
            met.sort_unstable();
            met.dedup();
            assert_eq!(met.len(), count, "{bots} bots");
            let most = standing.scores().iter().map(|score| score.points).max();
            assert_eq!(most, Some(standing.scores()[0].points), "{bots} bots");
            assert!(standing.scores().iter().all(|score| score.byes <= 1));
        }
    }

    #[test]
    fn extra_swiss_rounds_repeat_meetings_evenly() {
        let mut met = BTreeMap::new();
        play_out(plan(Form::Swiss, true), 4, 6, &mut |round| {
            for game in &round.games {
                *met.entry([
                    game.bots[0].min(game.bots[1]),
                    game.bots[0].max(game.bots[1]),
                ])
                .or_insert(0) += 1;
            }
        });
        assert!(
            met.len() == 6 && met.values().all(|times| *times == 2),
            "{met:?}"
        );
    }
}
