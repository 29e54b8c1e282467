//! `ludemes fmt FILE`: formats a text in the canonical layout.

use std::path::PathBuf;

use ludemes::format;
use touchboard_files::whole_file;

/// Options of `ludemes fmt`.
#[derive(clap::Args)]
pub struct Options {
    /// The texts of games.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Change nothing; fail if a file is not in the canonical layout.
    #[arg(long)]
    check: bool,
}

/// Formats the texts.
///
/// # Errors
/// A text with an unmatched bracket or quote, or with `--check`, one that would change.
pub fn run(options: &Options) -> Result<(), String> {
    let mut changed = Vec::new();
    for file in &options.files {
        let text = super::load(file)?;
        let formatted =
            format::format(&text).map_err(|trouble| super::shown(file, &text, &[trouble]))?;
        if formatted != text {
            changed.push(file.display().to_string());
            if !options.check {
                whole_file::write(file, formatted.as_bytes())
                    .map_err(|error| format!("{}: {error}", file.display()))?;
            }
        }
    }
    if options.check && !changed.is_empty() {
        let names = changed.join(", ");
        return Err(format!(
            "not in the canonical layout: {names} (run `ludemes fmt` on it)"
        ));
    }
    Ok(())
}
