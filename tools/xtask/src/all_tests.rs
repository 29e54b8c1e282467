//! Runs all tests. The test programs are built first and then run, several at a time,
//! since many of them wait for a line, a clock or an emulated chip.
//!
//! Invariants: each program runs in the folder of its package, as with cargo, and its
//! output is shown in one piece; all programs run, even after a failure; a test that had
//! nothing to judge is counted as excused, or as a failure if [`Excuses`] are refused.

use std::cmp::Reverse;
use std::io::{BufRead, BufReader};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::board::BoardImage;
use crate::book;
use crate::cargo::{cargo, words};
use crate::firmware::{self, Feature, How};
use crate::format;
use crate::grid_client;
use crate::labgrid;
use crate::mcp;
use crate::rustdoc;
use crate::setup::{self, Purpose};
use crate::wasm;

/// The most programs that run at a time: more would slow down those that wait for a line.
const MOST_AT_ONCE: usize = 4;

/// The beginnings of the titles of those that take longest. They are started first, so
/// that no processor is without work at the end.
const LONGEST: [&str; 8] = [
    "qemu",
    "a mistake in the Pico's image",
    "mended",
    "the tools for agents",
    "instructions",
    "window",
    "cores",
    "own_tests",
];

/// The variable with proptest's seed.
const SEED: &str = "PROPTEST_RNG_SEED";

/// What becomes of tests that had nothing to judge, for example because QEMU is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excuses {
    /// They are counted, and the run can pass.
    Count,
    /// They make the run fail: on this machine everything can be judged.
    Refuse,
}

/// Runs all tests of the tree.
pub fn run_all(excuses: Excuses) -> anyhow::Result<()> {
    let began = Instant::now();
    setup::install(&Purpose::ALL)?;
    let mut tally = Tally::default();
    let programs = build_all(&mut tally)?;
    let mut runs: Vec<Run> = programs.iter().map(TestProgram::run).collect();
    runs.extend(commands()?);
    match format::can_format() {
        true => runs.push(formatting()),
        false => tally.add(&format!("{EXCUSED}no rustfmt, so no format")),
    }
    match setup::can_link("jack") {
        true => runs.push(midi_ports()),
        false => tally.add(&format!("{EXCUSED}no library of JACK, so no MIDI port")),
    }
    runs.sort_by_key(|run| {
        let mut longest = LONGEST.iter();
        let place = longest.position(|title| run.title.starts_with(title));
        place.unwrap_or(LONGEST.len())
    });
    let tally = run_beside_one_another(runs, tally)?;
    tally.closing(began, excuses)
}

/// Builds all that is tested, and returns the programs that hold tests. The images are
/// linked by one processor for a minute each, so the test programs are built beside them.
fn build_all(tally: &mut Tally) -> anyhow::Result<Vec<TestProgram>> {
    let (images, programs) = thread::scope(|scope| {
        let images = scope.spawn(|| timed("the images", build_images));
        let programs = timed("the test programs", || build(&["--workspace"]));
        (images.join(), programs)
    });
    let images = images.map_err(|_| anyhow::anyhow!("the builder of images panicked"))?;
    tally.built(images)?;
    let mut programs = tally.built(programs)?;
    let bare = ["-p", "emulator", "--no-default-features", "--lib"];
    let bare = tally.built(timed("the window without lines and files", || build(&bare)))?;
    programs.extend(bare.into_iter().map(|program| TestProgram {
        name: format!("{} without its features", program.name),
        ..program
    }));
    Ok(programs)
}

/// Builds all that does not run on this machine's system: the images of boards, and the
/// library of hosts for a browser; checks the page. Fetches what tests of them need.
fn build_images() -> anyhow::Result<()> {
    let all: Vec<BoardImage> = BoardImage::all().collect();
    firmware::build_and_tell(&all, &How::default())?;
    let broken = How::with(Some(Feature::BrokenRule));
    firmware::build_and_tell(&[BoardImage::Lm3s6965evb], &broken)?;
    grid_client::set_up()?;
    labgrid::set_up()?;
    wasm::build(wasm::Options { page: true })
}

/// Something that was built, its title, and how long that took.
struct Built<T> {
    what: T,
    title: String,
    took: Duration,
}

/// Builds something.
fn timed<T>(title: &str, build: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<Built<T>> {
    let began = Instant::now();
    Ok(Built {
        what: build()?,
        title: format!("building {title}"),
        took: began.elapsed(),
    })
}

/// What is tested by commands instead of test programs.
fn commands() -> anyhow::Result<Vec<Run>> {
    let mut documents = cargo();
    documents.args(["test", "--workspace", "--doc", "--no-fail-fast"]);
    let commands = [
        ("the examples in the documentation", documents),
        ("a mistake in the Pico's image", planted()),
        (
            "the links of the libraries' documentation",
            rustdoc::of_libraries(),
        ),
        ("the tests of the book's program", book::tests()?),
        ("the tools for agents", mcp::tests()?),
        ("the book", book::pages()?),
    ];
    let run = |(title, command): (&str, Command)| Run {
        title: title.to_owned(),
        command,
    };
    Ok(commands.map(run).into())
}

/// One example of the mistakes that can be planted in the Pico's image; only one, since
/// each needs a build.
fn planted() -> Command {
    let mut lab = cargo();
    lab.args(["run", "--package", "xtask-lab", "--", "planted", "limit"]);
    lab
}

/// The check that every source file has rustfmt's format.
fn formatting() -> Run {
    let mut check = cargo();
    check.args(["xtask", "fmt", "--check"]);
    Run {
        title: "the format of the sources".to_owned(),
        command: check,
    }
}

/// The test of a panel that is found by the name of its MIDI port, which is only built in
/// on request.
fn midi_ports() -> Run {
    let mut test = cargo();
    test.args(["test", "--quiet", "--package", "touchboard-panel-ports"]);
    test.args(["--features", "jack", "--test", "midi_ports"]);
    test.args(["--", "--nocapture"]);
    Run {
        title: "a panel at MIDI ports".to_owned(),
        command: test,
    }
}

/// A program that holds tests.
struct TestProgram {
    name: String,
    path: PathBuf,
    /// The folder of its package.
    folder: PathBuf,
}

/// The test program in this line of cargo's build messages.
fn program(line: &str) -> Option<TestProgram> {
    let message: serde_json::Value = serde_json::from_str(line).ok()?;
    let is_test = message["profile"]["test"].as_bool() == Some(true);
    let manifest = Path::new(message["manifest_path"].as_str()?);
    is_test.then_some(())?;
    Some(TestProgram {
        name: message["target"]["name"].as_str()?.to_owned(),
        path: PathBuf::from(message["executable"].as_str()?),
        folder: manifest.parent()?.to_owned(),
    })
}

/// Builds the test programs of these packages.
fn build(packages: &[&str]) -> anyhow::Result<Vec<TestProgram>> {
    let mut command = cargo();
    command.args(["test", "--no-run", "--message-format"]);
    command.arg("json-render-diagnostics").args(packages);
    let mut building = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("{} cannot be run", words(&command)))?;
    let output = building.stdout.take().context("the output is piped")?;
    let mut programs = Vec::new();
    for line in BufReader::new(output).lines() {
        programs.extend(program(&line?));
    }
    anyhow::ensure!(building.wait()?.success(), "{} failed", words(&command));
    Ok(programs)
}

/// Something to run that holds tests.
struct Run {
    title: String,
    command: Command,
}

impl TestProgram {
    fn run(&self) -> Run {
        let package = self.folder.file_name().unwrap_or_default();
        let mut command = Command::new(&self.path);
        command.current_dir(&self.folder);
        command.env("CARGO_MANIFEST_DIR", &self.folder);
        Run {
            title: format!("{} of {}", self.name, package.display()),
            command,
        }
    }
}

/// Runs them and counts the tests. One more runs at a time than there are processors,
/// because usually one of them is waiting.
fn run_beside_one_another(runs: Vec<Run>, tally: Tally) -> anyhow::Result<Tally> {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let left = Mutex::new(runs.into_iter());
    let tally = Mutex::new(tally);
    let next = || {
        let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
        left.next()
    };
    let work = || -> anyhow::Result<()> {
        while let Some(run) = next() {
            let began = Instant::now();
            let (said, passed) = run_captured(run.command)?;
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            println!("\n     Running {}\n{said}", run.title);
            tally.times.push((began.elapsed(), run.title.clone()));
            said.lines().for_each(|line| tally.add(line));
            if !passed {
                tally.lost.push(lost(&run.title, &said));
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let at_once = (processors + 1).min(MOST_AT_ONCE);
        let all = (0..at_once).map(|_| scope.spawn(work));
        let all: Vec<_> = all.collect();
        for one in all {
            one.join()
                .map_err(|_| anyhow::anyhow!("a runner of tests panicked"))??;
        }
        anyhow::Ok(())
    })?;
    Ok(tally.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// The output of a program, and whether it succeeded.
fn run_captured(mut command: Command) -> anyhow::Result<(String, bool)> {
    // A change is always judged by the same test cases. A test that is run individually
    // gets new cases each time.
    if std::env::var_os(SEED).is_none() {
        command.env(SEED, "0");
    }
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("{} cannot be run", words(&command)))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok((said, output.status.success()))
}

/// A failed run with its failed tests, which the test runner lists at the end, one per
/// line.
fn lost(title: &str, said: &str) -> String {
    let list = said.rsplit_once("failures:\n").map_or("", |(_, list)| list);
    let names = list.lines().map_while(|line| line.strip_prefix("    "));
    let failed: String = names.map(|name| format!("\n  {name}")).collect();
    match failed.is_empty() {
        true => format!("{title}\n  it ended before it said which test failed"),
        false => format!("{title}{failed}"),
    }
}

/// The sums of what the test programs reported.
#[derive(Debug, Default)]
struct Tally {
    passed: u64,
    failed: u64,
    ignored: u64,
    /// The lines of tests that could not check anything, for example because the system
    /// gave them no line.
    excused: Vec<String>,
    programs: u64,
    /// The failed runs, each with its failed tests, one per line.
    lost: Vec<String>,
    /// How long each build and each program took.
    times: Vec<(Duration, String)>,
}

/// How many of them are listed: those that took longest.
const SLOWEST: usize = 16;

/// The beginning of the line by which a test reports that it was excused. In a run with
/// one thread, the test runner has already begun the line.
const EXCUSED: &str = "excused: ";

impl Tally {
    /// Adds a final line of the test runner, such as `test result: ok. 12 passed; 0
    /// failed; ...`, or an excuse.
    fn add(&mut self, line: &str) {
        if let Some((_, excuse)) = line.split_once(EXCUSED) {
            self.excused.push(excuse.to_owned());
        }
        let Some(counts) = line.trim().strip_prefix("test result: ") else {
            return;
        };
        let count = |word: &str| -> u64 {
            let before = counts.split(word).next().unwrap_or("");
            let digits = before.trim_end().rsplit([' ', ';']).next();
            digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
        };
        self.passed += count("passed");
        self.failed += count("failed");
        self.ignored += count("ignored");
        self.programs += 1;
    }

    /// Keeps how long something took to build, and returns it.
    fn built<T>(&mut self, built: anyhow::Result<Built<T>>) -> anyhow::Result<T> {
        let Built { what, title, took } = built?;
        self.times.push((took, title));
        Ok(what)
    }

    /// What took longest, a line each.
    fn slowest(&self) -> String {
        let mut times = self.times.clone();
        times.sort_by_key(|(took, _)| Reverse(*took));
        times.truncate(SLOWEST);
        let line =
            |(took, title): &(Duration, String)| format!("{:>6} s {title}\n", took.as_secs());
        times.iter().map(line).collect()
    }

    /// The closing line of all, after what took longest.
    fn closing(&self, began: Instant, excuses: Excuses) -> anyhow::Result<()> {
        let Tally {
            passed,
            failed,
            ignored,
            excused,
            programs,
            lost,
            times: _,
        } = self;
        println!("These took longest:\n{}", self.slowest());
        let refused = match excuses {
            Excuses::Refuse => &excused[..],
            Excuses::Count => &[],
        };
        let is_ok = lost.is_empty() && refused.is_empty();
        let result = if is_ok { "ok" } else { "FAILED" };
        println!(
            "test result: {result}. {passed} passed; {failed} failed; {ignored} ignored; {} excused; {programs} programs; finished in {:.0}s",
            excused.len(),
            began.elapsed().as_secs_f64()
        );
        anyhow::ensure!(lost.is_empty(), "these failed:\n{}", lost.join("\n"));
        anyhow::ensure!(
            refused.is_empty(),
            "these had nothing to judge, see `cargo xtask setup`:\n{}",
            refused.join("\n")
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_lines_of_the_runner_are_counted() {
        let mut tally = Tally::default();
        tally.add("test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured; 0 filtered out");
        tally.add("test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured");
        tally.add("test something ... ok");
        let counted = (tally.passed, tally.failed, tally.ignored, tally.programs);
        assert_eq!(counted, (13, 2, 3, 2));
        assert!(tally.excused.is_empty());
    }

    #[test]
    fn the_tests_that_failed_are_named_at_the_end() {
        let said = "test a::is_fine ... ok\n\nfailures:\n\n---- b::is_wrong stdout ----\n\
                    \nfailures:\n    b::is_wrong\n    src/lib.rs - c (line 3)\n\n\
                    test result: FAILED. 1 passed; 2 failed";
        let named = lost("laws of tests", said);
        assert_eq!(
            named,
            "laws of tests\n  b::is_wrong\n  src/lib.rs - c (line 3)"
        );
        assert!(lost("laws of tests", "running 2 tests").contains("it ended before"));
        let tally = Tally {
            lost: vec![named.clone()],
            ..Tally::default()
        };
        let error = tally.closing(Instant::now(), Excuses::Count);
        let error = error.unwrap_err().to_string();
        assert!(error.ends_with(&named), "{error}");
    }

    #[test]
    fn excused_tests_are_counted() {
        let mut tally = Tally::default();
        tally.add("excused: it_agrees has no board to judge: no terminal is left");
        tally.add("test it_agrees ... excused: it_agrees has no board to judge: none is left");
        tally.add("test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured");
        assert_eq!((tally.passed, tally.excused.len()), (2, 2));
        tally.closing(Instant::now(), Excuses::Count).unwrap();
    }

    #[test]
    fn refused_excuses_fail_the_run_and_are_named() {
        let mut tally = Tally::default();
        tally.closing(Instant::now(), Excuses::Refuse).unwrap();
        tally.add("test it_agrees ... excused: it_agrees: no terminal is left");
        tally.add("test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured");
        let error = tally.closing(Instant::now(), Excuses::Refuse);
        let error = error.unwrap_err().to_string();
        assert!(
            error.ends_with("\nit_agrees: no terminal is left"),
            "{error}"
        );
    }

    #[test]
    fn a_test_program_is_read_from_cargos_messages() {
        let built = r#"{"reason":"compiler-artifact","manifest_path":"/p/wire/Cargo.toml","target":{"name":"laws"},"profile":{"test":true},"executable":"/t/laws-1"}"#;
        let found = program(built).unwrap();
        assert_eq!(found.run().title, "laws of wire");
        assert_eq!(found.path, Path::new("/t/laws-1"));
        let library = built.replace("\"/t/laws-1\"", "null");
        assert!(program(&library).is_none());
        assert!(program(&built.replace("true", "false")).is_none());
        assert!(program("Compiling wire").is_none());
    }

    #[test]
    fn all_programs_run_and_failing_ones_are_named() {
        let run = |title: &str, option: &str| {
            let mut command = Command::new(env!("CARGO"));
            command.arg(option);
            let title = title.to_owned();
            Run { title, command }
        };
        let runs = vec![
            run("one", "--version"),
            run("two", "--no-such-option"),
            run("three", "--version"),
        ];
        let tally = run_beside_one_another(runs, Tally::default()).unwrap();
        let two = "two\n  it ended before it said which test failed";
        assert_eq!(tally.lost, [two]);
        let error = tally.closing(Instant::now(), Excuses::Count).unwrap_err();
        assert_eq!(error.to_string(), format!("these failed:\n{two}"));
    }
}
