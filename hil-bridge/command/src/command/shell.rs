//! `shell`: one small language for people, pipes and scenario files.

use hil_bridge::shell::{ShellArguments, run_here};
use touchboard_links::Where;

use super::Done;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    place: Where,
    #[command(flatten)]
    shell: ShellArguments,
}

pub fn run(arguments: &Arguments) -> Done {
    super::set_up(&arguments.place)?;
    let (mut driver, seed) = arguments.place.open_seeded()?;
    Ok(run_here(&mut *driver, seed, &arguments.shell))
}
