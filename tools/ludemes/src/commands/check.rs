//! `ludemes check FILE`: whether a text is of the language, and what it makes.
use ludemes::{
    compile::{self, compile},
    constructs,
    text::line_and_column,
    tree::Node,
};
use std::path::PathBuf;

/// What to check.
#[derive(clap::Args)]
pub struct Options {
    /// The text of a game.
    file: PathBuf,
    /// An item of an option, as `Heading/Item`.
    #[arg(long = "option", value_name = "HEADING/ITEM")]
    chosen: Vec<String>,
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
        println!(
            "{file}: {used} constructs, all known; {}",
            cartridge(&reading.game, &text)
        );
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

/// What comes of a game that is of the language: a cartridge, or why there is none.
fn cartridge(game: &Node, text: &str) -> String {
    match compile(game) {
        Ok(compiled) => format!("a cartridge of {} bytes", compiled.bytes.len()),
        Err(compile::Trouble::Unknown(unknown)) => {
            let (line, column) = line_and_column(text, unknown.span);
            format!("no cartridge of it: {line}:{column}: {unknown}")
        }
        Err(trouble) => format!("no cartridge of it: {trouble}"),
    }
}
