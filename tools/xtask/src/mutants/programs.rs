//! The programs that hold the tests, and how a mutant is asked of them.
//!
//! What always holds: a test that does not end is stopped; a law that is broken
//! is not shrunk, since nobody reads by what.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::results::Outcome;

/// A test by itself takes so many times longer at the most before it counts as
/// one that does not end: a mutant may play a longer game.
const SLOWER: u32 = 8;
/// And so much more, on a machine that has other things to do.
const SPARE: Duration = Duration::from_secs(10);
/// Tests shorter than this are run together.
const SHORT: Duration = Duration::from_millis(60);

/// A test, in the program that holds it.
#[derive(Debug)]
pub struct Test {
    program: PathBuf,
    pub name: String,
    takes: Duration,
    /// The mutants that it comes past, by number.
    reached: BTreeSet<u32>,
}

/// All tests of which one may find a mistake, the shortest first.
pub struct Programs {
    /// Where they run: the folder of their package.
    folder: PathBuf,
    pub tests: Vec<Test>,
}

impl Programs {
    /// Runs each test of these programs by itself, with no mistake in it.
    ///
    /// # Errors
    /// If one fails.
    pub fn look_at(folder: PathBuf, programs: &[PathBuf], begin: &str) -> anyhow::Result<Programs> {
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
                let mut command = all.command(&[&test]);
                let output = command.env("SWITCHES_REACHED", &reached).output()?;
                test.takes = since.elapsed();
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

    /// Runs these tests, which are of one program.
    fn command(&self, tests: &[&Test]) -> Command {
        let program = tests.first().map(|test| test.program.clone());
        let mut command = Command::new(program.unwrap_or_default());
        command.current_dir(&self.folder);
        command.args(["--exact", "--test-threads", "1"]);
        command.args(tests.iter().map(|test| &test.name));
        command.env("PROPTEST_MAX_SHRINK_ITERS", "0");
        command.env("INSTA_UPDATE", "no").env("RUST_BACKTRACE", "0");
        command.stdin(Stdio::null());
        command
    }

    /// True if a test comes past this mutant.
    pub fn reach(&self, number: u32) -> bool {
        self.tests.iter().any(|test| test.reached.contains(&number))
    }

    /// Switches this mutant on and runs the tests that come past it, the short ones
    /// together and first.
    pub fn ask(&self, number: u32) -> anyhow::Result<Outcome> {
        let these = |test: &&Test| test.reached.contains(&number);
        let tests: Vec<&Test> = self.tests.iter().filter(these).collect();
        self.ask_of(&tests, Some(number))
    }

    /// The tests whose names begin so, in other programs, in which they have the same
    /// names.
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

    /// Runs all of them, where the mistake is in the programs themselves.
    pub fn ask_all(&self) -> anyhow::Result<Outcome> {
        let tests: Vec<&Test> = self.tests.iter().collect();
        self.ask_of(&tests, None)
    }

    fn ask_of(&self, tests: &[&Test], number: Option<u32>) -> anyhow::Result<Outcome> {
        if tests.is_empty() {
            return Ok(Outcome::Unreached);
        }
        let (short, long): (Vec<&Test>, Vec<&Test>) =
            tests.iter().partition(|test| test.takes < SHORT);
        let mut batches: Vec<Vec<&Test>> = Vec::new();
        for test in short {
            let own = |batch: &&mut Vec<&Test>| batch[0].program == test.program;
            match batches.iter_mut().find(own) {
                Some(batch) => batch.push(test),
                None => batches.push(vec![test]),
            }
        }
        batches.extend(long.into_iter().map(|test| vec![test]));
        for batch in batches {
            let takes: Duration = batch.iter().map(|test| test.takes).sum();
            let mut command = self.command(&batch);
            if let Some(number) = number {
                command.env("SWITCHES_ON", number.to_string());
            }
            match run(command, takes * SLOWER + SPARE)? {
                Outcome::Survived => {}
                found => return Ok(found),
            }
        }
        Ok(Outcome::Survived)
    }
}

/// Runs it until a test fails, all have held, or it took too long.
fn run(mut command: Command, limit: Duration) -> anyhow::Result<Outcome> {
    let ends = Instant::now() + limit;
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| crate::cargo::words(&command))?;
    let (tell, told) = mpsc::channel();
    let lines = child.stdout.take().map(BufReader::new);
    let reader = thread::spawn(move || {
        for line in lines
            .into_iter()
            .flat_map(BufRead::lines)
            .map_while(Result::ok)
        {
            // What a test says of itself comes after all of them have run.
            if line.starts_with("test ") && line.ends_with("FAILED") && tell.send(()).is_err() {
                break;
            }
        }
    });
    let left = ends.saturating_duration_since(Instant::now());
    let outcome = match told.recv_timeout(left) {
        Ok(()) => Outcome::Caught,
        Err(mpsc::RecvTimeoutError::Timeout) => Outcome::TimedOut,
        // It has said all.
        Err(mpsc::RecvTimeoutError::Disconnected) => match child.wait()?.success() {
            true => Outcome::Survived,
            false => Outcome::Caught,
        },
    };
    // It may have ended by itself.
    let _ = child.kill();
    child.wait()?;
    drop(told);
    // A program that it started may hold the other end: it is not waited for.
    if outcome != Outcome::TimedOut {
        let _ = reader.join();
    }
    Ok(outcome)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn said(words: &str) -> Outcome {
        let mut shell = Command::new("sh");
        shell.args(["-c", words]);
        run(shell, Duration::from_millis(900)).unwrap()
    }

    #[test]
    fn a_failing_test_stops_the_run_and_one_that_does_not_end_is_stopped() {
        assert_eq!(said("echo 'test a ... ok'"), Outcome::Survived);
        assert_eq!(said("echo 'test a ... ok'; exit 101"), Outcome::Caught);
        let since = Instant::now();
        assert_eq!(
            said("echo 'test a ... FAILED'; exec sleep 30"),
            Outcome::Caught
        );
        assert_eq!(said("exec sleep 30"), Outcome::TimedOut);
        assert!(since.elapsed() < Duration::from_secs(20));
    }
}
