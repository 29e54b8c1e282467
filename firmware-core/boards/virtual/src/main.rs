//! `virtual-board`: a touch board at a pseudo-terminal or a TCP port, until it
//! is interrupted; or a grid controller, with `--as`.

#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use firmware_core::faults::LineFaults;
use virtual_board::grid::GridKind;
use virtual_board::{FINGERS, Fingers, Options, spawn};

/// A touch board that is a process: any program sees a serial device.
///
/// Says where it is plugged in, one line a plug: `pty PATH`, `tcp ADDRESS:PORT`.
#[derive(Parser)]
#[command(version, after_help = format!("{FINGERS}\n\n{}", touchboard_completions::HELP))]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Simulate a line with the faults of a bad real one, if no faults are chosen one by
    /// one
    #[arg(long)]
    faulty: bool,
    /// Read the movements of fingers from standard input, one per line: see below
    #[arg(long)]
    fingers: bool,
    /// Be a grid controller instead of a board, for --panel and for third-party programs:
    /// monome (8x8 keys, or --layout COLUMNSxROWS), launchpad-mini, launchpad-x,
    /// launchpad-pro. With --fingers, `down 3 2` puts a finger on a key (`down 81` on a
    /// Launchpad), and `look` prints what is lit
    #[arg(long = "as", value_name = "GRID", conflicts_with_all = ["tcp", "no_pty", "panel", "keep"])]
    grid: Option<GridKind>,
    /// With --as monome: also be found by programs that speak to serialosc, at this port
    /// of this computer; by default 12002, where they look for it
    #[arg(long, value_name = "PORT", requires = "grid", num_args = 0..=1, require_equals = true, default_missing_value = "12002")]
    osc: Option<u16>,
}

/// The exit code for bad input and for a plug that is not available.
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    if let Some(code) = touchboard_completions::generate(Arguments::command(), std::env::args_os())
    {
        return code;
    }
    let arguments = Arguments::parse();
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If this fails too, there is nowhere to report it.
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
        grid,
        osc,
    } = arguments;
    if let Some(kind) = grid {
        return be_a_grid(kind, &options, fingers, osc);
    }
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
    // The link to the board must not outlive it.
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
        // The thread is not joined: a read of the standard input may never end.
        std::thread::spawn(move || move_fingers(&hand));
    }
    board.wait()
}

/// Runs a grid controller until it is interrupted.
#[cfg(unix)]
fn be_a_grid(kind: GridKind, options: &Options, fingers: bool, osc: Option<u16>) -> io::Result<()> {
    use std::sync::{Arc, mpsc};

    use virtual_board::grid::{GridDevice, RunningGrid};

    let sides = match options.layout.as_ref().map(|layout| layout.sides()) {
        None => Some((8, 8)),
        Some(sides) => sides.map(|sides| (sides.columns(), sides.rows())),
    };
    let (columns, rows) = sides.ok_or_else(|| {
        io::Error::other("a grid has columns and rows: write --layout COLUMNSxROWS")
    })?;
    let device = GridDevice::new(kind, columns, rows);
    let mut grid = RunningGrid::plug_in(device, options.link.as_deref())?;
    let found_at = osc.map(|port| grid.listen_for_osc(port)).transpose()?;
    let grid = Arc::new(grid);
    let (end, ended) = mpsc::channel();
    ctrlc::set_handler(move || {
        // On a second signal, the receiver no longer exists.
        let _ = end.send(());
    })
    .map_err(io::Error::other)?;
    writeln!(io::stdout(), "pty {}", grid.path.display())?;
    if let Some(address) = found_at {
        writeln!(io::stdout(), "osc {address}")?;
    }
    if fingers {
        let its = Arc::downgrade(&grid);
        std::thread::spawn(move || {
            each_line(|line| {
                let Some(grid) = its.upgrade() else {
                    return Ok(());
                };
                for row in grid.line(line)? {
                    // A program that no longer reads makes no more requests either.
                    let _ = writeln!(io::stdout(), "{row}");
                }
                Ok(())
            });
        });
    }
    ended.recv().map_err(io::Error::other)
}

#[cfg(not(unix))]
fn be_a_grid(
    _kind: GridKind,
    _options: &Options,
    _fingers: bool,
    _osc: Option<u16>,
) -> io::Result<()> {
    Err(io::Error::other(
        "a virtual grid is plugged in at a pseudo-terminal, and this system has none",
    ))
}

/// Moves fingers as the lines of the standard input say, until the input ends.
fn move_fingers(fingers: &Fingers) {
    each_line(|line| fingers.line(line));
}

/// Calls a function with each line of the standard input, until the input ends.
fn each_line(mut take: impl FnMut(&str) -> Result<(), String>) {
    for line in io::stdin().lines() {
        let done = match line {
            Ok(line) => take(&line),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                Err("a line is not UTF-8 text".to_owned())
            }
            Err(error) => {
                let _ = writeln!(io::stderr(), "no finger moves any more: {error}");
                return;
            }
        };
        if let Err(sentence) = done {
            // If this fails too, there is nowhere to report it.
            let _ = writeln!(io::stderr(), "{sentence}");
        }
    }
}
