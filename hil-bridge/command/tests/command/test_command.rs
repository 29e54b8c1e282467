//! Tests of the command `test`, which runs folders of scenarios.

use std::fs;
use std::path::Path;
use std::process::Output;

use tempfile::TempDir;

use crate::common::{command, hil_bridge};

const PASSES: &str = "set game=reversi\nstart\ntap d7\nexpect turn red\n";
const FAILS: &str = "start\nexpect turn red\n";
const MEANS_NOTHING: &str = "strat\n";
const TAKES_LONG: &str = "wait 4000\n";

fn test(folder: &Path, more: &[&str]) -> Output {
    command()
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

fn printed(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let (said, errors) = (text(&output.stdout), text(&output.stderr));
    format!("{said}--\n{errors}").replace('\\', "/")
}

#[test]
fn each_scenario_begins_on_a_fresh_board() {
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
    insta::assert_snapshot!("sums_up", printed(&output));
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
    let replayed = hil_bridge(&[Path::new("replay"), &session]);
    assert_eq!(replayed.status.code(), Some(0));
}

#[test]
fn the_exit_code_is_that_of_the_worst_scenario() {
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
fn scenarios_are_chosen_by_a_part_of_their_names() {
    let folder = folder(&[
        ("red-a.txt", PASSES),
        ("red-b.txt", PASSES),
        ("green.txt", FAILS),
    ]);
    let ran = |more: &[&str]| {
        let output = test(folder.path(), more);
        (printed(&output), output.status.code())
    };
    let (told, code) = ran(&["--only", "red"]);
    assert!(told.contains("2 passed, 0 failed"), "{told}");
    assert_eq!(code, Some(0));
    let (told, code) = ran(&["--only", "-b", "--only", "green"]);
    assert!(told.contains("1 passed, 1 failed"), "{told}");
    assert_eq!(code, Some(1));
    let (told, code) = ran(&["--only", "red", "--only", "blue"]);
    let sentence = "no scenario has `blue` in its name; there are 3, such as green, red-a, red-b";
    assert!(told.contains(sentence), "{told}");
    assert_eq!(code, Some(2));
}

#[test]
fn a_scenario_that_takes_too_long_is_ended() {
    let folder = folder(&[("a-long.txt", TAKES_LONG), ("b.txt", PASSES)]);
    let output = test(folder.path(), &["--within-ms", "3000"]);
    insta::assert_snapshot!("ends", printed(&output));
    assert_eq!(output.status.code(), Some(2));
}

const PICTURED: &str = "set game=reversi\nstart\npicture begin\ntap d7\npicture moved\n";
/// A scenario with a different move than in the pictures.
const MOVED_ELSEWHERE: &str = "set game=reversi\nstart\npicture begin\ntap f5\npicture moved\n";

#[test]
fn accepted_pictures_are_compared_from_then_on() {
    let folder = folder(&[("game.txt", PICTURED)]);
    let there = |name: &str| folder.path().join(name).exists();
    let output = test(folder.path(), &[]);
    insta::assert_snapshot!("no_picture", printed(&output));
    assert_eq!(output.status.code(), Some(2), "there is nothing to compare");
    let code = |more: &[&str]| test(folder.path(), more).status.code();
    assert_eq!(code(&["--accept"]), Some(0));
    assert!(there("game.begin.png") && there("game.moved.png"));
    assert_eq!(code(&[]), Some(0));

    fs::write(folder.path().join("game.txt"), MOVED_ELSEWHERE).unwrap();
    let output = test(folder.path(), &[]);
    insta::assert_snapshot!("other_picture", printed(&output));
    assert_eq!(output.status.code(), Some(1));
    assert!(there("game.moved.differs.png") && !there("game.begin.differs.png"));
    assert_eq!(code(&["--tolerance", "5"]), Some(0));
    assert!(!there("game.moved.differs.png"), "nothing differs any more");
    assert_eq!(code(&["--sessions", "failed"]), Some(1));
    assert!(there("failed/game.moved.differs.png"));
    assert_eq!(code(&["--accept"]), Some(0));
    assert_eq!(code(&[]), Some(0));
}

#[test]
fn broken_pictures_and_bad_picture_names_are_refused() {
    let folder = folder(&[("game.txt", PICTURED)]);
    fs::write(folder.path().join("game.begin.png"), "no picture").unwrap();
    let output = test(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        printed(&output).contains("game.begin.png: it is not a PNG"),
        "{}",
        printed(&output)
    );
    fs::write(folder.path().join("game.txt"), "picture ../outside\n").unwrap();
    let output = test(folder.path(), &["--accept"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        test(folder.path(), &["--tolerance", "101"]).status.code(),
        Some(2)
    );
}

#[test]
fn a_scenario_may_set_faults_and_survive_a_restart() {
    let breaks = "set game=reversi\nfault brown-out-after-ms 100\nstart\nwait 500\nexpect restart\nexpect turn none\nfail\n";
    let folder = folder(&[("breaks.txt", breaks)]);
    let output = test(folder.path(), &["--sessions", "failed"]);
    assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
    let session = folder.path().join("failed/breaks.session");
    let text = fs::read_to_string(&session).unwrap();
    assert!(text.contains("{\"tick\":100,\"reset\""), "{text}");
    let replayed = hil_bridge(&[Path::new("replay"), &session]);
    assert_eq!(replayed.status.code(), Some(0));
}
