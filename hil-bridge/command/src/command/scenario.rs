//! `scenario`: a session as a script of the shell, which a person can read and change.

use std::path::PathBuf;

use anyhow::Context;
use touchboard_host::scenario;

use super::{Done, out};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The session file
    file: PathBuf,
    /// The scenario to write; without it, standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Done {
    let session = super::session(&arguments.file)?;
    let lines = scenario::lines(&session)
        .with_context(|| format!("{} cannot be a scenario", arguments.file.display()))?;
    out(
        arguments.out.as_deref(),
        (lines.join("\n") + "\n").as_bytes(),
    )
}
