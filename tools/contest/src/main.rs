//! `contest`: bots that play TicDabToe against each other, as a course would run
//! it.
//!
//! A folder of bots goes in, a table comes out: who wrote the best one, and why
//! another lost its games. Bots are WebAssembly modules that reach nothing but the
//! game, or programs in any language that speak lines.

mod bot;
mod chance;
mod check;
mod fault;
mod files;
mod game;
mod journal;
mod limits;
mod plain;
mod play;
mod pool;
mod ratings;
mod record;
mod run;
mod sandbox;
mod schedule;
mod show;
mod standing;
mod table;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracing_subscriber::filter::LevelFilter;

/// Contests of bots that play TicDabToe.
#[derive(Parser)]
#[command(version)]
struct Contest {
    #[command(subcommand)]
    command: Command,
    /// Tell more of what goes on, on the standard error stream; twice for all of it
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,
}

#[derive(Subcommand)]
enum Command {
    /// Let all bots of a folder play each other, and print the table. A contest
    /// that was stopped goes on where it was.
    Run(run::Options),
    /// Play one game, and print it.
    Play(play::Options),
    /// Say whether a bot keeps the interface, and what it uses.
    Check(check::Options),
    /// Print a game of a contest.
    Game(show::Options),
    /// Shut this process in and become a bot.
    #[command(hide = true)]
    Inside(sandbox::Inside),
}

fn main() -> ExitCode {
    let contest = Contest::parse();
    if let Command::Inside(options) = &contest.command {
        return sandbox::go_inside(options);
    }
    let level = match contest.verbose {
        0 => LevelFilter::WARN,
        1 => LevelFilter::INFO,
        _ => LevelFilter::DEBUG,
    };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .without_time()
        .with_target(false)
        .init();
    let done = match &contest.command {
        Command::Run(options) => run::run(options).map(|()| ExitCode::SUCCESS),
        Command::Play(options) => play::run(options).map(|()| ExitCode::SUCCESS),
        Command::Check(options) => check::run(options),
        Command::Game(options) => show::run(options).map(|()| ExitCode::SUCCESS),
        Command::Inside(_) => Ok(ExitCode::SUCCESS),
    };
    done.unwrap_or_else(|sentence| {
        tell(&sentence);
        ExitCode::from(2)
    })
}

/// Writes to the standard output, ignoring that the reader may have closed it.
fn print(text: &str) {
    use std::io::Write;
    let text = plain::plain_lines(text);
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Writes a sentence to the standard error stream.
fn tell(sentence: &str) {
    use std::io::Write;
    let line = format!("{}\n", plain::plain(sentence));
    let _ = std::io::stderr().write_all(line.as_bytes());
}
