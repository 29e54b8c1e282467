//! The entries in the list of games are generated from played games: the picture of the
//! board, the number of moves, and the duration; of games that are texts, the number of
//! moves.
//!
//! `UPDATE_SESSIONS=1 cargo test -p emulator --test window games::` rewrites the files.

use std::fmt::Write as _;

use emulator::workbench::games::{LIST, Played, TEXT_MOVES};
use firmware_core::games::Playing;
use firmware_core::{
    AnyBoard, BoardTurn, Context, EventSink, Ground, Rng, Touch, Wide, Word, games,
};
use protocol::{Button, Deed, Event, Frame, Input, Layout, Roster, Tick};
use touchboard_host::session::{SessionEntry, SessionItem};
use touchboard_host::written::{library, of_text};
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
    fn see(&mut self, board: &mut AnyBoard, happen: impl FnOnce(&mut AnyBoard, EventSink<'_>)) {
        happen(board, &mut |tick, event| match event {
            Event::Move { .. } => self.moves += 1,
            Event::Over(_) => self.over = tick,
            _ => {}
        });
        self.frames.push(board.frame().clone());
    }
}

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
        for SessionEntry { tick, item } in &session.entries {
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
    compare("games.txt", LIST, &text);
}

/// The level of both players of a text.
const LEVEL: u8 = 2;
/// The maximum number of ticks of a game between two players.
const LONGEST: Tick = 1_000_000;
/// The maximum number of moves of a game whose length is shown: in a longer one, these
/// players did not know how to win, and people end it sooner.
const MOST_MOVES: u32 = 300;

/// The number of moves in a game of the layout between two of the board's players; `None`
/// if it does not end in time.
fn moves_on(layout: Layout) -> Option<u32> {
    match layout.points() {
        0..=64 => moves_between_players::<u64>(layout),
        65..=128 => moves_between_players::<u128>(layout),
        _ => moves_between_players::<Wide>(layout),
    }
}

fn moves_between_players<W: Word>(layout: Layout) -> Option<u32> {
    let ground = Ground::<W>::new(layout).unwrap();
    let mut context = Context {
        ground: &ground,
        rng: &mut Rng::new(1),
        now: 0,
        speed: 5,
        events: &mut Default::default(),
    };
    let mut playing = Playing::start(games::LAYOUTS_OWN, 0, &mut context).unwrap();
    let mut moves = 0;
    for now in 0..LONGEST {
        context.now = now;
        if playing.game().outcome().is_some() {
            return Some(moves);
        }
        if moves > MOST_MOVES {
            return None;
        }
        let is_due = |at: Option<Tick>| at.is_some_and(|at| at <= now);
        let turn = playing.game().turn();
        let player_at = turn.map(|_| playing.opponent().wakes_at());
        if is_due(playing.game().wakes_at()) {
            playing.game_mut().wake(&mut context);
        } else if is_due(player_at) {
            match playing.opponent_mut().wake(LEVEL, &mut context) {
                BoardTurn::Wait => {}
                BoardTurn::Pass => {
                    playing.game_mut().pass(&mut context);
                }
                BoardTurn::Touch(point) => {
                    let touch = playing.game_mut().touch(point, &mut context);
                    moves += u32::from(matches!(touch, Touch::Move(_)));
                }
            }
        }
        context.events.clear();
        if playing.game().turn() != turn {
            playing.opponent_mut().reset();
        }
    }
    None
}

#[test]
fn the_lengths_of_texts_are_from_played_games() {
    let mut lines = String::new();
    for (name, text) in library::TEXTS {
        let game = of_text(name, text, &[]).unwrap();
        if game.compiled.players > 0
            && let Some(moves) = moves_on(*game.layout)
        {
            writeln!(lines, "{name} {moves}").unwrap();
        }
    }
    compare("texts.txt", TEXT_MOVES, &lines);
}

/// Compares the text with this file of the workbench, or rewrites the file.
#[track_caller]
fn compare(file: &str, known: &str, text: &str) {
    if std::env::var_os("UPDATE_SESSIONS").is_some() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/workbench/");
        std::fs::write(format!("{folder}{file}"), text).unwrap();
        return;
    }
    assert_eq!(text, known);
}
