//! Starts the emulator. Its window takes a while to be built for the first time;
//! the board in the terminal does not, so one plays there meanwhile.
//!
//! What always holds: once the window was built it is simply started; without a
//! terminal nothing is shown in one.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, IsTerminal, Seek, SeekFrom, Write, stdout};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};

use anyhow::{Context, bail};

use crate::cargo::{cargo, run as run_to_its_end, target_dir};
use crate::setup::{self, Purpose};

/// Starts the emulator with these arguments.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    setup::install(&[Purpose::Window])?;
    let name = format!("debug/emulator{}", std::env::consts::EXE_SUFFIX);
    let is_built = target_dir()?.join(name).is_file();
    // Whoever asks for something else than the window gets just that.
    if !is_built && arguments.is_empty() && stdout().is_terminal() {
        play_meanwhile()?;
    }
    let mut emulator = cargo();
    emulator.args(["run", "-p", "emulator", "--bin", "emulator", "--"]);
    run_to_its_end(emulator.args(arguments))
}

/// Shows the board in the terminal while the window is built.
fn play_meanwhile() -> anyhow::Result<()> {
    println!(
        "The window is built for the first time. Until it is there, the board is in this terminal."
    );
    let mut bridge = cargo();
    run_to_its_end(bridge.args(["build", "-p", "hil-bridge", "--bin", "hil-bridge"]))?;
    let folder = target_dir()?;
    let (news, log) = (folder.join("window.news"), folder.join("window.log"));
    let (build, heard) = build_window(&news, &log)?;
    let program = folder.join(format!("debug/hil-bridge{}", std::env::consts::EXE_SUFFIX));
    let mirror = Command::new(program)
        .arg("mirror")
        .arg("--news")
        .arg(&news)
        .status();
    let ended = wait(build, heard, &log);
    let _ = fs::remove_file(&news);
    mirror.context("the board cannot be shown in the terminal")?;
    ended
}

/// Builds the window in the background, and writes how far it came.
fn build_window(news: &Path, log: &Path) -> anyhow::Result<(Child, JoinHandle<()>)> {
    let all = crates_of_window().unwrap_or(0);
    let errors = File::create(log).context("the log of the build cannot be written")?;
    let mut news = File::create(news).context("the news cannot be written")?;
    news.write_all(progress(0, all).as_bytes())?;
    let mut build = cargo();
    build.args(["build", "-p", "emulator", "--bin", "emulator"]);
    build.arg("--message-format=json-render-diagnostics");
    // It must not take the terminal from the board.
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

/// How many crates the window is made of.
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

/// Waits until the window is there.
fn wait(mut build: Child, heard: JoinHandle<()>, log: &Path) -> anyhow::Result<()> {
    if build.try_wait()?.is_none() {
        println!("The window opens as soon as it is built.");
    }
    let status = build.wait()?;
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
    fn the_window_is_made_of_crates_that_can_be_counted() {
        let all = crates_of_window().expect("cargo knows the tree");
        assert!(all > 100, "{all}");
        assert_eq!(
            progress(all + 3, all),
            format!("the window is being built: {all} of {all} crates")
        );
    }
}
