//! Builds the book: its generated chapter, and the pages for a browser.
//!
//! The program that builds the pages is a workspace of its own (`tools/book`), because
//! its 130 crates take a minute of processor time, and nothing else needs them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::cargo::{self, cargo, root, run, target_dir, words};

/// The chapter that is generated from the table of constructs.
const REFERENCE: &str = "tools/book/src/ludemes/constructs.md";

/// Options of the book.
#[derive(clap::Args)]
pub struct Options {
    /// Serve the book to browsers on this machine, and rebuild it when a document changes
    #[arg(long)]
    serve: bool,
    /// The port to serve it at
    #[arg(long, value_name = "PORT", default_value_t = 3000, requires = "serve")]
    port: u16,
}

/// Writes the generated chapter, builds the book, and prints its path.
pub fn make(options: &Options) -> anyhow::Result<()> {
    write_reference()?;
    let mut pages = pages()?;
    if options.serve {
        pages.args(["--serve", "--port", &options.port.to_string()]);
    }
    run(&mut pages)
}

/// Builds the book into a folder. Its texts of games have links to the board's page, which
/// has this address from there.
pub fn build_into(folder: &Path, page: &str) -> anyhow::Result<()> {
    write_reference()?;
    let mut pages = of_program("run")?;
    pages.args(["--", "--page", page, "--to"]);
    run(pages.arg(folder))
}

fn write_reference() -> anyhow::Result<()> {
    let mut reference = cargo();
    reference.args(["run", "--quiet", "-p", "ludemes-command", "--"]);
    reference.args(["words", "--markdown"]);
    let output = reference.output().context("cargo cannot be run")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "{} failed: {errors}",
        words(&reference)
    );
    let path = root().join(REFERENCE);
    // An unchanged file is not written, so that nothing is rebuilt.
    if fs::read(&path).ok().as_ref() != Some(&output.stdout) {
        fs::write(&path, &output.stdout)
            .with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}

/// The command that builds the pages.
pub fn pages() -> anyhow::Result<Command> {
    let mut pages = of_program("run")?;
    pages.args(["--", "--to"]);
    Ok(with(pages, target_dir()?.join("book/pages")))
}

/// The command that tests the program that builds the pages.
pub fn tests() -> anyhow::Result<Command> {
    of_program("test")
}

/// The command that lints that program.
pub fn lint() -> anyhow::Result<()> {
    cargo::lint(of_program("clippy")?)
}

fn of_program(what: &str) -> anyhow::Result<Command> {
    cargo::of_workspace(what, "tools/book", "book/build")
}

fn with(mut command: Command, argument: PathBuf) -> Command {
    command.arg(argument);
    command
}
