//! `ludemes check FILE`: whether a text is valid, and the size of the resulting game.

use std::path::PathBuf;

use ludemes::check::{CheckDepth, check};
use ludemes::{constructs, names};

/// What to check.
#[derive(clap::Args)]
pub struct Options {
    /// The text of a game.
    file: PathBuf,
    /// An item of an option, as `Heading/Item`.
    #[arg(long = "option", value_name = "HEADING/ITEM")]
    chosen: Vec<String>,
    /// Check only whether the text is valid in the language, not whether it can be played
    /// here.
    #[arg(long)]
    language: bool,
}

/// The most errors that are shown at a time.
const MOST_SHOWN: usize = 10;

/// Checks the text.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn run(options: &Options) -> Result<(), String> {
    let text = super::load(&options.file)?;
    let depth = match options.language {
        true => CheckDepth::Language,
        false => CheckDepth::Cartridge,
    };
    let checked = check(&text, &options.chosen, depth);
    let mut troubles = checked.troubles;
    if let (Some(reading), true) = (checked.reading, troubles.is_empty()) {
        let used = constructs::used(&reading.game).len();
        let (mut made, mut names) = (String::new(), None);
        if let Some(compiled) = checked.compiled {
            made = format!("; a cartridge of {} bytes", compiled.bytes.len());
            if let Some(only) = compiled.only_on_hosts() {
                made.push_str(&format!("; {only}"));
            }
            names = names::sentence(&names::otherwise(&reading.game, &compiled));
        }
        let names = names.map_or_else(String::new, |names| format!("{names}\n"));
        let file = options.file.display();
        let told = format!("{file}: {used} constructs, all known{made}\n{names}");
        return super::print(&told);
    }
    let more = troubles.len().saturating_sub(MOST_SHOWN);
    troubles.truncate(MOST_SHOWN);
    let mut sentence = super::shown(&options.file, &text, &troubles);
    if more > 0 {
        sentence.push_str(&format!("\n\n{more} more"));
    }
    Err(sentence)
}
