//! Formats all source code, of every workspace.
//!
//! Invariants: [`Formatting::Check`] writes nothing.

use crate::cargo::{cargo, run};
use crate::workspaces;

/// What is done with source files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formatting {
    /// They are formatted.
    Write,
    /// It is an error if one is not formatted.
    Check,
}

/// Whether rustfmt is installed.
pub fn can_format() -> bool {
    let version = cargo().args(["fmt", "--version"]).output();
    version.is_ok_and(|version| version.status.success())
}

/// Formats every source file, or only checks whether it is formatted.
pub fn run_all(formatting: Formatting) -> anyhow::Result<()> {
    let check: &[&str] = match formatting {
        Formatting::Write => &[],
        Formatting::Check => &["--check"],
    };
    run(cargo().args(["fmt", "--all"]).args(check))?;
    for folder in workspaces::separate() {
        run(cargo().arg("fmt").args(check).current_dir(folder))?;
    }
    Ok(())
}
