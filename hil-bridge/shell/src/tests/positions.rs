//! A position is written in a form in which it can be set up again.

use firmware_core::{Rng, games};
use protocol::{Input, Layout, Roster};

use super::*;

/// A board after this many random touches in a game.
fn played(game: u8, mode: u8, touches: u32) -> CoreDriver {
    let about = games::about(game).expect("it is in the table");
    let layout = Layout::Grid((about.made_for)(mode));
    let mut driver = CoreDriver::with_games(layout, Roster::of(&[game]), 5).expect("a board");
    let begin = format!("set game={} mode={mode}\nstart\n", about.name);
    assert_eq!(
        run_at(&mut driver, begin.as_bytes(), &plain()).ending,
        ExitKind::Done
    );
    let mut rng = Rng::new(touches.into());
    for _ in 0..touches {
        let legal = driver.legal().expect("a board in this process");
        if !legal.is_empty() {
            let point = legal[rng.below(legal.len() as u32) as usize];
            for input in [Input::Touch(point), Input::Release(point)] {
                driver.step(&[input], 0).expect("a board in this process");
            }
        }
        driver.step(&[], 2_100).expect("a board in this process");
    }
    driver
}

fn position_text(driver: &mut CoreDriver) -> String {
    let SessionText {
        output: text,
        errors,
        ending,
    } = run_at(driver, b"position", &plain());
    assert_eq!(ending, ExitKind::Done, "{errors}");
    text.lines().last().expect("a line").to_owned()
}

#[test]
fn a_printed_position_sets_itself_up_again() {
    for (game, modes) in [(0, 1), (10, 16), (11, 4), (12, 1), (13, 1)] {
        for mode in 0..modes {
            let mut before = String::new();
            for touches in [0, 7, 30] {
                let mut one = played(game, mode, touches);
                if one.status().expect("its status").outcome.is_some() {
                    continue;
                }
                let line = position_text(&mut one);
                assert!(line.starts_with("position "), "{line}");
                let mut other = played(game, mode, 0);
                let script = format!("{line}\nexpect {line}\n");
                let SessionText { errors, ending, .. } =
                    run_at(&mut other, script.as_bytes(), &plain());
                assert_eq!(ending, ExitKind::Done, "{line}: {errors}");
                assert_ne!(line, before, "the game went on");
                before = line;
            }
        }
    }
}

#[test]
fn a_differing_position_fails_the_expectation() {
    let mut driver = played(10, 0, 0);
    let line = position_text(&mut driver);
    let other = line.replace("O a1x2", "O a1");
    assert_ne!(line, other, "{line}");
    let script = format!("expect {other}");
    let SessionText { errors, ending, .. } = run_at(&mut driver, script.as_bytes(), &plain());
    assert_eq!(ending, ExitKind::Failed);
    assert!(
        errors.contains("expected position A: O a1 b1x2"),
        "{errors}"
    );
    assert!(errors.contains("found A: O a1x2"), "{errors}");
}

#[test]
fn a_picked_pile_can_be_put_down() {
    let mut driver = played(10, 0, 0);
    let begin = "position A: O a1x2 c3 X g9x2 dice 2 3 turn green\nlegal\ntap c3\nlegal\n";
    let SessionText {
        output: text,
        errors,
        ending,
    } = run_at(&mut driver, begin.as_bytes(), &plain());
    assert_eq!(ending, ExitKind::Done, "{errors}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.contains(&"c3 a1"), "{text}");
    assert_eq!(lines.last(), Some(&"c6 c5 c3; c3 puts the piece down"));
    let SessionText { output: text, .. } = run_at(&mut driver, b"legal", &options(Answers::Json));
    assert!(
        text.contains(r#""points":["c6","c5","c3"],"puts_down":"c3""#),
        "{text}"
    );
    assert!(
        text.contains(r#""score_of":["green to go","red to go"]"#),
        "{text}"
    );
}

#[test]
fn the_numbers_of_a_score_are_named_if_not_points() {
    for (game, mode, expected) in [
        (0, 0, None),
        (2, 0, Some(r#"["green generations","red generations"]"#)),
        (4, 0, Some(r#"["right","wrong"]"#)),
        (11, 0, Some(r#"["points","four-ways"]"#)),
        (11, 2, None),
    ] {
        let mut driver = played(game, mode, 0);
        let SessionText { output: text, .. } =
            run_at(&mut driver, b"score", &options(Answers::Json));
        let is_there = expected.map_or(!text.contains("score_of"), |names| {
            text.contains(&format!("\"score_of\":{names},"))
        });
        assert!(is_there, "{game}: {text}");
    }
}

/// The example of the help page: e5-e3 pins; e5-h5 jumps a wall and kills.
#[test]
fn a_step_is_reported_with_origin_die_pin_and_kill() {
    let mut driver = played(10, 0, 0);
    let script = "position A: O a1x2 e5x2 X g9x2 e3 h5 dice 2 3 turn green\ntap e5\ntap e5\ntap e5\ntap e3\ntap e5\ntap h5\n";
    let SessionText {
        output: text,
        errors,
        ending,
    } = run_at(&mut driver, script.as_bytes(), &plain());
    assert_eq!(ending, ExitKind::Done, "{errors}");
    let told: Vec<&str> = text
        .lines()
        .skip(1)
        .filter_map(|line| line.trim_start().split_once("  "))
        .filter_map(|(_, words)| words.split(';').next())
        .collect();
    let expected = [
        "green picks e5 up",
        "green puts e5 down",
        "green picks e5 up",
        "green e5-e3 (2, pins)",
        "green picks e5 up",
        "green e5-h5 (3, kills)",
    ];
    assert_eq!(told, expected, "{text}");
    // A host that connects in the middle of a turn gets the same text.
    let script = "position A: O a1x2 e5x2 X g9x2 e3 h5 dice 2 3 turn green\ntap e5\n";
    run_at(&mut driver, script.as_bytes(), &plain());
    let SessionText { output: text, .. } = run_at(&mut driver, b"tap h5", &plain());
    assert!(text.contains("green e5-h5 (3, kills)"), "{text}");
}

/// Each sentence names the wrong number or place.
#[test]
fn an_impossible_position_of_malaka_has_a_reason() {
    let lines = [
        "position A: O a1x13 X i9x2 turn green",
        "position A: O a1x7 a2x6 X i9x2 turn green",
        "position A: O a1x2 X i9x2 dice 5 turn green",
        "position A: O a1x2 j9 X i9x2 turn green",
        "position A: O a1x2 X i9x2 turn red first",
        "position A: O a1x2 X i9x2 dice 1 2 turn green first",
        "position A: turn green",
        "position A: O a1x2 turn green",
        "position A: X a5 b1x3 turn red",
        "position A: O g9 X i9x2 turn green",
        "position A: O a4x2 X b2 a1+ turn green",
        "position C: 0000 turn green",
        "position ........./........./........./........./........./........./........./........./......... turn red",
    ];
    let mut told = String::new();
    for line in lines {
        let mut driver = played(10, 0, 0);
        let before = driver.digest().expect("a board in this process");
        let SessionText { errors, ending, .. } = run_at(&mut driver, line.as_bytes(), &plain());
        assert_eq!(ending, ExitKind::Bad, "{line}");
        let after = driver.digest().expect("a board in this process");
        assert_eq!(before, after, "{line}");
        told += &format!("{line}\n    {errors}");
    }
    let layout = Layout::MALDOO;
    let mut driver = CoreDriver::with_games(layout, Roster::of(&[0, 10]), 5).expect("a board");
    for line in [
        "position A: O a1x2 X i9x2 turn green",
        "set game=malaka mode=8\nposition A: O a1x2 X i9x2 turn green",
    ] {
        let SessionText { errors, .. } = run_at(&mut driver, line.as_bytes(), &plain());
        told += &format!("{line}\n    {errors}");
    }
    insta::assert_snapshot!(told);
}

/// A finished game has no side to move, so its position is not written.
#[test]
fn a_finished_game_of_malaka_has_no_position() {
    let mut driver = played(10, 0, 0);
    let script = "position A: O g9 h8 X a5x2 dice 1 2 turn green\ntap h8\ntap h9\nexpect winner green\nposition";
    let SessionText { errors, ending, .. } = run_at(&mut driver, script.as_bytes(), &plain());
    assert_eq!(ending, ExitKind::Bad);
    assert!(errors.contains("the game is over"), "{errors}");
}

#[test]
fn without_a_game_there_is_no_position() {
    for line in ["position", "expect position A: turn green"] {
        let SessionText { errors, ending, .. } = script(line);
        assert_ne!(ending, ExitKind::Done);
        assert!(errors.contains("no game is on the board"), "{errors}");
    }
}

/// People who type commands see piles and symbols, not only lights.
#[test]
fn pieces_on_the_board_are_shown_by_letters() {
    let shown = |game: u8, position: &str| -> Vec<String> {
        let mut driver = played(game, 0, 0);
        let script = format!("{position}\nshow\n");
        let SessionText {
            output: text,
            errors,
            ending,
        } = run_at(&mut driver, script.as_bytes(), &plain());
        assert_eq!(ending, ExitKind::Done, "{errors}");
        text.lines().map(str::to_owned).collect()
    };
    let lines = shown(
        10,
        "position A: O a1x2 c3 c4x3 X g9x2 b4+ dice 2 3 turn green",
    );
    for line in [
        " 9  .  .  .  .  .  . |X2 .  .",
        " 4  .  Xo O3|.  .  . |.  .  .",
        " 3  .  .  O |.  .  .  .  .  .",
        "   double (pieces that pin): b4",
        "   wink (a single piece, which can be pinned and killed): c3",
        "    a  b  c  d  e  f  g  h  i",
    ] {
        assert!(lines.iter().any(|shown| shown == line), "{lines:#?}");
    }
    let last = lines.last().expect("lines");
    assert!(last.ends_with("; 2 and 3 to play"), "{last}");
    let lines = shown(
        11,
        "position B: Y=10W*/12/12/5I+6/6C-5/12/12/Ox10Po hand W*",
    );
    assert!(
        lines
            .iter()
            .any(|line| line == " 4  .  .  .  .  .  .  C- .  .  .  .  ."),
        "{lines:#?}"
    );
    let last = lines.last().expect("lines");
    assert!(last.ends_with("; W*, 66 left"), "{last}");
    // If the lights show everything, rows are as on any board.
    let dark = "/.........".repeat(8);
    let lines = shown(0, &format!("position g........{dark} turn red"));
    assert!(
        lines.iter().any(|line| line == " 9  g . . . . . . . ."),
        "{lines:#?}"
    );

    let mut driver = played(11, 0, 0);
    let SessionText { output: text, .. } = run_at(&mut driver, b"show", &options(Answers::Json));
    assert!(text.contains("\"pieces\":{\""), "{text}");
    let mut driver = played(0, 0, 0);
    let SessionText { output: text, .. } = run_at(&mut driver, b"show", &options(Answers::Json));
    assert!(!text.contains("pieces"), "{text}");
}
