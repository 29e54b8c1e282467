//! What the minds answer, and when: pinned for every game that is won by looking
//! ahead, in every mode, at every level, on a board of each width.
//!
//! The recorded sessions of the workspace let level 1 play for a while; these are
//! a few answers of each level, from the first moves of a game to its last ones.
//! A change that is meant shows which answers it changes.

use std::fmt::Write;

use firmware_core::{AnyBoard, Rng, games};
use protocol::{Button, Input, Layout, Point, Settings, Side, Tick};

/// Reversi, CountLines, FillIt, Visiput, SpeedGo.
const GAMES: [u8; 5] = [0, 5, 6, 8, 9];
/// One of each word.
const SIDES: [u8; 3] = [7, 9, 12];
/// How much of the board is played on at random before the mind is asked, in
/// hundredths of its points.
const PLAYED: [usize; 6] = [4, 20, 35, 50, 70, 85];
/// The shortest Time.
const TURN_MS: Tick = 5_000;

fn legal(board: &AnyBoard) -> Vec<Point> {
    let mut legal = Vec::new();
    board.legal(&mut |point| legal.push(point));
    legal
}

/// The answer to a game of random moves, as `POINT@MS`: empty if the game ended
/// before, `pass` if the turn was given away.
fn answer(settings: Settings, layout: Layout, moves: usize) -> String {
    let mut board = AnyBoard::new(layout, 7).expect("a layout");
    let mut rng = Rng::new(moves as u64);
    let tell = &mut |_, _| {};
    let by_hand = Settings {
        level: 0,
        ..settings
    };
    board
        .set_settings(by_hand, tell)
        .expect("there is such a mode");
    board.input(Input::Press(Button::Start), tell);
    board.input(Input::Lift(Button::Start), tell);
    for number in 0.. {
        let turn = board.status().turn;
        if turn.is_none() || (number >= moves && turn == Some(Side::Red)) {
            break;
        }
        let legal = legal(&board);
        let Some(point) = legal.get(rng.below(legal.len() as u32) as usize) else {
            board.input(Input::Pass, tell);
            continue;
        };
        board.input(Input::Touch(*point), tell);
        board.input(Input::Release(*point), tell);
    }
    board
        .set_settings(settings, tell)
        .expect("it was good before");
    let begun = board.tick();
    let before = board.status().last_move;
    while board.status().turn == Some(Side::Red) && board.status().last_move == before {
        assert!(board.tick() - begun < TURN_MS, "no answer in time");
        board.step(TURN_MS, tell);
    }
    let after = board.status().last_move;
    match after {
        Some(made) if after != before => format!("{}@{}", made.point.0, board.tick() - begun),
        _ if begun == board.tick() => String::new(),
        _ => format!("pass@{}", board.tick() - begun),
    }
}

#[test]
fn every_mind_answers_as_it_did() {
    let mut told = String::new();
    for game in GAMES {
        let about = games::about(game).expect("it is in the table");
        for mode in 0..about.modes {
            let _ = writeln!(told, "{} {mode}", about.name);
            for level in 1..=4 {
                let _ = write!(told, "  level {level}:");
                for side in SIDES {
                    let layout = Layout::grid(side, side).expect("a layout");
                    let settings = Settings {
                        game,
                        mode,
                        level,
                        time: 0,
                        ..Settings::default()
                    };
                    let _ = write!(told, " |");
                    for played in PLAYED {
                        let moves = layout.points() * played / 100;
                        let _ = write!(told, " {}", answer(settings, layout, moves));
                    }
                }
                let _ = writeln!(told);
            }
        }
    }
    insta::assert_snapshot!(told);
}
