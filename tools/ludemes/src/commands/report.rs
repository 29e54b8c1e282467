//! `ludemes report FILE`: statistics of random games.
//!
//! A job is a block of games, so that a shard's file stays small and a cartridge is not
//! verified for every game.
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};
use ludemes::compile::Compiled;
use ludemes::report::{self, EndCount, Report, ReportOptions};
use ludemes::tree::Node;
use serde::{Deserialize, Serialize};
use shards::{MergeOptions, ShardFile, ShardHeading, ShardOptions, ShardResult, digest_of, merged};

/// The command in the files of shards.
pub const COMMAND: &str = "ludemes report";
/// The number of games of a job.
const BLOCK: u32 = 50;

/// What to play.
#[derive(clap::Args)]
pub struct Options {
    /// The text of a game.
    file: PathBuf,
    /// An item of an option, as `Heading/Item`.
    #[arg(long = "option", value_name = "HEADING/ITEM")]
    chosen: Vec<String>,
    /// The number of games.
    #[arg(long, default_value_t = 1_000)]
    games: u32,
    /// The seed of the first game; each further game uses the next number.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The most steps of the machine for one move.
    #[arg(long, value_name = "STEPS", default_value_t = report::FUEL)]
    fuel: u32,
    #[command(flatten)]
    shards: ShardOptions,
}

/// Everything that the games depend on, apart from their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ReportPlan {
    /// The digest of the cartridge.
    cartridge: String,
    games: u32,
    seed: u64,
    fuel: u32,
}

impl ReportPlan {
    /// The games of a job: the seed of the first, and how many.
    fn block(&self, job: u64) -> (u64, u32) {
        let first = job * u64::from(BLOCK);
        let left = u64::from(self.games).saturating_sub(first);
        let games = left.min(BLOCK.into()) as u32;
        (self.seed.wrapping_add(first), games)
    }

    /// The number of jobs. A report of no games has one, without games.
    fn jobs(&self) -> u64 {
        self.games.div_ceil(BLOCK).max(1).into()
    }
}

/// A report in a file. It has no times, which differ between machines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ReportLine {
    name: String,
    players: u8,
    seed: u64,
    games: u32,
    lengths: BTreeMap<u32, u32>,
    positions: u64,
    choices: u64,
    most_choices: u32,
    wins: Vec<u32>,
    draws: u32,
    stopped: u32,
    swaps: u32,
    #[serde(with = "end_lists")]
    ends: Vec<EndCount>,
    passed: u32,
    failed: Vec<u64>,
}

/// The rules of the end in the file of a shard: for each a list of its words, its games and
/// its alternative conditions.
mod end_lists {
    use ludemes::report::EndCount;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(ends: &[EndCount], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(ends.iter().map(|end| (&end.words, end.games, &end.any_of)))
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<EndCount>, D::Error> {
        type List = (String, u32, Vec<(String, u32)>);
        let lists: Vec<List> = Vec::deserialize(from)?;
        let end = |(words, games, any_of)| EndCount {
            words,
            games,
            any_of,
        };
        Ok(lists.into_iter().map(end).collect())
    }
}

impl From<Report> for ReportLine {
    fn from(report: Report) -> ReportLine {
        ReportLine {
            name: report.name,
            players: report.players,
            seed: report.seed,
            games: report.games,
            lengths: report.lengths,
            positions: report.positions,
            choices: report.choices,
            most_choices: report.most_choices,
            wins: report.wins,
            draws: report.draws,
            stopped: report.stopped,
            swaps: report.swaps,
            ends: report.ends,
            passed: report.passed,
            failed: report.failed,
        }
    }
}

impl From<ReportLine> for Report {
    fn from(line: ReportLine) -> Report {
        Report {
            name: line.name,
            players: line.players,
            seed: line.seed,
            games: line.games,
            lengths: line.lengths,
            positions: line.positions,
            choices: line.choices,
            most_choices: line.most_choices,
            wins: line.wins,
            draws: line.draws,
            stopped: line.stopped,
            swaps: line.swaps,
            ends: line.ends,
            passed: line.passed,
            failed: line.failed,
            ..Report::default()
        }
    }
}

type ReportShard = ShardResult<ReportPlan, ReportLine>;

/// The report of all blocks that were played.
fn sum(contents: &ReportShard) -> Report {
    let mut blocks = contents.results.values().cloned().map(Report::from);
    let mut all = blocks.next().unwrap_or_default();
    blocks.for_each(|block| all.add(block));
    all
}

/// Plays the games and prints the statistics. The exit code is 1 if a game failed.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn run(options: &Options) -> Result<ExitCode, String> {
    let (game, compiled) = super::compiled(&options.file, &options.chosen)?;
    let plan = ReportPlan {
        cartridge: digest_of([compiled.bytes.as_slice()]),
        games: options.games,
        seed: options.seed,
        fuel: options.fuel,
    };
    let heading = ShardHeading {
        command: COMMAND.to_owned(),
        jobs: plan.jobs(),
        plan: plan.clone(),
        shard: options.shards.shard,
    };
    let file = ShardFile::open(options.shards.out.as_deref(), heading);
    let mut file = file.map_err(|error| error.to_string())?;
    let begun = super::now();
    let games = |job| plan.block(job).1;
    let before: u32 = file.contents().results.keys().copied().map(games).sum();
    let bar = bar(options.shards.shard.jobs(plan.jobs()).map(games).sum());
    let mut done = before;
    for job in file.contents().left() {
        bar.set_position(done.into());
        let block = play(&game, &compiled, &plan, job, |games| {
            bar.set_position((done + games).into());
        })?;
        done += games(job);
        let kept = file.add(job, block.into());
        kept.map_err(|error| error.to_string())?;
    }
    bar.finish_and_clear();
    let contents = file.finish().map_err(|error| error.to_string())?;
    let mut came = sum(&contents);
    came.took = super::now().saturating_sub(begun);
    Ok(print(&came))
}

/// Plays the games of a job.
fn play(
    game: &Node,
    compiled: &Compiled,
    plan: &ReportPlan,
    job: u64,
    mut look: impl FnMut(u32),
) -> Result<Report, String> {
    let (seed, games) = plan.block(job);
    let options = ReportOptions {
        games,
        seed,
        fuel: plan.fuel,
        now: super::now,
    };
    let came = report::play(game, compiled, &options, |report| {
        look(report.games + report.failed.len() as u32);
        ControlFlow::Continue(())
    });
    came.map_err(|refused| format!("the core refuses the cartridge: {refused:?}"))
}

fn bar(games: u32) -> ProgressBar {
    let bar = ProgressBar::new(games.into());
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} games, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// Prints the statistics of the shards of a report, as one machine would have.
///
/// # Errors
/// If a file cannot be used, or games are missing.
pub fn merge(files: &MergeOptions) -> Result<ExitCode, String> {
    let whole = merged(files, COMMAND).map_err(|error| error.to_string())?;
    Ok(print(&sum(&whole)))
}

fn print(came: &Report) -> ExitCode {
    print!("{came}");
    match came.failed.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shards that are finished elsewhere are merged here.
    #[test]
    fn ends_are_written_as_in_the_files_of_earlier_shards() {
        let line = ReportLine::from(Report {
            ends: vec![EndCount {
                words: "a line".to_owned(),
                games: 7,
                any_of: vec![("a row".to_owned(), 5)],
            }],
            ..Report::default()
        });
        let json = serde_json::to_value(&line).unwrap();
        let list = serde_json::json!([["a line", 7, [["a row", 5]]]]);
        assert_eq!(json["ends"], list);
        assert_eq!(serde_json::from_value::<ReportLine>(json).unwrap(), line);
    }
}
