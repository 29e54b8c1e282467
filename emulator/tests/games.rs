//! The entries in the list of games are generated from played games: the picture of the
//! board, the number of moves, and the duration.
//!
//! `UPDATE_SESSIONS=1 cargo test -p emulator --test games` rewrites the file.

use std::fmt::Write as _;

use emulator::workbench::games::{LIST, Played};
use firmware_core::{AnyBoard, games};
use protocol::{Button, Deed, Event, Frame, Input, Layout, Roster, Tick};
use touchboard_host::session::{SessionItem, TimedItem};
use touchboard_tests::demo::demo;
use touchboard_tests::legal_point;

/// Longer than any of these games, in ticks.
const LATEST: Tick = 3_600_000;

/// A board that has this game, with the layout for which it is made.
fn board(game: u8) -> AnyBoard {
    let about = games::about(game).unwrap();
    let layout = Layout::Grid((about.made_for)(0));
    let mut board = AnyBoard::with_games(layout, Roster::of(&[game]), 1).unwrap();
    board
        .carry_out(&Deed::Choose(game), &mut |_, _| ())
        .unwrap();
    board
}

/// The record of a game in progress.
#[derive(Default)]
struct GameRecord {
    moves: u32,
    over: Tick,
    frames: Vec<Frame>,
}

impl GameRecord {
    /// Applies `happen` to the board, and records its effects.
    fn see(&mut self, board: &mut AnyBoard, happen: impl FnOnce(&mut AnyBoard, Tell<'_>)) {
        happen(board, &mut |tick, event| match event {
            Event::Move { .. } => self.moves += 1,
            Event::Over(_) => self.over = tick,
            _ => {}
        });
        self.frames.push(board.frame().clone());
    }
}

type Tell<'a> = &'a mut dyn FnMut(Tick, Event);

/// Plays this game in its first mode: by its demonstration or, if the board has no player
/// for it, by touching legal points all over the board.
fn played(game: u8) -> Played {
    let mut seen = GameRecord::default();
    let mut board = board(game);
    if games::about(game).unwrap().board_can_play || game == SYMMETRY {
        let session = demo(game, 0, LATEST);
        let header = &session.header;
        board = AnyBoard::with_games(*header.layout, header.roster, header.seed).unwrap();
        let settings = Deed::Settings(header.settings.unwrap());
        board.carry_out(&settings, &mut |_, _| ()).unwrap();
        for TimedItem { tick, item } in &session.entries {
            seen.see(&mut board, |board, tell| {
                board.advance(tick - board.tick(), tell);
                if let SessionItem::Do(deed) = item {
                    board.carry_out(deed, tell).unwrap();
                }
            });
        }
    } else {
        for input in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
            board.input(input, &mut |_, _| ());
        }
        for number in 0.. {
            let Some(point) = legal_point(&board, (number * 37) as u8) else {
                break;
            };
            seen.see(&mut board, |board, tell| {
                board.input(Input::Touch(point), tell);
                board.input(Input::Release(point), tell);
                board.advance(1_000, tell);
            });
            if board.outcome().is_some() {
                break;
            }
        }
    }
    assert!(board.outcome().is_some(), "game {game} did not end");
    let half = seen.frames.len() / 2;
    let frame = &seen.frames[half];
    Played::new(game, board.layout(), seen.moves, seen.over / 1_000, frame)
}

/// The number of a game without a board's player; a demonstration plays it.
const SYMMETRY: u8 = 4;

#[test]
fn the_list_of_games_is_from_played_games() {
    let mut text = String::new();
    for game in games::BUILT.iter() {
        write!(text, "{}", played(game)).unwrap();
    }
    if std::env::var_os("UPDATE_SESSIONS").is_some() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/workbench/games.txt");
        std::fs::write(file, &text).unwrap();
        return;
    }
    assert_eq!(text, LIST);
}
