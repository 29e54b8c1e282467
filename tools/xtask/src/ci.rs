//! All checks and all tests.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::Context;

use crate::board::{self, Board};
use crate::bots;
use crate::cargo::{cargo, run, target_dir, words};
use crate::firmware::{self, Feature, How, Toolchain};
use crate::format;
use crate::game_tests;
use crate::mutants;
use crate::setup::{self, Purpose};

/// What `cargo test` said about some programs.
#[derive(Default)]
struct Tally {
    passed: u64,
    failed: u64,
    ignored: u64,
    /// Tests that had nothing to judge: the system lent them no line.
    excused: u64,
    programs: u64,
}

/// What the line begins with by which such a test says so; in a run with one
/// thread the runner has begun the line.
const EXCUSED: &str = "excused: ";

impl Tally {
    /// Counts one closing line of the test runner: `test result: ok. 12 passed;
    /// 0 failed; ...`, or an excuse.
    fn add(&mut self, line: &str) {
        self.excused += u64::from(line.contains(EXCUSED));
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
}

/// Everything before a change is taken.
pub fn ci() -> anyhow::Result<()> {
    setup::install(&Purpose::ALL)?;
    format::run_all(true)?;
    let clippy = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ];
    run(cargo().args(clippy))?;
    for game in game_tests::games()? {
        run(&mut game_tests::check(&game))?;
    }
    for board in Board::all() {
        lint_image(board)?;
    }
    bots::lint()?;
    mutants::check_switches()?;
    let doc = [
        "doc",
        "--workspace",
        "--no-deps",
        "--document-private-items",
    ];
    run(cargo().args(doc).env(
        "RUSTDOCFLAGS",
        "-D warnings -A rustdoc::private-intra-doc-links",
    ))?;
    test()
}

/// The image, and what all images share as it is on this chip. Where Debian's
/// compiler builds images there is no clippy for them.
fn lint_image(board: Board) -> anyhow::Result<()> {
    if firmware::toolchain(board) != Some(Toolchain::Rustup) {
        return Ok(());
    }
    let builds = target_dir()?.join("firmware/build");
    let deny = ["--", "-D", "warnings"];
    let mut image = cargo();
    image.args(["clippy", "--release"]).args(deny);
    image.env("CARGO_TARGET_DIR", &builds);
    run(image.current_dir(board.folder()))?;
    let mut shared = cargo();
    shared.args(["clippy", "--release", "--package", board::SHARED]);
    // Games are an image's choice, and without any there is no board.
    shared.args(["--features", "firmware-core/default"]);
    shared.args(["--target", board.target()]).args(deny);
    run(shared.env("CARGO_TARGET_DIR", &builds))
}

/// What proptest takes its cases from.
const SEED: &str = "PROPTEST_RNG_SEED";

/// All tests.
pub fn test() -> anyhow::Result<()> {
    let began = Instant::now();
    setup::install(&Purpose::ALL)?;
    let all: Vec<Board> = Board::all().collect();
    firmware::build_and_tell(&all, &How::default())?;
    let broken = How::with(Some(Feature::BrokenRule));
    firmware::build_and_tell(&[Board::Lm3s6965evb], &broken)?;
    let mut tally = Tally::default();
    tell(
        cargo().args(["test", "--workspace", "--no-fail-fast"]),
        &mut tally,
    )?;
    // The laws once more, as the optimiser leaves them.
    let parts = ["test", "--release", "-p", "protocol", "-p", "firmware-core"];
    tell(cargo().args(parts), &mut tally)?;
    let laws = [
        "test",
        "--release",
        "-p",
        "touchboard-tests",
        "--test",
        "laws",
    ];
    tell(cargo().args(laws), &mut tally)?;
    println!(
        "test result: ok. {} passed; {} failed; {} ignored; {} excused; {} programs; finished in {:.0}s",
        tally.passed,
        tally.failed,
        tally.ignored,
        tally.excused,
        tally.programs,
        began.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Runs tests, shows what they say, and counts.
fn tell(command: &mut Command, tally: &mut Tally) -> anyhow::Result<()> {
    // What a change is judged by is the same every time. Whoever runs tests by
    // themselves draws other cases each time.
    if std::env::var_os(SEED).is_none() {
        command.env(SEED, "0");
    }
    let mut running = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("{} cannot be run", words(command)))?;
    let output = running.stdout.take().context("the output is piped")?;
    for line in BufReader::new(output).lines() {
        let line = line?;
        tally.add(&line);
        println!("{line}");
    }
    let status = running.wait()?;
    anyhow::ensure!(
        status.success(),
        "{} failed: {} tests of {}",
        words(command),
        tally.failed,
        tally.passed + tally.failed
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn the_closing_lines_of_the_runner_are_counted() {
        let mut tally = Tally::default();
        tally.add("test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured; 0 filtered out");
        tally.add("test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured");
        tally.add("test something ... ok");
        let counted = (tally.passed, tally.failed, tally.ignored, tally.programs);
        assert_eq!(counted, (13, 2, 3, 2));
        assert_eq!(tally.excused, 0);
    }

    #[test]
    fn a_test_that_had_nothing_to_judge_is_counted_though_it_passed() {
        let mut tally = Tally::default();
        tally.add("excused: it_agrees has no board to judge: no terminal is left");
        tally.add("test it_agrees ... excused: it_agrees has no board to judge: none is left");
        tally.add("test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured");
        assert_eq!((tally.passed, tally.excused), (2, 2));
    }
}
