//! The options of commands that take shards, and of those that merge them, and the form of
//! their results.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use touchboard_files::{read_bounded_text, whole_file};

use crate::result::command_in;
use crate::{MOST_BYTES, Shard, ShardError, ShardResult};

/// The options of a command that takes shards.
#[derive(Clone, Debug, clap::Args)]
pub struct ShardOptions {
    /// Do only every N-th job, from the K-th on: 2/5 is the second of five shards
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE, requires = "out")]
    pub shard: Shard,
    /// Write a line for each job into this file, and go on after those that are there
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// The options of a command that merges the files of shards.
#[derive(Clone, Debug, clap::Args)]
pub struct MergeOptions {
    /// The files of all shards
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write into this file what one machine would have written
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// The form in which results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableForm {
    /// Columns for a person at a terminal.
    Text,
    /// A table of Markdown.
    Markdown,
    /// JSON for programs.
    Json,
}

impl TableForm {
    /// The form that these options of a command choose; `--json` comes first.
    #[must_use]
    pub fn chosen(json: bool, markdown: bool) -> TableForm {
        match (json, markdown) {
            (true, _) => TableForm::Json,
            (_, true) => TableForm::Markdown,
            _ => TableForm::Text,
        }
    }
}

/// Merges files of this command, and writes the result if asked to.
///
/// # Errors
/// If a file cannot be used, or a job is missing.
pub fn merged<P, R>(options: &MergeOptions, command: &str) -> Result<ShardResult<P, R>, ShardError>
where
    P: Clone + PartialEq + Serialize + DeserializeOwned,
    R: Clone + PartialEq + Serialize + DeserializeOwned,
{
    let read = |path: &PathBuf| {
        let contents = ShardResult::parse(&text_of(path)?, command);
        contents.map_err(|error| error.at(path))
    };
    let shards: Result<Vec<ShardResult<P, R>>, _> = options.files.iter().map(read).collect();
    let whole = ShardResult::merge(&shards?)?;
    if let Some(out) = &options.out {
        let written = whole_file::write(out, whole.to_text().as_bytes());
        written.map_err(|error| ShardError::from(error).at(out))?;
    }
    Ok(whole)
}

/// The command that wrote the first of these files.
///
/// # Errors
/// If there is none, or it is not a file of a shard.
pub fn command_of(options: &MergeOptions) -> Result<String, ShardError> {
    let path = options.files.first().ok_or(ShardError::Nothing)?;
    let text = text_of(path)?;
    let first = text.lines().next().unwrap_or_default();
    command_in(first).map_err(|error| error.at(path))
}

fn text_of(path: &Path) -> Result<String, ShardError> {
    read_bounded_text(path, MOST_BYTES).map_err(|error| ShardError::from(error).at(path))
}
