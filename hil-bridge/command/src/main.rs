//! `hil-bridge`: drives, records and compares a real or emulated touch board.
//!
//! Exit codes: 0 for success; 1 if a board disagrees or an expectation fails; 2 for
//! invalid input, or if there is no board. For 1 and 2, a sentence on the standard error
//! says why.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

mod command;

/// Drives, records and compares a touch board: the one in this process, a
/// virtual one, a firmware image in QEMU, or a real one at a serial port.
#[derive(Debug, Parser)]
#[command(name = "hil-bridge", version, after_help = touchboard_completions::HELP)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Find the boards at the serial ports of this computer
    Ports(command::ports::Options),
    /// Print the identity and the status of a board
    Info(command::info::Options),
    /// Run commands from a person, a pipe or a scenario file
    Shell(command::shell::Options),
    /// Show a board in this terminal, live, and touch it
    Mirror(command::mirror::Options),
    /// Play on a board whose keys and lamps are a grid controller: a Launchpad, a monome
    /// grid
    Play(command::play::Options),
    /// Write what happens on a board into a session file
    Record(command::record::Options),
    /// Repeat what a session file contains, and compare its digests
    Replay(command::replay::Options),
    /// Print the moves of session files in words, one per line
    Transcript(command::transcript::Options),
    /// Run scenario files, each on a fresh board, and print a summary
    Test(command::test::Options),
    /// Write a session as a scenario: a script that does the same and compares the end
    /// state
    Scenario(command::scenario::Options),
    /// Write the signals of a board during a session, as VCD, CSV or JSON Lines
    Signals(command::signals::Options),
    /// Show what crosses the line to a board, live or from a wire log
    WatchLine(command::watch_line::Options),
    /// Share a board with other programs and machines, one at a time: over TCP with a
    /// password or certificates, as a serial port by RFC 2217, or over SSH
    Serve(command::serve::Options),
    /// Make a session from the contacts in a VCD file
    Touches(command::touches::Options),
    /// Cut a span out of a session, and add notes to it
    Trim(command::trim::Options),
    /// Draw what a session's board shows, as a picture or a film
    Picture(command::picture::Options),
    /// Drive a board and its twin with the same input, and compare them after every step
    Check(command::check::Options),
    /// Put the shards of a check together, and print the result as if one machine had run it
    Merge(command::merge::Options),
    /// Send a game's text to a board, which plays it from then on
    Upload(command::upload::Options),
    /// Put the firmware on a Raspberry Pi Pico in BOOTSEL mode
    Flash(command::flash::Options),
    /// Describe the protocol, for programs in other languages
    Protocol(command::protocol::Options),
    /// Measure the line to a board
    Bench(command::bench::Options),
    /// Offer a board to coding agents, as tools of the Model Context Protocol
    Mcp(command::mcp::Options),
}

fn main() -> ExitCode {
    if let Some(code) = touchboard_completions::generate(Arguments::command(), std::env::args_os())
    {
        return code;
    }
    // Prints help and usage errors itself; the latter have exit code 2.
    let Arguments { task } = Arguments::parse();
    let done = match &task {
        Task::Ports(arguments) => command::ports::run(arguments),
        Task::Info(arguments) => command::info::run(arguments),
        Task::Shell(arguments) => command::shell::run(arguments),
        Task::Mirror(arguments) => command::mirror::run(arguments),
        Task::Play(arguments) => command::play::run(arguments),
        Task::Record(arguments) => command::record::run(arguments),
        Task::Replay(arguments) => command::replay::run(arguments),
        Task::Transcript(arguments) => command::transcript::run(arguments),
        Task::Test(arguments) => command::test::run(arguments),
        Task::Scenario(arguments) => command::scenario::run(arguments),
        Task::Signals(arguments) => command::signals::run(arguments),
        Task::WatchLine(arguments) => command::watch_line::run(arguments),
        Task::Serve(arguments) => command::serve::run(arguments),
        Task::Touches(arguments) => command::touches::run(arguments),
        Task::Trim(arguments) => command::trim::run(arguments),
        Task::Picture(arguments) => command::picture::run(arguments),
        Task::Check(arguments) => command::check::run(arguments),
        Task::Merge(arguments) => command::merge::run(arguments),
        Task::Upload(arguments) => command::upload::run(arguments),
        Task::Flash(arguments) => command::flash::run(arguments),
        Task::Protocol(arguments) => command::protocol::run(arguments),
        Task::Bench(arguments) => command::bench::run(arguments),
        Task::Mcp(arguments) => command::mcp::run(arguments),
    };
    match done {
        Ok(ending) => ExitCode::from(ending.code()),
        Err(error) => {
            let unwritten = error.downcast_ref::<command::Unwritten>();
            if !unwritten.is_some_and(command::Unwritten::is_closed_pipe) {
                command::print_error(format_args!("hil-bridge: {error:#}"));
            }
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Arguments;

    #[test]
    fn every_option_has_a_name_of_its_own() {
        Arguments::command().debug_assert();
    }
}
