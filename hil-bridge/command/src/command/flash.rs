//! `flash`: writes an image to a board that waits for one.

use std::path::PathBuf;

use touchboard_links::bootsel::{self, Uf2};

use super::{CommandEnd, ExitKind, print};

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The image, a UF2 file; if this is left out, the one for the Pico that `cargo xtask
    /// firmware pico` built
    file: Option<PathBuf>,
    /// The board's drive; by default, it is searched for
    #[arg(long, value_name = "FOLDER")]
    drive: Option<PathBuf>,
}

pub fn run(options: &Options) -> CommandEnd {
    let image = Uf2::read(options.file.as_deref())?;
    let drive = match &options.drive {
        Some(drive) => drive.clone(),
        None => bootsel::find(&bootsel::mounted())?,
    };
    bootsel::put(&image, &drive)?;
    print(format_args!(
        "{}: {} KiB of flash written; the board starts now, and `hil-bridge ports` finds it",
        drive.display(),
        image.flash_bytes().div_ceil(1_024)
    ))?;
    Ok(ExitKind::Done)
}
