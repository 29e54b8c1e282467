//! `transcript`: prints a session file in words.

use std::path::PathBuf;

use anyhow::Context;
use touchboard_host::transcript;

use super::{CommandEnd, ExitKind, out, print};

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The session files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write each transcript into a .txt file next to its session, instead of printing it
    #[arg(long)]
    beside: bool,
}

pub fn run(options: &Options) -> CommandEnd {
    for file in &options.files {
        let lines = transcript::lines(&super::session(file)?)
            .with_context(|| format!("the session {} cannot be replayed", file.display()))?;
        if !options.beside {
            for line in lines {
                print(line)?;
            }
            continue;
        }
        let path = file.with_extension("txt");
        let text = lines.join("\n") + "\n";
        out(file, Some(&path), text.as_bytes())?;
    }
    Ok(ExitKind::Done)
}
