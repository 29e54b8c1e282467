//! The programs that turn the compiled page into one that a browser loads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use xtask::cargo::{root, run};

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

/// The first version of `wasm-opt` that leaves the page's table of functions whole.
const FIRST_WASM_OPT: u32 = 120;

/// Makes a program smaller with `wasm-opt`, if a version that can do so is installed.
pub fn shrink(program: &Path) -> anyhow::Result<()> {
    if wasm_opt_version().is_none_or(|version| version < FIRST_WASM_OPT) {
        eprintln!(
            "There is no wasm-opt from version {FIRST_WASM_OPT} on: the page stays a fifth larger."
        );
        return Ok(());
    }
    let small = program.with_extension("small");
    let mut shrink = Command::new("wasm-opt");
    shrink.args(["-Os", "--all-features", "-o"]);
    run(shrink.arg(&small).arg(program))?;
    fs::rename(&small, program).context("the smaller page cannot be put in its place")
}

/// The version that is installed: 111 of "wasm-opt version 111 (version_111)".
fn wasm_opt_version() -> Option<u32> {
    let said = Command::new("wasm-opt").arg("--version").output().ok()?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    said.split_whitespace().find_map(|word| word.parse().ok())
}
