//! `trim`: a span of a session is a session that replays.

use std::fs;
use std::path::Path;
use std::process::Output;

use tempfile::TempDir;

mod common;
use common::command;

const GAME: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/sessions/reversi-0.session"
);

fn run(folder: &Path, words: &[&str]) -> Output {
    command().current_dir(folder).args(words).output().unwrap()
}

#[test]
fn a_trimmed_span_keeps_its_note_and_replays() {
    let folder = TempDir::new().unwrap();
    let words = [
        "trim",
        GAME,
        "--from",
        "2000",
        "--until",
        "6000",
        "--note",
        "3000: look here",
        "--out",
        "part.session",
    ];
    let output = run(folder.path(), &words);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    let replayed = run(folder.path(), &["replay", "part.session"]);
    assert_eq!(replayed.status.code(), Some(0));
    let told = run(folder.path(), &["transcript", "part.session"]);
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.contains("0:03.000  look here"), "{told}");
    let part = fs::read_to_string(folder.path().join("part.session")).unwrap();
    assert!(part.len() > 100);
}

#[test]
fn an_impossible_span_is_refused_without_a_file() {
    let folder = TempDir::new().unwrap();
    for (words, sentence) in [
        (
            &["--from", "99999999"][..],
            "there is nothing from 99999999 to ",
        ),
        (
            &["--note", "no moment"],
            "write the moment in ms, a colon, and the words",
        ),
        (
            &["--until", "5", "--note", "9:late"],
            "the note at 9 ms is not in the span",
        ),
    ] {
        let words = [&["trim", GAME, "--out", "part.session"][..], words].concat();
        let output = run(folder.path(), &words);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains(sentence), "{told}");
        assert_eq!(output.status.code(), Some(2));
    }
    assert!(!folder.path().join("part.session").exists());
}
