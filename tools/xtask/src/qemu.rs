//! Runs a firmware image in QEMU.

use std::process::Command;

use clap::Args;

use crate::board::BoardImage;
use crate::cargo;
use crate::firmware::{self, Feature, How};

/// The image to run, and where its serial port is.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// The board.
    #[arg(value_enum, default_value = "lm3s6965evb")]
    board: BoardImage,
    /// Build with this feature.
    #[arg(long, value_enum)]
    features: Option<Feature>,
    /// Listen at this address, instead of at a pseudo-terminal whose path QEMU prints.
    #[arg(long, value_name = "ADDRESS:PORT")]
    tcp: Option<std::net::SocketAddr>,
}

/// Builds the image and runs it until QEMU is stopped.
pub fn run(options: &Options) -> anyhow::Result<()> {
    options.board.require_qemu()?;
    let images = firmware::build_and_tell(&[options.board], &How::with(options.features))?;
    let serial = match options.tcp {
        Some(address) => format!("tcp:{address},server=on,wait=off,nodelay=on"),
        None => "pty".to_owned(),
    };
    let mut qemu = machine(options.board);
    qemu.args(["-serial", &serial, "-kernel"]);
    cargo::run(qemu.args(images))
}

/// QEMU with this board, without a screen, before any further arguments.
pub fn machine(board: BoardImage) -> Command {
    let mut qemu = Command::new("qemu-system-arm");
    qemu.args(["-machine", board.name()]);
    qemu.args(["-display", "none", "-monitor", "none"]);
    qemu
}
