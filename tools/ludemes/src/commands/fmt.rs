//! `ludemes fmt FILE`: the canonical layout of a text.

use std::path::{Path, PathBuf};

use ludemes::format;

/// What to lay out.
#[derive(clap::Args)]
pub struct Options {
    /// The texts of games.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Change nothing; fail if anything would change.
    #[arg(long)]
    check: bool,
}

/// Lays the texts out.
///
/// # Errors
/// A text with a bracket or a quote too many, or one that would change with `--check`.
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

/// Replaces a file by first writing a new one beside it, so that nothing is lost if
/// this is interrupted.
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
