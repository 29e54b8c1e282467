//! Tests of the command `test`, which runs folders of scenarios.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const PASSES: &str = "set game=reversi\nstart\ntap d7\nexpect turn red\n";
const FAILS: &str = "start\nexpect turn red\n";
const MEANS_NOTHING: &str = "strat\n";
const TAKES_LONG: &str = "wait 4000\n";

fn test(folder: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hil-bridge"))
        .current_dir(folder)
        .args(["test", "."])
        .args(more)
        .output()
        .unwrap()
}

/// A folder with these scenarios.
fn folder(scenarios: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, script) in scenarios {
        fs::write(folder.path().join(name), script).unwrap();
    }
    folder
}

fn told(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let (said, errors) = (text(&output.stdout), text(&output.stderr));
    format!("{said}--\n{errors}").replace('\\', "/")
}

#[test]
fn each_scenario_begins_on_a_fresh_board_and_all_are_summed_up() {
    let scenarios = [
        ("a-passes.txt", PASSES),
        ("b-fails.txt", FAILS),
        ("c-means-nothing.txt", MEANS_NOTHING),
        ("d-passes-after-them.txt", PASSES),
        ("no-scenario.md", MEANS_NOTHING),
    ];
    let folder = folder(&scenarios);
    let output = test(
        folder.path(),
        &["--junit", "results.xml", "--sessions", "failed"],
    );
    insta::assert_snapshot!("sums_up", told(&output));
    assert_eq!(output.status.code(), Some(2));
    let report = fs::read_to_string(folder.path().join("results.xml")).unwrap();
    for part in [
        "tests=\"4\"",
        "failures=\"1\"",
        "errors=\"1\"",
        "expected turn red",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    let session = folder.path().join("failed/b-fails.session");
    let replayed = Command::new(env!("CARGO_BIN_EXE_hil-bridge"))
        .arg("replay")
        .arg(session)
        .output()
        .unwrap();
    assert_eq!(replayed.status.code(), Some(0));
}

#[test]
fn the_exit_code_says_what_the_worst_was() {
    let code = |scenarios: &[(&str, &str)], more: &[&str]| {
        test(folder(scenarios).path(), more).status.code()
    };
    assert_eq!(code(&[("a.txt", PASSES)], &[]), Some(0));
    assert_eq!(code(&[("a.txt", PASSES), ("b.txt", FAILS)], &[]), Some(1));
    assert_eq!(
        code(&[("a.txt", FAILS), ("b.txt", MEANS_NOTHING)], &[]),
        Some(2)
    );
    assert_eq!(code(&[("a.md", PASSES)], &[]), Some(2));
    assert_eq!(code(&[("a.txt", PASSES)], &["no-such-folder"]), Some(2));
}

#[test]
fn a_scenario_that_takes_too_long_is_ended_and_the_next_one_runs() {
    let folder = folder(&[("a-long.txt", TAKES_LONG), ("b.txt", PASSES)]);
    let output = test(folder.path(), &["--within-ms", "3000"]);
    insta::assert_snapshot!("ends", told(&output));
    assert_eq!(output.status.code(), Some(2));
}
