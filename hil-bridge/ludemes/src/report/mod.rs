//! Statistics of random games: whether they end, how long they are, how many choices
//! there are, who has an advantage, and how they end.
//!
//! Game number `i` has the seed `first + i` and depends on nothing else. So a game that
//! failed can be replayed alone, and [`Report::add`] combines partial reports to the same
//! report, however the games were divided. [`play`] reports its progress every few moves
//! and can be stopped: a window calls it on its own thread, or plays a few games for each
//! picture.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

use cartridge_plan::{Plan, Playout};
use firmware_core::cartridge::state::EndedBy;
use firmware_core::cartridge::{Cartridge, Machine, Refused, Scratch, verify};
use firmware_core::word::Word;
use firmware_core::{Rng, Wide};

use crate::compile::{Compiled, EndRule};
use crate::explain;
use crate::tree::Node;

mod table;
#[cfg(test)]
mod tests;

/// The default limit of machine steps for one move: about a second.
pub const FUEL: u32 = 100_000_000;
/// The number of moves between reports of progress.
pub const SLICE: u32 = 256;

/// The options of a report.
#[derive(Clone, Copy, Debug)]
pub struct ReportOptions {
    /// The number of games to play.
    pub games: u32,
    /// The seed of the first game; each later game has the next one.
    pub seed: u64,
    /// The maximum number of machine steps for one move.
    pub fuel: u32,
    /// The caller's clock, from any fixed origin.
    pub now: fn() -> Duration,
}

/// The statistics of the games so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The name of the game.
    pub name: String,
    /// The number of players.
    pub players: u8,
    /// The seed of the first game.
    pub seed: u64,
    /// The number of games that ended, by the rules or by the limit of turns or moves.
    pub games: u32,
    /// For each length in moves, the number of games.
    pub lengths: BTreeMap<u32, u32>,
    /// The number of positions in which a side was to move.
    pub positions: u64,
    /// The sum of the legal moves in these positions; a forced pass counts as one.
    pub choices: u64,
    /// The largest number of legal moves in a position.
    pub most_choices: u32,
    /// For each player, the number of games won. A player who has exchanged colours keeps
    /// the number.
    pub wins: Vec<u32>,
    /// The number of games that the rules ended without a winner.
    pub draws: u32,
    /// The number of games that the limit of turns or moves ended.
    pub stopped: u32,
    /// The number of games in which the colours were exchanged.
    pub swaps: u32,
    /// For each rule of the end, how many games it ended.
    pub ends: Vec<EndCount>,
    /// The number of games that ended because all players passed.
    pub passed: u32,
    /// The seeds of games in which a move needed more steps or more memory than allowed.
    pub failed: Vec<u64>,
    /// The time that the games took.
    pub took: Duration,
}

/// A rule of the end, and how often it applied.
#[derive(Clone, Debug, PartialEq)]
pub struct EndCount {
    /// The rule in plain English.
    pub words: String,
    /// The number of games that it ended.
    pub games: u32,
    /// The alternative conditions, if there are several, and in how many of these games
    /// each held at the end. Several may hold in one game.
    pub any_of: Vec<(String, u32)>,
}

/// Plays random games; in each position every move is equally likely. Calls `look` with
/// the report so far every [`SLICE`] moves and after the last game; it may stop the
/// games.
///
/// # Errors
/// When the core refuses the cartridge.
pub fn play(
    game: &Node,
    compiled: &Compiled,
    options: &ReportOptions,
    mut look: impl FnMut(&Report) -> ControlFlow<()>,
) -> Result<Report, Refused> {
    let mut scratch = Box::new(Scratch::new());
    let cartridge = verify(&compiled.bytes, &mut scratch)?;
    let ends = ends_of(game, compiled);
    let end = |end: &Ends| EndCount {
        words: end.words.clone(),
        games: 0,
        any_of: end
            .any_of
            .iter()
            .map(|(words, _)| (words.clone(), 0))
            .collect(),
    };
    let report = Report {
        name: cartridge.name().to_owned(),
        players: cartridge.players(),
        seed: options.seed,
        wins: vec![0; usize::from(cartridge.players())],
        ends: ends.iter().map(end).collect(),
        ..Report::default()
    };
    let look = &mut look;
    Ok(match cartridge.sites() {
        0..=64 => play_on::<u64>(&cartridge, &ends, options, report, look),
        65..=128 => play_on::<u128>(&cartridge, &ends, options, report, look),
        _ => play_on::<Wide>(&cartridge, &ends, options, report, look),
    })
}

fn ends_of(game: &Node, compiled: &Compiled) -> Vec<Ends> {
    let of = |ending: &EndRule| {
        // Readers cannot distinguish conditions with equal words, such as walks of a
        // shape from different starts, so they are combined.
        let mut any_of: Vec<(String, Vec<u16>)> = Vec::new();
        for (condition, node) in &ending.any_of {
            let words = explain::condition(game, condition);
            match any_of.iter_mut().find(|(other, _)| *other == words) {
                Some((_, nodes)) => nodes.push(*node),
                None => any_of.push((words, vec![*node])),
            }
        }
        Ends {
            at: ending.at,
            words: explain::ending(game, &ending.rule),
            any_of,
        }
    };
    compiled.endings.iter().map(of).collect()
}

/// A rule of the end, in words and as nodes of the program.
struct Ends {
    at: u16,
    words: String,
    any_of: Vec<(String, Vec<u16>)>,
}

fn play_on<W: Word>(
    cartridge: &Cartridge<'_>,
    ends: &[Ends],
    options: &ReportOptions,
    mut report: Report,
    look: &mut dyn FnMut(&Report) -> ControlFlow<()>,
) -> Report {
    let made = Machine::<W>::new(cartridge).zip(Plan::of(cartridge));
    let Some((machine, plan)) = made else {
        return report;
    };
    let plan = Box::new(plan);
    let begun = (options.now)();
    let mut table = Table {
        machine: Box::new(machine),
        playout: Box::new(Playout::of(&plan)),
        moves_to_look: SLICE,
    };
    for game in 0..options.games {
        let seed = options.seed.wrapping_add(game.into());
        table.machine.refuel(options.fuel);
        report.took = (options.now)().saturating_sub(begun);
        if table.game(seed, &mut report, look).is_break() {
            return report;
        }
        if table.machine.gave_up() {
            report.failed.push(seed);
        } else {
            table.count(ends, &mut report);
        }
    }
    report.took = (options.now)().saturating_sub(begun);
    let _ = look(&report);
    report
}

/// The table at which the games are played.
struct Table<'p, 'g, W: Word> {
    machine: Box<Machine<'g, W>>,
    playout: Box<Playout<'p, 'g, W>>,
    moves_to_look: u32,
}

/// Facts about a game that are collected while it is played.
#[derive(Default)]
struct Choices {
    positions: u64,
    all: u64,
    most: u32,
}

impl<W: Word> Table<'_, '_, W> {
    /// Plays one game to its end, or until it is stopped or the machine gives up.
    fn game(
        &mut self,
        seed: u64,
        report: &mut Report,
        look: &mut dyn FnMut(&Report) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let machine = &mut *self.machine;
        let mut rng = Rng::new(seed);
        let mut choices = Choices::default();
        machine.keeps = false;
        self.playout.start(machine);
        loop {
            if !machine.state.over && !machine.gave_up() {
                let many = machine.count() as u32;
                choices.positions += 1;
                choices.all += u64::from(many);
                choices.most = choices.most.max(many);
            }
            if !self.playout.play(machine, &mut rng) {
                break;
            }
            self.moves_to_look -= 1;
            if self.moves_to_look == 0 {
                self.moves_to_look = SLICE;
                look(report)?;
            }
        }
        if !machine.gave_up() {
            let swapped = machine.state.swapped;
            report.positions += choices.positions;
            report.choices += choices.all;
            report.most_choices = report.most_choices.max(choices.most);
            report.swaps += u32::from(swapped);
            let winner = usize::from(machine.state.winner);
            let seat = match winner {
                1 | 2 if swapped => 3 - winner,
                winner => winner,
            };
            if let Some(wins) = seat.checked_sub(1).and_then(|at| report.wins.get_mut(at)) {
                *wins += 1;
            }
        }
        ControlFlow::Continue(())
    }

    /// Counts a game that has ended.
    fn count(&mut self, ends: &[Ends], report: &mut Report) {
        let machine = &mut *self.machine;
        report.games += 1;
        *report.lengths.entry(machine.state.moves).or_default() += 1;
        if machine.state.ended_by != EndedBy::Rules {
            report.stopped += 1;
            return;
        }
        report.draws += u32::from(machine.state.winner == 0);
        let Some(at) = machine.ended_at() else {
            report.passed += 1;
            return;
        };
        let all = ends.iter().zip(&mut report.ends);
        for (end, told) in all.filter(|(end, _)| end.at == at) {
            told.games += 1;
            for ((_, nodes), (_, games)) in end.any_of.iter().zip(&mut told.any_of) {
                let any = nodes.iter().any(|node| machine.is_true_now(*node));
                *games += u32::from(any);
            }
        }
    }
}

/// The Wilson interval of a share of the points of this many games: with a probability of
/// 95 %, the true share lies in it.
#[must_use]
pub fn wilson_interval(share: f64, games: u32) -> [f64; 2] {
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

impl Report {
    /// Adds the report of further games with the following seeds.
    pub fn add(&mut self, more: Report) {
        let Report {
            name: _,
            players: _,
            seed: _,
            games,
            lengths,
            positions,
            choices,
            most_choices,
            wins,
            draws,
            stopped,
            swaps,
            ends,
            passed,
            failed,
            took,
        } = more;
        self.games += games;
        for (moves, games) in lengths {
            *self.lengths.entry(moves).or_default() += games;
        }
        self.positions += positions;
        self.choices += choices;
        self.most_choices = self.most_choices.max(most_choices);
        for (all, won) in self.wins.iter_mut().zip(wins) {
            *all += won;
        }
        self.draws += draws;
        self.stopped += stopped;
        self.swaps += swaps;
        for (all, end) in self.ends.iter_mut().zip(ends) {
            all.games += end.games;
            for ((_, all), (_, games)) in all.any_of.iter_mut().zip(end.any_of) {
                *all += games;
            }
        }
        self.passed += passed;
        self.failed.extend(failed);
        self.took += took;
    }

    /// The mean number of moves of a game.
    #[must_use]
    pub fn mean_length(&self) -> f64 {
        let moves = self.lengths.iter();
        let moves: f64 = moves
            .map(|(moves, games)| f64::from(*moves) * f64::from(*games))
            .sum();
        moves / f64::from(self.games.max(1))
    }

    /// The median number of moves of a game; for an even number of games, the mean of the
    /// middle two.
    #[must_use]
    pub fn median_length(&self) -> f64 {
        let nth = |n: u32| {
            let mut before = 0;
            let found = self.lengths.iter().find(|(_, games)| {
                before += **games;
                before > n
            });
            found.map_or(0, |(moves, _)| *moves)
        };
        let games = self.games.max(1);
        f64::from(nth((games - 1) / 2) + nth(games / 2)) / 2.0
    }

    /// The mean number of legal moves in a position.
    #[must_use]
    pub fn mean_choices(&self) -> f64 {
        self.choices as f64 / self.positions.max(1) as f64
    }

    /// The share of the first player in all finished games, from 0 to 1. A game without a
    /// winner counts half.
    #[must_use]
    pub fn first_share(&self) -> f64 {
        let shared = f64::from(self.draws + self.stopped) / f64::from(self.players.max(1));
        let won = self.wins.first().copied().unwrap_or(0);
        (f64::from(won) + shared) / f64::from(self.games.max(1))
    }

    /// The 95 % confidence interval of the first player's share, see [`wilson_interval`].
    #[must_use]
    pub fn first_interval(&self) -> [f64; 2] {
        wilson_interval(self.first_share(), self.games)
    }

    /// The first player's advantage in words; `no significant advantage` if it may be due
    /// to chance.
    #[must_use]
    pub fn advantage(&self) -> &'static str {
        let fair = 1.0 / f64::from(self.players.max(1));
        let [low, high] = self.first_interval();
        if low > fair {
            "the first player has the advantage"
        } else if high < fair {
            "the first player is at a disadvantage"
        } else {
            "no significant advantage"
        }
    }
}
