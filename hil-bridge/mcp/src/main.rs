//! `hil-bridge mcp`: a touch board for coding agents, over the Model Context Protocol.
//!
//! It is a separate program because its dependencies need features of `serde` that
//! nothing else in the repository uses. It communicates over its standard input and
//! output, and ends when its input ends.

#![forbid(unsafe_code)]

mod agent_board;
mod bounded;
mod folder;
mod server;
mod worker;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use rmcp::ServiceExt;
use rmcp::transport::stdio;
use touchboard_completions::number;
use touchboard_links::Where;

use folder::Folder;
use server::Server;
use worker::Worker;

/// The longest time limit of a call, in seconds: an hour.
const MOST_LIMIT_S: u64 = 60 * 60;

/// Offers a touch board to coding agents: tools of the Model Context Protocol, over
/// standard input and output
#[derive(Parser)]
#[command(name = "hil-bridge mcp", bin_name = "hil-bridge mcp", version)]
struct Arguments {
    #[command(flatten)]
    place: Where,
    /// The folder in which tools may read scenarios and write sessions and states; by
    /// default, they access no files
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// The longest time for a call
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = number(1, MOST_LIMIT_S))]
    limit_s: u64,
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hil-bridge mcp: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: Arguments) -> anyhow::Result<()> {
    let folder = Folder::open(arguments.folder.as_deref()).map_err(anyhow::Error::msg)?;
    arguments.place.check_keeping()?;
    let limit = Duration::from_secs(arguments.limit_s);
    // File names in lines of the shell are relative to the folder.
    if let Some(path) = folder.path() {
        std::env::set_current_dir(path)?;
    }
    let worker = Worker::start(arguments.place, folder, limit)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let service = Server::new(worker).serve(stdio()).await?;
        service.waiting().await?;
        anyhow::Ok(())
    })?;
    // A thread may still be blocked in reading the standard input.
    runtime.shutdown_background();
    Ok(())
}
