//! `ludemes explain FILE`: the rules in plain English.
use std::path::PathBuf;

/// What to explain.
#[derive(clap::Args)]
pub struct Options {
    /// The text of a game.
    file: PathBuf,
    /// An item of an option, as `Heading/Item`.
    #[arg(long = "option", value_name = "HEADING/ITEM")]
    chosen: Vec<String>,
}

/// Explains the game.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn run(options: &Options) -> Result<(), String> {
    let (_, reading) = super::read(&options.file, &options.chosen)?;
    super::print(&ludemes::explain::explain(&reading.game))
}
