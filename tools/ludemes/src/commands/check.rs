//! `ludemes check FILE`: whether a text is of the language, and what it makes.
use ludemes::{compile::compile, constructs};
use std::path::PathBuf;

/// What to check.
#[derive(clap::Args)]
pub struct Options {
    /// The text of a game.
    file: PathBuf,
    /// An item of an option, as `Heading/Item`.
    #[arg(long = "option", value_name = "HEADING/ITEM")]
    chosen: Vec<String>,
    /// Look only whether the text is of the language, not whether it can be played
    /// here.
    #[arg(long)]
    language: bool,
}

/// The most troubles that are shown at once.
const MOST_SHOWN: usize = 10;

/// Checks the text.
///
/// # Errors
/// What is wrong with it, and where.
pub fn run(options: &Options) -> Result<(), String> {
    let (text, reading) = super::read(&options.file, &options.chosen)?;
    let mut troubles = constructs::troubles(&reading.game);
    // What a macro brings is shown once where the macro is named.
    troubles.dedup();
    if troubles.is_empty() {
        let used = constructs::used(&reading.game).len();
        let file = options.file.display();
        if options.language {
            println!("{file}: {used} constructs, all known");
            return Ok(());
        }
        let compiled = compile(&reading.game);
        let compiled = compiled.map_err(|trouble| {
            let trouble = trouble.of(&reading);
            super::shown(&options.file, &text, &[trouble])
        })?;
        let bytes = compiled.bytes.len();
        println!("{file}: {used} constructs, all known; a cartridge of {bytes} bytes");
        return Ok(());
    }
    let more = troubles.len().saturating_sub(MOST_SHOWN);
    troubles.truncate(MOST_SHOWN);
    let mut sentence = super::shown(&options.file, &text, &troubles);
    if more > 0 {
        sentence.push_str(&format!("\n\n{more} more"));
    }
    Err(sentence)
}
