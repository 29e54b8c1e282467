//! Builds the example bots of `tools/contest` for WebAssembly.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, ensure};

use crate::cargo::{cargo, put, root, run, target_dir};
use crate::firmware::{fetch_rustup_target, has_rustup_target};

/// The target for which bots are built.
const TARGET: &str = "wasm32-unknown-unknown";

/// The workspaces of bots, and their output files.
const BOTS: [(&str, &[&str]); 2] = [
    ("tools/contest/bots", &["depth5.wasm", "first.wasm"]),
    ("tools/contest/template", &["my_bot.wasm"]),
];

/// The folders of the workspaces.
pub fn folders() -> impl Iterator<Item = PathBuf> {
    BOTS.iter().map(|(folder, _)| root().join(folder))
}

/// True if there is a compiler for bots, after trying to fetch it.
pub fn has_compiler() -> bool {
    has_rustup_target(TARGET) || (fetch_rustup_target(TARGET) && has_rustup_target(TARGET))
}

/// Builds the bots, and prints their paths.
pub fn build() -> anyhow::Result<()> {
    ensure!(
        has_compiler(),
        "no compiler: there is none for WebAssembly, run `rustup target add {TARGET}`"
    );
    let bots = target_dir()?.join("bots");
    let builds = bots.join("build");
    std::fs::create_dir_all(&builds)?;
    // No other build may run between this build and the copy.
    let alone = std::fs::File::create(bots.join("lock"))?;
    alone
        .lock()
        .context("the folder of the bots cannot be locked")?;
    for (folder, files) in BOTS {
        let mut build = in_folder(folder);
        build.args([
            "build",
            "--release",
            "--locked",
            "--quiet",
            "--target",
            TARGET,
        ]);
        run(build.arg("--target-dir").arg(&builds))?;
        for file in files {
            let bot = bots.join(file);
            put(&builds.join(TARGET).join("release").join(file), &bot)?;
            println!("{}", bot.display());
        }
    }
    Ok(())
}

/// Lints the bots, if there is a compiler for them.
pub fn lint() -> anyhow::Result<()> {
    if !has_compiler() {
        return Ok(());
    }
    let builds = target_dir()?.join("bots/build");
    for (folder, _) in BOTS {
        let mut lint = in_folder(folder);
        lint.args(["clippy", "--release", "--locked", "--target", TARGET]);
        lint.arg("--target-dir").arg(&builds);
        run(lint.args(["--", "-D", "warnings"]))?;
    }
    Ok(())
}

fn in_folder(folder: &str) -> Command {
    let mut command = cargo();
    command.current_dir(root().join(folder));
    // The flags for the host's programs do not apply to bots.
    command.env_remove("RUSTFLAGS");
    command.env_remove("CARGO_ENCODED_RUSTFLAGS");
    command
}
