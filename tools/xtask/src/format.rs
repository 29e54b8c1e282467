//! One layout of the source, of all of it.
//!
//! The table of games names their modules in a macro, which rustfmt does not
//! look into: so each game is named to it by its file. What always holds: with
//! `check` nothing is written.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Context;

use crate::cargo::{cargo, root, run};
use crate::firmware::Board;

/// The edition of the workspace.
const EDITION: &str = "2024";

/// Lays out every source file, or only looks whether it is.
pub fn run_all(check: bool) -> anyhow::Result<()> {
    let check: &[&str] = if check { &["--check"] } else { &[] };
    let image = Board::Lm3s6965evb.folder();
    run(cargo().args(["fmt", "--all"]).args(check))?;
    run(cargo().arg("fmt").args(check).current_dir(&image))?;
    run(Command::new("rustfmt")
        .args(["--edition", EDITION])
        .args(check)
        .args(games()?)
        .current_dir(root()))
}

/// The first file of each game.
fn games() -> anyhow::Result<Vec<PathBuf>> {
    let folder = root().join("firmware-core/src/games");
    let entries = folder
        .read_dir()
        .with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let file = entry?.path().join("mod.rs");
        if file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::games;

    #[test]
    fn every_game_is_named() {
        let files = games().expect("the games are there");
        for name in ["reversi", "speedgo"] {
            let ends = |file: &std::path::PathBuf| file.ends_with(format!("{name}/mod.rs"));
            assert!(files.iter().any(ends), "{name}");
        }
    }
}
