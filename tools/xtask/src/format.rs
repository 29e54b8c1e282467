//! Formats all source code: the workspace, and the images, the fuzzer, the book, the
//! tools for agents, the switches of mutants, the example of own tests and the example
//! bots, each of which is a workspace of its own.
//!
//! Invariants: [`Formatting::Check`] writes nothing.

use crate::board::BoardImage;
use crate::bots;
use crate::cargo::{cargo, root, run};
use crate::mcp;

/// What is done with source files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formatting {
    /// They are formatted.
    Write,
    /// It is an error if one is not formatted.
    Check,
}

/// Formats every source file, or only checks whether it is formatted.
pub fn run_all(formatting: Formatting) -> anyhow::Result<()> {
    let check: &[&str] = match formatting {
        Formatting::Write => &[],
        Formatting::Check => &["--check"],
    };
    run(cargo().args(["fmt", "--all"]).args(check))?;
    let images = BoardImage::all().map(BoardImage::folder);
    let others = [
        "firmware-core/boards/bare",
        mcp::FOLDER,
        "tests/fuzz",
        "tools/book",
        "tools/examples/own-tests",
        "tools/switches",
    ]
    .map(|folder| root().join(folder));
    for folder in images.chain(others).chain(bots::folders()) {
        run(cargo().arg("fmt").args(check).current_dir(folder))?;
    }
    Ok(())
}
