//! Positions that are told are written as they are set up.

use firmware_core::{Rng, games};
use protocol::{Input, Layout, Roster};

use super::*;

/// Somebody plays so many random touches of a game on the board that it is made
/// for.
fn played(game: u8, mode: u8, touches: u32) -> CoreDriver {
    let about = games::about(game).expect("it is in the table");
    let layout = Layout::Grid((about.made_for)(mode));
    let mut driver = CoreDriver::with_games(layout, Roster::of(&[game]), 5).expect("a board");
    let begin = format!("set game={} mode={mode}\nstart\n", about.name);
    assert_eq!(
        run_at(&mut driver, begin.as_bytes(), &plain()).2,
        Ending::Done
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

fn told(driver: &mut CoreDriver) -> String {
    let (text, errors, ending) = run_at(driver, b"position", &plain());
    assert_eq!(ending, Ending::Done, "{errors}");
    text.lines().last().expect("a line").to_owned()
}

#[test]
fn a_position_that_is_told_is_set_up_by_what_was_told() {
    for (game, modes) in [(0, 1), (10, 16), (11, 4), (12, 1), (13, 1)] {
        for mode in 0..modes {
            let mut before = String::new();
            for touches in [0, 7, 30] {
                let mut one = played(game, mode, touches);
                if one.status().expect("its status").outcome.is_some() {
                    continue;
                }
                let line = told(&mut one);
                assert!(line.starts_with("position "), "{line}");
                let mut other = played(game, mode, 0);
                let script = format!("{line}\nexpect {line}\n");
                let (_, errors, ending) = run_at(&mut other, script.as_bytes(), &plain());
                assert_eq!(ending, Ending::Done, "{line}: {errors}");
                assert_ne!(line, before, "the game went on");
                before = line;
            }
        }
    }
}

#[test]
fn a_position_that_is_another_one_is_told() {
    let mut driver = played(10, 0, 0);
    let line = told(&mut driver);
    let other = line.replace("O a1x2", "O a1");
    assert_ne!(line, other, "{line}");
    let script = format!("expect {other}");
    let (_, errors, ending) = run_at(&mut driver, script.as_bytes(), &plain());
    assert_eq!(ending, Ending::Failed);
    assert!(
        errors.contains("expected position A: O a1 b1x2"),
        "{errors}"
    );
    assert!(errors.contains("found A: O a1x2"), "{errors}");
}

#[test]
fn where_no_game_is_there_is_no_position() {
    for line in ["position", "expect position A: turn green"] {
        let (_, errors, ending) = script(line);
        assert_ne!(ending, Ending::Done);
        assert!(errors.contains("no game is on the board"), "{errors}");
    }
}

/// Who plays by typing sees piles and symbols, and not only that something is lit.
#[test]
fn what_lies_on_the_board_is_shown_with_its_letters() {
    let shown = |game: u8, position: &str| -> Vec<String> {
        let mut driver = played(game, 0, 0);
        let script = format!("{position}\nshow\n");
        let (text, errors, ending) = run_at(&mut driver, script.as_bytes(), &plain());
        assert_eq!(ending, Ending::Done, "{errors}");
        text.lines().map(str::to_owned).collect()
    };
    let lines = shown(
        10,
        "position A: O a1x2 c3 c4x3 X g9x2 b4+ dice 2 3 turn green",
    );
    for line in [
        " 9  .  .  .  .  .  .  X2 .  .",
        " 4  .  Xo O3 .  .  .  .  .  .",
        " 3  .  .  O  .  .  .  .  .  .",
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
    // Where lights tell all of it, the rows are as on any board.
    let dark = "/.........".repeat(8);
    let lines = shown(0, &format!("position g........{dark} turn red"));
    assert!(
        lines.iter().any(|line| line == " 9  g . . . . . . . ."),
        "{lines:#?}"
    );

    let mut driver = played(11, 0, 0);
    let (text, _, _) = run_at(&mut driver, b"show", &options(Answers::Json));
    assert!(text.contains("\"pieces\":{\""), "{text}");
    let mut driver = played(0, 0, 0);
    let (text, _, _) = run_at(&mut driver, b"show", &options(Answers::Json));
    assert!(!text.contains("pieces"), "{text}");
}
