//! A minimal virtual board in its own process. The tests of `--watch` start it, and it is a
//! starting point for trying out different rules.

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
