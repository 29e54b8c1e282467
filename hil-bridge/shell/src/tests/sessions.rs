//! Whole sessions as goldens, and the pages of the book that show them.

use std::path::{Path, PathBuf};

use super::*;

const PANEL: &str = "\
# a board that was just switched on
show
expect display Reversi
wait 2000
expect display 095_0
set time=6 level=2
score
expect display 06520
press mode
press Speed
set game=speedgo
set game=0
expect display Reversi
wait 2000
expect display 06621
set game=Ghost mode=3 speed=9
press nothing
legal
expect legal none
expect turn none
expect winner none
expect turn green

seed 9
expect display Reversi   # the settings are those of a fresh board
reset 4x3
show
expect rows ..../..../....
help tap
quit";

#[test]
fn a_session_at_the_panel_prints_this_for_people() {
    insta::assert_snapshot!(transcript(PANEL, Answers::Plain(AnswerColours::Letters)));
}

#[test]
fn a_session_at_the_panel_prints_this_for_programs() {
    insta::assert_snapshot!(transcript(PANEL, Answers::Json));
}

#[test]
fn rules_prints_those_of_the_chosen_game_and_mode() {
    let text = "set game=touchit mode=3\nrules\nquit";
    let plain = transcript(text, Answers::Plain(AnswerColours::Letters));
    assert!(plain.contains("straight on, right or left"), "{plain}");
    let json = transcript(text, Answers::Json);
    assert!(json.contains("\"rules\":[\"Two chains"), "{json}");
}

const GAME: &str = "\
reset 4x2
set level=0 time=5
start
show
legal
touch a1
show
release a1
set mode=4
position .r.g/.... turn green
tap a2
score
legal
expect a2 red
expect b2 green
press stop
tap c2
show
press stop
wait 120000
show
tap a1
show
wait 29940
show
wait 4000
score
press start";

#[test]
fn a_game_prints_this_for_people() {
    insta::assert_snapshot!(transcript(GAME, Answers::Plain(AnswerColours::Letters)));
}

#[test]
fn a_game_prints_this_for_programs() {
    insta::assert_snapshot!(transcript(GAME, Answers::Json));
}

#[test]
fn a_coloured_board_prints_this() {
    let session = "reset 3x2\nset mode=4\nposition g.r/... turn red\nshow";
    let text = transcript(
        session,
        Answers::Plain(AnswerColours::Ansi(Palette::default())),
    );
    insta::assert_snapshot!(text.replace('\x1b', "ESC"));
}

#[test]
fn no_line_of_help_is_wider_than_a_terminal() {
    for line in ["help", "help position", "help expect", "help best"] {
        let SessionText { output: text, .. } = script(line);
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

#[test]
fn help_names_every_command() {
    insta::assert_snapshot!(transcript("help", Answers::Plain(AnswerColours::Letters)));
}

#[test]
fn help_position_describes_every_form() {
    for answers in [Answers::Plain(AnswerColours::Letters), Answers::Json] {
        let text = transcript("help position", answers);
        for form in ["position A: ", "position B: ", "position C: "] {
            assert!(text.contains(form), "{text}");
        }
        assert!(!transcript("help tap", answers).contains("position"));
    }
}

#[test]
fn every_usage_in_help_is_understood() {
    let at_4x1 = Layout::grid(4, 1).expect("4x1 is a layout");
    for entry in ENTRIES {
        let line = entry
            .usage
            .replace("BUTTON [MS]", "game 500")
            .replace("ROWS", ".gra")
            .replace("FILE", "a file")
            .replace("seed N", "seed 3")
            .replace(" [clear]", "")
            .replace("[within 60000]", "within 60000")
            .replace("[8x8]", "8x8")
            .replace("[COMMAND]", "tap")
            .replace("d3", "d1")
            .replace("d4", "d1");
        let command = parse(&line, at_4x1).unwrap_or_else(|error| panic!("{line}: {error}"));
        let name = format!("{:?}", command.expect("it is a command")).to_lowercase();
        let word = match entry.word {
            "start" => "press(start",
            // A layout with a game of its own is a layout.
            "insert" => "reset(some(file",
            word => word,
        };
        assert!(name.starts_with(word), "{line} became {name}");
    }
}

/// The folder of the book's chapters.
fn chapters() -> PathBuf {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut books = folders.map(|folder| folder.join("tools/book/src"));
    books.find(|book| book.is_dir()).expect("there is a book")
}

fn reference() -> String {
    std::fs::read_to_string(chapters().join("shell.md")).expect("the chapter is there")
}

/// The page with each session as a fresh board answers it.
fn answered(page: &str) -> String {
    let mut answered = String::new();
    let mut rest = page;
    while let Some((before, (fence, answers))) = first_fence(rest) {
        let (begin, after) = rest[before..].split_at(fence.len());
        let session = after.split("```").next().expect("a session ends");
        let lines: Vec<&str> = session
            .lines()
            .filter_map(|line| line.strip_prefix("> "))
            .collect();
        answered += &rest[..before];
        answered += begin;
        answered += &transcript(&lines.join("\n"), answers);
        rest = &after[session.len()..];
    }
    answered + rest
}

/// The start of the page's next session, and the form of its answers.
fn first_fence(page: &str) -> Option<(usize, (&'static str, Answers))> {
    let plain = ("```session\n", Answers::Plain(AnswerColours::Letters));
    let fences = [plain, ("```session json\n", Answers::Json)];
    let found = fences
        .into_iter()
        .filter_map(|fence| Some((page.find(fence.0)?, fence)));
    found.min_by_key(|(at, _)| *at)
}

/// `UPDATE_BOOK=1` writes the board's current answers into the chapters.
#[test]
fn the_sessions_in_the_book_are_up_to_date() {
    let mut sessions = 0;
    for entry in std::fs::read_dir(chapters()).expect("there are chapters") {
        let path = entry.expect("a chapter").path();
        if path.extension().is_none_or(|ending| ending != "md") {
            continue;
        }
        let page = std::fs::read_to_string(&path).expect("a chapter is a text");
        sessions += page.matches("```session").count();
        let answered = answered(&page);
        if std::env::var_os("UPDATE_BOOK").is_some() {
            std::fs::write(&path, &answered).expect("a chapter can be written");
        } else {
            assert_eq!(page, answered, "{}", path.display());
        }
    }
    assert!(sessions >= 4, "only {sessions} sessions were seen");
}

#[test]
fn the_reference_has_every_command_and_every_field() {
    let reference = reference();
    for entry in ENTRIES {
        let word = entry.word;
        let row = [format!("| `{word} "), format!("| `{word}` ")];
        assert!(
            row.iter().any(|row| reference.contains(row)),
            "{word} has no row in tools/book/src/shell.md"
        );
    }
    let answer = transcript("score", Answers::Json);
    let object = answer.lines().nth(1).expect("it is answered");
    let fields: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(object).expect("it is JSON");
    let rows = fields.keys().map(|field| format!("| `{field}` |"));
    let mut rest = reference.as_str();
    for row in rows {
        let place = rest.find(&row);
        rest = &rest[place.unwrap_or_else(|| panic!("{row} is missing or out of order"))..];
    }
}
