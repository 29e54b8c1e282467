//! The program behind `hil-bridge mcp`: a workspace of its own, for its libraries ask for
//! features that would have the window built once more.

use std::path::Path;
use std::process::Command;

use crate::cargo::{self, run, target_dir};

/// The folder of the MCP server.
pub const FOLDER: &str = "hil-bridge/mcp";
const PROGRAM: &str = "hil-bridge-mcp";

/// Builds it, and puts it beside `hil-bridge`.
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

/// Its tests, by a client of the library that it is written with.
pub fn tests() -> anyhow::Result<Command> {
    of_program("test")
}

/// The linter's word on it.
pub fn lint() -> anyhow::Result<()> {
    cargo::lint(of_program("clippy")?)
}

fn of_program(what: &str) -> anyhow::Result<Command> {
    cargo::of_workspace(what, FOLDER, "mcp")
}
