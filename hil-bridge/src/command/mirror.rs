//! `mirror`: a board in the terminal, live.

use hil_bridge::{Where, mirror};

use super::{Done, Ending};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    place: Where,
}

pub fn run(arguments: &Arguments) -> Done {
    let mut driver = arguments.place.open()?;
    mirror::run(&mut *driver)?;
    Ok(Ending::Done)
}
