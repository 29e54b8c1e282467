//! Starts where no window can be opened: on a server, in a container, over SSH.
//!
//! With a terminal, the board is played there. Without one, as in a pipe or in CI, a few
//! moves are played, and their picture and session are written. In both cases the output
//! explains why there is no window and what to do next, and success means exit code 0.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

use crate::cargo::{cargo, root, run, target_dir};
use crate::setup::{self, Purpose};

/// Why there is no window.
const WHY: &str =
    "There is no display to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set.";

/// Features that only the window has.
const MISSED: &str = "The window would show the board in 3D, with its log, the way back in time and faults at a click. \
     For it, run tools/start on a desktop, or connect with `ssh -X`.";

/// The moves that are played if there is no terminal.
const SCENARIO: &str = "tools/xtask/src/start/first_look.txt";

/// False if a window certainly cannot be opened, by the same rule as in the window itself.
pub fn display_is_there() -> bool {
    let needs_one = cfg!(all(unix, not(target_os = "macos")));
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !needs_one || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// Starts the board in the terminal.
pub fn in_terminal() -> anyhow::Result<()> {
    println!("{WHY} So the board is played in this terminal; q ends it.");
    println!("{MISSED}");
    let hil_bridge = super::terminal_board()?;
    // The board covers printed messages, so they are written to a file.
    let news = target_dir()?.join("window.news");
    fs::write(&news, "no display here, so no window").context("the news cannot be written")?;
    run(Command::new(hil_bridge)
        .arg("mirror")
        .arg("--news")
        .arg(&news))
}

/// Plays a few moves, and writes a picture and a session of them.
pub fn in_pipe() -> anyhow::Result<()> {
    println!("{WHY} Nor is there a terminal to play in, so a few moves are played here.");
    let hil_bridge = build("hil-bridge")?;
    let look = FirstLook::in_folder(&target_dir()?.join("first-look"));
    look.play(&hil_bridge)?;
    println!(
        "Next comes a picture of them, drawn by the program of the window, which is built first."
    );
    setup::install(&[Purpose::Window])?;
    look.draw(&build("emulator")?)?;
    println!("{}", look.output());
    println!("{MISSED}");
    Ok(())
}

/// Builds a program, and returns its path.
fn build(name: &str) -> anyhow::Result<PathBuf> {
    run(cargo().args(["build", "-p", name, "--bin", name]))?;
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    Ok(target_dir()?.join("debug").join(file))
}

/// The files that the first look writes.
struct FirstLook {
    session: PathBuf,
    picture: PathBuf,
}

impl FirstLook {
    fn in_folder(folder: &Path) -> FirstLook {
        FirstLook {
            session: folder.join("reversi.session"),
            picture: folder.join("reversi.png"),
        }
    }

    fn play(&self, hil_bridge: &Path) -> anyhow::Result<()> {
        let folder = self.session.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)
            .with_context(|| format!("{} cannot be written", folder.display()))?;
        let mut record = Command::new(hil_bridge);
        record.arg("record").arg(&self.session);
        record.arg("--scenario").arg(root().join(SCENARIO));
        run(record.args(["--note", "the first look"]))
    }

    fn draw(&self, emulator: &Path) -> anyhow::Result<()> {
        let mut draw = Command::new(emulator);
        draw.args(["--headless", "--mute", "--screenshot"]);
        run(draw.arg(&self.picture).arg(&self.session))
    }

    /// The path of the picture, and how to continue.
    fn output(&self) -> String {
        let (picture, session) = (self.picture.display(), self.session.display());
        format!(
            "The board after these moves is in {picture}, and the moves in {session}.\n\
             Next: `cargo run -p hil-bridge -- shell` plays by lines of text, also from a pipe; \
             `cargo run -p hil-bridge -- transcript {session}` tells the moves; \
             tools/test runs every test."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program of the workspace, if it has been built for the tests.
    fn built(name: &str) -> Option<PathBuf> {
        let own = std::env::current_exe().ok()?;
        let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        own.ancestors()
            .skip(1)
            .take(2)
            .map(|folder| folder.join(&file))
            .find(|path| path.is_file())
    }

    #[test]
    fn without_display_and_terminal_files_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let look = FirstLook::in_folder(folder.path());
        let (Some(hil_bridge), Some(emulator)) = (built("hil-bridge"), built("emulator")) else {
            return law::excuse("the first look", "the programs are not built");
        };
        look.play(&hil_bridge).unwrap();
        look.draw(&emulator).unwrap();
        let picture = fs::read(&look.picture).unwrap();
        assert!(picture.starts_with(b"\x89PNG") && picture.len() > 20_000);
        let mut replay = Command::new(&hil_bridge);
        run(replay.arg("replay").arg(&look.session)).unwrap();
        for file in [&look.picture, &look.session] {
            assert!(look.output().contains(&file.display().to_string()));
        }
    }
}
