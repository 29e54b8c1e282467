//! `relay`: the program between two people who play in two browsers.

#![forbid(unsafe_code)]

use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use relay::network::Proxies;
use relay::{RelayLimits, RelayService};
use touchboard_completions::number;
use touchboard_pair::lobby::LobbyLimits;
use tracing_subscriber::filter::LevelFilter;

/// Lets two people play on one board in two browsers, while others watch.
///
/// Prints its address, and serves until it is stopped. It speaks WebSocket without
/// encryption: for the internet, put it behind a proxy with TLS.
#[derive(Parser)]
#[command(version, after_help = touchboard_completions::HELP)]
struct Options {
    /// Listen at this address; port 0 stands for a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8765")]
    listen: SocketAddr,
    /// The most tables
    #[arg(long, value_name = "NUMBER", default_value_t = 256, value_parser = number::<u64>(1, 10_000))]
    tables: u64,
    /// The most watchers of a table
    #[arg(long, value_name = "NUMBER", default_value_t = 32, value_parser = number::<u64>(0, 1_000))]
    watchers: u64,
    /// The most connections
    #[arg(long, value_name = "NUMBER", default_value_t = 512, value_parser = number::<u64>(3, 10_000))]
    connections: u64,
    /// Keep a table at which nobody is for this many minutes
    #[arg(long, value_name = "MINUTES", default_value_t = 1_440, value_parser = number::<u64>(1, 100_000))]
    keep: u64,
    /// Count connections by the last address in X-Forwarded-For, which a proxy in front of
    /// the relay writes
    #[arg(long)]
    behind_proxy: bool,
}

impl Options {
    fn limits(&self) -> RelayLimits {
        RelayLimits {
            tables: LobbyLimits {
                tables: self.tables as usize,
                watchers: self.watchers as usize,
                keep_ms: self.keep * 60_000,
            },
            connections: self.connections as usize,
            proxies: match self.behind_proxy {
                true => Proxies::One,
                false => Proxies::None,
            },
        }
    }
}

fn main() -> ExitCode {
    if let Some(code) = touchboard_completions::generate(Options::command(), std::env::args_os()) {
        return code;
    }
    let options = Options::parse();
    let log = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_max_level(LevelFilter::WARN)
        .with_target(false);
    let _ = log.try_init();
    match serve(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            // If this fails too, there is nowhere to report it.
            let _ = writeln!(io::stderr(), "error: {sentence}");
            ExitCode::from(2)
        }
    }
}

fn serve(options: &Options) -> Result<(), String> {
    let service = RelayService::listen(options.listen, options.limits());
    let mut service = service.map_err(|error| error.to_string())?;
    let stop = service.stopper();
    ctrlc::set_handler(move || stop.stop())
        .map_err(|error| format!("the process cannot be ended in order: {error}"))?;
    // Whoever reads the address may have gone; the relay serves all the same.
    let _ = writeln!(io::stdout(), "ws://{}/", service.address());
    service.run().map_err(|error| error.to_string())
}
