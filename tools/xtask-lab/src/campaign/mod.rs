//! Plays hosts, lines with faults and boards in virtual time, seed after seed, and shrinks
//! a run that breaks a rule (`tools/campaign`).

mod planted;

use std::fs;
use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use campaign::campaign::{CampaignPlan, RunLine, Summary, play, runs_of_hours};
use campaign::plot::plot;
use campaign::shrink::{session, shrink};
use campaign::sweep::{sweep, table};
use campaign::{Less, RunLog, RunPlan};
use shards::{MergeOptions, ShardFile, ShardHeading, ShardOptions, merged};
use xtask::cargo::root;

/// The command in the files of shards.
const COMMAND: &str = "cargo xtask campaign";
/// Where a failing run is kept, from the top of the project.
const REGRESSIONS: &str = "tests/regressions";
/// How many runs shrinking may take.
const MOST_TRIES: u32 = 400;
/// How many failing runs are shrunk; more of them rarely show more.
const MOST_SHRUNK: usize = 4;

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Options {
    #[command(subcommand)]
    part: Option<Part>,
    /// The seed of the first run; each further run has the next one.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of runs; by default one, or as many as `--hours` or `--budget-s` ask for.
    #[arg(long)]
    runs: Option<u64>,
    /// As many runs as have phases with faults of so many simulated hours together.
    #[arg(long, conflicts_with = "runs")]
    hours: Option<u64>,
    /// Stop after this many seconds of real time.
    #[arg(long)]
    budget_s: Option<u64>,
    #[command(flatten)]
    shards: ShardOptions,
    /// Print a line for each event of a single run.
    #[arg(long, conflicts_with_all = ["runs", "hours", "budget_s", "shard", "out"])]
    log: bool,
    /// Leave this out of a single run, as the note of a shrunk session says.
    #[arg(long, conflicts_with_all = ["runs", "hours", "budget_s", "shard", "out"])]
    less: Option<Less>,
}

#[derive(clap::Subcommand)]
enum Part {
    /// Put the files of all shards together, and print the sum of all runs.
    Merge(MergeOptions),
    /// Measure how fast touches become lights on lines of all kinds, as the table of the
    /// book has it.
    Sweep {
        /// Also draw the table into this file, as SVG.
        #[arg(long)]
        plot: Option<PathBuf>,
    },
    /// Plant mistakes in host and board, one at a time, and count the runs after which each
    /// is found.
    Planted {
        /// The most runs with each mistake.
        #[arg(long, default_value_t = 1_000)]
        runs: u64,
    },
}

/// Plays the campaign. Fails if a run broke a rule.
pub fn run(options: &Options) -> anyhow::Result<()> {
    anyhow::ensure!(holds(options)?, "a rule was broken");
    Ok(())
}

/// True if no run broke a rule.
fn holds(options: &Options) -> anyhow::Result<bool> {
    match &options.part {
        Some(Part::Merge(files)) => return merge_files(files),
        Some(Part::Planted { runs }) => return planted::run(*runs),
        Some(Part::Sweep { plot: path }) => {
            let cells = sweep()?;
            print!("{}", table(&cells));
            if let Some(path) = path {
                fs::write(path, plot(&cells)?).with_context(|| path.display().to_string())?;
            }
            return Ok(true);
        }
        None => {}
    }
    let is_single = options.runs.is_none() && options.hours.is_none() && options.budget_s.is_none();
    if is_single || options.less.is_some() {
        return single(options);
    }
    many(options)
}

/// Plays one run, and prints all of it.
fn single(options: &Options) -> anyhow::Result<bool> {
    let less = options.less.clone().unwrap_or_default();
    let plan = RunPlan::of(options.seed).without(&less);
    let mut out = BufWriter::new(io::stdout().lock());
    let log = match options.log {
        true => RunLog::Kept,
        false => RunLog::None,
    };
    if log == RunLog::Kept {
        write!(out, "{}", head(&plan))?;
    }
    let report = campaign::run(&plan, log);
    for line in &report.log {
        writeln!(out, "{line}")?;
    }
    let mut summary = Summary::default();
    summary.add(&RunLine::of(0, &report));
    writeln!(out, "{summary}")?;
    if let Some(violation) = &report.violation {
        writeln!(out, "seed {}: {}: {violation}", plan.seed, violation.kind())?;
    }
    out.flush()?;
    Ok(report.violation.is_none())
}

/// What follows from the seed, in a few lines.
fn head(plan: &RunPlan) -> String {
    let layouts: Vec<String> = plan
        .layouts
        .iter()
        .map(|layout| layout.layout().to_string())
        .collect();
    let game = plan
        .text
        .map_or_else(|| format!("{:?}", plan.settings), str::to_owned);
    format!(
        "seed {}: {game}, layouts {}\n{:?}, clock {} of 1000, {} bytes/s, latency {} us, pieces of {} bytes, {} hosts, hang-up is {}\n{}; {} acts in {} s, to heal within {} ms\n",
        plan.seed,
        layouts.join(" "),
        plan.pace,
        plan.clock_permille,
        plan.bytes_per_s,
        plan.latency_us,
        plan.piece_bytes,
        plan.hosts,
        if plan.notices_hang_up {
            "noticed"
        } else {
            "not noticed"
        },
        plan.faults,
        plan.acts.len(),
        plan.faulty_us / 1_000_000,
        plan.heals_within_ms(),
    )
}

/// Plays many runs, and shrinks those that fail.
fn many(options: &Options) -> anyhow::Result<bool> {
    let begun = Instant::now();
    let budget = options.budget_s.map(Duration::from_secs);
    let runs = match (options.runs, options.hours) {
        (Some(runs), _) => runs,
        (None, Some(hours)) => runs_of_hours(options.seed, hours),
        (None, None) => u64::MAX,
    };
    let heading = ShardHeading {
        command: COMMAND.to_owned(),
        plan: CampaignPlan { seed: options.seed },
        jobs: runs,
        shard: options.shards.shard,
    };
    let mut file = ShardFile::open(options.shards.out.as_deref(), heading)?;
    let mut summary = Summary::of(file.contents().results.values());
    let played_before = summary.runs;
    let shows = io::stderr().is_terminal();
    for number in file.contents().left() {
        if budget.is_some_and(|budget| begun.elapsed() >= budget) {
            break;
        }
        let run = play(options.seed, number);
        if let Some(why) = &run.violation {
            println!("seed {}: {why}", run.seed);
        }
        summary.add(&run);
        file.add(number, run)?;
        if shows && summary.runs.is_multiple_of(50) {
            eprint!("\r{} runs ", summary.runs);
        }
    }
    let took_s = begun.elapsed().as_secs_f64();
    file.finish()?;
    println!("{summary}");
    let played = (summary.runs - played_before) as f64;
    let hours = summary.all.simulated_us as f64 / 3.6e9;
    println!(
        "{:.1} seeds/s; {:.0} simulated hours in an hour of one core",
        played / took_s,
        hours * played / summary.runs.max(1) as f64 * 3_600.0 / took_s
    );
    for run in summary.failed.iter().take(MOST_SHRUNK) {
        keep(run.seed)?;
    }
    Ok(summary.failed.is_empty())
}

/// Shrinks a failing run, and keeps it as a session.
fn keep(seed: u64) -> anyhow::Result<()> {
    let Some(shrunk) = shrink(seed, Less::default(), MOST_TRIES) else {
        return Ok(());
    };
    let folder = root().join(REGRESSIONS);
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("campaign-{seed}.session"));
    fs::write(&path, session(&shrunk).to_text())?;
    let less = &shrunk.less;
    println!(
        "seed {seed}: {} acts are left after {} tries: cargo xtask campaign --seed {seed} --log --less \"{less}\"; see {}",
        shrunk.acts,
        shrunk.tries,
        path.display()
    );
    Ok(())
}

fn merge_files(files: &MergeOptions) -> anyhow::Result<bool> {
    let whole = merged::<CampaignPlan, RunLine>(files, COMMAND)?;
    let summary = Summary::of(whole.results.values());
    println!("{summary}");
    Ok(summary.failed.is_empty())
}
