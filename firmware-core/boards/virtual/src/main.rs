//! `virtual-board`: a touch board at a pseudo-terminal or a TCP port, until it
//! is interrupted.

use clap::Parser;
use virtual_board::{FaultOptions, Options, spawn};

/// A touch board that is a process: any program sees a serial device.
///
/// Says where it is plugged in, one line a plug: `pty PATH`, `tcp ADDRESS:PORT`.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// A line as bad as a real one ever is, if no faults are chosen one by one
    #[arg(long)]
    faulty: bool,
}

fn main() -> anyhow::Result<()> {
    let Arguments {
        mut options,
        faulty,
    } = Arguments::parse();
    if faulty && options.faults.are_none() {
        options.faults = FaultOptions::bad_line(options.faults.seed);
    }
    anyhow::ensure!(
        !options.no_pty || options.tcp.is_some(),
        "a board without a plug is of no use: leave --no-pty out, or add --tcp ADDRESS:PORT"
    );
    let board = spawn(options)?;
    if let Some(path) = &board.path {
        println!("pty {}", path.display());
    }
    if let Some(address) = board.tcp {
        println!("tcp {address}");
    }
    Ok(board.wait()?)
}
