//! One layout of the source, of all of it: the workspace and the images, each of
//! which is a workspace of its own.
//!
//! What always holds: with `check` nothing is written.

use crate::board::Board;
use crate::cargo::{cargo, run};

/// Lays out every source file, or only looks whether it is.
pub fn run_all(check: bool) -> anyhow::Result<()> {
    let check: &[&str] = if check { &["--check"] } else { &[] };
    run(cargo().args(["fmt", "--all"]).args(check))?;
    for board in Board::all() {
        run(cargo().arg("fmt").args(check).current_dir(board.folder()))?;
    }
    Ok(())
}
