//! Writes the golden sessions in words, so that the effects of a changed rule can be read
//! in the review.

use xtask::cargo::{cargo, root, run};

use crate::pictures::sessions;

/// Writes the transcript of each session in `tests/sessions` next to it.
pub fn make() -> anyhow::Result<()> {
    let mut bridge = cargo();
    bridge.args(["run", "--quiet", "-p", "hil-bridge", "--"]);
    bridge.args(["transcript", "--beside"]);
    run(bridge.args(sessions(&root().join("tests/sessions"))?))
}
