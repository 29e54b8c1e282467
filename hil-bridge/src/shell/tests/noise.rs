//! Laws that no text breaks.

use proptest::prelude::*;

use super::*;

/// Lines that are nearly commands: these get farther than noise.
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

/// Touches, which are commands at any time, with or without a game.
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

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,80}", layout in (1_u8..=16, 1_u8..=16)) {
        let layout = Layout::grid(layout.0, layout.1).expect("the sides are in range");
        let _ = parse(&text, layout);
        let _ = collapsed_words(&text);
    }

    #[test]
    fn no_script_panics_and_every_trouble_names_a_line(
        lines in prop::collection::vec(
            prop_oneof![3 => nearly(), 1 => touches(), 1 => "\\PC{0,40}"],
            0..12,
        )
    ) {
        // `save` and `load` are left out: noise has no business in the file system.
        let harmless = |line: &&String| {
            let word = parse::first_word(line).to_lowercase();
            !["save", "load"].contains(&word.as_str())
        };
        let text: Vec<String> = lines.iter().filter(harmless).cloned().collect();
        let (_, errors, ending) = script(&text.join("\n"));
        // Remarks are no trouble, and trouble is never without a sentence.
        prop_assert!(ending == Ending::Done || !errors.is_empty());
        prop_assert!(errors.lines().all(|sentence| sentence.starts_with("line ")));
    }

    #[test]
    fn the_same_lines_give_the_same_answers(
        lines in prop::collection::vec(nearly(), 0..12)
    ) {
        let text = lines.join("\n");
        let answers = || run_at(&mut board(), text.as_bytes(), &options(Answers::Json));
        prop_assert_eq!(answers(), answers());
    }
}

fn collapsed_words(text: &str) -> usize {
    parse::collapsed(text).len()
}
