//! The emulated chip of the Pico: the program of `tools/pico`, beside its image, with the
//! package that it needs from the registry of npm.
//!
//! Invariants: what is there already is not fetched again; without node, npm or a
//! network the image is built all the same, and a sentence says what is missing.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context;

use crate::cargo;

/// Runs it, and fetches its package.
pub const NEEDS: [&str; 2] = ["node", "npm"];

/// Its folder, beside the image.
const FOLDER: &str = "pico-board";
/// What it consists of.
const FILES: [&str; 8] = [
    "board.mjs",
    "chip.mjs",
    "lights.mjs",
    "matrix.mjs",
    LOCK,
    "package.json",
    "rom.mjs",
    "usb.mjs",
];
/// Which package, and what it has to be byte for byte.
const LOCK: &str = "package-lock.json";
/// The lock file that was fetched by.
const FETCHED: &str = "node_modules/fetched-by.json";

/// Whether this program runs.
pub fn is_there(program: &str) -> bool {
    let mut version = Command::new(program);
    let version = version.arg("--version").stdout(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

/// Puts it beside this image.
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
    let lock = fs::read(folder.join(LOCK)).context("its lock file cannot be read")?;
    if fs::read(folder.join(FETCHED)).is_ok_and(|fetched| fetched == lock) {
        return Ok(());
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    npm.current_dir(&folder).stdout(Stdio::null());
    if cargo::succeeds(&mut npm) {
        fs::write(folder.join(FETCHED), lock)?;
    } else {
        eprintln!("npm does not fetch rp2040js: without it no emulated Pico runs.");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_it_consists_of_is_put_there() {
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
    fn a_program_that_is_not_there_does_not_run() {
        assert!(is_there(env!("CARGO")));
        assert!(!is_there("no-such-program"));
    }
}
