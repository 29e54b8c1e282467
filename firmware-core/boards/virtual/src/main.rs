//! `virtual-board`: a touch board at a pseudo-terminal or a TCP port, until it
//! is interrupted.

#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use firmware_core::faults::LineFaults;
use virtual_board::{FINGERS, Fingers, Options, spawn};

/// A touch board that is a process: any program sees a serial device.
///
/// Says where it is plugged in, one line a plug: `pty PATH`, `tcp ADDRESS:PORT`.
#[derive(Parser)]
#[command(version, after_help = FINGERS)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// A line as bad as a real one ever is, if no faults are chosen one by one
    #[arg(long)]
    faulty: bool,
    /// Take fingers from the standard input, a line each: see below
    #[arg(long)]
    fingers: bool,
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
        fingers,
    } = arguments;
    if options.no_pty && options.tcp.is_none() {
        return Err(io::Error::other(
            "a board without a plug is of no use: leave --no-pty out, or add --tcp ADDRESS:PORT",
        ));
    }
    let faults = &mut options.faults.0;
    if faulty && faults.line.are_none() {
        faults.line = LineFaults::bad();
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
    if fingers {
        let hand = board.fingers.clone();
        // Nobody waits for it: a read of the standard input may never end.
        std::thread::spawn(move || move_fingers(&hand));
    }
    board.wait()
}

/// Does what the lines of the standard input say, until they end.
fn move_fingers(fingers: &Fingers) {
    for line in io::stdin().lines() {
        let done = match line {
            Ok(line) => fingers.line(&line),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                Err("a line is not UTF-8 text".to_owned())
            }
            Err(error) => {
                let _ = writeln!(io::stderr(), "no finger moves any more: {error}");
                return;
            }
        };
        if let Err(sentence) = done {
            // Nobody is left to tell if this fails too.
            let _ = writeln!(io::stderr(), "{sentence}");
        }
    }
}
