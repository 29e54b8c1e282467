//! The programs that turn the compiled page into one that a browser loads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use xtask::cargo::{self, root, run, succeeds, target_dir};

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

/// Makes a program smaller with `wasm-opt`: the one that is installed if its version will
/// do, or else that of the package `binaryen`, which needs node and npm.
pub fn shrink(program: &Path) -> anyhow::Result<()> {
    let small = program.with_extension("small");
    let mut shrink = match wasm_opt_version() {
        Some(FIRST_WASM_OPT..) => Command::new("wasm-opt"),
        _ if !succeeds(Command::new("npm").arg("--version")) => {
            eprintln!(
                "There is neither npm nor a wasm-opt from version {FIRST_WASM_OPT} on: the page stays a fifth larger."
            );
            return Ok(());
        }
        _ => {
            let mut of_package = Command::new("node");
            of_package.arg(npm_packages()?.join("node_modules/binaryen/bin/wasm-opt"));
            of_package
        }
    };
    // Which features the result may use, the program says itself. With all that wasm-opt
    // knows, it writes some that no browser can read yet.
    shrink.args(["-Oz", "-o"]);
    run(shrink.arg(&small).arg(program))?;
    fs::rename(&small, program).context("the smaller page cannot be put in its place")
}

/// The version that is installed: 111 of "wasm-opt version 111 (version_111)".
fn wasm_opt_version() -> Option<u32> {
    let said = Command::new("wasm-opt").arg("--version").output().ok()?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    said.split_whitespace().find_map(|word| word.parse().ok())
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
