//! The commands of `cargo xtask` that measure, search for weaknesses, and generate pages
//! and pictures.
//!
//! They are a separate program because they depend on the core and the compiler of games,
//! and a user who starts the window for the first time should not wait for those.
//! `cargo xtask` builds and runs this program; each command has the same name in both.

#![forbid(unsafe_code)]

mod campaign;
mod case;
mod chips;
mod cluster;
mod cores;
mod folder;
mod fuzz;
mod inner_loop;
mod installed;
mod instructions;
mod mutants;
mod package;
mod page;
mod pictures;
mod pixels;
mod planted;
mod platforms;
mod protocol_page;
mod touch_to_light;
mod transcripts;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use xtask::cargo;
use xtask::lab::about;

/// Measures the project, searches for weaknesses, and generates pages and pictures.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    #[command(about = about::CAMPAIGN)]
    Campaign(campaign::Options),
    #[command(about = about::CASE)]
    Case(case::Options),
    #[command(about = about::CLUSTER)]
    Cluster(cluster::Options),
    #[command(about = about::PACKAGE)]
    Package(package::Options),
    #[command(about = about::PAGE)]
    Page(page::Options),
    #[command(about = about::PICTURES)]
    Pictures(pictures::Options),
    #[command(about = about::PROTOCOL)]
    Protocol,
    #[command(about = about::TRANSCRIPTS)]
    Transcripts,
    #[command(about = about::INSTRUCTIONS)]
    Instructions(instructions::Options),
    #[command(about = about::CHIPS)]
    Chips(chips::Options),
    #[command(about = about::CORES)]
    Cores(cores::Options),
    #[command(about = about::TOUCH_TO_LIGHT)]
    TouchToLight(touch_to_light::Options),
    #[command(about = about::LOOP)]
    Loop(inner_loop::Options),
    #[command(about = about::FUZZ)]
    Fuzz(fuzz::Options),
    #[command(about = about::MUTANTS)]
    Mutants(mutants::Options),
    #[command(about = about::PIXELS)]
    Pixels(pixels::Options),
    #[command(about = about::PLANTED)]
    Planted(planted::Options),
    #[command(about = about::PLATFORMS)]
    Platforms,
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
        Task::Campaign(options) => campaign::run(&options),
        Task::Case(options) => case::make(&options),
        Task::Cluster(options) => cluster::write(&options),
        Task::Package(options) => package::make(&options),
        Task::Page(options) => page::make(&options),
        Task::Pictures(options) => pictures::make(&options),
        Task::Protocol => protocol_page::make(),
        Task::Transcripts => transcripts::make(),
        Task::Instructions(options) => instructions::run(&options),
        Task::Chips(options) => chips::run(&options),
        Task::Cores(options) => cores::run(&options),
        Task::TouchToLight(options) => touch_to_light::run(&options),
        Task::Loop(options) => inner_loop::measure(&options),
        Task::Fuzz(options) => fuzz::run_target(&options),
        Task::Mutants(options) => mutants::run(&options),
        Task::Pixels(options) => pixels::make(&options),
        Task::Planted(options) => planted::run(&options),
        Task::Platforms => platforms::check(),
    }
}
