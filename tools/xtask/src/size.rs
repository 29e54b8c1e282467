//! `cargo xtask size`: counts the lines of code and of tests in each package.
//!
//! Invariants: every line of every Rust file that git knows is counted once, including
//! blank lines and comments. Tests are the files in `tests` and `benches`, the files that
//! are named after them, and in other files what is behind `#[cfg(test)]`.

use std::collections::BTreeMap;
use std::process::Command;

use anyhow::{Context, ensure};
use clap::Args;

use crate::cargo::{root, words};

#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Also print the difference to this git revision, such as main or HEAD~10.
    #[arg(long, value_name = "REVISION")]
    against: Option<String>,
}

/// The numbers of lines of code and of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Lines {
    product: i64,
    tests: i64,
}

impl Lines {
    fn add(&mut self, other: Lines) {
        self.product += other.product;
        self.tests += other.tests;
    }
}

/// The lines of each package, by its folder.
type Packages = BTreeMap<String, Lines>;

/// Prints the table of sizes.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let now = count(&Tree::Work)?;
    let then = match &options.against {
        Some(revision) => Some(count(&Tree::Revision(revision))?),
        None => None,
    };
    print!("{}", table(&now, then.as_ref()));
    Ok(())
}

/// The source of a tree's files.
enum Tree<'a> {
    /// The files in the working tree, including uncommitted ones.
    Work,
    Revision(&'a str),
}

impl Tree<'_> {
    /// The paths of all files.
    fn paths(&self) -> anyhow::Result<Vec<String>> {
        let text = match self {
            Tree::Work => git(&["ls-files", "--cached", "--others", "--exclude-standard"])?,
            Tree::Revision(revision) => {
                git(&["ls-tree", "-r", "--name-only", "--full-tree", revision])?
            }
        };
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// The text of a file; `None` if it does not exist.
    fn text(&self, path: &str) -> anyhow::Result<Option<String>> {
        match self {
            Tree::Work => Ok(std::fs::read_to_string(root().join(path)).ok()),
            Tree::Revision(revision) => git(&["show", &format!("{revision}:{path}")]).map(Some),
        }
    }
}

fn git(arguments: &[&str]) -> anyhow::Result<String> {
    let mut git = Command::new("git");
    git.current_dir(root()).args(arguments);
    let output = git.output().context("git cannot be run")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{}: {errors}", words(&git));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn count(tree: &Tree<'_>) -> anyhow::Result<Packages> {
    let paths = tree.paths()?;
    let folders = paths.iter().filter_map(|path| {
        let folder = path.strip_suffix("Cargo.toml")?;
        Some(folder.trim_end_matches('/'))
    });
    let folders: Vec<&str> = folders.filter(|folder| !folder.is_empty()).collect();
    let mut packages = Packages::new();
    for path in paths.iter().filter(|path| path.ends_with(".rs")) {
        let Some(text) = tree.text(path)? else {
            continue;
        };
        let package = package_of(path, &folders);
        let lines = lines_of(&path[package.len()..], &text);
        packages.entry(package.to_owned()).or_default().add(lines);
    }
    Ok(packages)
}

/// The folder of the package to which a file belongs: the innermost one around it.
fn package_of<'a>(path: &str, folders: &[&'a str]) -> &'a str {
    let inside = |folder: &&&str| {
        path.strip_prefix(**folder)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    let around = folders.iter().filter(inside);
    around.max_by_key(|folder| folder.len()).unwrap_or(&"")
}

/// Counts the lines of a file; its path is relative to its package.
fn lines_of(path: &str, text: &str) -> Lines {
    let all = text.lines().count() as i64;
    let tests = match is_of_tests(path) {
        true => all,
        false => behind_cfg_test(text),
    };
    Lines {
        product: all - tests,
        tests,
    }
}

fn is_of_tests(path: &str) -> bool {
    path.split('/').any(|part| {
        let name = part.strip_suffix(".rs").unwrap_or(part);
        ["tests", "testing", "benches", "laws"].contains(&name)
    })
}

/// The lines of items behind `#[cfg(test)]`. In code formatted by rustfmt, an item ends
/// at the first line with the same indentation that ends with a brace or a semicolon.
fn behind_cfg_test(text: &str) -> i64 {
    let mut lines = text.lines();
    let mut count = 0;
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        if !code.starts_with("#[cfg(test)]") {
            continue;
        }
        count += 1;
        let indent = line.len() - code.len();
        if code.ends_with([';', '}']) {
            continue;
        }
        for line in lines.by_ref() {
            count += 1;
            let code = line.trim_start();
            let is_beside = line.len() - code.len() == indent && !code.is_empty();
            if is_beside && code.ends_with([';', '}', ',']) {
                break;
            }
        }
    }
    count
}

fn table(now: &Packages, then: Option<&Packages>) -> String {
    let mut text = row(
        "package",
        ["product", "tests"].map(str::to_owned),
        then.map(|_| ["", ""]),
    );
    let mut all = (Lines::default(), Lines::default());
    let mut names: Vec<&String> = now
        .keys()
        .chain(then.into_iter().flat_map(|then| then.keys()))
        .collect();
    names.sort();
    names.dedup();
    for name in names {
        let lines = now.get(name).copied().unwrap_or_default();
        let before = then.map(|then| then.get(name).copied().unwrap_or_default());
        all.0.add(lines);
        all.1.add(before.unwrap_or_default());
        let title = if name.is_empty() {
            "(no package)"
        } else {
            name
        };
        text.push_str(&row_of(title, lines, before));
    }
    text.push_str(&row_of("all", all.0, then.map(|_| all.1)));
    text
}

fn row_of(name: &str, now: Lines, then: Option<Lines>) -> String {
    let numbers = [now.product, now.tests].map(|lines| lines.to_string());
    let changes = then.map(|then| {
        [now.product - then.product, now.tests - then.tests].map(|change| match change {
            0 => String::new(),
            change => format!("{change:+}"),
        })
    });
    let changes = changes
        .as_ref()
        .map(|changes| changes.each_ref().map(String::as_str));
    row(name, numbers, changes)
}

/// A row of the table; each number is followed by its change.
fn row(name: &str, [product, tests]: [String; 2], changes: Option<[&str; 2]>) -> String {
    match changes {
        Some([of_product, of_tests]) => {
            format!("{name:38} {product:>8} {of_product:>7} {tests:>8} {of_tests:>7}\n")
        }
        None => format!("{name:38} {product:>8} {tests:>8}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_behind_cfg_test_counts_as_tests() {
        let text = "\
fn f() {}

#[cfg(test)]
mod tests;
#[cfg(test)] use a::b;

impl A {
    #[cfg(test)]
    fn g() {
        h();
    }

    fn i() {}
}

#[cfg(test)]
mod more {
    fn j() {}
}
";
        let lines = lines_of("/src/lib.rs", text);
        assert_eq!((lines.product, lines.tests), (8, 11));
        for path in [
            "/tests/a.rs",
            "/src/a/tests.rs",
            "/src/a/tests/player.rs",
            "/benches/b.rs",
        ] {
            assert_eq!(
                lines_of(path, text),
                Lines {
                    product: 0,
                    tests: 19
                }
            );
        }
    }

    #[test]
    fn a_file_belongs_to_the_nearest_package() {
        let folders = ["tests", "tests/law", "tools/xtask", "tools/xtask-lab"];
        let package = |path| package_of(path, &folders);
        assert_eq!(package("tests/law/src/lib.rs"), "tests/law");
        assert_eq!(package("tests/src/lib.rs"), "tests");
        assert_eq!(package("tools/xtask-lab/src/main.rs"), "tools/xtask-lab");
        assert_eq!(package("build.rs"), "");
    }

    #[test]
    fn the_table_has_a_row_each_with_changes_after_numbers() {
        let of = |product, tests| Lines { product, tests };
        let now = Packages::from([("a".to_owned(), of(10, 5)), ("b".to_owned(), of(1, 0))]);
        let then = Packages::from([("a".to_owned(), of(12, 5)), ("c".to_owned(), of(0, 3))]);
        let words = |text: &str| -> Vec<String> {
            let lines = text.lines();
            lines
                .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
                .collect()
        };
        let plain = ["package product tests", "a 10 5", "b 1 0", "all 11 5"];
        assert_eq!(words(&table(&now, None)), plain);
        let compared = [
            "package product tests",
            "a 10 -2 5",
            "b 1 +1 0",
            "c 0 0 -3",
            "all 11 -1 5 -3",
        ];
        assert_eq!(words(&table(&now, Some(&then))), compared);
    }
}
