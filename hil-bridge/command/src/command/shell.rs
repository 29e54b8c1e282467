//! `shell`: one small language for people, pipes and scenario files.

use hil_bridge::shell::{ShellArguments, run_here};
use touchboard_links::Where;

use super::Done;

#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(flatten)]
    place: Where,
    #[command(flatten)]
    shell: ShellArguments,
}

pub fn run(options: &Options) -> Done {
    super::set_up(&options.place)?;
    let (mut driver, seed) = options.place.open_seeded()?;
    Ok(run_here(&mut *driver, seed, &options.shell))
}
