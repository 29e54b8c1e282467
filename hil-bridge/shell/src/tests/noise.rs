//! Laws that hold for arbitrary text.

use law::{Judged, Weight, law};
use proptest::prelude::*;

use super::*;

/// Lines that are almost commands, which get further than random text.
fn nearly() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "set",
        "start",
        "press",
        "tap",
        "touch",
        "release",
        "wait",
        "pass",
        "show",
        "legal",
        "score",
        "digest",
        "position",
        "seed",
        "reset",
        "fault",
        "stuck",
        "expect",
        "help",
        "turn",
        "winner",
        "display",
        "rows",
        "none",
        "green",
        "red",
        "d3",
        "a1",
        "i9",
        "j10",
        "game=ghost",
        "mode=2",
        "level=4",
        "time=0",
        "speed=9",
        "=",
        "3",
        "700",
        "8x8",
        "16x16",
        "1x1",
        "game",
        "stop",
        "...",
        "///",
        "#",
    ]);
    prop::collection::vec(words, 0..6).prop_map(|words| words.join(" "))
}

/// Touches, which are valid at any time, with or without a game.
fn touches() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "tap d3",
        "touch d3",
        "release d3",
        "start",
        "press stop",
    ])
    .prop_map(str::to_owned)
}

/// Lines of commands, of near-commands, and of noise.
fn lines() -> impl Strategy<Value = Vec<String>> {
    let line = prop_oneof![3 => nearly(), 5 => touches(), 1 => "\\PC{0,40}"];
    prop::collection::vec(line, 0..12)
}

#[test]
fn running_any_text_does_not_panic() {
    let text = prop_oneof![2 => nearly(), 2 => touches(), 3 => "\\PC{0,80}"];
    let like = (text, 1_u8..=16, 1_u8..=16);
    law(Weight::of(512, 20), like, |(text, columns, rows)| {
        let layout = Layout::grid(columns, rows).expect("the sides are in range");
        let _ = collapsed_words(&text);
        Ok(Judged::if_any(matches!(parse(&text, layout), Ok(Some(_)))))
    });
}

#[test]
fn any_script_ends_without_a_panic_and_errors_name_lines() {
    law(Weight::of(256, 35), lines(), |lines| {
        // `save` and `load` are left out, because random text must not write files.
        let harmless = |line: &&String| {
            let word = parse::first_word(line).to_lowercase();
            !["save", "load"].contains(&word.as_str())
        };
        let text: Vec<String> = lines.iter().filter(harmless).cloned().collect();
        let SessionText {
            output: answers,
            errors,
            ending,
        } = script(&text.join("\n"));
        // Remarks are not errors, and every error has a sentence.
        prop_assert!(ending == ExitKind::Done || !errors.is_empty());
        prop_assert!(errors.lines().all(|sentence| sentence.starts_with("line ")));
        Ok(Judged::if_any(!answers.is_empty()))
    });
}

#[test]
fn a_finger_left_from_before_the_game_does_no_harm() {
    let SessionText { errors, .. } = script("touch d3\nstart\ntap d3");
    assert!(errors.lines().all(|sentence| sentence.starts_with("line ")));
}

#[test]
fn the_same_lines_give_the_same_answers() {
    law(
        Weight::of(256, 60),
        prop::collection::vec(nearly(), 0..12),
        |lines| {
            let text = lines.join("\n");
            let answers = || run_at(&mut board(), text.as_bytes(), &options(Answers::Json));
            let (first, again) = (answers(), answers());
            prop_assert_eq!(&first, &again);
            Ok(Judged::if_any(!first.output.is_empty()))
        },
    );
}

fn collapsed_words(text: &str) -> usize {
    parse::collapsed(text).len()
}
