//! The documentation of our packages, in which every link leads somewhere.
//!
//! The tests build that of the libraries. That of all packages takes the checks of all
//! that they are built on, the window's engine among them, which only `cargo xtask ci`
//! has time for.

use std::process::Command;

use crate::cargo::cargo;

/// The libraries, which need little beside themselves.
const LIBRARIES: [&str; 13] = [
    "cartridge-plan",
    "firmware-core",
    "ludemes",
    "protocol",
    "touchboard-files",
    "touchboard-host",
    "touchboard-links",
    "touchboard-panel-ports",
    "touchboard-panels",
    "touchboard-picture",
    "touchboard-shell",
    "touchboard-testing",
    "virtual-board",
];

/// Builds the documentation of the libraries.
pub fn of_libraries() -> Command {
    let mut doc = doc();
    for library in LIBRARIES {
        doc.args(["--package", library]);
    }
    doc
}

/// Builds the documentation of the whole workspace.
pub fn of_all() -> Command {
    let mut doc = doc();
    doc.arg("--workspace");
    doc
}

fn doc() -> Command {
    let mut doc = cargo();
    doc.args(["doc", "--no-deps", "--document-private-items"]);
    let flags = "-D warnings -A rustdoc::private-intra-doc-links";
    doc.env("RUSTDOCFLAGS", flags);
    doc
}
