//! The other systems that the programs are meant for, checked from this one.
//!
//! Types and lints of the compiler only: to link and run them takes such a
//! machine. Parts in C are left out, for they take a compiler for it.

use std::process::Command;

use xtask::cargo::{cargo, run};

/// The targets for Windows and macOS.
const TARGETS: [&str; 2] = ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

/// Stands in for the tools that make the parts in C: it succeeds at nothing.
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
