//! Lints and tests the tool that puts mutants behind switches, which is a workspace of
//! its own.

use crate::cargo::{cargo, run, target_dir};

/// The manifest of the package.
pub const SWITCHES: &str = "tools/switches/Cargo.toml";

/// Runs the lints and tests of the package.
pub fn check() -> anyhow::Result<()> {
    for words in [
        &["clippy", "--all-targets", "--", "-D", "warnings"][..],
        &["test"],
    ] {
        let (verb, rest) = words.split_at(1);
        let mut command = cargo();
        command.args(verb).args(["--manifest-path", SWITCHES]);
        let builds = target_dir()?.join("mutants/switches");
        run(command.arg("--target-dir").arg(builds).args(rest))?;
    }
    Ok(())
}
