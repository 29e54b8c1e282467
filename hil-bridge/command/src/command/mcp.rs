//! `mcp`: starts the program that offers a board to coding agents. It is in a workspace
//! of its own (`hil-bridge/mcp`), because its dependencies would cause much of this
//! workspace to be rebuilt.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, anyhow};

use super::{CommandEnd, ExitKind};

const PROGRAM: &str = "hil-bridge-mcp";

#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// Where the board is, and more: see `hil-bridge mcp --help`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

pub fn run(options: &Options) -> CommandEnd {
    let program = find().ok_or_else(|| {
        anyhow!(
            "{PROGRAM} does not exist: build it with `cargo xtask mcp`, or put it next to this program"
        )
    })?;
    let mut command = Command::new(&program);
    command.args(&options.words);
    hand_on(command).with_context(|| format!("{} does not start", program.display()))
}

/// Replaces this process by the program, so that an agent that ends the process it
/// started ends the program.
#[cfg(unix)]
fn hand_on(mut command: Command) -> anyhow::Result<ExitKind> {
    use std::os::unix::process::CommandExt;

    Err(command.exec().into())
}

#[cfg(not(unix))]
fn hand_on(mut command: Command) -> anyhow::Result<ExitKind> {
    Ok(match command.status()?.code() {
        Some(0) => ExitKind::Done,
        Some(1) => ExitKind::Failed,
        _ => ExitKind::Bad,
    })
}

/// The program next to this one, or in the search path.
fn find() -> Option<PathBuf> {
    let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    let own = env::current_exe().ok();
    let beside = own.and_then(|program| Some(program.parent()?.to_owned()));
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut places = beside
        .into_iter()
        .chain(env::split_paths(&folders))
        .map(|folder| folder.join(&name));
    places.find(|place| place.is_file())
}
