use std::path::Path;

use law::{Judged, Weight, law};
use proptest::prelude::*;

use super::format;
use crate::text;
use crate::text::tests::closed;

fn files(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let read = |path: std::path::PathBuf| {
        (
            path.display().to_string(),
            std::fs::read_to_string(&path).unwrap(),
        )
    };
    entries
        .filter(|path| path.extension().is_some_and(|end| end == "lud"))
        .map(read)
        .collect()
}

#[test]
fn our_games_and_macros_are_formatted() {
    for (path, text) in files("games").into_iter().chain(files("macros")) {
        assert_eq!(format(&text).unwrap(), text, "{path}: run `ludemes fmt`");
    }
}

#[test]
fn formatting_keeps_the_line_ending_of_the_first_line() {
    let folders = ["games", "macros"];
    for (path, text) in folders.into_iter().flat_map(files) {
        let with_two = text.replace('\n', "\r\n");
        assert_eq!(format(&with_two).unwrap(), with_two, "{path}");
    }
    let long = "// a\r\n(game \"over\r\nlines\"\n  (players 2)) // b\r\n";
    let formatted = format(long).unwrap();
    assert_eq!(
        formatted,
        "// a\r\n(game\r\n    \"over\r\nlines\"\r\n    (players 2)\r\n) // b\r\n"
    );
    assert_eq!(format(&formatted).unwrap(), formatted);
    assert_eq!(format("(game\n)\r\n").unwrap(), "(game\n)\n");
}

#[test]
fn a_formatted_program_of_the_blog_reads_to_the_same_tree() {
    for (path, text) in files("tests") {
        let formatted = format(&text).unwrap();
        assert_eq!(format(&formatted).unwrap(), formatted, "{path}");
        let (before, after) = (text::read(&text).unwrap(), text::read(&formatted).unwrap());
        assert!(before.means_the_same(&after), "{path}");
    }
}

#[test]
fn long_lines_are_broken_and_comments_kept() {
    insta::assert_snapshot!(format(concat!(
        "(define \"A\"(is Line 3 through:#1)) // first\n",
        "(game “G” (players 2) // two\n\n\n",
        "(equipment{(board (square 3)) (piece \"Disc\" Each (move Step Orthogonal (to if:(and (is Empty (to)) (not (is In (to) (sites Corners))))))) })\n",
        "// about the rules\n",
        "(rules (play (move Add (to (sites Empty)))) (end (if (\"A\" (last To)) (result Mover Win)))))\n",
        "(option \"Size\" <Size> args:{<a> <b>} {(item \"One\" <(square 3)> <> \"Small.\")* (item \"Two\" <(< 1 2)> <1 2> \"Large.\")})",
    )).unwrap());
}

/// Texts that are composed of the parts of the language.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "(",
        ")",
        "{",
        "}",
        "<",
        ">",
        "\"",
        "“",
        "”",
        "//",
        "\n",
        " ",
        " ",
        "a",
        "if:",
        "#1",
        "1",
        "..",
        "*",
        "(define \"A\" ",
        "\"A\"",
        "(\"A\" ",
        "(game \"G\" ",
        "(option \"O\" <T> args:{<x>} {",
        "<T:x>",
        "(item \"I\" <1> \"m\")",
        "(move Step)",
        "~",
        "\\",
        "é",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

#[test]
fn a_backslash_escapes_every_kind_of_quote() {
    assert!(format("“\\\"(define \"A\" )").is_err());
    for (text, formatted) in [
        ("“a\\\" b”", "\"a\\\" b\"\n"),
        ("“a\\” b”", "\"a\\” b\"\n"),
        ("‘a\\’ b’", "\"a\\’ b\"\n"),
        ("“a\\b”", "\"a\\b\"\n"),
    ] {
        assert_eq!(format(text).unwrap(), formatted);
        assert_eq!(format(formatted).unwrap(), formatted);
        let game = format!("(game {text} (players 2))");
        let same = format!("(game {formatted} (players 2))");
        let [game, same] = [game, same].map(|text| text::read(&text).unwrap());
        assert!(game.means_the_same(&same), "{text}");
    }
}

#[test]
fn formatting_twice_changes_nothing_more() {
    let texts = prop_oneof![texts(), closed()];
    law(Weight::of(512, 40), texts, |text| {
        let once = format(&text);
        if let Ok(once) = &once {
            prop_assert_eq!(&format(once).unwrap(), once);
        }
        Ok(Judged::if_any(once.is_ok_and(|text| !text.is_empty())))
    });
}

#[test]
fn a_formatted_text_reads_to_the_same_tree() {
    let texts = prop_oneof![texts(), closed()];
    law(Weight::of(512, 40), texts, |text| {
        let game = format!("(game \"G\" {{ {text} }})");
        let read = (text::read(&game), format(&game));
        let (Ok(before), Ok(formatted)) = read else {
            return Ok(Judged::Nothing);
        };
        let after = text::read(&formatted).unwrap();
        prop_assert!(before.means_the_same(&after), "{formatted}");
        Ok(Judged::Something)
    });
}
