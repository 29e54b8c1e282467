//! `shell`: one small language for people, pipes and scenario files.

use hil_bridge::shell::{ShellArguments, run_here};

use super::CommandEnd;
use super::watched_place::WatchedPlace;

#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(flatten)]
    watched: WatchedPlace,
    #[command(flatten)]
    shell: ShellArguments,
}

pub fn run(options: &Options) -> CommandEnd {
    super::set_up(&options.watched.place)?;
    let (mut driver, seed) = options.watched.open()?;
    Ok(run_here(&mut *driver, seed, &options.shell))
}
