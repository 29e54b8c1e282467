//! `ludemes report FILE`: statistics of random games.
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};
use ludemes::report::{self, ReportOptions};

/// What to play.
#[derive(clap::Args)]
pub struct Options {
    /// The text of a game.
    file: PathBuf,
    /// An item of an option, as `Heading/Item`.
    #[arg(long = "option", value_name = "HEADING/ITEM")]
    chosen: Vec<String>,
    /// The number of games.
    #[arg(long, default_value_t = 1_000)]
    games: u32,
    /// The seed of the first game; each further game uses the next number.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The most steps of the machine for one move.
    #[arg(long, value_name = "STEPS", default_value_t = report::FUEL)]
    fuel: u32,
}

/// Plays the games and prints the statistics. The exit code is 1 if a game failed.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn run(options: &Options) -> Result<ExitCode, String> {
    let (game, compiled) = super::compiled(&options.file, &options.chosen)?;
    let plan = ReportOptions {
        games: options.games,
        seed: options.seed,
        fuel: options.fuel,
        now: super::now,
    };
    let bar = ProgressBar::new(plan.games.into());
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} games, {eta} left") {
        bar.set_style(style);
    }
    let came = report::play(&game, &compiled, &plan, |report| {
        bar.set_position(u64::from(report.games) + report.failed.len() as u64);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    let came = came.map_err(|refused| format!("the core refuses the cartridge: {refused:?}"))?;
    print!("{came}");
    Ok(match came.failed.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    })
}
