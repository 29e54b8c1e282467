//! Builds the program behind `hil-bridge mcp`. It is a workspace of its own, because its
//! dependencies request features that would cause a second build of the window.

use std::path::Path;
use std::process::Command;

use crate::cargo::{self, run, target_dir};

/// The folder of the MCP server.
pub const FOLDER: &str = "hil-bridge/mcp";
const PROGRAM: &str = "hil-bridge-mcp";

/// Builds the program, and copies it next to `hil-bridge`.
pub fn build() -> anyhow::Result<()> {
    run(&mut of_program("build")?)?;
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let target = target_dir()?;
    let program = target.join("debug").join(&name);
    std::fs::create_dir_all(program.parent().unwrap_or(Path::new("")))?;
    cargo::put(&target.join("mcp/debug").join(&name), &program)?;
    println!("{}", program.display());
    Ok(())
}

/// The command for its tests, which use a client of the same MCP library.
pub fn tests() -> anyhow::Result<Command> {
    of_program("test")
}

/// The command that lints it.
pub fn lint() -> anyhow::Result<()> {
    cargo::lint(of_program("clippy")?)
}

fn of_program(what: &str) -> anyhow::Result<Command> {
    cargo::of_workspace(what, FOLDER, "mcp")
}
