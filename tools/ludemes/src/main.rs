//! The command `ludemes`: checks, formats, explains and counts games that are written
//! as text.
//!
//! Errors in the user's input are reported in a sentence, with exit code 2.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod commands;
mod pool;
mod records;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Games written in a language of ludemes.
#[derive(Parser)]
#[command(version)]
struct Ludemes {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Whether a text is of the language, and where not.
    Check(commands::check::Options),
    /// Play random games, and say how many a second.
    Bench(commands::bench::Options),
    /// Make a cartridge of a text.
    Compile(commands::compile::Options),
    /// Play recorded games again, and find the first difference.
    Replay(commands::replay::Options),
    /// Play random games, and tell how long they are, who wins and how they end.
    Report(commands::report::Options),
    /// Play it, against the board's own player or another person.
    Play(commands::play::Options),
    /// Draw a board with the numbers of its sites, an SVG.
    Picture(commands::picture::Options),
    /// Draw what walks look like on several boards, an SVG.
    Walks(commands::walks::Options),
    /// Lay a text out in the canonical way.
    Fmt(commands::fmt::Options),
    /// The rules of a text in plain English.
    Explain(commands::explain::Options),
    /// Which texts in a folder are in the language, and what the others lack.
    Coverage(commands::coverage::Options),
    /// The constructs and the shared macros, with what they mean.
    Words(commands::words::Options),
}

fn main() -> ExitCode {
    let result = match Ludemes::parse().command {
        Command::Check(options) => commands::check::run(&options).map(|()| ExitCode::SUCCESS),
        Command::Bench(options) => commands::bench::run(&options),
        Command::Compile(options) => commands::compile::run(&options),
        Command::Replay(options) => commands::replay::run(&options),
        Command::Report(options) => commands::report::run(&options),
        Command::Play(options) => commands::play::run(&options),
        Command::Picture(options) => commands::picture::run(&options).map(|()| ExitCode::SUCCESS),
        Command::Walks(options) => commands::walks::run(&options).map(|()| ExitCode::SUCCESS),
        Command::Fmt(options) => commands::fmt::run(&options).map(|()| ExitCode::SUCCESS),
        Command::Explain(options) => commands::explain::run(&options).map(|()| ExitCode::SUCCESS),
        Command::Coverage(options) => commands::coverage::run(&options).map(|()| ExitCode::SUCCESS),
        Command::Words(options) => commands::words::run(&options).map(|()| ExitCode::SUCCESS),
    };
    match result {
        Ok(code) => code,
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::from(2)
        }
    }
}
