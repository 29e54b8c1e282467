//! The page of the protocol and its schema, for those who write another host.

use std::fs;

use anyhow::{Context, ensure};

use xtask::cargo::{cargo, root, words};

/// Writes both, as the bridge makes them from the types of this build.
pub fn make() -> anyhow::Result<()> {
    for (file, options) in [("PROTOCOL.md", &[][..]), ("schema.json", &["--json"])] {
        let mut bridge = cargo();
        bridge.args(["run", "--quiet", "-p", "hil-bridge", "--", "protocol"]);
        let output = bridge.args(options).output();
        let output = output.context("cargo cannot be run")?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(
            output.status.success(),
            "{} failed: {errors}",
            words(&bridge)
        );
        let path = root().join("protocol").join(file);
        fs::write(&path, &output.stdout)
            .with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}
