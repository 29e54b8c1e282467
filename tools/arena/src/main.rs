//! `arena`: the board's players against each other and against other programs, and their
//! speed.

#![forbid(unsafe_code)]

mod bench;
mod error;
mod form;
mod gtp;
mod matches;
mod merged_lines;
mod names;
mod parallel;
mod people;
mod perft;
mod person;
mod played_game;
mod seats;
mod series;
mod solo;
mod tally;
#[cfg(test)]
mod testing;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use error::ArenaError;
use form::ArenaForm;

/// Levels against levels and against other programs, and speed.
#[derive(Parser)]
#[command(version)]
struct Arena {
    #[command(subcommand)]
    command: Command,
    /// Print one JSON object per line instead of a table.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Each level against the one below it, or two levels of your choice.
    Match(matches::Options),
    /// Put the shards of a match together, and print the result as if one machine had
    /// played it all.
    Merge(matches::MergedOptions),
    /// Simulated people against the board's levels, in the games of reaction.
    People(people::Options),
    /// Games for one, played by the board's levels and by simple strategies.
    Solo(solo::Options),
    /// The board against a program that speaks the Go Text Protocol.
    Gtp(gtp::Options),
    /// The board's player as a program that speaks the Go Text Protocol.
    Serve(gtp::serve::Options),
    /// The speed of the players and of their building blocks.
    Bench(bench::Options),
    /// Count the lines of Reversi up to a depth: 4, 12, 56, 244, 1396, ...
    Perft(perft::Options),
}

fn main() -> ExitCode {
    let arena = Arena::parse();
    let form = match arena.json {
        true => ArenaForm::Json,
        false => ArenaForm::Table,
    };
    let done = match &arena.command {
        Command::Match(options) => matches::run(options, form),
        Command::Merge(options) => matches::merge(options, form),
        Command::People(options) => people::run(options, form),
        Command::Solo(options) => solo::run(options, form).map_err(ArenaError::from),
        Command::Gtp(options) => gtp::run(options, form).map_err(ArenaError::from),
        Command::Serve(options) => gtp::serve::run(options).map_err(ArenaError::from),
        Command::Bench(options) => bench::run(options, form),
        Command::Perft(options) => perft::run(options, form).map_err(ArenaError::from),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
