//! `post`: Malaka by mail.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
