//! The page of the protocol, its schema and the dissector, for those who write another host.

use std::fs;

use anyhow::{Context, ensure};

use xtask::cargo::{cargo, root, words};

/// Writes all of them, as the bridge makes them from the types of this build.
pub fn make() -> anyhow::Result<()> {
    let files = [
        ("protocol/PROTOCOL.md", &[][..]),
        ("protocol/schema.json", &["--json"]),
        ("tools/wireshark/touchboard.lua", &["--wireshark"]),
    ];
    for (file, options) in files {
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
        let path = root().join(file);
        fs::write(&path, &output.stdout)
            .with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}
