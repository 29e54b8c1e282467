//! `ludemes merge`: puts the files of shards together.

use std::process::ExitCode;

use shards::{MergeOptions, command_of};

use super::{replay, report};

/// Merges the files and prints what one machine would have printed.
///
/// # Errors
/// If a file cannot be used, or a job is missing.
pub fn run(files: &MergeOptions) -> Result<ExitCode, String> {
    match command_of(files)
        .map_err(|error| error.to_string())?
        .as_str()
    {
        report::COMMAND => report::merge(files),
        replay::COMMAND => replay::merge(files),
        other => Err(format!(
            "`{other}` wrote these files: `ludemes` merges those of `{}` and `{}`",
            report::COMMAND,
            replay::COMMAND
        )),
    }
}
