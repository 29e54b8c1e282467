//! `check --runs`: many checks, each with a seed of its own. Each is a job, so machines
//! and boards can share them; a shard may be checked on a board of its own.

use std::fmt;

use serde::{Deserialize, Serialize};
use shards::{MergeOptions, ShardFile, ShardHeading, ShardResult, merged};
use touchboard_host::check::{CheckOptions, CheckSummary, TimeLimit, Verdict, check};
use touchboard_links::At;

use super::super::{CommandEnd, ExitKind, bar, print, print_error};
use super::{Options, board_again, checked_place, faults, line_alone};

/// The command in the files of shards.
const COMMAND: &str = "hil-bridge check";

/// Everything that the runs depend on, apart from their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct RunsPlan {
    /// The kind of board and its faults, without the port at which it is: boards of one
    /// kind may share the runs.
    board: String,
    layout: String,
    /// The seed of the first run; each further run has the next one.
    seed: u64,
    /// The number of steps of each run.
    steps: u64,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CheckRun {
    Agrees {
        steps: u64,
        ticks: u64,
        inputs: u64,
        events: u64,
        games: u64,
    },
    Differs {
        /// The first field that differs, and when.
        difference: String,
        /// The number of things that were done until then.
        after: usize,
    },
}

impl From<Verdict> for CheckRun {
    fn from(verdict: Verdict) -> CheckRun {
        match verdict {
            Verdict::Agrees(CheckSummary {
                steps,
                ticks,
                inputs,
                events,
                games,
            }) => CheckRun::Agrees {
                steps,
                ticks,
                inputs,
                events,
                games,
            },
            Verdict::Differs(finding) => CheckRun::Differs {
                difference: finding.difference.to_string(),
                after: finding.found_after,
            },
        }
    }
}

type CheckedRuns = ShardResult<RunsPlan, CheckRun>;

/// Checks the runs of the shard that are left, and prints the result of all in its file.
pub fn run(options: &Options) -> CommandEnd {
    let place = &options.place;
    let layout = place.first_layout();
    let (good, felt) = checked_place(options);
    let plan = RunsPlan {
        board: kind_of_board(options),
        layout: layout.to_string(),
        seed: place.seed.unwrap_or(0),
        steps: options.steps,
    };
    let check_options = CheckOptions {
        faults: felt,
        shrink_for: TimeLimit::NONE,
        ..CheckOptions::new(layout, plan.seed, plan.steps)
    };
    place.line.faults.0.board.fit(*check_options.layout)?;
    let heading = ShardHeading {
        command: COMMAND.to_owned(),
        jobs: options.runs.unwrap_or(1),
        plan,
        shard: options.shards.shard,
    };
    let mut file = ShardFile::open(options.shards.out.as_deref(), heading)?;
    let bar = bar(file.contents().left().count() as u64, "runs");
    for job in file.contents().left() {
        // A board whose firmware has panicked must not spoil the next run.
        let mut board = good.open()?;
        let options = CheckOptions {
            seed: check_options.seed.wrapping_add(job),
            ..check_options.clone()
        };
        let verdict = check(&mut *board, &options, &mut |_| {})?;
        file.add(job, verdict.into())?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let ending = print_all(&file.finish()?)?;
    if ending == ExitKind::Failed {
        print_error(format_args!(
            "to shrink a difference: `hil-bridge check {}{} --seed SEED --steps {} --layout {}`",
            board_again(place),
            line_alone(options),
            options.steps,
            check_options.layout
        ));
    }
    Ok(ending)
}

/// Puts the files of all shards together, and prints the result of all runs.
pub fn merge(files: &MergeOptions) -> CommandEnd {
    let whole: CheckedRuns = merged(files, COMMAND)?;
    Ok(print_all(&whole)?)
}

/// The kind of board that is checked, in the words of its options.
fn kind_of_board(options: &Options) -> String {
    let place = &options.place;
    let mut words = match &place.at {
        At::Tcp(_) | At::Shared(..) | At::Serial(_) => "a line".to_owned(),
        at => at.to_string(),
    };
    if let Some(tiles) = place.line.tiles {
        words.push_str(&format!(" --tiles {tiles}"));
    }
    if place.line.break_rule {
        words.push_str(" --break-rule");
    }
    words + line_alone(options) + &faults(place)
}

/// The sum of the runs that agree.
#[derive(Default)]
struct RunsSummary {
    runs: usize,
    steps: u64,
    ticks: u64,
    inputs: u64,
    events: u64,
    games: u64,
}

impl fmt::Display for RunsSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minutes = self.ticks as f64 / 60_000.0;
        write!(
            f,
            "{} runs agree: {} steps, {} inputs, {} events, {} games, {minutes:.1} minutes of board time",
            self.runs, self.steps, self.inputs, self.events, self.games
        )
    }
}

fn print_all(contents: &CheckedRuns) -> Result<ExitKind, super::Unwritten> {
    let mut all = RunsSummary::default();
    let mut ending = ExitKind::Done;
    for (job, run) in &contents.results {
        match run {
            CheckRun::Agrees {
                steps,
                ticks,
                inputs,
                events,
                games,
            } => {
                all.runs += 1;
                all.steps += steps;
                all.ticks += ticks;
                all.inputs += inputs;
                all.events += events;
                all.games += games;
            }
            CheckRun::Differs { difference, after } => {
                let seed = contents.heading.plan.seed.wrapping_add(*job);
                print(format_args!(
                    "seed {seed} differs after {after} things that were done: {difference}"
                ))?;
                ending = ExitKind::Failed;
            }
        }
    }
    print(all)?;
    Ok(ending)
}
