//! `contest`: bots that play TicDabToe against each other, as in the contest of a
//! programming course.
//!
//! It takes a folder of bots and prints a table, which shows the best bot, and why others
//! lost their games. Bots are WebAssembly modules that can only access the game, or
//! programs in any language that communicate by lines.

mod bot;
mod chance;
mod check;
mod error;
mod fault;
mod files;
mod game;
mod journal;
mod limits;
mod merge;
mod plain;
mod play;
mod ratings;
mod record;
mod run;
mod sandbox;
mod schedule;
mod show;
mod standing;
mod table;

use std::fmt::Display;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracing_subscriber::filter::LevelFilter;

/// Contests of bots that play TicDabToe.
#[derive(Parser)]
#[command(version)]
struct Contest {
    #[command(subcommand)]
    command: Command,
    /// Report more about what happens, on the standard error stream; twice for everything
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,
}

#[derive(Subcommand)]
enum Command {
    /// Let all bots of a folder play each other, and print the table. A contest that was
    /// stopped is continued.
    Run(run::Options),
    /// Put the folders of all shards of a contest together, and print the table.
    Merge(merge::Options),
    /// Play one game, and print it.
    Play(play::Options),
    /// Check whether a bot follows the interface, and report the resources that it uses.
    Check(check::Options),
    /// Print a game of a contest.
    Game(show::Options),
    /// Sandbox this process and become a bot.
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
        Command::Merge(options) => merge::run(options).map(|()| ExitCode::SUCCESS),
        Command::Play(options) => play::run(options).map(|()| ExitCode::SUCCESS),
        Command::Check(options) => check::run(options),
        Command::Game(options) => show::run(options).map(|()| ExitCode::SUCCESS),
        Command::Inside(_) => Ok(ExitCode::SUCCESS),
    };
    done.unwrap_or_else(|error| {
        print_error(&error);
        ExitCode::from(2)
    })
}

/// Writes to the standard output. If its reader has closed it, the text is dropped.
fn print(text: &str) {
    use std::io::Write;
    let text = plain::plain_lines(text);
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Writes a sentence to the standard error stream.
fn print_error(sentence: &dyn Display) {
    use std::io::Write;
    let line = format!("{}\n", plain::plain(&sentence.to_string()));
    let _ = std::io::stderr().write_all(line.as_bytes());
}
