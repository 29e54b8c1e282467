//! `ludemes fmt FILE`: formats a text in the canonical layout.

use std::path::{Path, PathBuf};

use ludemes::format;

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
                replace(file, &formatted)?;
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

/// Replaces a file by writing a new one next to it first, so that nothing is lost if the
/// program is interrupted.
fn replace(file: &Path, text: &str) -> Result<(), String> {
    let sentence = |error| format!("{}: {error}", file.display());
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let beside = folder
        .unwrap_or(Path::new("."))
        .join(format!(".{name}.new"));
    std::fs::write(&beside, text).map_err(sentence)?;
    std::fs::rename(&beside, file).map_err(sentence)
}
