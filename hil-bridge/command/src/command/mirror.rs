//! `mirror`: a board in the terminal, live.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::ensure;
use hil_bridge::mirror;
use hil_bridge::mirror::MirrorOptions;
use touchboard_host::palette::Palette;

use super::watched_place::WatchedPlace;
use super::{CommandEnd, ExitKind};

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The colours of the sides
    #[arg(long, value_parser = touchboard_links::at::palettes(), value_name = "PALETTE", default_value_t)]
    palette: Palette,
    /// Show the last line of this file, such as the progress of a build
    #[arg(long, value_name = "FILE")]
    news: Option<PathBuf>,
    #[command(flatten)]
    watched: WatchedPlace,
}

pub fn run(options: &Options) -> CommandEnd {
    let place = &options.watched.place;
    ensure!(
        !(place.line.trace && io::stderr().is_terminal()),
        "the log of --trace would be written over the picture of the board: send it to a file with 2>FILE"
    );
    ensure!(
        !(place.line.gdb.is_some() && io::stderr().is_terminal()),
        "reports about the debugger would be written over the picture of the board: send it to a file with 2>FILE"
    );
    super::set_up(place)?;
    let (mut driver, _) = options.watched.open()?;
    let options = MirrorOptions {
        palette: options.palette,
        news: options.news.clone(),
    };
    mirror::run(&mut *driver, &options)?;
    Ok(ExitKind::Done)
}
