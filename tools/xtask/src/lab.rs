//! The commands of `tools/xtask-lab`. Their names are known here; the program is only
//! built when one is used.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand};

use crate::cargo::{cargo, target_dir, words};

/// The description of each command in the help of both programs.
pub mod about {
    pub const CAMPAIGN: &str =
        "Play hosts, lines with faults and boards in virtual time, seed after seed";
    pub const CASE: &str =
        "Draw the case of a board that can be built: plates, box, wiring and parts";
    pub const CLUSTER: &str =
        "Write the files with which a cluster does the shards of a long command";
    pub const PACKAGE: &str =
        "Build what is installed without a compiler: packages for Debian, and archives";
    pub const PAGE: &str = "Build the board for browsers, as a folder of files, and serve it";
    pub const PICTURES: &str = "Make the pictures and films of the README and the book again";
    pub const PROTOCOL: &str = "Describe the protocol in `protocol/PROTOCOL.md`, `protocol/schema.json` and `tools/wireshark/touchboard.lua`, from its types";
    pub const TRANSCRIPTS: &str =
        "Tell the golden sessions in `tests/sessions` in words, a file beside each";
    pub const INSTRUCTIONS: &str = "Measure what the board's code takes on a chip, in instructions";
    pub const CHIPS: &str =
        "Measure what every image takes, and what a tick and a touch cost, for the book";
    pub const CORES: &str =
        "Repeat recorded games on processors that have no board of their own, in QEMU";
    pub const TOUCH_TO_LIGHT: &str =
        "Measure what a touch costs, from its contact to its light, in board time";
    pub const LOOP: &str = "Measure how long it takes from a changed line in a game to a program in which it is, and to its tests";
    pub const FUZZ: &str = "Feed bytes to one of the places that take them from outside, and look for one that breaks something";
    pub const MUTANTS: &str =
        "Put mistakes into the rules, one at a time, and look whether a test finds each";
    pub const PIXELS: &str =
        "Draw what the Pico's pins showed at a tick, and the window at the same tick";
    pub const PLANTED: &str =
        "Plant mistakes in the Pico's image, one at a time, and look whether its pins show each";
    pub const PLATFORMS: &str =
        "Check that all programs and tests would build on Windows and macOS";
}

/// A command of the lab.
#[derive(Debug, Subcommand)]
pub enum LabCommand {
    #[command(about = about::CAMPAIGN, disable_help_flag = true)]
    Campaign(LabArguments),
    #[command(about = about::CASE, disable_help_flag = true)]
    Case(LabArguments),
    #[command(about = about::CLUSTER, disable_help_flag = true)]
    Cluster(LabArguments),
    #[command(about = about::PACKAGE, disable_help_flag = true)]
    Package(LabArguments),
    #[command(about = about::PAGE, disable_help_flag = true)]
    Page(LabArguments),
    #[command(about = about::PICTURES, disable_help_flag = true)]
    Pictures(LabArguments),
    #[command(about = about::PROTOCOL, disable_help_flag = true)]
    Protocol(LabArguments),
    #[command(about = about::TRANSCRIPTS, disable_help_flag = true)]
    Transcripts(LabArguments),
    #[command(about = about::INSTRUCTIONS, disable_help_flag = true)]
    Instructions(LabArguments),
    #[command(about = about::CHIPS, disable_help_flag = true)]
    Chips(LabArguments),
    #[command(about = about::CORES, disable_help_flag = true)]
    Cores(LabArguments),
    #[command(about = about::TOUCH_TO_LIGHT, disable_help_flag = true)]
    TouchToLight(LabArguments),
    #[command(about = about::LOOP, disable_help_flag = true)]
    Loop(LabArguments),
    #[command(about = about::FUZZ, disable_help_flag = true)]
    Fuzz(LabArguments),
    #[command(about = about::MUTANTS, disable_help_flag = true)]
    Mutants(LabArguments),
    #[command(about = about::PIXELS, disable_help_flag = true)]
    Pixels(LabArguments),
    #[command(about = about::PLANTED, disable_help_flag = true)]
    Planted(LabArguments),
    #[command(about = about::PLATFORMS, disable_help_flag = true)]
    Platforms(LabArguments),
}

/// The arguments of the command. `--help` lists its options.
#[derive(Args, Debug)]
pub struct LabArguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _arguments: Vec<OsString>,
}

/// Builds the lab if necessary, and runs one of its commands with these arguments.
/// Returns its exit code.
pub fn run(arguments: &[OsString]) -> anyhow::Result<ExitCode> {
    let program = format!("debug/xtask-lab{}", std::env::consts::EXE_SUFFIX);
    let is_built = target_dir()?.join(program).is_file();
    let mut lab = cargo();
    lab.args(["run", "--package", "xtask-lab"]);
    if is_built {
        lab.arg("--quiet");
    } else {
        eprintln!("The program for this is built first: a minute or two.");
    }
    let status = lab.arg("--").args(arguments).status();
    let status = status.with_context(|| format!("{} cannot be run", words(&lab)))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
