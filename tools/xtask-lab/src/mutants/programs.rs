//! The test programs, and how a mutant is tested with them.
//!
//! Invariants: a test that does not end is stopped; a failing property test does not
//! shrink its input, since nobody would read it.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::results::{Found, Outcome};

/// How many times as long as without mutants a test may take before it counts as endless:
/// a mutant may play a longer game.
const SLOWER: u32 = 8;
/// The additional time for a test on a busy machine.
const SPARE: Duration = Duration::from_secs(10);
/// The additional processor time, which other processes do not use up. A program in an
/// endless loop is stopped after it.
const SPARE_OF_PROCESSOR: Duration = Duration::from_secs(2);
/// The signal for exceeded processor time, SIGXCPU, on Linux and macOS.
#[cfg(unix)]
const OUT_OF_TIME: i32 = 24;
/// Tests shorter than this are run together.
const SHORT: Duration = Duration::from_millis(60);

/// A test and its program.
#[derive(Debug)]
pub struct Test {
    program: PathBuf,
    pub name: String,
    takes: Duration,
    /// The numbers of the mutants that it reaches.
    reached: BTreeSet<u32>,
}

/// All tests that might detect a mutant, the shortest first.
pub struct Programs {
    /// The working directory of the tests: the folder of their package.
    folder: PathBuf,
    pub tests: Vec<Test>,
}

impl Programs {
    /// Runs each test of these programs by itself, without mutants. Tests that take
    /// longer than the limit are stopped and left out.
    ///
    /// # Errors
    /// If a test fails.
    pub fn look_at(
        folder: PathBuf,
        programs: &[PathBuf],
        begin: &str,
        longest: Option<Duration>,
    ) -> anyhow::Result<Programs> {
        let mut all = Programs {
            folder,
            tests: Vec::new(),
        };
        let reached = std::env::temp_dir().join(format!("reached-{}", std::process::id()));
        for program in programs {
            for name in all.names(program)? {
                if !name.starts_with(begin) {
                    continue;
                }
                let _ = fs::remove_file(&reached);
                let mut test = Test {
                    program: program.clone(),
                    name,
                    takes: Duration::ZERO,
                    reached: BTreeSet::new(),
                };
                let since = Instant::now();
                let mut command = match longest {
                    Some(longest) => all.limited(&[&test], longest),
                    None => all.command(&[&test]),
                };
                let output = command.env("SWITCHES_REACHED", &reached).output()?;
                test.takes = since.elapsed();
                if longest.is_some() && ended(output.status) == Outcome::TimedOut {
                    continue;
                }
                anyhow::ensure!(
                    output.status.success(),
                    "{} fails without any mistake:\n{}",
                    test.name,
                    String::from_utf8_lossy(&output.stdout)
                );
                let numbers = fs::read_to_string(&reached).unwrap_or_default();
                test.reached = numbers
                    .lines()
                    .filter_map(|line| line.parse().ok())
                    .collect();
                all.tests.push(test);
            }
        }
        let _ = fs::remove_file(&reached);
        all.tests.sort_by_key(|test| test.takes);
        Ok(all)
    }

    fn names(&self, program: &Path) -> anyhow::Result<Vec<String>> {
        let list = |more: &[&str]| -> anyhow::Result<BTreeSet<String>> {
            let mut command = Command::new(program);
            command.current_dir(&self.folder);
            let output = command
                .args(["--list", "--format", "terse"])
                .args(more)
                .output();
            let output = output.with_context(|| program.display().to_string())?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
            Ok(names.map(str::to_owned).collect())
        };
        let left_out = list(&["--ignored"])?;
        Ok(list(&[])?.difference(&left_out).cloned().collect())
    }

    /// The command that runs these tests, which must belong to one program.
    fn command(&self, tests: &[&Test]) -> Command {
        let program = tests.first().map(|test| test.program.clone());
        self.run_of(Command::new(program.unwrap_or_default()), tests)
    }

    /// The same, with a limit on the processor time if the system supports that.
    fn limited(&self, tests: &[&Test], limit: Duration) -> Command {
        if !cfg!(unix) {
            return self.command(tests);
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", r#"ulimit -S -t "$0" && exec "$@""#]);
        shell.arg(limit.as_secs().to_string());
        shell.args(tests.first().map(|test| &test.program));
        self.run_of(shell, tests)
    }

    fn run_of(&self, mut command: Command, tests: &[&Test]) -> Command {
        command.current_dir(&self.folder);
        command.args(["--exact", "--test-threads", "1"]);
        command.args(tests.iter().map(|test| &test.name));
        command.env("PROPTEST_MAX_SHRINK_ITERS", "0");
        command.env("INSTA_UPDATE", "no").env("RUST_BACKTRACE", "0");
        command.stdin(Stdio::null());
        command
    }

    /// True if a test reaches this mutant.
    pub fn reach(&self, number: u32) -> bool {
        self.tests.iter().any(|test| test.reached.contains(&number))
    }

    /// Activates this mutant and runs the tests that reach it: first those known to
    /// detect it, then the short ones together. Tests that take longer than the limit, if
    /// there is one, are not run.
    pub fn test(
        &self,
        number: u32,
        longest: Option<Duration>,
        finds: impl Fn(&str) -> bool,
    ) -> anyhow::Result<Found> {
        let is_brief = |test: &Test| longest.is_none_or(|longest| test.takes <= longest);
        let these = |test: &&Test| test.reached.contains(&number) && is_brief(test);
        let tests: Vec<&Test> = self.tests.iter().filter(these).collect();
        self.ask_of(&tests, Some(number), finds)
    }

    /// The tests with this prefix in other programs that contain the same tests.
    #[must_use]
    pub fn as_in(&self, programs: &[PathBuf], begin: &str) -> Programs {
        let name = |path: &Path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.rsplit_once('-').map(|(name, _)| name.to_owned())
        };
        let mut tests = Vec::new();
        let these = |test: &&Test| test.name.starts_with(begin);
        for test in self.tests.iter().filter(these) {
            let own = programs
                .iter()
                .find(|program| name(program) == name(&test.program));
            tests.extend(own.map(|program| Test {
                program: program.clone(),
                name: test.name.clone(),
                takes: test.takes,
                reached: BTreeSet::new(),
            }));
        }
        Programs {
            folder: self.folder.clone(),
            tests,
        }
    }

    /// Runs all tests of programs in which a mutant is built in.
    pub fn ask_all(&self, finds: impl Fn(&str) -> bool) -> anyhow::Result<Found> {
        let tests: Vec<&Test> = self.tests.iter().collect();
        self.ask_of(&tests, None, finds)
    }

    fn ask_of(
        &self,
        tests: &[&Test],
        number: Option<u32>,
        finds: impl Fn(&str) -> bool,
    ) -> anyhow::Result<Found> {
        if tests.is_empty() {
            return Ok(Outcome::Unreached.into());
        }
        for batch in batches(tests, finds) {
            let takes: Duration = batch.iter().map(|test| test.takes).sum();
            let takes = takes * SLOWER;
            let mut command = self.limited(&batch, takes + SPARE_OF_PROCESSOR);
            if let Some(number) = number {
                command.env("SWITCHES_ON", number.to_string());
            }
            let names = batch.iter().map(|test| &*test.name);
            let found = run(command, takes + SPARE, names.collect())?;
            if found.outcome != Outcome::Survived {
                return Ok(found);
            }
        }
        Ok(Outcome::Survived.into())
    }
}

/// The batches of tests: each known detector by itself, then the short tests of a
/// program together, then each of the others. Tests that are likely to give the
/// answer come first.
fn batches<'t>(tests: &[&'t Test], finds: impl Fn(&str) -> bool) -> Vec<Vec<&'t Test>> {
    let (likely, others): (Vec<&Test>, Vec<&Test>) =
        tests.iter().partition(|test| finds(&test.name));
    let (short, long): (Vec<&Test>, Vec<&Test>) =
        others.iter().partition(|test| test.takes < SHORT);
    let mut together: Vec<Vec<&Test>> = Vec::new();
    for test in short {
        let own = |batch: &&mut Vec<&Test>| batch[0].program == test.program;
        match together.iter_mut().find(own) {
            Some(batch) => batch.push(test),
            None => together.push(vec![test]),
        }
    }
    let alone = |tests: Vec<&'t Test>| tests.into_iter().map(|test| vec![test]);
    alone(likely).chain(together).chain(alone(long)).collect()
}

/// Runs the program until a test fails, all tests pass, or the time is over. In the last
/// case, the endless test is the first one, in order of names, without a result.
fn run(mut command: Command, limit: Duration, mut tests: Vec<&str>) -> anyhow::Result<Found> {
    let ends = Instant::now() + limit;
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| xtask::cargo::words(&command))?;
    let (tell, told) = mpsc::channel();
    let lines = child.stdout.take().map(BufReader::new);
    let reader = thread::spawn(move || {
        let lines = lines.into_iter().flat_map(BufRead::lines);
        for line in lines.map_while(Result::ok) {
            // The output of a test is only printed after all tests have run.
            let test = line.strip_prefix("test ");
            let Some((name, came)) = test.and_then(|test| test.rsplit_once(" ... ")) else {
                continue;
            };
            if tell.send((name.to_owned(), came == "FAILED")).is_err() {
                break;
            }
        }
    });
    let outcome = loop {
        let left = ends.saturating_duration_since(Instant::now());
        match told.recv_timeout(left) {
            Ok((name, true)) => {
                tests.retain(|test| *test == name);
                break Outcome::Caught;
            }
            Ok((name, false)) => tests.retain(|test| *test != name),
            Err(mpsc::RecvTimeoutError::Timeout) => break Outcome::TimedOut,
            // The output has ended, so the process is about to end.
            Err(mpsc::RecvTimeoutError::Disconnected) => break ended(child.wait()?),
        }
    };
    // The process may have ended by itself.
    let _ = child.kill();
    child.wait()?;
    drop(told);
    // A process that it started may keep the pipe open, so it is not read to its end.
    if outcome != Outcome::TimedOut {
        let _ = reader.join();
    }
    let by = tests.into_iter().min().map(str::to_owned);
    let by = by.filter(|_| outcome != Outcome::Survived);
    Ok(Found { outcome, by })
}

/// The outcome for this exit status.
fn ended(status: ExitStatus) -> Outcome {
    #[cfg(unix)]
    if std::os::unix::process::ExitStatusExt::signal(&status) == Some(OUT_OF_TIME) {
        return Outcome::TimedOut;
    }
    match status.success() {
        true => Outcome::Survived,
        false => Outcome::Caught,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn said(words: &str) -> (Outcome, Option<String>) {
        let mut shell = Command::new("sh");
        shell.args(["-c", words]);
        let found = run(shell, Duration::from_millis(900), vec!["b", "a"]).unwrap();
        (found.outcome, found.by)
    }

    #[test]
    fn a_failing_or_endless_test_ends_the_run() {
        let by = |name: &str| Some(name.to_owned());
        assert_eq!(said("echo 'test a ... ok'"), (Outcome::Survived, None));
        let crashed = (Outcome::Caught, by("b"));
        assert_eq!(said("echo 'test a ... ok'; exit 101"), crashed);
        let since = Instant::now();
        assert_eq!(
            said("echo 'test a ... FAILED'; exec sleep 30"),
            (Outcome::Caught, by("a"))
        );
        assert_eq!(said("exec sleep 30"), (Outcome::TimedOut, by("a")));
        assert!(since.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn an_endless_loop_is_stopped_by_the_system() {
        let test = Test {
            program: "sh".into(),
            name: "a".to_owned(),
            takes: Duration::ZERO,
            reached: BTreeSet::new(),
        };
        let programs = Programs {
            folder: std::env::temp_dir(),
            tests: Vec::new(),
        };
        let limited = programs.limited(&[&test], Duration::from_secs(1));
        let words: Vec<_> = limited.get_args().take(4).collect();
        let mut command = Command::new("sh");
        command.args(words).args(["-c", "while :; do :; done"]);
        let found = run(command, Duration::from_secs(300), vec!["a"]).unwrap();
        assert_eq!(found.outcome, Outcome::TimedOut);
        assert_eq!(found.by.as_deref(), Some("a"));
    }

    #[test]
    fn the_test_that_found_a_mutant_runs_first() {
        let test = |name: &str, millis| Test {
            program: "p".into(),
            name: name.to_owned(),
            takes: Duration::from_millis(millis),
            reached: BTreeSet::new(),
        };
        let tests = [test("a", 1), test("b", 2), test("c", 3), test("d", 900)];
        let tests: Vec<&Test> = tests.iter().collect();
        let names = |finder: &str| -> Vec<String> {
            let batches = batches(&tests, |name| name == finder);
            let name = |batch: &Vec<&Test>| batch.iter().map(|test| &*test.name).collect();
            batches.iter().map(name).collect()
        };
        assert_eq!(names(""), ["abc", "d"]);
        assert_eq!(names("b"), ["b", "ac", "d"]);
        assert_eq!(names("d"), ["d", "abc"]);
    }
}
