//! `scenario`: converts a session to a script of the shell, which a person can read and
//! edit.

use std::path::PathBuf;

use anyhow::Context;
use touchboard_host::scenario;

use super::{CommandEnd, out};

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The session file
    file: PathBuf,
    /// The scenario file to write; by default standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(options: &Options) -> CommandEnd {
    let session = super::session(&options.file)?;
    let lines = scenario::lines(&session)
        .with_context(|| format!("{} cannot be a scenario", options.file.display()))?;
    let text = lines.join("\n") + "\n";
    out(&options.file, options.out.as_deref(), text.as_bytes())
}
