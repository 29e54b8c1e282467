//! `virtual-board`: a touch board at a pseudo-terminal or a TCP port, until it
//! is interrupted.

use std::io::{self, Write};
use std::process::ExitCode;

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

/// Bad input, or no plug to be had: the exit code of every such failure.
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to tell if this fails too.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(BAD_INPUT)
        }
    }
}

fn run(arguments: Arguments) -> io::Result<()> {
    let Arguments {
        mut options,
        faulty,
    } = arguments;
    if options.no_pty && options.tcp.is_none() {
        return Err(io::Error::other(
            "a board without a plug is of no use: leave --no-pty out, or add --tcp ADDRESS:PORT",
        ));
    }
    if faulty && options.faults.are_none() {
        options.faults = FaultOptions::bad_line(options.faults.seed);
    }
    let board = spawn(options)?;
    // So that the link to it does not outlive it.
    let switch = board.switch();
    ctrlc::set_handler(move || switch.off()).map_err(io::Error::other)?;
    let mut output = io::stdout();
    if let Some(path) = &board.path {
        writeln!(output, "pty {}", path.display())?;
    }
    if let Some(address) = board.tcp {
        writeln!(output, "tcp {address}")?;
    }
    board.wait()
}
