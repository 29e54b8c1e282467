//! Checks that every choice of packages requests the same features of each crate.
//!
//! Cargo builds a crate once for each set of its features. If the features differed, `-p
//! emulator` after `--workspace` would build some crates again, with everything that
//! depends on them. `tools/equal-features` requests the union of all features; this test
//! finds out whether it is complete.

use std::collections::BTreeSet;

use anyhow::Context;

use crate::cargo::{cargo, metadata};

/// A line for each crate and set of features in a build of these packages: `serde
/// v1.0.229 alloc,derive,std`.
fn crates(packages: &[&str]) -> anyhow::Result<BTreeSet<String>> {
    let edges = ["--edges", "normal,build,dev"];
    let form = ["--prefix", "none", "--format", "{p} {f}"];
    let mut tree = cargo();
    tree.arg("tree").args(packages).args(edges).args(form);
    let output = tree.output().context("cargo tree cannot be run")?;
    anyhow::ensure!(
        output.status.success(),
        "cargo tree {packages:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8_lossy(&output.stdout);
    // Cargo marks crates that were listed before.
    let unmarked = |line: &'_ str| line.trim_end_matches(" (*)").trim().to_owned();
    let lines = text.lines().map(unmarked);
    Ok(lines.collect())
}

/// The crates that differ between a build of these packages and one of the whole
/// workspace.
fn differences(packages: &[&str], whole: &BTreeSet<String>) -> anyhow::Result<Vec<String>> {
    let own = crates(packages)?;
    // A crate with features is also listed without any, if a build script might need it
    // in that form; but it is not built.
    let has_features_too = |line: &str| {
        let with_features = format!("{line} ");
        own.iter().any(|other| other.starts_with(&with_features))
    };
    let differences = own.difference(whole);
    let real = differences.filter(|line| !has_features_too(line));
    Ok(real.cloned().collect())
}

/// The packages of the workspace.
fn members() -> anyhow::Result<Vec<String>> {
    let metadata = metadata()?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    let names = packages
        .iter()
        .filter_map(|package| package["name"].as_str());
    Ok(names.map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_single_package_builds_a_crate_with_other_features() {
        let whole = crates(&["--workspace"]).expect("cargo tells");
        let mut members = members().expect("cargo tells");
        // xtask has a profile of its own, and shares no builds with the others.
        members.retain(|package| package != "xtask");
        for package in members {
            let differences = differences(&["--package", &package], &whole).expect("cargo tells");
            assert_eq!(
                differences,
                Vec::<String>::new(),
                "with `-p {package}` these differ: ask for their missing features in \
                 tools/equal-features"
            );
        }
    }

    /// The tests include the window without its features. Its libraries must be those of
    /// the window, or all of Bevy would be built twice.
    #[test]
    fn the_bare_window_builds_no_library_with_other_features() {
        let whole = crates(&["--workspace"]).expect("cargo tells");
        let bare = ["--package", "emulator", "--no-default-features"];
        let mut differences = differences(&bare, &whole).expect("cargo tells");
        let number = differences.len();
        differences.retain(|line| !line.starts_with("emulator "));
        assert_eq!(differences, Vec::<String>::new());
        assert_eq!(number, 1, "the window itself has no features");
    }
}
