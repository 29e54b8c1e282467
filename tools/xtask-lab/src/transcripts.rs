//! The golden sessions in words, so that a changed rule is read where the change
//! is reviewed.

use xtask::cargo::{cargo, root, run};

use crate::pictures::sessions;

/// Writes the transcript of each session in `tests/sessions` beside it.
pub fn make() -> anyhow::Result<()> {
    let mut bridge = cargo();
    bridge.args(["run", "--quiet", "-p", "hil-bridge", "--"]);
    bridge.args(["transcript", "--beside"]);
    run(bridge.args(sessions(&root().join("tests/sessions"))?))
}
