//! `cargo xtask`: sets up, builds, runs and tests the whole project.
//!
//! Every command begins with what it needs itself, so the first one on a fresh
//! machine works: see `cargo xtask help`.

mod all_tests;
mod board;
mod book;
mod bots;
mod cargo;
mod ci;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod features;
mod firmware;
mod format;
mod fuzz;
mod game_tests;
mod image;
#[cfg(test)]
mod imports;
mod inner_loop;
mod instructions;
mod mutants;
#[cfg(test)]
mod names;
mod pictures;
mod platforms;
mod protocol_page;
mod qemu;
mod setup;
mod start;
mod transcripts;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use setup::Purpose;

/// Sets up, builds, runs and tests the whole project.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install the system packages that are missing (Debian and its kin; says
    /// what is needed elsewhere).
    Setup,
    /// Set up what the emulator needs, build it, and start it. The first build of
    /// the window takes a while: until then the board is shown in the terminal.
    Start {
        /// For the emulator: see `cargo xtask start -- --help`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Set up, build the firmware images, and run all tests, those in QEMU too; or
    /// only a game's own, a few seconds after a change.
    Test {
        /// The game, named as its folder is: reversi.
        game: Option<String>,
    },
    /// Build the firmware images, and print what flash and RAM they take.
    Firmware(firmware::Options),
    /// Run a firmware image in QEMU.
    Qemu(qemu::Options),
    /// Build the example bots of `tools/contest` for WebAssembly, and print where
    /// they are.
    Bots,
    /// Film the games in `tests/demos` for the README.
    Pictures,
    /// Describe the protocol in `protocol/PROTOCOL.md` and `protocol/schema.json`,
    /// from its types.
    Protocol,
    /// Build the book from the documents of the tree, and print where it is.
    Book(book::Options),
    /// Tell the golden sessions in `tests/sessions` in words, a file beside each.
    Transcripts,
    /// Measure what the board's code takes on a chip, in instructions.
    Instructions(instructions::Options),
    /// Measure how long it takes from a changed line in a game to a program in
    /// which it is, and to its tests.
    Loop(inner_loop::Options),
    /// Feed bytes to one of the places that take them from outside, and look for
    /// one that breaks something.
    Fuzz(fuzz::Options),
    /// Put mistakes into the rules, one at a time, and look whether a test finds
    /// each.
    Mutants(mutants::Options),
    /// Lay out all source files, those of the images and the fuzzer too.
    Fmt {
        /// Only look whether they are.
        #[arg(long)]
        check: bool,
    },
    /// Check that all programs and tests would build on Windows and macOS.
    Platforms,
    /// Formatting, lints, documentation, tests: what has to pass before a change
    /// is taken.
    Ci,
}

fn main() -> ExitCode {
    match run(Arguments::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> anyhow::Result<()> {
    std::env::set_current_dir(cargo::root())?;
    match task {
        Task::Setup => setup::install(&Purpose::ALL),
        Task::Start { arguments } => start::run(&arguments),
        Task::Test { game: None } => all_tests::run_all(),
        Task::Test { game: Some(game) } => game_tests::run_all(&game),
        Task::Firmware(options) => firmware::run_all(&options),
        Task::Qemu(options) => qemu::run(&options),
        Task::Bots => bots::build(),
        Task::Pictures => pictures::make(),
        Task::Protocol => protocol_page::make(),
        Task::Book(options) => book::make(&options),
        Task::Transcripts => transcripts::make(),
        Task::Instructions(options) => instructions::run(&options),
        Task::Loop(options) => inner_loop::measure(&options),
        Task::Fuzz(options) => fuzz::run_target(&options),
        Task::Mutants(options) => mutants::run(&options),
        Task::Fmt { check } => format::run_all(check),
        Task::Platforms => platforms::check(),
        Task::Ci => ci::ci(),
    }
}
