//! `trim`: a span of a session is a session that replays.

use std::fs;
use std::path::Path;
use std::process::Output;

use tempfile::TempDir;

use crate::common::command;

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
        (&["--from", "99999999"][..], "the span from 99999999 to "),
        (
            &["--from", "600", "--until", "500"],
            "ends before it begins",
        ),
        (
            &["--until", "99999999"],
            "is not in the session: it lasts from 0 to ",
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

/// By the same name, and by another path of the same file.
#[test]
fn a_file_is_never_written_over_by_what_is_made_of_it() {
    let folder = TempDir::new().unwrap();
    let source = folder.path().join("game.session");
    fs::copy(GAME, &source).unwrap();
    let before = fs::read(&source).unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    for command in ["trim", "scenario", "signals", "touches"] {
        for out in ["game.session", "sub/../game.session"] {
            let output = run(folder.path(), &[command, "game.session", "--out", out]);
            assert_eq!(output.status.code(), Some(2), "{command} {out}");
            assert_eq!(fs::read(&source).unwrap(), before, "{command} {out}");
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            let is_read = command == "touches" || told.contains("is the file that is read");
            assert!(is_read, "{command}: {told}");
        }
    }
    let words = [
        "check",
        "--session",
        "game.session",
        "--save",
        "game.session",
    ];
    assert_eq!(run(folder.path(), &words).status.code(), Some(2));
    let words = ["record", "game.session", "--scenario", "game.session"];
    assert_eq!(run(folder.path(), &words).status.code(), Some(2));
    fs::rename(&source, folder.path().join("game.txt")).unwrap();
    let output = run(folder.path(), &["transcript", "--beside", "game.txt"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read(folder.path().join("game.txt")).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn a_link_to_the_source_is_not_written_over_either() {
    let folder = TempDir::new().unwrap();
    let source = folder.path().join("game.session");
    fs::copy(GAME, &source).unwrap();
    std::os::unix::fs::symlink(&source, folder.path().join("link")).unwrap();
    let words = ["trim", "game.session", "--until", "100", "--out", "link"];
    assert_eq!(run(folder.path(), &words).status.code(), Some(2));
    assert_eq!(fs::read(&source).unwrap(), fs::read(GAME).unwrap());
}
