//! `arena`: the board's players against each other and against other programs,
//! and how fast they think.

#![forbid(unsafe_code)]

mod bench;
mod contest;
mod gtp;
mod jobs;
mod matches;
mod merged_lines;
mod names;
mod people;
mod perft;
mod person;
mod seats;
mod series;
mod solo;
mod tally;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Levels against levels and against other programs, and speed.
#[derive(Parser)]
#[command(version)]
struct Arena {
    #[command(subcommand)]
    command: Command,
    /// One JSON object a line instead of a table.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Each level against the one below it, or two levels of your choice.
    Match(matches::Options),
    /// Simulated people against the board's levels, in the games of quick hands.
    People(people::Options),
    /// Games for one, by the board's levels and by simple ways to play.
    Solo(solo::Options),
    /// The board against a program that speaks the Go Text Protocol.
    Gtp(gtp::Options),
    /// The board's player as a program that speaks the Go Text Protocol.
    Serve(gtp::serve::Options),
    /// How fast the players think, and what they think with.
    Bench(bench::Options),
    /// Lines of Reversi of so many plies: 4, 12, 56, 244, 1396, ...
    Perft(perft::Options),
}

fn main() -> ExitCode {
    let arena = Arena::parse();
    let done = match &arena.command {
        Command::Match(options) => matches::run(options, arena.json),
        Command::People(options) => people::run(options, arena.json),
        Command::Solo(options) => solo::run(options, arena.json),
        Command::Gtp(options) => gtp::run(options, arena.json),
        Command::Serve(options) => gtp::serve::run(options),
        Command::Bench(options) => bench::run(options, arena.json),
        Command::Perft(options) => perft::run(options, arena.json),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::from(2)
        }
    }
}
