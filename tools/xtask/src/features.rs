//! Whether every choice of packages asks the same features of each crate.
//!
//! Cargo builds a crate once for each set of its features, so `-p emulator`
//! after `--workspace` would build some crates again, and with them everything
//! above, if the two chose other features. `tools/equal-features` asks for all
//! of them together; here it is found out whether it asks for enough.

use std::collections::BTreeSet;

use anyhow::Context;

use crate::cargo::{cargo, metadata};

/// A line for each crate and set of features that a build of these packages
/// has: `serde v1.0.229 alloc,derive,std`.
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
    // Crates that were listed before are marked.
    let unmarked = |line: &'_ str| line.trim_end_matches(" (*)").trim().to_owned();
    let lines = text.lines().map(unmarked);
    Ok(lines.collect())
}

/// The crates that differ between a build of this package alone and one of the whole
/// workspace.
fn differences(package: &str, whole: &BTreeSet<String>) -> anyhow::Result<Vec<String>> {
    let own = crates(&["--package", package])?;
    // A crate that has features is listed without any as well, where a build
    // script's side could ask for it and does not build it.
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
    fn no_choice_of_packages_builds_a_crate_that_the_workspace_does_not() {
        let whole = crates(&["--workspace"]).expect("cargo tells");
        let mut members = members().expect("cargo tells");
        // xtask has a profile of its own, and shares no build with the others.
        members.retain(|package| package != "xtask");
        for package in members {
            let differences = differences(&package, &whole).expect("cargo tells");
            assert_eq!(
                differences,
                Vec::<String>::new(),
                "with `-p {package}` these differ: ask for their missing features in \
                 tools/equal-features"
            );
        }
    }
}
