//! Formats all source code: the workspace, and the images, the fuzzer, the book, the
//! tools for agents, the switches of mutants, the example of own tests and the example
//! bots, each of which is a workspace of its own.
//!
//! Invariants: with `check` nothing is written.

use crate::board::BoardImage;
use crate::bots;
use crate::cargo::{cargo, root, run};
use crate::mcp;

/// Formats every source file, or only checks whether it is formatted.
pub fn run_all(check: bool) -> anyhow::Result<()> {
    let check: &[&str] = if check { &["--check"] } else { &[] };
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
