//! Measures the time from a changed line in a game to the desired result.
//!
//! Each step changes a line (a number that the optimiser cannot predict, in the body of
//! `turn`), builds, and reports the cost: elapsed time, processor time, and the time of
//! each crate. At the end the source is always restored.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use serde_json::Value;

use xtask::cargo::{self, cargo, words};
use xtask::game_tests;

/// What is built and run after the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Goal {
    /// The board process that `--watch` restarts.
    Board,
    /// The shell and the mirror.
    Bridge,
    /// The window.
    Window,
    /// The game's own tests, built and run: `cargo xtask test GAME`.
    GameTests,
    /// All tests, built and not run.
    AllTests,
}

impl Goal {
    const ALL: [Goal; 5] = [
        Goal::Board,
        Goal::Bridge,
        Goal::Window,
        Goal::GameTests,
        Goal::AllTests,
    ];

    fn command(self, game: &str) -> Command {
        let words: &[&str] = match self {
            Goal::Board => &["build", "-p", "virtual-board", "-p", "equal-features"],
            Goal::Bridge => &["build", "-p", "hil-bridge"],
            Goal::Window => &["build", "-p", "emulator"],
            Goal::GameTests => &[],
            Goal::AllTests => &["test", "--workspace", "--no-run"],
        };
        let mut cargo = match self {
            Goal::GameTests => game_tests::command(game),
            _ => cargo(),
        };
        cargo.args(words);
        cargo.args(["--quiet", "--timings"]);
        cargo
    }
}

/// What is measured.
#[derive(Args)]
pub struct Options {
    /// The game in which a line is changed, by the name of its folder.
    #[arg(long, default_value = "reversi")]
    game: String,
    /// Only these goals; by default all.
    #[arg(value_enum)]
    goals: Vec<Goal>,
}

/// Changes a line and builds for each goal, and prints the cost.
pub fn measure(options: &Options) -> anyhow::Result<()> {
    let Options { game, goals } = options;
    let goals: &[Goal] = if goals.is_empty() { &Goal::ALL } else { goals };
    println!("All is built first, so that only what a changed line costs is measured.");
    for goal in goals {
        run(&mut goal.command(game))?;
    }
    let folder = cargo::root().join("firmware-core/src/games");
    // Ctrl-C ends cargo, after which this program restores the line and ends.
    ctrlc::set_handler(|| {}).context("Ctrl-C cannot be caught")?;
    let line = Line::of(&folder.join(game).join("mod.rs"))?;
    println!(
        "{:60} {:>7} {:>7}",
        "after a changed line", "clock s", "CPU s"
    );
    for (number, goal) in (1..).zip(goals) {
        line.change(number)?;
        let mut command = goal.command(game);
        let cost = Cost::of(&mut command)?;
        println!(
            "{:60} {:7.1} {}",
            words(&command),
            cost.clock.as_secs_f32(),
            cost.processors()
        );
        for (name, seconds) in units()?.into_iter().filter(|(_, seconds)| *seconds >= 0.05) {
            println!("  {name:58} {seconds:7.1}");
        }
    }
    Ok(())
}

/// The time that a command took.
struct Cost {
    clock: Duration,
    /// The time on all processors, in seconds; `None` if the system does not report it.
    processors_s: Option<f32>,
}

impl Cost {
    fn of(command: &mut Command) -> anyhow::Result<Cost> {
        let (begin, before) = (Instant::now(), processor_seconds());
        run(command)?;
        let used = processor_seconds().zip(before);
        Ok(Cost {
            clock: begin.elapsed(),
            processors_s: used.map(|(after, before)| after - before),
        })
    }

    fn processors(&self) -> String {
        let seconds = self.processors_s.map(|seconds| format!("{seconds:7.1}"));
        seconds.unwrap_or_else(|| format!("{:>7}", "?"))
    }
}

/// Runs a command; its output is only shown if it fails.
fn run(command: &mut Command) -> anyhow::Result<()> {
    let output = command.output().context("cargo cannot be run")?;
    if !output.status.success() {
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        bail!("{} failed ({})", words(command), output.status);
    }
    Ok(())
}

/// The time on all processors, in seconds, of the programs that this one ran and waited
/// for, as Linux reports it (`proc(5)`, stat, cutime and cstime).
fn processor_seconds() -> Option<f32> {
    const TICKS_PER_SECOND: f32 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name, which may contain blanks.
    let fields = stat.rsplit_once(") ")?.1;
    let ticks = fields.split(' ').skip(13).take(2);
    let ticks: Vec<f32> = ticks.filter_map(|field| field.parse().ok()).collect();
    (ticks.len() == 2).then(|| ticks.iter().sum::<f32>() / TICKS_PER_SECOND)
}

/// The time of each crate in cargo's last timing report, the longest first.
fn units() -> anyhow::Result<Vec<(String, f64)>> {
    let path = cargo::target_dir()?.join("cargo-timings/cargo-timing.html");
    let page =
        fs::read_to_string(&path).with_context(|| format!("{} is not there", path.display()))?;
    units_of(&page).with_context(|| format!("{} is not as this program knows it", path.display()))
}

fn units_of(page: &str) -> Option<Vec<(String, f64)>> {
    let (_, rest) = page.split_once("const UNIT_DATA = ")?;
    let (data, _) = rest.split_once(";\n")?;
    let all: Vec<Value> = serde_json::from_str(data).ok()?;
    let mut units: Vec<(String, f64)> = all
        .iter()
        .filter_map(|unit| {
            let name = unit["name"].as_str()?;
            let target = unit["target"].as_str().unwrap_or_default();
            Some((format!("{name}{target}"), unit["duration"].as_f64()?))
        })
        .collect();
    units.sort_by(|one, other| other.1.total_cmp(&one.1));
    Some(units)
}

/// A line of a source file that is changed, and restored when this is dropped.
struct Line {
    path: PathBuf,
    before: String,
    /// The position at which the number is inserted: after the opening brace of `turn`.
    place: usize,
}

impl Line {
    fn of(path: &Path) -> anyhow::Result<Line> {
        let before = fs::read_to_string(path)
            .with_context(|| format!("there is no game in {}", path.display()))?;
        let place = before
            .find("fn turn(&self)")
            .and_then(|begin| Some(begin + before[begin..].find("{\n")? + 2));
        let place = place.with_context(|| format!("{} has no `turn`", path.display()))?;
        Ok(Line {
            path: path.to_owned(),
            before,
            place,
        })
    }

    fn change(&self, number: u32) -> anyhow::Result<()> {
        let (head, tail) = self.before.split_at(self.place);
        let text = format!("{head}        core::hint::black_box({number});\n{tail}");
        let written = fs::write(&self.path, text);
        written.with_context(|| format!("{} cannot be changed", self.path.display()))
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Err(error) = fs::write(&self.path, &self.before) {
            eprintln!(
                "{} cannot be put back ({error}): `git restore` it",
                self.path.display()
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_line_is_put_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("turn.rs");
        let source = "fn turn(&self) -> u8 {\n        7\n    }\n";
        fs::write(&path, source).unwrap();
        let line = Line::of(&path).unwrap();
        line.change(3).unwrap();
        let changed = fs::read_to_string(&path).unwrap();
        assert!(
            changed.contains("{\n        core::hint::black_box(3);\n        7\n"),
            "{changed}"
        );
        drop(line);
        assert_eq!(fs::read_to_string(&path).unwrap(), source);
    }

    #[test]
    fn every_game_has_a_line_to_change() {
        for number in firmware_core::games::ROSTER.iter() {
            let name = firmware_core::games::about(number).unwrap().name;
            let folder = cargo::root().join("firmware-core/src/games");
            let path = folder.join(name.to_lowercase()).join("mod.rs");
            let line = Line::of(&path).unwrap();
            // The file was not changed, so it is not restored.
            std::mem::forget(line);
        }
    }

    #[test]
    fn a_report_of_cargo_is_read() {
        let page = r#"x
const UNIT_DATA = [
  {"i": 0, "name": "hil-bridge", "target": " lib", "duration": 1.25},
  {"i": 1, "name": "emulator", "target": "", "duration": 3.5}
];
y"#;
        let units = units_of(page).unwrap();
        let expected = [
            ("emulator".to_owned(), 3.5),
            ("hil-bridge lib".to_owned(), 1.25),
        ];
        assert_eq!(units, expected);
    }
}
