//! Checks the programs for other operating systems from this one.
//!
//! This covers types and lints only; linking and running needs such a machine. Parts in C
//! are left out, because they need a C compiler for the system.

use std::process::Command;

use xtask::cargo::{cargo, run};

/// The targets for Windows and macOS.
const TARGETS: [&str; 2] = ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

/// Replaces the tools that build the parts in C. It does nothing and reports success.
const NO_TOOL: &str = "true";

/// Checks every program and test of the workspace for each of the systems.
pub fn check() -> anyhow::Result<()> {
    for target in TARGETS {
        run(Command::new("rustup").args(["target", "add", target]))?;
        let mut check = cargo();
        check.args(["check", "--workspace", "--all-targets", "--target", target]);
        for tool in ["CC", "CXX", "AR"] {
            check.env(format!("{tool}_{}", target.replace('-', "_")), NO_TOOL);
        }
        run(check.env("RUSTFLAGS", "-D warnings"))?;
    }
    Ok(())
}
