//! A virtual board that is a process of its own, as small as one can be: what
//! the tests of `--watch` start, and what one may begin with to try other rules.

use std::io::{self, Write};

use clap::Parser;
use virtual_board::{Options, spawn};

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
}

fn main() -> io::Result<()> {
    let board = spawn(Arguments::parse().options)?;
    if let Some(path) = &board.path {
        writeln!(io::stdout(), "pty {}", path.display())?;
    }
    if let Some(address) = board.tcp {
        writeln!(io::stdout(), "tcp {address}")?;
    }
    board.wait()
}
