//! One layout of the source, of all of it: the workspace, and the image and the
//! fuzzer, which are workspaces of their own.
//!
//! What always holds: with `check` nothing is written.

use crate::cargo::{cargo, root, run};
use crate::firmware::Board;

/// Lays out every source file, or only looks whether it is.
pub fn run_all(check: bool) -> anyhow::Result<()> {
    let check: &[&str] = if check { &["--check"] } else { &[] };
    let image = Board::Lm3s6965evb.folder();
    run(cargo().args(["fmt", "--all"]).args(check))?;
    for folder in [image, root().join("tests/fuzz")] {
        run(cargo().arg("fmt").args(check).current_dir(folder))?;
    }
    Ok(())
}
