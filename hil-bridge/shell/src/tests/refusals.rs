//! Refused lines, and the sentences that say why.

use super::*;

/// Lines of every command, with every mistake that is possible in it.
const REFUSED: &[&str] = &[
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
    "set game=cehss",
    "set game=morris",
    "set game=backgammon",
    "set game=mine.lud",
    "set game=reversy",
    "set game=10",
    "set game=-1",
    "set game=300",
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
    "position A:",
    "position A: 0",
    "position A: 0g",
    "position A: 00 turn green",
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
    "expect d4 grue",
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
    "expect count grue 3",
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
];

#[test]
fn every_refusal_names_the_word_and_what_is_possible() {
    let mut all = String::new();
    for line in REFUSED {
        let _ = writeln!(all, "{line}\n  {}", refusal(line));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn every_failed_expectation_says_what_it_found() {
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
        let SessionText {
            output,
            errors,
            ending,
        } = script(line);
        assert_eq!((output.as_str(), ending), ("", ExitKind::Failed), "{line}");
        all += &errors;
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_refused_set_changes_nothing() {
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
fn a_line_that_is_expected_to_be_refused_changes_nothing() {
    let SessionText { output, errors, ending } = script(
        "expect refused tap z9
         expect refused set game=speedgo mode=3
         expect refused set mode=6 time=9
         expect refused position ........./........./........./........./....a..../........./........./........./......... turn green
         expect refused nonsense
         expect display Reversi
         expect turn none
         digest",
    );
    let fresh = script("digest").output;
    assert_eq!(
        (output, errors.as_str(), ending),
        (fresh, "", ExitKind::Done)
    );
}

/// Modes are those of the game that is named, or else of the chosen one.
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
fn an_impossible_pass_is_refused_with_the_reason() {
    let SessionText { errors, ending, .. } = script("pass\n");
    assert_eq!(ending, ExitKind::Bad);
    assert!(errors.contains("no game is on the board"), "{errors}");
    let SessionText { errors, ending, .. } = script("start\npress stop\npass\n");
    assert_eq!(ending, ExitKind::Bad);
    assert!(errors.contains("the game is paused"), "{errors}");
    let SessionText { errors, ending, .. } = script("start\npass\n");
    assert_eq!(ending, ExitKind::Bad);
    assert!(errors.contains("there is no pass in this game"), "{errors}");
    let SessionText {
        output,
        errors,
        ending,
    } = script("set game=speedgo level=0\nstart\npass\nexpect turn red\n");
    assert_eq!((errors.as_str(), ending), ("", ExitKind::Done));
    assert!(output.contains("green passes"), "{output}");
    let expected = script("expect refused pass\n");
    assert_eq!(expected.ending, ExitKind::Done);
}

#[test]
fn starting_a_game_that_does_not_fit_is_refused() {
    for line in ["start", "press start 30"] {
        let SessionText { errors, ending, .. } = script(&format!("reset 1x1\n{line}\nshow"));
        assert_eq!(
            errors,
            "line 2: Reversi does not fit a 1x1 board: choose another game, or a larger layout with `reset 9x9`\n"
        );
        assert_eq!(ending, ExitKind::Bad);
    }
    let json = options(Answers::Json);
    let SessionText { output, .. } = run_at(&mut board(), b"reset 1x1\nstart", &json);
    let start = output.lines().nth(1).unwrap();
    assert!(start.contains("\"ok\":false"), "{start}");
    let SessionText { errors, ending, .. } =
        script("reset 1x1\nexpect refused start\nreset\nreset 9x9\nstart");
    assert_eq!((errors.as_str(), ending), ("", ExitKind::Done));
}

#[test]
fn in_the_boards_own_turn_no_point_is_legal_with_a_remark() {
    let begin = "set game=reversi level=1\nstart\ntap d7\nexpect turn red\n";
    let SessionText {
        output,
        errors,
        ending,
    } = script(&format!("{begin}legal\nexpect legal none"));
    assert!(output.ends_with("none\n"), "{output}");
    assert_eq!(
        errors,
        "line 5: it is the board's own turn, no touch is a move: `wait` until it has moved\n"
    );
    assert_eq!(ending, ExitKind::Done);
    let json = options(Answers::Json);
    let lines = format!("{begin}legal\nwait 10000\nlegal");
    let SessionText { output, .. } = run_at(&mut board(), lines.as_bytes(), &json);
    let legal: Vec<&str> = output
        .lines()
        .filter(|line| line.contains("points"))
        .collect();
    assert!(
        legal[0].ends_with("\"points\":[],\"boards_turn\":true}"),
        "{}",
        legal[0]
    );
    assert!(legal[1].ends_with("\"boards_turn\":false}"), "{}", legal[1]);
    assert!(!legal[1].contains("\"points\":[]"), "{}", legal[1]);
    let SessionText { errors, ending, .. } = script(&format!("{begin}expect legal d3"));
    assert!(
        errors.contains("found none (missing: d3): it is the board's own turn"),
        "{errors}"
    );
    assert_eq!(ending, ExitKind::Failed);
}

#[test]
fn expect_restart_fails_without_a_restart() {
    let SessionText { errors, ending, .. } = script("start\nexpect restart");
    assert_eq!(
        errors,
        "line 2: expected the board to have been restarted, but it was not\n"
    );
    assert_eq!(ending, ExitKind::Failed);
}

#[test]
fn a_touch_before_start_causes_one_remark() {
    let text = "tap d3\ntouch d4\nstart\ntap d3\n";
    let SessionText { errors, ending, .. } = script(text);
    assert_eq!(ending, ExitKind::Done);
    assert_eq!(
        errors,
        "line 1: no game is on the board: press Start (`start`)\n"
    );
    let SessionText { output, errors, .. } =
        run_at(&mut board(), text.as_bytes(), &options(Answers::Json));
    assert_eq!(errors, "");
    assert!(!output.contains("no game"), "{output}");
}

#[test]
fn an_overflowing_layout_is_refused_with_the_limits() {
    for line in ["reset 1000000x1", "reset 1x99999999999999999999999"] {
        let said = refusal(line);
        assert!(said.contains("each side goes from 1 to 16"), "{said}");
    }
}

#[test]
fn a_missing_game_is_refused_with_the_available_ones() {
    let roster = "059".parse().expect("three games");
    let mut three = CoreDriver::with_games(Layout::MALDOO, roster, SEED).expect("they are here");
    for line in ["set game=touchit", "set game=3 mode=1"] {
        let SessionText { errors, ending, .. } = run_at(&mut three, line.as_bytes(), &plain());
        assert_eq!(ending, ExitKind::Bad);
        assert_eq!(
            errors,
            "line 1: TouchIt is not on this board, which has 0 Reversi, 5 CountLines and 9 SpeedGo: one that is started here with `--games 3` has it\n"
        );
    }
    let SessionText { errors, ending, .. } =
        run_at(&mut three, b"set game=speedgo\npress game", &plain());
    assert_eq!((errors.as_str(), ending), ("", ExitKind::Done));
    assert_eq!(three.status().expect("it is here").settings.game, 0);
}
