//! Runs other programs, mainly cargo.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).unwrap_or(own).to_owned()
}

/// The cargo that runs this.
pub fn cargo() -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root());
    command
}

/// The metadata of the workspace, from cargo.
pub fn metadata() -> anyhow::Result<serde_json::Value> {
    let output = cargo()
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .output()
        .context("cargo cannot be run")?;
    serde_json::from_slice(&output.stdout).context("cargo metadata makes no sense")
}

/// The build folder, according to the environment and the user's configuration.
pub fn target_dir() -> anyhow::Result<PathBuf> {
    let metadata = metadata()?;
    let path = metadata["target_directory"].as_str();
    path.map(PathBuf::from)
        .context("cargo metadata names no target directory")
}

/// Runs a program and waits for it. An error says which one failed.
pub fn run(command: &mut Command) -> anyhow::Result<()> {
    let status = command
        .status()
        .with_context(|| format!("{} cannot be run", words(command)))?;
    anyhow::ensure!(status.success(), "{} failed ({status})", words(command));
    Ok(())
}

/// True if a program can be run and succeeds; its output is not shown.
pub fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// The command as it would be typed.
pub fn words(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let words = std::iter::once(name).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

/// Copies a file atomically, because the old one may be starting at this moment.
pub fn put(built: &Path, image: &Path) -> anyhow::Result<()> {
    let fresh = image.with_extension(format!("{}.new", std::process::id()));
    std::fs::copy(built, &fresh)
        .and_then(|_| std::fs::rename(&fresh, image))
        .with_context(|| format!("cannot write {}", image.display()))
}

/// The cargo command `what` for the separate workspace in this folder, whose builds go to
/// `builds`.
pub fn of_workspace(what: &str, folder: &str, builds: &str) -> anyhow::Result<Command> {
    let mut command = cargo();
    command.args([what, "--quiet", "--locked", "--manifest-path"]);
    command.arg(format!("{folder}/Cargo.toml"));
    command.arg("--target-dir").arg(target_dir()?.join(builds));
    Ok(command)
}

/// Runs the linter with warnings as errors.
pub fn lint(mut clippy: Command) -> anyhow::Result<()> {
    run(clippy.args(["--all-targets", "--", "-D", "warnings"]))
}
