//! `test`: runs scenario files, each on a board as just switched on, and sums up.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{anyhow, ensure};
use protocol::{Deed, Input, Tick};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use touchboard_files::{whole_file, why_no_file};
use touchboard_host::{Driver, DriverError, RecordingDriver};
use touchboard_links::Where;
use touchboard_shell::{
    AnswerColours, Answers, ExitKind, LONGEST_WAIT_MS, OnTrouble, Reader, ShellOptions, run_named,
};
use virtual_board::number;

use super::{Done, say, tell};

/// The files of a folder that are scenarios end so.
const EXTENSION: &str = "txt";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Scenario files, and folders whose .txt files are scenarios
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    place: Where,
    /// Write the results into this file as JUnit XML, for CI services
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a session file of each scenario that fails into this folder
    #[arg(long, value_name = "FOLDER")]
    sessions: Option<PathBuf>,
    /// The board time that a scenario may take
    #[arg(long, value_name = "MS", default_value_t = LONGEST_WAIT_MS, value_parser = number(1, LONGEST_WAIT_MS), allow_negative_numbers = true)]
    within_ms: Tick,
    /// Print what each scenario answers, too
    #[arg(long)]
    verbose: bool,
}

/// What became of one scenario.
struct Outcome {
    name: String,
    ending: ExitKind,
    output: String,
    errors: String,
    board_ms: Tick,
    took: Duration,
}

pub fn run(arguments: &Arguments) -> Done {
    super::set_up(&arguments.place)?;
    let scenarios = scenarios(&arguments.paths)?;
    if let Some(folder) = &arguments.sessions {
        fs::create_dir_all(folder)
            .map_err(|error| anyhow!("cannot make {}: {error}", folder.display()))?;
    }
    let mut place = arguments.place.clone();
    // A test is not play.
    place.is_test = true;
    let (mut board, seed) = place.open_seeded()?;
    // A scenario may leave another one behind.
    let layout = board.layout();
    let begin = Deed::Reset { seed, layout };
    let bar = super::bar(scenarios.len() as u64, "scenarios");
    let mut outcomes = Vec::new();
    for path in &scenarios {
        bar.set_message(name_of(path));
        let outcome = play(&mut board, (&begin, seed), path, arguments)?;
        bar.suspend(|| told(&outcome, arguments.verbose))?;
        bar.inc(1);
        outcomes.push(outcome);
    }
    bar.finish_and_clear();
    if let Some(path) = &arguments.junit {
        let report = report(&outcomes, &place)?;
        whole_file::write(path, report.as_bytes())
            .map_err(|error| anyhow!("cannot write {}: {}", path.display(), why_no_file(&error)))?;
    }
    sum_up(&outcomes)
}

/// All scenarios of these paths, in order.
fn scenarios(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut scenarios = Vec::new();
    for path in paths {
        let unreadable =
            |error: io::Error| anyhow!("cannot read {}: {}", path.display(), why_no_file(&error));
        if !fs::metadata(path).map_err(unreadable)?.is_dir() {
            scenarios.push(path.clone());
            continue;
        }
        let before = scenarios.len();
        for entry in fs::read_dir(path).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            if file
                .extension()
                .is_some_and(|extension| extension == EXTENSION)
            {
                scenarios.push(file);
            }
        }
        ensure!(
            scenarios.len() > before,
            "there is no scenario in {}: their names end in .{EXTENSION}",
            path.display()
        );
        scenarios[before..].sort();
    }
    Ok(scenarios)
}

fn name_of(path: &Path) -> String {
    let name = path.file_stem().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Plays a scenario on the board, which begins anew.
fn play(
    board: &mut Box<dyn Driver>,
    (begin, seed): (&Deed, u64),
    path: &Path,
    arguments: &Arguments,
) -> anyhow::Result<Outcome> {
    let begun = Instant::now();
    board.carry_out(begin)?;
    let limited = Limited {
        inner: &mut *board,
        left_ms: arguments.within_ms,
    };
    let mut recorded = RecordingDriver::from_now(limited, seed, &format!("{}", path.display()))?;
    let options = ShellOptions {
        layout: touchboard_links::games::layout,
        answers: Answers::Plain(AnswerColours::Letters),
        reader: Reader::Script,
        on_trouble: OnTrouble::Stop,
        seed,
    };
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let ending = match File::open(path) {
        Ok(file) => {
            let input = BufReader::new(file);
            run_named(
                &mut recorded,
                input,
                &mut output,
                &mut errors,
                &options,
                Some(path),
            )?
        }
        Err(error) => {
            errors = format!("cannot read {}: {}\n", path.display(), why_no_file(&error)).into();
            ExitKind::Bad
        }
    };
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let mut outcome = Outcome {
        name: name_of(path),
        ending,
        output: text(output),
        errors: text(errors),
        board_ms: arguments.within_ms - recorded.inner().left_ms,
        took: begun.elapsed(),
    };
    if ending != ExitKind::Done
        && let Some(folder) = &arguments.sessions
    {
        let file = folder.join(&outcome.name).with_extension("session");
        match whole_file::write(&file, recorded.session().to_text().as_bytes()) {
            Ok(()) => outcome.errors += &format!("its session is {}\n", file.display()),
            Err(error) => {
                let why = why_no_file(&error);
                outcome.errors += &format!("cannot write {}: {why}\n", file.display());
            }
        }
    }
    Ok(outcome)
}

/// A board that may not run for long.
struct Limited<'a> {
    inner: &'a mut Box<dyn Driver>,
    /// What is left of its time.
    left_ms: Tick,
}

impl Driver for Limited<'_> {
    touchboard_host::forward!(
        inner: at, layout, roster, tick, frame, carry_out, status, legal, digest, save, load, take_events, take_remarks, overhear, clear_best, count_best, feels_contacts, read_pins, faults, set_faults
    );

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        let taken = ticks.min(self.left_ms);
        self.left_ms -= taken;
        self.inner.step(inputs, taken)?;
        match taken == ticks {
            true => Ok(()),
            false => Err(DriverError::OutOfReach(
                "the scenario takes more board time than --within-ms allows".into(),
            )),
        }
    }
}

/// Tells how a scenario went.
fn told(outcome: &Outcome, verbose: bool) -> Result<(), super::Unwritten> {
    let Outcome { name, ending, .. } = outcome;
    let word = match ending {
        ExitKind::Done => "ok",
        ExitKind::Failed => "FAILED",
        ExitKind::Bad => "ERROR",
    };
    say(format_args!(
        "{word:6}  {name}  ({} ms of board time)",
        outcome.board_ms
    ))?;
    if verbose {
        outcome.output.lines().try_for_each(say)?;
    }
    outcome
        .errors
        .lines()
        .for_each(|line| tell(format_args!("        {line}")));
    Ok(())
}

fn sum_up(outcomes: &[Outcome]) -> Done {
    let count = |ending| {
        outcomes
            .iter()
            .filter(|outcome| outcome.ending == ending)
            .count()
    };
    let (failed, bad) = (count(ExitKind::Failed), count(ExitKind::Bad));
    let board_ms: Tick = outcomes.iter().map(|outcome| outcome.board_ms).sum();
    say(format_args!(
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
        let status = match outcome.ending {
            ExitKind::Done => TestCaseStatus::success(),
            ending => {
                let kind = match ending {
                    ExitKind::Failed => NonSuccessKind::Failure,
                    _ => NonSuccessKind::Error,
                };
                let mut status = TestCaseStatus::non_success(kind);
                status.set_message(outcome.errors.trim_end());
                status
            }
        };
        let mut case = TestCase::new(outcome.name.as_str(), status);
        case.set_time(outcome.took)
            .set_system_out(outcome.output.as_str())
            .add_property(("board_ms", outcome.board_ms.to_string().as_str()));
        suite.add_test_case(case);
    }
    let mut report = Report::new("hil-bridge test");
    report.add_test_suite(suite);
    Ok(report.to_string()?)
}
