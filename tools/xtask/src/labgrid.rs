//! Sets up labgrid, with which tests reserve shared boards: the packages of
//! `tools/examples/labgrid` in the build folder, from Python's registry.
//!
//! Invariants: as in [`crate::pico`], nothing else depends on whether it can be fetched.

use std::fs;

use crate::cargo;
use crate::pico::{fetches, pip};

/// The name of its folder in the build folder.
pub const FOLDER: &str = "labgrid";
/// The file that pins the packages and their contents.
const REQUIREMENTS: &str = "requirements.txt";
/// A copy of it with which the packages were fetched.
const FETCHED: &str = "python/fetched-by.txt";

/// Installs the packages in the target folder.
pub fn set_up() -> anyhow::Result<()> {
    let from = cargo::root().join("tools/examples").join(FOLDER);
    let folder = cargo::target_dir()?.join(FOLDER);
    fs::create_dir_all(&folder)?;
    cargo::put(&from.join(REQUIREMENTS), &folder.join(REQUIREMENTS))?;
    if !fetches(&folder, REQUIREMENTS, FETCHED, &mut pip(REQUIREMENTS))? {
        eprintln!(
            "pip does not fetch labgrid and its pyserial: the tests of shared boards by them are excused."
        );
    }
    Ok(())
}
