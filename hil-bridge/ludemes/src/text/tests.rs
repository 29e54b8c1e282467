//! Regressions of each step, the error messages, and the laws: no text makes the reader
//! panic or take long, and every node knows its place in the text.

use law::{Judged, Weight, law};
use proptest::prelude::*;

use super::*;
use crate::tree::TextSpan;

fn shown(node: &Node) -> String {
    match &node.kind {
        Kind::Call(arguments) => {
            let argument = |argument: &crate::tree::Argument| {
                let name = argument.name.as_ref().map(|name| format!("{name}:"));
                name.unwrap_or_default() + &shown(&argument.node)
            };
            let all: Vec<String> = arguments.iter().map(argument).collect();
            format!("({})", all.join(" "))
        }
        Kind::Set(nodes) => {
            let all: Vec<String> = nodes.iter().map(shown).collect();
            format!("{{{}}}", all.join(" "))
        }
        Kind::Word(word) => word.clone(),
        Kind::Text(text) => format!("{text:?}"),
        Kind::Number(number) => number.to_string(),
        Kind::Fraction(number) => format!("{number:?}"),
    }
}

/// The tree of a text, or its error message.
fn reads(text: &str) -> String {
    read(text).map_or_else(|trouble| trouble.to_string(), |node| shown(&node))
}

/// The tree of a text inside a game's brackets, or its error message.
fn inner(text: &str) -> String {
    let whole = reads(&format!("(game {text})"));
    let inner = whole
        .strip_prefix("(game ")
        .and_then(|rest| rest.strip_suffix(')'));
    inner.unwrap_or(&whole).to_owned()
}

fn seed(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name);
    std::fs::read_to_string(path).unwrap()
}

// The undefined names in the two programs of the blog, and their typographic quotes.

#[test]
fn the_program_teeko_reads_as_printed() {
    insta::assert_snapshot!(reads(&seed("seed-teeko.lud")));
}

#[test]
fn the_program_hexade_reads_as_printed() {
    insta::assert_snapshot!(reads(&seed("seed-hexade.lud")));
}

// Tests of quotes and comments.

#[test]
fn quotes_of_every_kind_are_quotes() {
    assert_eq!(inner("“Hex’ade” „x“ «y» ‘z’"), r#""Hex’ade" "x" "y" "z""#);
}

#[test]
fn a_typographic_quote_in_straight_ones_is_a_character() {
    assert_eq!(inner(r#""a “b” \"c\"""#), r#""a “b” \"c\"""#);
}

#[test]
fn slashes_in_quotes_do_not_start_a_comment() {
    assert_eq!(inner("\"http://x\" a // b\n c"), r#""http://x" a c"#);
}

// Tests of macros.

#[test]
fn macro_arguments_are_replaced_in_quotes_and_glued_words() {
    let text = r##"(define "Own" (piece "Big#1" P#1 #2)) (game ("Own" 2 (move Step)))"##;
    assert_eq!(reads(text), r#"(game (piece "Big2" P2 (move Step)))"#);
}

#[test]
fn a_missing_argument_or_tilde_expands_to_nothing() {
    let text = r##"(define "A" (a #1 #2 #3)) (game ("A" ~ x) "A" ("A"))"##;
    assert_eq!(reads(text), "(game (a x) (a) (a))");
}

#[test]
fn a_named_argument_with_brackets_is_one_argument() {
    let text = r##"(define "A" (a #2 #1)) (game ("A" if:(is Empty (to)) at:EndOfTurn))"##;
    assert_eq!(reads(text), "(game (a at:EndOfTurn if:(is Empty (to))))");
}

#[test]
fn a_macro_of_the_text_overrides_the_library() {
    let text = r##"(define "HandEmpty" (is Full)) (game ("HandEmpty" P1))"##;
    assert_eq!(reads(text), "(game (is Full))");
}

#[test]
fn the_name_of_a_game_is_not_expanded() {
    let text = r##"(define "Go" (a)) (game "Go" ("Go"))"##;
    assert_eq!(reads(text), r#"(game "Go" (a))"#);
}

#[test]
fn double_brackets_around_a_macro_are_removed() {
    let text =
        r##"(define "Two" {(a) (b)}) (define "One" (c)) (game (or ("Two")) (("One")) ((x) (y)))"##;
    assert_eq!(reads(text), "(game (or {(a) (b)}) (c) (x) (y))");
}

#[test]
fn a_macro_that_names_itself_is_refused() {
    let text = r##"(define "A" (x ("A"))) (game ("A"))"##;
    assert_eq!(
        reads(text),
        "\"A\" is expanded more than 1000 times: it seems to name itself"
    );
}

#[test]
fn macros_that_name_each_other_are_refused() {
    let text = r##"(define "A" "B") (define "B" "A") (game (x) "A")"##;
    assert!(
        reads(text).contains("expanded more than 1000 times"),
        "{}",
        reads(text)
    );
}

#[test]
fn macros_that_grow_exponentially_are_refused() {
    let mut text = String::from("(define \"A0\" (x))");
    for level in 1..40 {
        let below = level - 1;
        text.push_str(&format!(
            "(define \"A{level}\" (x (\"A{below}\") (\"A{below}\")))"
        ));
    }
    text.push_str("(game (\"A39\"))");
    let sentence = reads(&text);
    assert!(
        sentence.contains("1000 times") || sentence.contains("1000000 characters"),
        "{sentence}"
    );
}

#[test]
fn an_unknown_macro_is_named_with_the_nearest_one() {
    let text = "(game\n    (play (forEach Piece))\n    (end (\"Line3Wim\"))\n)\n";
    let trouble = read(text).unwrap_err();
    insta::assert_snapshot!(trouble.shown("game.lud", text), @r#"
    error: nothing is defined by the name "Line3Wim"; did you mean `Line3Win`?
     --> game.lud:3:11
      |
    3 |     (end ("Line3Wim"))
      |           ^^^^^^^^^^
    "#);
}

#[test]
fn every_macro_of_the_library_has_a_unique_name_and_help() {
    let macros = macros();
    assert_eq!(macros.len(), library::library().len());
    let names: HashSet<&str> = macros.iter().map(|shared| shared.name.as_str()).collect();
    assert_eq!(names.len(), macros.len());
    for shared in &macros {
        assert!(shared.about.len() > 10, "{shared:?}");
    }
}

// A game with options for these tests.

const OPTIONS: &str = r#"(game "G" (board <Board:shape> <Board:size>) (piece "Big<Board>") <Rule>)
(option "Board" <Board> args:{<shape> <size>} {
    (item "Small" <(square 3)> <1 2> "A small one.")
    (item "Large" <(square 9)> <(< 3 4)> "A large one.")**
    (item "None" <> <> "Nothing.")*
})
(option "Rule" <Rule> args:{<rule>} {(item "On" <(swap)> "With.") (item "Off" <> "Without.")})
(rulesets {(ruleset "Quick" {"Board/Small" "Rule/Off"})*})"#;

#[test]
fn the_item_with_most_stars_is_chosen() {
    assert_eq!(
        reads(OPTIONS),
        r#"(game "G" (board (square 9) (< 3 4)) (piece "Big(square 9)") (swap))"#
    );
}

#[test]
fn an_item_is_chosen_by_its_path() {
    let reading = read_with(OPTIONS, &["Board/Small".to_owned(), "Rule/Off".to_owned()]).unwrap();
    assert_eq!(
        shown(&reading.game),
        r#"(game "G" (board (square 3) 1 2) (piece "Big(square 3)"))"#
    );
    assert_eq!(reading.rulesets[0].choices, ["Board/Small", "Rule/Off"]);
    assert_eq!(reading.options[0].usual().unwrap().name, "Large");
}

#[test]
fn an_item_is_chosen_by_a_unique_name() {
    let by_path = read_with(OPTIONS, &["Board/Small".to_owned()]).unwrap();
    let by_name = read_with(OPTIONS, &["small".to_owned()]).unwrap();
    assert_eq!(shown(&by_name.game), shown(&by_path.game));
    let twice = OPTIONS.replace("\"Off\"", "\"Small\"");
    assert!(read_with(&twice, &["Small".to_owned()]).is_err());
    assert!(read_with(&twice, &["Rule/Small".to_owned()]).is_ok());
}

#[test]
fn an_unknown_choice_is_named() {
    let trouble = read_with(OPTIONS, &["Board/Smal".to_owned()]).unwrap_err();
    assert_eq!(
        trouble.to_string(),
        r#"the game has no option "Board/Smal"; did you mean `Board/Small`?"#
    );
}

#[test]
fn a_tag_without_an_option_is_named() {
    assert_eq!(reads("(game <Size>)"), "no option has the tag `<Size>`");
}

// Tests of ranges and numbers.

#[test]
fn ranges_are_written_out() {
    assert_eq!(
        inner("{1..5} {3..1} {-2..0}"),
        "{1 2 3 4 5} {3 2 1} {-2 3 4}".replace("-2 3 4", "-2 1 0")
    );
    assert_eq!(inner(r#"{"A1".."B2"}"#), r#"{"A1" "A2" "B1" "B2"}"#);
    assert_eq!(
        reads("(game {1..5000})"),
        "a range has at most 1000 numbers"
    );
    assert_eq!(
        reads(r#"(game {"A".."B2"})"#),
        r#"a range of sites has the form "A1".."C3""#
    );
}

#[test]
fn numbers_have_signs_and_fractions() {
    assert_eq!(
        inner("-1 0.5 .5 + - 1a T33434 99"),
        "-1 0.5 0.5 + - 1a T33434 99"
    );
    assert_eq!(
        reads("(game 99999999999999999999)"),
        "`99999999999999999999` is too large a number"
    );
}

// The error messages.

#[test]
fn wrong_texts_have_these_messages() {
    let wrong = [
        "",
        "(game",
        "(game {)",
        "(game ())",
        "(game (1 2))",
        "(game a:)",
        "(game {a:b})",
        "(game \"x)",
        "(game) extra",
        "(gane)",
        "(define Name (x)) (game)",
        "(option \"O\" <T> {}) (game)",
        "(game \"G\" (metadata",
    ];
    let said: Vec<String> = wrong
        .iter()
        .map(|text| format!("{text}\n    {}", reads(text)))
        .collect();
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn brackets_within_brackets_have_a_limit() {
    for depth in [100, 100_000] {
        let text = format!("(game {}x{})", "(a ".repeat(depth), ")".repeat(depth));
        assert_eq!(read(&text).is_ok(), depth < DEEPEST, "{depth}");
    }
}

#[test]
fn the_deepest_text_is_explained() {
    for word in [
        "not ",
        "or ",
        "if ",
        "then ",
        "sites ",
        "forEach Site ",
        "and ",
        "intersection ",
        "x ",
    ] {
        let depth = DEEPEST - 20;
        let text = format!(
            "(game \"G\" (rules (play ({}a{}))))",
            format!("{word}(").repeat(depth),
            ")".repeat(depth)
        );
        let game = read(&text).unwrap();
        assert!(crate::explain::explain(&game).contains("Play"));
        assert!(crate::format::format(&text).is_ok());
    }
}

#[test]
fn errors_in_a_macro_point_to_its_use() {
    let text = "(define \"A\" (is Line #1)) (game (end (\"A\" 3)))";
    let node = read(text).unwrap();
    let Kind::Call(game) = &node.kind else {
        panic!()
    };
    let Kind::Call(end) = &game[1].node.kind else {
        panic!()
    };
    let line = &end[1].node;
    let place = |span: TextSpan| &text[span.start as usize..span.end as usize];
    assert_eq!(place(line.span), "\"A\"");
    let Kind::Call(parts) = &line.kind else {
        panic!()
    };
    assert_eq!(place(parts[2].node.span), "3");
}

/// The size of an expanded text is limited; otherwise some of these texts would take too
/// long.
#[test]
fn long_texts_are_read_or_refused() {
    let define = |name: usize, body: String| format!("(define \"A{name}\" {body})");
    let chain: String = (0..10_000)
        .rev()
        .map(|i| define(i, format!("\"A{}\"", i + 1)))
        .collect();
    let many: String = (0..10_000).map(|i| define(i, "x".to_owned())).collect();
    let named: String = (0..10_000).map(|i| format!("\"A{i}\" ")).collect();
    let item = "{(item \"I\" <1> \"m\")}";
    let options: String = (0..3_000)
        .map(|i| format!("(option \"O\" <T{i}> args:{{<x>}} {item})"))
        .collect();
    let names_itself = "is expanded more than 1000 times: it seems to name itself";
    let ranges = "the text grows beyond 1000000 characters when its ranges are written out";
    let long = [
        (format!("{chain}(game (x) \"A0\")"), Some(names_itself)),
        (
            format!("{many}(game (x) {named})"),
            Some("the macros of this text take too much work to expand"),
        ),
        (format!("{options}(game)"), None),
        (
            "(".repeat(900_000),
            Some("more than 200 brackets stand within each other here"),
        ),
        (format!("(game) {}", "(metadata) ".repeat(80_000)), None),
        (format!("(game) {}", "(rulesets ) ".repeat(80_000)), None),
        (
            format!("(game) {}", "(define \"A\" ".repeat(60_000)),
            Some("nothing closes this bracket: `)` is expected"),
        ),
        (
            format!("(game {{{}}})", "1..1000 ".repeat(100_000)),
            Some(ranges),
        ),
        (
            format!("(game {{{}}})", "\"A1\"..\"Z900\" ".repeat(60_000)),
            Some(ranges),
        ),
        (
            format!("(game (x) {})", "(\"HopSequenceCapture\") ".repeat(999)),
            Some(names_itself),
        ),
        (
            format!("(game {})", "\"A\" ".repeat(300_000)),
            Some("the text has 1200007 characters, and 1000000 is the maximum"),
        ),
    ];
    for (text, why) in long {
        let refused = read(&text).err();
        let refused = refused.map(|trouble| trouble.shown("text", &text));
        match (refused, why) {
            (None, None) => {}
            (Some(refused), Some(why)) if refused.contains(why) => {}
            (refused, why) => panic!("{why:?}, but {refused:?}: {}", &text[..40]),
        }
    }
}

// The laws that any text obeys.

fn spans_are_within(node: &Node, length: u32) -> bool {
    let within = node.span.start <= node.span.end && node.span.end <= length;
    within
        && match &node.kind {
            Kind::Call(arguments) => arguments
                .iter()
                .all(|argument| spans_are_within(&argument.node, length)),
            Kind::Set(nodes) => nodes.iter().all(|node| spans_are_within(node, length)),
            _ => true,
        }
}

/// Texts composed of parts of the language.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "(",
        "(",
        ")",
        ")",
        "{",
        "}",
        "<",
        ">",
        "\"",
        "\"A\"",
        "“",
        "”",
        "’",
        "//",
        "\n",
        " ",
        " ",
        "if:",
        "#1",
        "#2",
        "#9",
        "1",
        "0.5",
        "..",
        "\"A1\"",
        "*",
        "~",
        "\\",
        "é",
        "(define \"A\" ",
        "(define \"B\" ",
        "(\"A\" ",
        "(\"B\" ",
        "\"B\"",
        "(game \"G\" ",
        "(match ",
        "(option \"O\" <T> args:{<x>} {",
        "<T:x>",
        "<T>",
        "(item \"I\" <1> \"m\")",
        "(item ",
        "(rulesets {",
        "(ruleset \"R\" {",
        "(metadata ",
        "(move Step ",
        "(is Line ",
        "(forEach Piece ",
        "(\"StepToEmpty\" ",
        "\"HopCapture\"",
        "(or {",
        "(sites Empty)",
    ]);
    prop::collection::vec(piece, 0..120).prop_map(|pieces| pieces.concat())
}

#[test]
fn no_text_makes_the_reader_panic_or_lose_its_place() {
    let game = closed().prop_map(|text| format!("(game \"G\" {text})"));
    law(Weight::of(512, 20), prop_oneof![texts(), game], |text| {
        let read = read(&text);
        match &read {
            Ok(node) => {
                prop_assert!(spans_are_within(node, text.len() as u32));
                crate::constructs::troubles(node);
                crate::explain::explain(node);
            }
            Err(trouble) => {
                prop_assert!(trouble.span.end as usize <= text.len());
                prop_assert!(!trouble.shown("text", &text).is_empty());
            }
        }
        keeps_its_form(&text)?;
        Ok(Judged::if_any(read.is_ok()))
    });
}

/// A formatted text does not change when it is formatted again.
fn keeps_its_form(text: &str) -> Result<(), TestCaseError> {
    if let Ok(formatted) = crate::format::format(text) {
        prop_assert_eq!(crate::format::format(&formatted), Ok(formatted));
    }
    Ok(())
}

#[test]
fn no_sequence_of_characters_makes_the_reader_panic() {
    law(Weight::of(256, 90), ".{0,200}", |text| {
        let read = read(&text);
        if let Err(trouble) = &read {
            prop_assert!(trouble.span.end as usize <= text.len());
        }
        keeps_its_form(&text)?;
        Ok(Judged::if_any(read.is_err()))
    });
}

/// Texts whose brackets and quotes are all closed.
pub(crate) fn closed() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "a",
        "if:1",
        "1",
        "0.5",
        "1..4",
        "\"A\"",
        "“A”",
        "\"a \\\" b\"",
        "~",
        "É",
        "// said\n",
    ]);
    let leaf = word.prop_map(str::to_owned);
    leaf.prop_recursive(5, 60, 6, |inner| {
        let row = prop::collection::vec((inner, prop::sample::select(vec![" ", "\n", "  "])), 0..6);
        let row = row.prop_map(|parts| {
            let parts = parts.into_iter().map(|(part, blank)| part + blank);
            parts.collect::<String>()
        });
        let opened =
            prop::sample::select(vec![("(move ", ")"), ("{", "}"), ("(define \"A\" ", ")")]);
        (opened, row).prop_map(|((open, close), row)| format!("{open}{row}{close}"))
    })
}

/// Whatever the equipment contains, the explanation has its title, and is the same for the
/// formatted text, which reads to the same tree.
#[test]
fn an_explanation_does_not_depend_on_the_layout_of_the_text() {
    law(
        Weight::of(512, 30),
        prop_oneof![texts(), closed()],
        |text| {
            let text = format!("(game \"G\" (players 2) (equipment {{{text}}}))");
            let Ok(node) = read(&text) else {
                return Ok(Judged::Nothing);
            };
            prop_assert!(spans_are_within(&node, text.len() as u32));
            let explained = crate::explain::explain(&node);
            prop_assert!(explained.starts_with("G\n\n"), "{}", explained);
            let formatted = crate::format::format(&text).expect("it can be read");
            let again = read(&formatted).expect("it could be read before");
            prop_assert_eq!(crate::explain::explain(&again), explained);
            Ok(Judged::Something)
        },
    );
}
