//! Builds the documentation of the packages, with broken links as errors.
//!
//! The tests only build that of the libraries. That of all packages needs to check
//! everything that they depend on, including the engine of the window, so it is left to
//! `cargo xtask ci`.

use std::process::Command;

use crate::cargo::cargo;

/// The libraries, which have few dependencies.
const LIBRARIES: [&str; 15] = [
    "cartridge-plan",
    "firmware-core",
    "ludemes",
    "protocol",
    "touchboard-files",
    "touchboard-host",
    "touchboard-links",
    "touchboard-pair",
    "touchboard-panel-ports",
    "touchboard-panels",
    "touchboard-picture",
    "touchboard-sharing",
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
