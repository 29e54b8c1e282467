//! `merge`: puts the files of shards together.

use shards::MergeOptions;

use super::{CommandEnd, check};

#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(flatten)]
    files: MergeOptions,
}

/// Prints what one machine would have printed.
pub fn run(options: &Options) -> CommandEnd {
    check::runs::merge(&options.files)
}
