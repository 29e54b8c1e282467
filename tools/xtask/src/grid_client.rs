//! Sets up a program that plays on a virtual grid through a third-party library: the
//! client of `tools/grid-client` in the build folder, with the library from the npm
//! registry.
//!
//! Invariants: as in [`crate::pico`], nothing else depends on whether it can be fetched.

use std::fs;
use std::process::Command;

use crate::cargo;
use crate::pico::{NEEDS, fetches, is_there};

/// The name of its folder in the build folder.
pub const FOLDER: &str = "grid-client";
const LOCK: &str = "package-lock.json";
/// The files of the client.
const FILES: [&str; 3] = ["client.mjs", LOCK, "package.json"];
/// A copy of the lock file with which the packages were fetched.
const FETCHED: &str = "node_modules/fetched-by.json";

/// Installs the client in the target folder.
pub fn set_up() -> anyhow::Result<()> {
    let from = cargo::root().join("tools").join(FOLDER);
    let folder = cargo::target_dir()?.join(FOLDER);
    fs::create_dir_all(&folder)?;
    for file in FILES {
        cargo::put(&from.join(file), &folder.join(file))?;
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    let is_fetched = NEEDS.into_iter().all(is_there) && fetches(&folder, LOCK, FETCHED, &mut npm)?;
    if !is_fetched {
        eprintln!("npm does not fetch serialosc: the test of the virtual grid by it is excused.");
    }
    Ok(())
}
