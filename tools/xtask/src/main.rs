//! `cargo xtask`: sets up, builds, runs and tests the whole project.
//!
//! Every command first provides what it needs, so any of them works on a new machine: see
//! `cargo xtask help`.

#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use xtask::all_tests::{self, Excuses};
use xtask::format::{self, Formatting};
use xtask::{
    book, bots, cargo, ci, deny, firmware, game_tests, lab, mcp, new_game, qemu, setup, size,
    start, wasm,
};

/// Sets up, builds, runs and tests the whole project.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install missing system packages (on Debian and its derivatives; elsewhere, print
    /// what is needed).
    Setup,
    /// Set up and build the window, and start it. Its first build takes a while; until
    /// then, the board is shown in the terminal.
    Start {
        /// Options of the window: see `cargo xtask start -- --help`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Set up, build the firmware images, and run all tests, including those in QEMU; or
    /// only those of one game, which takes a few seconds after a change.
    Test {
        /// The game, by the name of its folder: reversi.
        game: Option<String>,
        /// Fail if a test had nothing to judge, for example because QEMU is missing.
        #[arg(long, conflicts_with = "game")]
        no_excuses: bool,
    },
    /// Build the firmware images, and print how much flash and RAM they need.
    Firmware(firmware::Options),
    /// Run a firmware image in QEMU.
    Qemu(qemu::Options),
    /// Build the example bots of `tools/contest` for WebAssembly, and print their paths.
    Bots,
    /// Build the library of hosts for WebAssembly, where there is no operating system.
    Wasm(wasm::Options),
    /// Build the program behind `hil-bridge mcp`, and print its path.
    Mcp,
    /// Build the book from the documents of the tree, and print its path.
    Book(book::Options),
    /// Format all source files, including those of the images and the fuzzer.
    Fmt {
        /// Only check whether they are formatted.
        #[arg(long)]
        check: bool,
    },
    /// Judge all third-party crates by `.cargo/deny.toml`: licences, known weaknesses,
    /// withdrawn versions, sources. This needs cargo-deny.
    Deny(deny::Options),
    /// Create a game that can be played and obeys every law, add it to every table, and
    /// print the remaining steps.
    NewGame(new_game::Options),
    /// Count the lines of code and of tests in each package.
    Size(size::Options),
    #[command(flatten)]
    Lab(lab::LabCommand),
    /// Check formatting and lints, and run all tests: everything that has to pass before
    /// a change is committed.
    Ci,
}

fn main() -> ExitCode {
    let arguments = help_last(std::env::args_os().collect());
    run(&arguments).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

/// Turns `help COMMAND` into `COMMAND --help`, which the lab's commands support, too.
fn help_last(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.len() == 3 && arguments[1] == "help" {
        arguments.remove(1);
        arguments.push("--help".into());
    }
    arguments
}

fn run(arguments: &[OsString]) -> anyhow::Result<ExitCode> {
    let Arguments { task } = Arguments::parse_from(arguments);
    std::env::set_current_dir(cargo::root())?;
    match task {
        Task::Setup => setup::install_all(),
        Task::Start { arguments } => start::run(&arguments),
        Task::Test {
            game: Some(game), ..
        } => game_tests::run_all(&game),
        Task::Test { no_excuses, .. } => all_tests::run_all(match no_excuses {
            true => Excuses::Refuse,
            false => Excuses::Count,
        }),
        Task::Firmware(options) => firmware::run_all(&options),
        Task::Qemu(options) => qemu::run(&options),
        Task::Bots => bots::build(),
        Task::Wasm(options) => wasm::build(options),
        Task::Mcp => mcp::build(),
        Task::Book(options) => book::make(&options),
        Task::Fmt { check } => format::run_all(match check {
            true => Formatting::Check,
            false => Formatting::Write,
        }),
        Task::Deny(options) => deny::judge(options),
        Task::NewGame(options) => new_game::run(&options),
        Task::Size(options) => size::run(&options),
        Task::Ci => ci::ci(),
        Task::Lab(_) => return lab::run(&arguments[1..]),
    }?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_for_the_lab_are_passed_on() {
        let words = |text: &str| -> Vec<OsString> { text.split(' ').map(Into::into).collect() };
        for (typed, passed) in [
            ("xtask fuzz board --seconds 3", "fuzz board --seconds 3"),
            ("xtask fuzz --help", "fuzz --help"),
            ("xtask help fuzz", "fuzz --help"),
            ("xtask mutants -- --jobs", "mutants -- --jobs"),
        ] {
            let arguments = help_last(words(typed));
            let parsed = Arguments::try_parse_from(&arguments);
            assert!(
                matches!(parsed, Ok(Arguments { task: Task::Lab(_) })),
                "{typed}"
            );
            assert_eq!(arguments[1..], words(passed));
        }
        let help = Arguments::try_parse_from(help_last(words("xtask help"))).err();
        let help = help.expect("it is printed").to_string();
        assert!(help.contains(lab::about::INSTRUCTIONS), "{help}");
    }
}
