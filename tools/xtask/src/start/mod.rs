//! Starts the window. Its first build takes a while; the board in the terminal is built
//! quickly, so the user can play there in the meantime.
//!
//! Invariants: a window that has been built is started without further steps; without a
//! terminal, nothing is shown in one. Without a display, no window is announced or built
//! (`no_display`). Each step is announced before it begins, and reports its progress.

mod no_display;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, IsTerminal, Seek, SeekFrom, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, bail};

use crate::cargo::{cargo, run as run_to_its_end, target_dir};
use crate::setup::{self, Purpose};

/// What is shown to the user first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    /// The window, which is built first if necessary.
    Window,
    /// The board in the terminal until the window has been built.
    TerminalMeanwhile,
    /// The board in the terminal, because no window can be opened.
    TerminalOnly,
    /// A few moves that are written to files, because there is neither a window nor a
    /// terminal.
    Files,
}

/// What is there when the command starts.
#[derive(Clone, Copy, Debug)]
struct Found {
    /// The window was built before.
    is_built: bool,
    /// The user gave arguments, which are those of the window.
    has_arguments: bool,
    has_display: bool,
    has_terminal: bool,
}

impl Found {
    fn first(self) -> First {
        match (self.has_display, self.has_terminal) {
            // A user with further arguments wants the window, and gets only that.
            _ if self.has_arguments => First::Window,
            (false, true) => First::TerminalOnly,
            (false, false) => First::Files,
            (true, true) if !self.is_built => First::TerminalMeanwhile,
            (true, _) => First::Window,
        }
    }
}

/// The build profile of the board in the terminal.
const FIRST: &str = "first";

/// The interval at which the user is informed about the progress of the window.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// Starts the window with these arguments.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let name = format!("debug/emulator{}", std::env::consts::EXE_SUFFIX);
    let found = Found {
        is_built: target_dir()?.join(name).is_file(),
        has_arguments: !arguments.is_empty(),
        has_display: no_display::display_is_there(),
        has_terminal: stdin().is_terminal() && stdout().is_terminal(),
    };
    match found.first() {
        First::TerminalOnly => return no_display::in_terminal(),
        First::Files => return no_display::in_pipe(),
        First::Window => setup::install(&[Purpose::Window])?,
        First::TerminalMeanwhile => {
            setup::install(&[Purpose::Window])?;
            play_meanwhile()?;
        }
    }
    let mut emulator = cargo();
    emulator.args(["run", "-p", "emulator", "--bin", "emulator", "--"]);
    run_to_its_end(emulator.args(arguments))
}

/// Shows the board in the terminal while the window is being built.
fn play_meanwhile() -> anyhow::Result<()> {
    println!(
        "The window takes a while to be built for the first time: until it is there, \
         the board is in this terminal."
    );
    let program = terminal_board()?;
    let folder = target_dir()?;
    let (news, log) = (folder.join("window.news"), folder.join("window.log"));
    let (build, heard) = build_window(&news, &log)?;
    let mirror = Command::new(program)
        .arg("mirror")
        .arg("--news")
        .arg(&news)
        .status();
    let ended = wait(build, heard, &news, &log);
    let _ = fs::remove_file(&news);
    mirror.context("the board cannot be shown in the terminal")?;
    ended
}

/// Builds the program that shows the board in a terminal, and returns its path.
///
/// It has a profile of its own with little optimisation, so that the board appears much
/// sooner; the window's dependencies are built while the user plays.
fn terminal_board() -> anyhow::Result<PathBuf> {
    println!("First the board for this terminal is built: a minute or so on a fresh machine.");
    let mut bridge = cargo();
    bridge.args(["build", "--profile", FIRST]);
    run_to_its_end(bridge.args(["-p", "hil-bridge", "--bin", "hil-bridge"]))?;
    let program = format!("{FIRST}/hil-bridge{}", std::env::consts::EXE_SUFFIX);
    Ok(target_dir()?.join(program))
}

/// Builds the window in the background, and writes its progress to the file `news`.
fn build_window(news: &Path, log: &Path) -> anyhow::Result<(Child, JoinHandle<()>)> {
    let all = crates_of_window().unwrap_or(0);
    let errors = File::create(log).context("the log of the build cannot be written")?;
    let mut news = File::create(news).context("the news cannot be written")?;
    news.write_all(progress(0, all).as_bytes())?;
    let mut build = cargo();
    build.args(["build", "-p", "emulator", "--bin", "emulator"]);
    build.arg("--message-format=json-render-diagnostics");
    // The build must not read from the terminal of the board.
    let mut build = build
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(errors)
        .spawn()
        .context("cargo cannot be run")?;
    let output = build.stdout.take().context("cargo says nothing")?;
    let heard = thread::spawn(move || {
        let mut built = BTreeSet::new();
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let Ok(told) = serde_json::from_str::<serde_json::Value>(&line) else {
                continue;
            };
            let line = match told["reason"].as_str() {
                Some("compiler-artifact") => {
                    built.insert(told["package_id"].as_str().unwrap_or_default().to_owned());
                    progress(built.len(), all)
                }
                Some("build-finished") if told["success"] == true => {
                    "the window is there: q opens it".to_owned()
                }
                Some("build-finished") => "the window cannot be built: q says why".to_owned(),
                _ => continue,
            };
            let written = news.set_len(0).and_then(|()| news.seek(SeekFrom::Start(0)));
            let _ = written.and_then(|_| news.write_all(line.as_bytes()));
        }
    });
    Ok((build, heard))
}

fn progress(built: usize, all: usize) -> String {
    match all {
        0 => format!("the window is being built: {built} crates are"),
        all => format!(
            "the window is being built: {} of {all} crates",
            built.min(all)
        ),
    }
}

/// The number of crates in the window.
fn crates_of_window() -> Option<usize> {
    let mut tree = cargo();
    tree.args(["tree", "-p", "emulator", "--edges", "normal,build"]);
    tree.args(["--prefix", "none", "--format", "{p}"]);
    let output = tree.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let crates: BTreeSet<&str> = text
        .lines()
        .map(|line| line.trim_end_matches(" (*)"))
        .collect();
    Some(crates.len())
}

/// Waits until the window has been built, and reports the progress.
fn wait(mut build: Child, heard: JoinHandle<()>, news: &Path, log: &Path) -> anyhow::Result<()> {
    if build.try_wait()?.is_none() {
        println!("The window opens as soon as it is built.");
    }
    let mut shown = String::new();
    let status = loop {
        if let Some(status) = build.try_wait()? {
            break status;
        }
        let line = fs::read_to_string(news).unwrap_or_default();
        if line != shown {
            // The next line overwrites this one.
            print!("\r{line}\x1b[K");
            stdout().flush()?;
            shown = line;
        }
        thread::sleep(LOOK_AGAIN);
    };
    if !shown.is_empty() {
        println!();
    }
    let _ = heard.join();
    if !status.success() {
        bail!("the window was not built: see {}", log.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_promised_only_with_a_display() {
        const NOTHING: Found = Found {
            is_built: false,
            has_arguments: false,
            has_display: false,
            has_terminal: false,
        };
        for is_built in [false, true] {
            let first = |has_display, has_terminal| {
                let found = Found {
                    is_built,
                    has_display,
                    has_terminal,
                    ..NOTHING
                };
                found.first()
            };
            assert_eq!(first(false, true), First::TerminalOnly);
            assert_eq!(first(false, false), First::Files);
            assert_eq!(first(true, false), First::Window);
            let with_both = first(true, true);
            match is_built {
                true => assert_eq!(with_both, First::Window),
                false => assert_eq!(with_both, First::TerminalMeanwhile),
            }
            let arguments = Found {
                is_built,
                has_arguments: true,
                ..NOTHING
            };
            assert_eq!(arguments.first(), First::Window, "it says what it needs");
        }
    }

    #[test]
    fn the_crates_of_the_window_are_counted() {
        let all = crates_of_window().expect("cargo knows the tree");
        assert!(all > 100, "{all}");
        assert_eq!(
            progress(all + 3, all),
            format!("the window is being built: {all} of {all} crates")
        );
    }
}
