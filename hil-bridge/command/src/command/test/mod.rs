//! `test`: runs scenario files, each on a freshly reset board, and prints a summary.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use protocol::{Deed, Tick};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use touchboard_completions::number;
use touchboard_files::{WritingError, whole_file};
use touchboard_host::Driver;
use touchboard_links::{SessionInFile, Where};
use touchboard_shell::{ExitKind, LONGEST_WAIT_MS};
use touchboard_testing::scenarios::{self, ScenarioOptions, ScenarioRun, run_scenario};

use super::{CommandEnd, print, print_error};
use pictures::PictureArguments;

mod pictures;

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Scenario files, and folders whose .txt files are scenarios
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Run only scenarios with this text in their names; may be given several times
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    only: Vec<String>,
    #[command(flatten)]
    place: Where,
    /// Write the results into this file as JUnit XML, for CI services
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a session file for each scenario that fails, and the differing pictures,
    /// into this folder
    #[arg(long, value_name = "FOLDER")]
    sessions: Option<PathBuf>,
    /// The most board time that a scenario may take
    #[arg(long, value_name = "MS", default_value_t = LONGEST_WAIT_MS, value_parser = number(1, LONGEST_WAIT_MS), allow_negative_numbers = true)]
    within_ms: Tick,
    #[command(flatten)]
    pictures: PictureArguments,
    /// Also print the answers of each scenario
    #[arg(long)]
    verbose: bool,
}

/// The outcome of one scenario.
struct Outcome {
    run: ScenarioRun,
    took: Duration,
}

pub fn run(options: &Options) -> CommandEnd {
    super::set_up(&options.place)?;
    let scenarios = chosen(scenarios::find(&options.paths)?, &options.only)?;
    if let Some(folder) = &options.sessions {
        fs::create_dir_all(folder)
            .map_err(|error| anyhow!("cannot make {}: {error}", folder.display()))?;
    }
    let mut place = options.place.clone();
    // Testing does not count as playing.
    place.is_test = true;
    let (mut board, seed) = place.open_seeded()?;
    // The scenario before may have left a different layout.
    let layout = board.layout();
    let scenario_options = ScenarioOptions {
        begin: Deed::Reset { seed, layout },
        seed,
        within_ms: options.within_ms,
    };
    let bar = super::bar(scenarios.len() as u64, "scenarios");
    let mut outcomes = Vec::new();
    for path in &scenarios {
        bar.set_message(scenarios::name_of(path));
        let outcome = play(&mut board, path, &scenario_options, options)?;
        bar.suspend(|| print_outcome(&outcome, options.verbose))?;
        bar.inc(1);
        outcomes.push(outcome);
    }
    bar.finish_and_clear();
    if let Some(path) = &options.junit {
        let report = report(&outcomes, &place)?;
        whole_file::write(path, report.as_bytes()).map_err(WritingError::about(path))?;
    }
    sum_up(&outcomes)
}

/// The scenarios with one of these texts in their names; all if there are none.
fn chosen(mut scenarios: Vec<PathBuf>, only: &[String]) -> anyhow::Result<Vec<PathBuf>> {
    if only.is_empty() {
        return Ok(scenarios);
    }
    let names: Vec<String> = scenarios
        .iter()
        .map(|path| scenarios::name_of(path))
        .collect();
    let unused = only
        .iter()
        .find(|text| !names.iter().any(|name| name.contains(text.as_str())));
    if let Some(text) = unused {
        let some = &names[..names.len().min(5)];
        bail!(
            "no scenario has `{text}` in its name; there are {}, such as {}",
            names.len(),
            some.join(", ")
        );
    }
    scenarios.retain(|path| {
        let name = scenarios::name_of(path);
        only.iter().any(|text| name.contains(text.as_str()))
    });
    Ok(scenarios)
}

/// Resets the board and runs a scenario; saves the session if it fails.
fn play(
    board: &mut dyn Driver,
    path: &Path,
    scenario_options: &ScenarioOptions,
    options: &Options,
) -> anyhow::Result<Outcome> {
    let begun = Instant::now();
    let sessions = options.sessions.as_deref();
    let mut look =
        |name: &str, board: &dyn Driver| options.pictures.compare(path, sessions, name, board);
    let mut run = run_scenario(board, path, scenario_options, &mut look)?;
    let took = begun.elapsed();
    if run.ending != ExitKind::Done
        && let Some(folder) = sessions
    {
        let file = folder.join(&run.name).with_extension("session");
        run.errors += &match run.session.save(&file) {
            Ok(()) => format!("its session is {}\n", file.display()),
            Err(error) => format!("{error}\n"),
        };
    }
    Ok(Outcome { run, took })
}

/// Prints the result of a scenario.
fn print_outcome(outcome: &Outcome, verbose: bool) -> Result<(), super::Unwritten> {
    let ScenarioRun { name, ending, .. } = &outcome.run;
    let word = match ending {
        ExitKind::Done => "ok",
        ExitKind::Failed => "FAILED",
        ExitKind::Bad => "ERROR",
    };
    print(format_args!(
        "{word:6}  {name}  ({} ms of board time)",
        outcome.run.board_ms
    ))?;
    if verbose {
        outcome.run.output.lines().try_for_each(print)?;
    }
    outcome
        .run
        .errors
        .lines()
        .for_each(|line| print_error(format_args!("        {line}")));
    Ok(())
}

fn sum_up(outcomes: &[Outcome]) -> CommandEnd {
    let count = |ending| {
        outcomes
            .iter()
            .filter(|outcome| outcome.run.ending == ending)
            .count()
    };
    let (failed, bad) = (count(ExitKind::Failed), count(ExitKind::Bad));
    let board_ms: Tick = outcomes.iter().map(|outcome| outcome.run.board_ms).sum();
    print(format_args!(
        "{} passed, {failed} failed, {bad} could not be run; {:.1} s of board time",
        count(ExitKind::Done),
        Duration::from_millis(board_ms).as_secs_f64()
    ))?;
    Ok(match (failed, bad) {
        (0, 0) => ExitKind::Done,
        (_, 0) => ExitKind::Failed,
        _ => ExitKind::Bad,
    })
}

/// The results as JUnit XML.
fn report(outcomes: &[Outcome], place: &Where) -> anyhow::Result<String> {
    let mut suite = TestSuite::new(format!("scenarios at {}", place.at));
    for outcome in outcomes {
        let status = match outcome.run.ending {
            ExitKind::Done => TestCaseStatus::success(),
            ending => {
                let kind = match ending {
                    ExitKind::Failed => NonSuccessKind::Failure,
                    _ => NonSuccessKind::Error,
                };
                let mut status = TestCaseStatus::non_success(kind);
                status.set_message(outcome.run.errors.trim_end());
                status
            }
        };
        let mut case = TestCase::new(outcome.run.name.as_str(), status);
        case.set_time(outcome.took)
            .set_system_out(outcome.run.output.as_str())
            .add_property(("board_ms", outcome.run.board_ms.to_string().as_str()));
        suite.add_test_case(case);
    }
    let mut report = Report::new("hil-bridge test");
    report.add_test_suite(suite);
    Ok(report.to_string()?)
}
