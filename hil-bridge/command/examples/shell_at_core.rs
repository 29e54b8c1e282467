//! The smallest program with a board and a shell.
//!
//! ```text
//! echo 'start
//! show' | cargo run -p hil-bridge --example shell_at_core
//! ```

use std::process::ExitCode;

use clap::Parser;
use hil_bridge::shell::{ShellArguments, run_here};
use protocol::Layout;
use touchboard_host::CoreDriver;

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    shell: ShellArguments,
}

fn main() -> ExitCode {
    let seed = 7;
    let arguments = Arguments::parse();
    match CoreDriver::new(Layout::MALDOO, seed) {
        Ok(mut board) => run_here(&mut board, seed, &arguments.shell).code().into(),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
