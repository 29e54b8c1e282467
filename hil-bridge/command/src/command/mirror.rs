//! `mirror`: a board in the terminal, live.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::ensure;
use hil_bridge::mirror;
use hil_bridge::mirror::MirrorOptions;
use touchboard_host::Driver;
use touchboard_host::palette::Palette;
use touchboard_links::{WatchTarget, Watching, Where};

use super::{Done, ExitKind};

#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(flatten)]
    place: Where,
    /// The colours of the sides
    #[arg(long, value_parser = touchboard_links::at::palettes(), value_name = "PALETTE", default_value_t)]
    palette: Palette,
    /// Show the last line of this file: news of something else that goes on
    #[arg(long, value_name = "FILE")]
    news: Option<PathBuf>,
    /// With --at virtual or qemu: start the board anew whenever it was built, and go on
    /// with the game: watch its executable or image (board), or its sources too, and
    /// build it (sources)
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "board")]
    watch: Option<WatchTarget>,
}

pub fn run(options: &Options) -> Done {
    ensure!(
        !(options.place.line.trace && io::stderr().is_terminal()),
        "the log of --trace would be written over the picture of the board: send it to a file with 2>FILE"
    );
    ensure!(
        !(options.place.line.gdb.is_some() && io::stderr().is_terminal()),
        "what a debugger does would be written over the picture of the board: send it to a file with 2>FILE"
    );
    super::set_up(&options.place)?;
    let mut driver: Box<dyn Driver> = match options.watch {
        Some(watched) => Box::new(Watching::begin(&options.place, watched)?),
        None => options.place.open()?,
    };
    let options = MirrorOptions {
        palette: options.palette,
        news: options.news.clone(),
    };
    mirror::run(&mut *driver, &options)?;
    Ok(ExitKind::Done)
}
