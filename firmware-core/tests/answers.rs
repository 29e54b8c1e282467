//! The answers of the minds and their timing, recorded for every game that is won by
//! looking ahead, in every mode, at every level, on a board of each width.
//!
//! In the recorded sessions of the workspace, level 1 plays for a while. Here are a few
//! answers of each level, from the first moves of a game to its last ones. After an
//! intended change, the diff shows which answers differ.

use std::fmt::Write;

use firmware_core::minds::pace::{EARLIEST_MS, LATEST_MS};
use firmware_core::{AnyBoard, Rng, SNAPSHOT_BYTES, games};
use protocol::{Button, Input, Layout, Point, Settings, Side, Tick};

/// Reversi, CountLines, FillIt, Visiput, SpeedGo.
const GAMES: [u8; 5] = [0, 5, 6, 8, 9];
/// Malaka, Ishido and TicDabToe, each with the modes whose searches differ.
const OF_LARGER_BOARDS: [(u8, &[u8]); 3] =
    [(10, &[0, 4, 10, 15]), (11, &[0, 1, 2, 3]), (12, &[0, 1])];
/// One side length for each word width.
const SIDES: [u8; 3] = [7, 9, 12];
/// The number of random moves before the mind is asked, in hundredths of the board's
/// points.
const PLAYED: [usize; 6] = [4, 20, 35, 50, 70, 85];
/// The shortest time limit of a turn.
const TURN_MS: Tick = 5_000;
/// The interval, in steps, at which the board is saved and loaded.
const MOMENTS: u32 = 61;

/// What happens to a board while its mind thinks.
#[derive(Clone, Copy, PartialEq)]
enum Interrupted {
    Never,
    /// The board is saved, and another board loads the state and continues.
    Often,
}

/// A board with a different seed that has loaded this board's state.
fn other(board: &AnyBoard) -> AnyBoard {
    let mut buffer = [0; SNAPSHOT_BYTES];
    let saved = board.save(&mut buffer).expect("there is room");
    let other = AnyBoard::with_games(board.layout(), board.roster(), 99);
    let mut other = other.expect("a layout");
    other.load(saved).expect("it was saved just now");
    other
}

/// True while the turn will continue without a touch, and at most a take-back is
/// possible.
fn is_waiting(board: &AnyBoard) -> bool {
    let goes_on = board.status().clock.is_none() && board.wakes_at().is_some();
    goes_on && legal(board).len() <= 1
}

fn legal(board: &AnyBoard) -> Vec<Point> {
    let mut legal = Vec::new();
    board.legal(&mut |point| legal.push(point));
    legal
}

/// A board after so many random moves of both sides, at the mind's turn unless the game
/// is over.
fn played(settings: Settings, layout: Layout, moves: usize, minds: Side) -> AnyBoard {
    let board = AnyBoard::with_games(layout, games::BUILT, 7);
    let mut board = board.expect("a layout");
    let mut rng = Rng::new(moves as u64);
    let tell = &mut |_, _| {};
    let by_hand = Settings {
        level: 0,
        ..settings
    };
    board
        .carry_out(&protocol::Deed::Settings(by_hand), tell)
        .expect("there is such a mode");
    board.input(Input::Press(Button::Start), tell);
    board.input(Input::Lift(Button::Start), tell);
    for number in 0.. {
        let turn = board.status().turn;
        if turn.is_none() || (number >= moves && turn == Some(minds) && !is_waiting(&board)) {
            break;
        }
        let legal = legal(&board);
        if is_waiting(&board) {
            // A stone that can still be taken back, or dice without a possible move.
            board.advance(100, tell);
            continue;
        }
        let Some(point) = legal.get(rng.below(legal.len() as u32) as usize) else {
            board.input(Input::Pass, tell);
            continue;
        };
        board.input(Input::Touch(*point), tell);
        board.input(Input::Release(*point), tell);
    }
    board
}

/// The answer in a game of random moves, as `POINT@MS`: empty if the game has ended
/// before, `pass` if the turn is given away.
fn answer(settings: Settings, layout: Layout, moves: usize, interrupted: Interrupted) -> String {
    // In a game for one player, the mind plays green.
    let minds = match settings.game {
        11 if settings.mode < 2 => Side::Green,
        _ => Side::Red,
    };
    let mut board = played(settings, layout, moves, minds);
    let tell = &mut |_, _| {};
    board
        .carry_out(&protocol::Deed::Settings(settings), tell)
        .expect("it was good before");
    let begun = board.tick();
    let before = board.status().last_move;
    let mut moments = 0;
    while board.status().turn == Some(minds) && board.status().last_move == before {
        assert!(board.tick() - begun < TURN_MS, "no answer in time");
        board.step(TURN_MS, tell);
        moments += 1;
        if interrupted == Interrupted::Often && moments % MOMENTS == 0 {
            board = other(&board);
        }
    }
    let thought_ms = board.tick() - begun;
    let in_time = thought_ms == 0 || (EARLIEST_MS..=LATEST_MS).contains(&thought_ms);
    assert!(in_time, "an answer after {thought_ms} ms");
    let after = board.status().last_move;
    match after {
        Some(made) if after != before => format!("{}@{}", made.point.0, thought_ms),
        _ if thought_ms == 0 => String::new(),
        _ => format!("pass@{}", thought_ms),
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
                        let _ = write!(
                            told,
                            " {}",
                            answer(settings, layout, moves, Interrupted::Never)
                        );
                    }
                }
                let _ = writeln!(told);
            }
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn every_mind_on_larger_boards_answers_as_it_did() {
    let mut told = String::new();
    for (game, modes) in OF_LARGER_BOARDS {
        let about = games::about(game).expect("it is in the table");
        for mode in modes.iter().copied() {
            let layout = Layout::Grid((about.made_for)(mode));
            let _ = writeln!(told, "{} {mode} on {layout}", about.name);
            for level in 1..=4 {
                let _ = write!(told, "  level {level}:");
                let settings = Settings {
                    game,
                    mode,
                    level,
                    time: 0,
                    ..Settings::default()
                };
                for played in PLAYED {
                    let moves = layout.points() * played / 100;
                    let answer = answer(settings, layout, moves, Interrupted::Never);
                    let _ = write!(told, " {answer}");
                }
                let _ = writeln!(told);
            }
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_mind_answers_the_same_after_repeated_saves() {
    for (game, side) in GAMES.into_iter().zip([9, 9, 12, 9, 12]) {
        for level in [2, 4] {
            let layout = Layout::grid(side, side).expect("a layout");
            let settings = Settings {
                game,
                level,
                time: 0,
                ..Settings::default()
            };
            let moves = layout.points() / 8;
            let [whole, loaded] = [Interrupted::Never, Interrupted::Often]
                .map(|interrupted| answer(settings, layout, moves, interrupted));
            assert!(!whole.is_empty(), "game {game} goes on that long");
            assert_eq!(whole, loaded, "game {game}, level {level}, {layout}");
        }
    }
    for (game, modes) in OF_LARGER_BOARDS {
        let (about, mode) = (games::about(game).expect("it is there"), modes[0]);
        let layout = Layout::Grid((about.made_for)(mode));
        let settings = Settings {
            game,
            mode,
            level: 4,
            time: 0,
            ..Settings::default()
        };
        let [whole, loaded] = [Interrupted::Never, Interrupted::Often]
            .map(|interrupted| answer(settings, layout, layout.points() / 8, interrupted));
        assert!(!whole.is_empty(), "game {game} goes on that long");
        assert_eq!(whole, loaded, "game {game}, {layout}");
    }
}
