//! The meaning of touches: `legal` with its services, the signs of `show`, and why a
//! point is not a move.

use protocol::Roster;

use super::*;

/// The output and errors of a script at a board with this game only, with its usual layout.
fn at(game: u8, text: &str, options: &ShellOptions) -> (String, String) {
    let about = firmware_core::games::about(game).expect("it is in the table");
    let layout = Layout::Grid((about.made_for)(0));
    let mut driver = CoreDriver::with_games(layout, Roster::of(&[game]), SEED).expect("a board");
    let SessionText {
        output,
        errors,
        ending,
    } = run_at(&mut driver, text.as_bytes(), options);
    assert_eq!(ending, ExitKind::Done, "{errors}");
    (output, errors)
}

const ISHIDO: u8 = 11;
const TICDABTOE: u8 = 12;

/// A stone on d4, one in hand that fits next to it, and one in the pouch.
const STONES: &str = "set speed=0\nposition B: 12/12/12/12/3Co8/12/12/12 hand C- pouch C+C*\n";

/// The last lines of a text.
fn last(text: &str, count: usize) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].to_vec()
}

#[test]
fn services_are_printed_apart_from_the_moves() {
    let (text, _) = at(ISHIDO, &format!("{STONES}legal"), &plain());
    assert_eq!(last(&text, 2), ["d5 c4 e4 d3", "help: d4"]);
    let (text, errors) = at(ISHIDO, &format!("{STONES}tap d5\nlegal"), &plain());
    assert_eq!(
        (last(&text, 2), errors.as_str()),
        (vec!["none", "take back: d5"], "")
    );
    let script = format!("{STONES}expect legal d5 c4 e4 d3\ntap d5\nexpect legal none");
    at(ISHIDO, &script, &plain());
}

#[test]
fn json_answers_list_services_beside_points() {
    let answers = |game, script: &str| at(game, script, &options(Answers::Json)).0;
    let text = answers(ISHIDO, &format!("{STONES}legal"));
    let expected = r#""points":["d5","c4","e4","d3"],"services":{"help":["d4"]}"#;
    assert!(text.contains(expected), "{text}");
    let text = answers(ISHIDO, &format!("{STONES}tap d5\nlegal"));
    let expected = r#""points":[],"services":{"take_back":["d5"]}"#;
    assert!(text.contains(expected), "{text}");
    let text = answers(0, "start\nlegal");
    assert!(
        text.contains("points") && !text.contains("services"),
        "{text}"
    );
}

#[test]
fn a_score_above_65535_points_is_the_same_everywhere() {
    let position =
        "position B: 12/12/12/12/3Co8/12/12/12 hand C- pouch C+ points 93175 0 four-ways 11 0";
    let (text, _) = at(
        ISHIDO,
        &format!("set mode=1\n{position}\nwait 3000\nshow\nexpect score 93175 11"),
        &plain(),
    );
    assert!(text.contains("[93175 C- 211]"), "{text}");
    assert!(text.contains("points 93175, four-ways 11"), "{text}");
    let (text, _) = at(
        ISHIDO,
        &format!("set mode=1\n{position}"),
        &options(Answers::Json),
    );
    assert!(text.contains("\"score\":[93175,11]"), "{text}");
}

/// Three rows of a position of TicDabToe, followed by thirteen empty ones.
fn position(rows: [&str; 3], last: &str) -> String {
    let empty = "/................".repeat(13);
    format!("position C: {}{empty} turn green{last}\n", rows.join("/"))
}

const MARKS: [&str; 3] = ["gggg............", "rr..............", ".......r........"];

#[test]
fn ticdabtoe_shows_signs_and_names_the_open_block() {
    let (text, _) = at(
        TICDABTOE,
        &format!("{}show", position(MARKS, " last h14")),
        &plain(),
    );
    let line = |start: &str| {
        let mut lines = text.lines().filter(|line| line.starts_with(start));
        lines.next().unwrap_or_else(|| panic!("{start:?}: {text}"))
    };
    assert_eq!(line("16 "), "16  G G G G . . . . . . . . . . . .");
    assert_eq!(line("15 "), "15  G G G G . . . . . . . . . . . .");
    assert_eq!(line("14 "), "14  G G G G . . . r . . . . . . . .");
    assert_eq!(line(" 8 "), " 8  . . . . . . . . . . . . + + + +");
    let ends = last(&text, 2);
    assert!(
        ends[0].ends_with("green to move; open: block d2 (m5 to p8)"),
        "{text}"
    );
    assert_eq!(
        ends[1],
        "   g r: marks; +: open; .: not open; G R: won blocks; #: drawn block"
    );
    let script = format!("{}show", position(MARKS, " last h14"));
    let (text, _) = at(TICDABTOE, &script, &options(Answers::Json));
    assert!(text.contains(r#""open":"block d2 (m5 to p8)""#), "{text}");
    let (text, _) = at(TICDABTOE, &format!("{}show", position(MARKS, "")), &plain());
    assert!(text.contains("; open: any block in play\n"), "{text}");
    assert!(text.contains("16  G G G G + + + + + +"), "{text}");
}

#[test]
fn signs_are_shown_in_colour_but_not_in_a_pause() {
    let script = format!("{}show", position(MARKS, " last h14"));
    let colours = options(Answers::Plain(AnswerColours::Ansi(Palette::Board)));
    let (text, _) = at(TICDABTOE, &script, &colours);
    assert!(
        text.contains("mr\x1b[0m") && text.contains("m+\x1b[0m"),
        "{text}"
    );
    let script = format!("{}press stop\nshow", position(MARKS, " last h14"));
    let (text, _) = at(TICDABTOE, &script, &plain());
    assert!(!text.contains("open: ") && !text.contains(" G "), "{text}");
}

#[test]
fn an_illegal_touch_is_explained() {
    let said = |point: &str| {
        at(
            TICDABTOE,
            &format!("{}tap {point}", position(MARKS, " last h14")),
            &plain(),
        )
    };
    for (point, why) in [
        ("a16", "no move: block a4 is won"),
        ("h14", "no move: h14 has a mark"),
        ("a1", "no move: play in block d2 (m5 to p8)"),
    ] {
        let (text, errors) = said(point);
        assert!(
            text.contains(&format!("{point} is no move for green")),
            "{text}"
        );
        assert_eq!(errors.trim_end(), format!("line 2: {why}"));
    }
    assert_eq!(said("m8").1, "");
    let (text, errors) = at(ISHIDO, &format!("{STONES}tap d4\ntap a1"), &plain());
    assert!(text.contains("the stone does not fit on a1"), "{text}");
    assert_eq!(errors, "line 4: no move: no stone lies beside a1\n");
    // Without a simple reason there is no remark.
    assert_eq!(at(0, "start\ntap a1", &plain()).1, "");
}
