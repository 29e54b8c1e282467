//! `mirror`: a board in the terminal, live.

use std::io::{self, IsTerminal};

use anyhow::ensure;
use hil_bridge::{Where, mirror};

use super::{Done, Ending};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    place: Where,
}

pub fn run(arguments: &Arguments) -> Done {
    ensure!(
        !(arguments.place.line.trace && io::stderr().is_terminal()),
        "the log of --trace would be written over the picture of the board: send it to a file with 2>FILE"
    );
    super::set_up(&arguments.place)?;
    let mut driver = arguments.place.open()?;
    mirror::run(&mut *driver)?;
    Ok(Ending::Done)
}
