//! The language as its users meet it: whole sessions, kept as goldens, every
//! refusal, and the laws that no text breaks.

use std::fmt::Write as _;

use proptest::prelude::*;
use protocol::Layout;

use super::*;
use crate::CoreDriver;

const SEED: u64 = 7;

fn options(answers: Answers) -> ShellOptions {
    ShellOptions {
        answers,
        reader: Reader::Script,
        on_trouble: OnTrouble::Stop,
        seed: SEED,
    }
}

fn plain() -> ShellOptions {
    options(Answers::Plain(Paint::Letters))
}

fn board() -> CoreDriver {
    CoreDriver::new(Layout::MALDOO, SEED).expect("9x9 is a layout")
}

/// What a script writes to output and errors, and how it ends.
fn run_at(
    driver: &mut CoreDriver,
    script: &[u8],
    options: &ShellOptions,
) -> (String, String, Ending) {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let ending =
        run(driver, script, &mut output, &mut errors, options).expect("memory is writable");
    let text = |bytes| String::from_utf8(bytes).expect("answers are UTF-8");
    (text(output), text(errors), ending)
}

fn script(text: &str) -> (String, String, Ending) {
    run_at(&mut board(), text.as_bytes(), &plain())
}

/// The sentence with which one line is refused, by exit code 2.
fn refusal(line: &str) -> String {
    let (_, errors, ending) = script(line);
    assert_eq!(ending, Ending::Bad, "{line}");
    errors.trim_end().to_owned()
}

/// A session as a person reads it: each line after its prompt, then the answer.
fn transcript(text: &str, answers: Answers) -> String {
    let mut driver = board();
    let mut shell = Shell::new(&mut driver, SEED, answers);
    let mut all = String::new();
    for line in text.lines() {
        let _ = writeln!(all, "> {line}");
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let answer = shell.line(line);
        answer
            .write(&shell, &mut output, &mut errors)
            .expect("memory is writable");
        all += &String::from_utf8(output).expect("answers are UTF-8");
        for sentence in String::from_utf8(errors)
            .expect("answers are UTF-8")
            .lines()
        {
            let _ = writeln!(all, "! {sentence}");
        }
    }
    all
}

const PANEL: &str = "\
# a board that was just switched on
show
expect display Reversi
wait 2000
expect display 055_0
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
fn a_session_at_the_panel_for_people() {
    insta::assert_snapshot!(transcript(PANEL, Answers::Plain(Paint::Letters)));
}

#[test]
fn a_session_at_the_panel_for_programs() {
    insta::assert_snapshot!(transcript(PANEL, Answers::Json));
}

#[test]
fn the_rules_are_those_of_the_chosen_game_and_mode() {
    let text = "set game=touchit mode=3\nrules\nquit";
    let plain = transcript(text, Answers::Plain(Paint::Letters));
    assert!(plain.contains("straight on, right or left"), "{plain}");
    let json = transcript(text, Answers::Json);
    assert!(json.contains("\"rules\":[\"Two chains"), "{json}");
}

const GAME: &str = "\
reset 4x2
set level=0
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
fn a_game_for_people() {
    insta::assert_snapshot!(transcript(GAME, Answers::Plain(Paint::Letters)));
}

#[test]
fn a_game_for_programs() {
    insta::assert_snapshot!(transcript(GAME, Answers::Json));
}

#[test]
fn a_board_in_colours() {
    let session = "reset 3x2\nset mode=4\nposition g.r/... turn red\nshow";
    let text = transcript(session, Answers::Plain(Paint::Ansi));
    insta::assert_snapshot!(text.replace('\x1b', "ESC"));
}

#[test]
fn help_names_every_command() {
    insta::assert_snapshot!(transcript("help", Answers::Plain(Paint::Letters)));
}

#[test]
fn every_usage_in_help_is_understood_and_does_what_its_word_says() {
    let at_4x1 = Layout::grid(4, 1).expect("4x1 is a layout");
    for entry in ENTRIES {
        let line = entry
            .usage
            .replace("BUTTON [MS]", "game 500")
            .replace("ROWS", ".gra")
            .replace("FILE", "a file")
            .replace("seed N", "seed 3")
            .replace("[8x8]", "8x8")
            .replace("[COMMAND]", "tap")
            .replace("d3", "d1")
            .replace("d4", "d1");
        let command = parse(&line, at_4x1).unwrap_or_else(|error| panic!("{line}: {error}"));
        let name = format!("{:?}", command.expect("it is a command")).to_lowercase();
        let word = if entry.word == "start" {
            "press(start"
        } else {
            entry.word
        };
        assert!(name.starts_with(word), "{line} became {name}");
    }
}

const REFERENCE: &str = include_str!("../../SHELL.md");

#[test]
fn the_session_in_the_reference_is_what_a_board_answers() {
    let begin = REFERENCE.find("> set").expect("it begins with a session");
    let session = REFERENCE[begin..].split("```").next().expect("it ends");
    let lines: Vec<&str> = session
        .lines()
        .filter_map(|line| line.strip_prefix("> "))
        .collect();
    let answers = transcript(&lines.join("\n"), Answers::Plain(Paint::Letters));
    assert_eq!(answers, session);
}

#[test]
fn the_reference_has_every_command_and_every_field() {
    for entry in ENTRIES {
        let word = entry.word;
        let row = [format!("| `{word} "), format!("| `{word}` ")];
        assert!(
            row.iter().any(|row| REFERENCE.contains(row)),
            "{word} has no row in SHELL.md"
        );
    }
    let answer = transcript("score", Answers::Json);
    let object = answer.lines().nth(1).expect("it is answered");
    let fields: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(object).expect("it is JSON");
    let rows = fields.keys().map(|field| format!("| `{field}` |"));
    let mut rest = REFERENCE;
    for row in rows {
        let place = rest.find(&row);
        rest = &rest[place.unwrap_or_else(|| panic!("{row} is missing or out of order"))..];
    }
}

#[test]
fn every_refusal_is_a_sentence_that_names_the_word_and_what_is_possible() {
    let mut all = String::new();
    for line in [
        "tpa d3",
        "frobnicate",
        "TAP z9",
        "tap",
        "tap d3 e4",
        "tap dd",
        "tap d0",
        "tap d10",
        "tap é3",
        "release",
        "press",
        "press strat",
        "press escape",
        "press time long",
        "press time 0",
        "press time 500 600",
        "set",
        "set mode",
        "set mode = 2",
        "set game=chess",
        "set game=reversy",
        "set game=10",
        "set mode=6",
        "set mode=9",
        "set game=ghost mode=4",
        "set game=ghost mode=200",
        "set mode=-1",
        "set level=5",
        "set time=ten",
        "set speed=10",
        "set spede=1",
        "set time=1 time=2",
        "wait",
        "wait long",
        "wait -5",
        "wait 86400001",
        "wait 99999999999999999999",
        "pass now",
        "position",
        "position ...",
        "position ........./........./........./........./..b....../........./........./........./......... turn red",
        "position ........./........./........./........./......./........./........./........./......... turn red",
        "position ........./........./........./........./........./........./........./........./.........",
        "position ........./........./........./........./........./........./........./........./......... trun red",
        "position ........./........./........./........./........./........./........./........./......... turn blue",
        "save",
        "save /nowhere/at/all",
        "load",
        "load /nowhere/at/all",
        "load /",
        "seed",
        "seed x",
        "seed 18446744073709551616",
        "reset big",
        "reset 17x3",
        "reset 0x3",
        "expect",
        "expect d4",
        "expect d4 blue",
        "expect d44 green",
        "expect trun red",
        "expect turn",
        "expect turn blue",
        "expect lights",
        "expect lights amber",
        "expect beep",
        "expect beep loud",
        "expect beep 70000",
        "expect count",
        "expect count blue 3",
        "expect count green",
        "expect count green 82",
        "expect refused",
        "expect refused expect turn red",
        "expect winner",
        "expect winner nobody",
        "expect score 3",
        "expect score 3 x",
        "expect display",
        "expect legal",
        "expect legal d3 z9",
        "expect rows",
        "help me",
        "quit it",
    ] {
        let _ = writeln!(all, "{line}\n  {}", refusal(line));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn every_expectation_that_fails_says_what_was_there() {
    let mut all = String::new();
    for line in [
        "expect d4 green",
        "expect turn red",
        "expect lights both",
        "expect beep 880",
        "expect count green 12",
        "expect refused score",
        "expect display 055_0",
        "expect winner draw",
        "expect score 2 2",
        "expect legal d3 c4",
        "expect rows ........./........./........./........./........./........./........./........./..ga.....",
    ] {
        let (output, errors, ending) = script(line);
        assert_eq!((output.as_str(), ending), ("", Ending::Failed), "{line}");
        all += &errors;
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_script_stops_at_its_first_failed_expectation_with_exit_code_1() {
    let (output, errors, ending) = script("score\n\nexpect turn red\nscore\n");
    assert_eq!(output, "no game on the board\n");
    assert_eq!(errors, "line 3: expected turn red, found none\n");
    assert_eq!(ending.code(), 1);
}

#[test]
fn a_script_stops_at_its_first_bad_line_with_exit_code_2() {
    let (output, errors, ending) = script("# nothing\nscroe\nscore\n");
    assert_eq!(output, "");
    assert_eq!(
        errors,
        "line 2: `scroe` is not a command: did you mean `score`?\n"
    );
    assert_eq!(ending.code(), 2);
}

#[test]
fn a_script_that_goes_on_ends_with_the_code_of_its_first_trouble() {
    let go_on = ShellOptions {
        on_trouble: OnTrouble::GoOn,
        ..plain()
    };
    let (output, errors, ending) = run_at(
        &mut board(),
        b"expect turn red\nnonsense\nscore\nquit\nscore\n",
        &go_on,
    );
    assert_eq!(output, "no game on the board\n");
    assert_eq!(errors.lines().count(), 2);
    assert_eq!(ending, Ending::Failed);
}

#[test]
fn a_person_is_prompted_and_no_slip_ends_the_session() {
    let person = ShellOptions {
        reader: Reader::Person,
        ..plain()
    };
    let (output, errors, ending) =
        run_at(&mut board(), b"scroe\nexpect turn red\nscore\n", &person);
    assert_eq!(
        output,
        "a 9x9 board at core; `help` lists the commands\n> > > no game on the board\n> \n"
    );
    assert!(errors.starts_with("`scroe` is not a command"), "{errors}");
    assert_eq!(ending.code(), 0);
}

#[test]
fn quit_ends_the_script_and_so_does_its_end() {
    assert_eq!(script("score\nquit\nnonsense").2, Ending::Done);
    assert_eq!(script("score").2, Ending::Done);
    assert_eq!(script("").2, Ending::Done);
}

#[test]
fn lines_may_end_as_on_windows_and_begin_with_a_byte_order_mark() {
    let (output, errors, ending) = script("\u{FEFF}score\r\n   # blanks\r\n\r\nquit\r\n");
    assert_eq!(
        (output.as_str(), errors.as_str()),
        ("no game on the board\n", "")
    );
    assert_eq!(ending, Ending::Done);
}

#[test]
fn bytes_that_are_no_text_and_endless_lines_are_refused_with_their_number() {
    let (_, errors, ending) = run_at(&mut board(), b"score\n\xFF\xFE\n", &plain());
    assert_eq!(
        errors,
        "line 2: the line is not UTF-8 text: save the script as UTF-8\n"
    );
    assert_eq!(ending, Ending::Bad);

    let mut long = vec![b'x'; 100_000];
    long.extend(b"\nscore\n");
    let go_on = ShellOptions {
        on_trouble: OnTrouble::GoOn,
        ..plain()
    };
    let (output, errors, ending) = run_at(&mut board(), &long, &go_on);
    assert_eq!(
        errors,
        "line 1: the line is longer than 4096 bytes: write one command a line\n"
    );
    assert_eq!(output, "no game on the board\n");
    assert_eq!(ending, Ending::Bad);
}

#[test]
fn the_name_of_a_comment_is_no_part_of_a_line_but_a_sharp_inside_a_word_is() {
    assert_eq!(script("tap d3 # a comment").2, Ending::Done);
    assert_eq!(script("#tap z9").2, Ending::Done);
    assert!(refusal("tap d3#4").starts_with("line 1: `d3#4`"));
}

fn tick_after(line: &str) -> u64 {
    let mut driver = board();
    assert_eq!(
        run_at(&mut driver, line.as_bytes(), &plain()).2,
        Ending::Done
    );
    driver.tick()
}

#[test]
fn only_holding_and_waiting_take_board_time() {
    for line in ["tap d3", "press game", "start"] {
        assert_eq!(tick_after(line), HOLD_MS, "{line}");
    }
    assert_eq!(tick_after("wait 700"), 700);
    for line in [
        "set game=speedgo mode=2 level=1 time=3 speed=9",
        "touch d3",
        "release d3",
        "show",
        "legal",
        "score",
        "digest",
        "expect turn none",
        "help",
    ] {
        assert_eq!(tick_after(line), 0, "{line}");
    }
}

/// Maldoo manual, Buttons: speed and mode change to the previous setting for
/// the new game.
#[test]
fn set_brings_back_the_mode_and_speed_of_a_game_unless_it_names_them() {
    let (_, errors, ending) = script(
        "set game=reversi mode=4 speed=8
         set game=speedgo mode=1
         wait 2000
         expect display 955_1
         set game=reversi
         wait 2000
         expect display 058_4
         set game=speedgo speed=2
         wait 2000
         expect display 952_1
         set game=reversi mode=0
         wait 2000
         expect display 058_0",
    );
    assert_eq!((errors.as_str(), ending), ("", Ending::Done));
}

#[test]
fn a_set_that_is_refused_changes_nothing() {
    let digest = |line: &str| {
        let mut driver = board();
        let _ = run_at(&mut driver, line.as_bytes(), &plain());
        driver.digest().expect("it is in this process")
    };
    for line in [
        "set game=speedgo mode=3",
        "set game=ghost mode=6",
        "set mode=6 time=1",
        "set time=1 level=9",
    ] {
        assert_eq!(digest(line), digest(""), "{line}");
    }
}

#[test]
fn lights_and_sounds_and_numbers_of_points_can_be_expected() {
    let (_, errors, ending) = script(
        "expect lights none
         expect beep none
         expect beep 0
         expect count off 81
         set game=visiput
         start
         expect lights green
         expect count green 4
         expect count red 4
         expect count r 4
         tap b7
         set game=reversi
         reset 4x2
         position .rg./.... turn green
         expect beep none
         tap a2
         expect lights green
         expect beep 880
         expect count off 5",
    );
    assert_eq!((errors.as_str(), ending), ("", Ending::Done));
}

#[test]
fn a_line_that_is_expected_to_be_refused_changes_nothing() {
    let (output, errors, ending) = script(
        "expect refused tap z9
         expect refused set game=speedgo mode=3
         expect refused set mode=6 time=9
         expect refused position ........./........./........./........./....a..../........./........./........./......... turn green
         expect refused nonsense
         expect display Reversi
         expect turn none
         digest",
    );
    let fresh = script("digest").0;
    assert_eq!((output, errors.as_str(), ending), (fresh, "", Ending::Done));
}

#[test]
fn a_button_is_held_as_long_as_the_line_says() {
    assert_eq!(tick_after("press time 499"), 499);
    // It counts at once, after half a second, and then four times a second.
    let (_, errors, ending) = script(
        "press time 499
         expect display 065_0
         press time 900
         expect display 095_0",
    );
    assert_eq!((errors.as_str(), ending), ("", Ending::Done));
}

/// The modes belong to the game that is named, or to the one that was chosen.
#[test]
fn a_mode_is_refused_with_the_modes_of_its_game() {
    assert_eq!(
        refusal("set mode=7"),
        "line 1: Reversi has no mode 7: choose 0 to 5"
    );
    assert_eq!(
        refusal("set game=visiput\nset mode=8"),
        "line 2: Visiput has no mode 8: choose 0 to 7"
    );
    assert_eq!(
        refusal("set game=visiput mode=7\nset game=life mode=7"),
        "line 2: Life has no mode 7: choose 0 to 1"
    );
}

#[test]
fn a_saved_board_goes_on_as_the_first_would_have() {
    let folder = std::env::temp_dir().join(format!("touchboard-shell-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files is writable");
    let file = folder.join("with a blank.board");
    let name = file.display();

    let first = transcript(
        &format!("set level=1\nstart\ntap d3\nwait 77\nsave {name}\nwait 5000\ndigest"),
        Answers::Json,
    );
    let second = transcript(
        &format!("seed 99\nload {name}\nwait 5000\ndigest\nreset\ndigest"),
        Answers::Json,
    );
    let digests = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .filter(|line| line.starts_with("{\"cmd\":\"digest\""));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(digests(&first)[0], digests(&second)[0]);
    let fresh = transcript("digest", Answers::Json);
    assert_eq!(
        digests(&second)[1],
        digests(&fresh)[0],
        "reset goes back to the saved seed"
    );

    let good = std::fs::read(&file).expect("save wrote it");
    std::fs::write(&file, &good[..good.len() / 2]).expect("the file is ours");
    assert_eq!(
        refusal(&format!("load {name}")),
        format!("line 1: {name} is damaged: save the board again")
    );
    std::fs::write(&file, "nonsense").expect("the file is ours");
    assert_eq!(
        refusal(&format!("load {name}")),
        format!("line 1: {name} is no saved board: choose a file that `save` wrote")
    );
    let left: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder is ours")
        .collect();
    assert_eq!(left.len(), 1, "nothing is left beside the file");
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[test]
fn a_board_of_another_layout_is_loaded_with_its_layout() {
    let file = std::env::temp_dir().join(format!("touchboard-8x8-{}", std::process::id()));
    let name = file.display();
    let (_, errors, _) = script(&format!(
        "reset 8x8\nsave {name}\nreset 3x3\nload {name}\nstart\ntap h8"
    ));
    std::fs::remove_file(&file).expect("save wrote it");
    assert_eq!(errors, "");
}

#[test]
fn an_answer_for_programs_is_one_object_a_line_with_every_field() {
    let (output, _, _) = run_at(
        &mut board(),
        b"start\n\n# nothing\nlegal\ndigest\nexpect turn none\n",
        &options(Answers::Json),
    );
    let lines: Vec<serde_json::Value> = output
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    assert_eq!(
        lines.len(),
        4,
        "an answer to each command, none to a blank line"
    );
    for line in &lines {
        for field in [
            "cmd", "ok", "tick", "rows", "turn", "score", "display", "beep", "over", "winner",
        ] {
            assert!(line.get(field).is_some(), "{field} is missing in {line}");
        }
    }
    assert!(lines[1]["points"].is_array());
    assert_eq!(lines[2]["digest"].as_str().map(str::len), Some(16));
    assert_eq!(lines[3]["ok"], false);
    assert_eq!(lines[3]["error"], "line 6: expected turn none, found green");
}

#[test]
fn a_thousand_commands_have_a_thousand_answers() {
    let script =
        "set time=3\nstart\ntap d3\nlegal\nshow\nexpect legal none\nwait 20\ndigest\nscore\npass\n"
            .repeat(100);
    let go_on = ShellOptions {
        on_trouble: OnTrouble::GoOn,
        ..options(Answers::Json)
    };
    let (output, _, _) = run_at(&mut board(), script.as_bytes(), &go_on);
    assert_eq!(output.lines().count(), 1_000);
}

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
        // Trouble ends a script, so that only its last sentence is of it; the
        // others are remarks.
        let mut sentences: Vec<&str> = errors.lines().collect();
        let trouble = if ending == Ending::Done { None } else { sentences.pop() };
        prop_assert_eq!(ending != Ending::Done, trouble.is_some());
        prop_assert!(sentences.iter().all(|remark| remark.ends_with(obey::NO_GAME)));
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

#[test]
fn a_turn_that_cannot_be_given_away_is_refused_with_the_reason() {
    let (_, errors, ending) = script("pass\n");
    assert_eq!(ending, Ending::Bad);
    assert!(errors.contains("no game is on the board"), "{errors}");
    let (_, errors, ending) = script("start\npress stop\npass\n");
    assert_eq!(ending, Ending::Bad);
    assert!(errors.contains("the game is held"), "{errors}");
    let (_, errors, ending) = script("start\npass\n");
    assert_eq!(ending, Ending::Bad);
    assert!(errors.contains("the rules do not allow it"), "{errors}");
    let (output, errors, ending) =
        script("set game=speedgo level=0\nstart\npass\nexpect turn red\n");
    assert_eq!((errors.as_str(), ending), ("", Ending::Done));
    assert!(output.contains("green passes"), "{output}");
    let expected = script("expect refused pass\n");
    assert_eq!(expected.2, Ending::Done);
}

#[test]
fn a_touch_before_the_start_is_remarked_once_and_is_no_trouble() {
    let text = "tap d3\ntouch d4\nstart\ntap d3\n";
    let (_, errors, ending) = script(text);
    assert_eq!(ending, Ending::Done);
    assert_eq!(
        errors,
        "line 1: no game is on the board: press Start (`start`)\n"
    );
    let (output, errors, _) = run_at(&mut board(), text.as_bytes(), &options(Answers::Json));
    assert_eq!(errors, "");
    assert!(!output.contains("no game"), "{output}");
}

#[test]
fn a_layout_that_is_too_large_for_any_number_says_how_large_it_may_be() {
    for line in ["reset 1000000x1", "reset 1x99999999999999999999999"] {
        let said = refusal(line);
        assert!(said.contains("each side goes from 1 to 16"), "{said}");
    }
}
