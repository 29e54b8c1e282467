//! The command `ludemes`: checks, formats, explains and plays games that are written as
//! texts.
//!
//! Errors in the user's input are reported in a sentence, with exit code 2.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod commands;
mod records;
mod replay_all;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// Games written in a language of ludemes.
#[derive(Parser)]
#[command(version, after_help = touchboard_completions::HELP)]
struct Ludemes {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check whether a text is valid in the language, and show its errors.
    Check(commands::check::Options),
    /// Play random games, and report how many per second.
    Bench(commands::bench::Options),
    /// Compile a text to a cartridge.
    Compile(commands::compile::Options),
    /// Replay recorded games, and find the first difference.
    Replay(commands::replay::Options),
    /// Play random games, and report their length, winners and endings.
    Report(commands::report::Options),
    /// Put the shards of a report or of replayed records together, and print what one
    /// machine would have.
    Merge(shards::MergeOptions),
    /// Play a game against the board's own player or another person.
    Play(commands::play::Options),
    /// Draw a board with the numbers of its sites, as an SVG.
    Picture(commands::picture::Options),
    /// Draw walks on several boards, as an SVG.
    Walks(commands::walks::Options),
    /// Format a text in the canonical layout.
    Fmt(commands::fmt::Options),
    /// Explain the rules of a text in plain English.
    Explain(commands::explain::Options),
    /// Check which texts in a folder the language covers, and what is missing for the
    /// others.
    Coverage(commands::coverage::Options),
    /// List the constructs and the shared macros with their meanings.
    Words(commands::words::Options),
}

fn main() -> ExitCode {
    if let Some(code) = touchboard_completions::generate(Ludemes::command(), std::env::args_os()) {
        return code;
    }
    let result = match Ludemes::parse().command {
        Command::Check(options) => commands::check::run(&options).map(|()| ExitCode::SUCCESS),
        Command::Bench(options) => commands::bench::run(&options),
        Command::Compile(options) => commands::compile::run(&options),
        Command::Replay(options) => commands::replay::run(&options),
        Command::Report(options) => commands::report::run(&options),
        Command::Merge(files) => commands::merge::run(&files),
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
