//! The programs that turn the compiled page into one that a browser loads.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Context;
use xtask::cargo::{self, root, run, target_dir};

use crate::installed::Installed;

/// The program that writes the page's JavaScript, of the same version as the library that
/// the page was compiled with.
pub fn bindgen() -> anyhow::Result<PathBuf> {
    Installed {
        program: "wasm-bindgen",
        of_crate: "wasm-bindgen-cli",
        version: &bindgen_version()?,
    }
    .get()
}

/// The version in the workspace's lock file.
fn bindgen_version() -> anyhow::Result<String> {
    let lock = fs::read_to_string(root().join("Cargo.lock"))?;
    let mut lines = lock.lines();
    lines.find(|line| *line == "name = \"wasm-bindgen\"");
    let version = lines
        .next()
        .and_then(|line| line.strip_prefix("version = \""));
    let version = version.and_then(|line| line.strip_suffix('"'));
    version
        .map(str::to_owned)
        .context("Cargo.lock has no wasm-bindgen")
}

/// The folder in the tree with the list of the packages of npm.
pub const NPM_LIST: &str = "emulator/page/browser";

/// Fetches the packages of npm that the page needs. Returns the folder that contains
/// `node_modules`.
pub fn npm_packages() -> anyhow::Result<PathBuf> {
    let folder = target_dir()?.join("page-npm");
    fs::create_dir_all(&folder)?;
    for file in ["package.json", "package-lock.json"] {
        cargo::put(&root().join(NPM_LIST).join(file), &folder.join(file))?;
    }
    let mut npm = Command::new("npm");
    npm.args([
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--silent",
    ]);
    run(npm.current_dir(&folder)).context("npm does not fetch the packages of the page")?;
    Ok(folder)
}
