//! The pieces on the board and their motions, tested without a window: the visible pieces
//! are those that the board reports, whatever is moving or interrupted.

use std::time::Duration;

use crate::windowless::app;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use emulator::keys::{Meaning, Stroke, StrokePhase};
use emulator::scene::camera::Viewpoint;
use emulator::scene::coins::Coin;
use emulator::scene::dice::Die;
use emulator::scene::motion::Actor;
use emulator::scene::pieces::Stands;
use emulator::scene::plan::PointPlan;
use emulator::source::core::InProcess;
use emulator::source::{BoardPace, BoardTime, Shown, WindowCommand};
use emulator::switches::WindowSwitches;
use firmware_core::games;
use protocol::{Button, Deed, Input, KnownLayout, Layout, Point, Settings};
use touchboard_host::pieces::HeldPiece;
use touchboard_host::pieces::figures::PieceShape;
use touchboard_host::{CoreDriver, Driver, written};
use touchboard_tests::texts::layouts;

/// Real time between two pictures.
const PICTURE: Duration = Duration::from_millis(20);
/// Pictures that take longer than any motion, including a cheer and its delay.
const LONG: usize = 60;

fn text(name: &str) -> KnownLayout {
    let all = layouts();
    all.into_iter().find(|(other, _)| other == name).unwrap().1
}

/// A board of this layout on which a game has begun.
fn begun(layout: KnownLayout) -> CoreDriver {
    let mut board = CoreDriver::new(*layout, 3).unwrap();
    start(&mut board);
    board
}

fn start(board: &mut CoreDriver) {
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 50).unwrap();
    // Some games search for a while before their first move.
    for _ in 0..40 {
        if !board.legal().unwrap().is_empty() {
            return;
        }
        board.step(&[], 50).unwrap();
    }
}

/// The game of this number, begun on the layout for which it is made.
fn begun_game(game: u8) -> CoreDriver {
    let about = games::about(game).unwrap();
    let layout = Layout::Grid((about.made_for)(0));
    let mut board = CoreDriver::with_games(layout, games::BUILT, 3).unwrap();
    let settings = Settings {
        game,
        ..Settings::default()
    };
    board.carry_out(&Deed::Settings(settings)).unwrap();
    start(&mut board);
    board
}

/// The window of this board; every update is one picture.
fn window(board: CoreDriver) -> App {
    let mut app = app(InProcess::new(board).unwrap().unhurried());
    app.insert_resource(TimeUpdateStrategy::ManualDuration(PICTURE));
    pictures(&mut app, 2);
    app
}

fn pictures(app: &mut App, count: usize) {
    for _ in 0..count {
        app.update();
    }
}

/// Touches a point for a moment.
fn tap(app: &mut App, name: &str) {
    let point = app.world().resource::<Shown>().layout.point(name).unwrap();
    for input in [Input::Touch(point), Input::Release(point)] {
        app.world_mut()
            .write_message(WindowCommand::Do(Deed::Input(input)));
    }
    pictures(app, 2);
}

fn count<T: Component>(app: &mut App) -> usize {
    let world = app.world_mut();
    world.query::<&T>().iter(world).count()
}

/// The visible pieces: those that have a place and are not hidden.
fn seen(app: &mut App) -> Vec<(Point, PieceShape)> {
    let world = app.world_mut();
    let mut all = world.query::<(&Stands, &Visibility)>();
    let seen = all.iter(world);
    let mut seen: Vec<(Point, PieceShape)> = seen
        .filter(|(_, visibility)| **visibility != Visibility::Hidden)
        .map(|(stands, _)| (stands.point, stands.piece.look.form))
        .collect();
    seen.sort();
    seen
}

/// True if the visible pieces are those of the board, each at its place.
fn is_true(app: &mut App) -> bool {
    let figures = app.world().resource::<Shown>().pieces.clone();
    let figures = figures.map_or_else(Vec::new, |pieces| pieces.figures);
    let mut said: Vec<Point> = figures
        .iter()
        .flat_map(|(point, figure)| std::iter::repeat_n(*point, usize::from(figure.levels())))
        .collect();
    said.sort();
    let plan = app.world().resource::<PointPlan>().clone();
    let world = app.world_mut();
    let mut all = world.query::<(&Stands, &Transform)>();
    let mut stand = Vec::new();
    for (stands, place) in all.iter(world) {
        let at = plan.place(stands.point);
        if place.translation.xz() != at.xz() || place.scale != Vec3::splat(plan.pitch()) {
            return false;
        }
        stand.push(stands.point);
    }
    stand.sort();
    stand == said
}

/// Asserts that nothing moves, and that every piece is visible at its place.
#[track_caller]
fn assert_still(app: &mut App) {
    assert_eq!(count::<Actor>(app), 0);
    assert!(is_true(app));
    let stands = count::<Stands>(app);
    assert_eq!(seen(app).len(), stands);
}

#[test]
fn every_piece_of_every_text_has_a_figure() {
    for (name, layout) in layouts() {
        let mut board = begun(layout.clone());
        for touch in 0..12 {
            let legal = board.legal().unwrap();
            let Some(point) = legal.get(touch * 5 % legal.len().max(1)) else {
                break;
            };
            let tap = [Input::Touch(*point), Input::Release(*point)];
            board.step(&tap, 400).unwrap();
        }
        let lies = touchboard_host::games::pieces(board.board()).unwrap();
        let game = written::game_of(layout.drawing().unwrap()).unwrap();
        let is_lights = (1..game.cartridge.pieces()).all(|what| {
            game.cartridge
                .name_of_piece(what as u8)
                .starts_with("Light")
        });
        assert_eq!(lies.figures.is_empty(), is_lights, "{name}");
        let mut app = window(board);
        assert_still(&mut app);
        assert_eq!(count::<Stands>(&mut app) > 0, !is_lights, "{name}");
    }
}

#[test]
fn a_moving_pawn_is_shown_once_and_ends_in_place() {
    let mut app = window(begun(text("chess")));
    assert_still(&mut app);
    tap(&mut app, "e2");
    let e4 = text("chess").point("e4").unwrap();
    tap(&mut app, "e4");
    // The board changes immediately, without waiting for the motion.
    assert!(is_true(&mut app));
    assert_eq!(count::<Actor>(&mut app), 1);
    assert!(!seen(&mut app).contains(&(e4, PieceShape::Pawn)));
    pictures(&mut app, LONG);
    assert_still(&mut app);
    assert!(seen(&mut app).contains(&(e4, PieceShape::Pawn)));
}

/// A window in the middle of a motion.
fn midway() -> App {
    let mut app = window(begun(text("chess")));
    tap(&mut app, "e2");
    tap(&mut app, "e4");
    assert_eq!(count::<Actor>(&mut app), 1);
    app
}

#[test]
fn interrupting_a_motion_puts_every_piece_in_place() {
    let mut frozen = midway();
    let hold = WindowCommand::Pace(BoardPace {
        frozen: true,
        speed: 1.0,
    });
    frozen.world_mut().write_message(hold);
    pictures(&mut frozen, 1);
    assert_still(&mut frozen);

    let mut back = midway();
    back.world_mut().write_message(WindowCommand::GoTo(100));
    pictures(&mut back, 1);
    assert_still(&mut back);
    assert_eq!(back.world().resource::<BoardTime>().0, 100);

    let mut off = midway();
    off.world_mut().resource_mut::<WindowSwitches>().motion = false;
    pictures(&mut off, 1);
    assert_still(&mut off);

    let mut from_above = midway();
    *from_above.world_mut().resource_mut::<Viewpoint>() = Viewpoint::Top;
    pictures(&mut from_above, 1);
    assert_still(&mut from_above);

    let mut anew = midway();
    anew.world_mut()
        .write_message(WindowCommand::Do(Deed::Input(Input::Press(Button::Start))));
    pictures(&mut anew, 3);
    assert_still(&mut anew);

    let mut another = midway();
    tap(&mut another, "e7");
    tap(&mut another, "e5");
    assert!(is_true(&mut another));
    assert_eq!(count::<Actor>(&mut another), 1);
    pictures(&mut another, LONG);
    assert_still(&mut another);
}

#[test]
fn stepping_and_time_travel_show_no_motion() {
    let mut app = midway();
    pictures(&mut app, LONG);
    let end = app.world().resource::<BoardTime>().0;
    for tick in [60, end, 100, end] {
        app.world_mut().write_message(WindowCommand::GoTo(tick));
        pictures(&mut app, 1);
        assert_still(&mut app);
    }
    app.world_mut().write_message(WindowCommand::GoTo(60));
    pictures(&mut app, 1);
    for _ in 0..20 {
        app.world_mut().write_message(WindowCommand::Step(10));
        pictures(&mut app, 1);
        assert_still(&mut app);
    }
}

#[test]
fn switching_motion_off_shows_none() {
    let mut app = window(begun(text("chess")));
    app.world_mut().resource_mut::<WindowSwitches>().motion = false;
    for name in ["e2", "e4", "e7", "e5", "g1", "f3"] {
        tap(&mut app, name);
        assert_still(&mut app);
    }
    let mut reversi = window(begun_game(0));
    reversi.world_mut().resource_mut::<WindowSwitches>().motion = false;
    tap(&mut reversi, "e4");
    assert_eq!(count::<Coin>(&mut reversi), 0);
}

#[test]
fn a_picture_of_a_frozen_board_shows_no_motion() {
    let mut app = window(begun(text("chess")));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_micros(1)));
    tap(&mut app, "e2");
    app.world_mut().write_message(WindowCommand::Step(5));
    tap(&mut app, "e4");
    assert_still(&mut app);
}

#[test]
fn motions_do_not_delay_board_time() {
    let [with, without] = [true, false].map(|is_moving| {
        let mut app = window(begun(text("chess")));
        app.world_mut().resource_mut::<WindowSwitches>().motion = is_moving;
        let begin = app.world().resource::<BoardTime>().0;
        for name in ["e2", "e4", "d7", "d5", "e4", "d5"] {
            tap(&mut app, name);
        }
        let points = app.world().resource::<Shown>().frame.points.clone();
        (app.world().resource::<BoardTime>().0 - begin, points)
    });
    assert_eq!(with, without);
}

#[test]
fn turned_stones_flip_while_lights_change_at_once() {
    let mut app = window(begun_game(0));
    let before = app.world().resource::<Shown>().frame.points.clone();
    let legal = app.world().resource::<Shown>().legal.clone();
    assert!(!legal.is_empty());
    let name = Layout::MALDOO.name(legal[0]).to_string();
    tap(&mut app, &name);
    let now = app.world().resource::<Shown>().frame.points.clone();
    assert_ne!(before, now);
    let changed = Layout::MALDOO
        .iter()
        .filter(|point| before.get(*point) != now.get(*point))
        .count();
    assert!(changed >= 2);
    assert_eq!(count::<Coin>(&mut app), changed);
    pictures(&mut app, LONG);
    assert_eq!(count::<Coin>(&mut app), 0);
}

#[test]
fn one_key_hides_and_shows_the_pieces() {
    let mut app = window(begun(text("chess")));
    let stroke = || Stroke {
        meaning: Meaning::Pieces,
        phase: StrokePhase::Down,
    };
    let all = count::<Stands>(&mut app);
    assert_eq!(all, 32);
    app.world_mut().write_message(stroke());
    pictures(&mut app, 1);
    assert_eq!(count::<Stands>(&mut app), 0);
    assert!(!app.world().resource::<WindowSwitches>().pieces);
    app.world_mut().write_message(stroke());
    pictures(&mut app, 1);
    assert_eq!(count::<Stands>(&mut app), all);
    assert_still(&mut app);
}

#[test]
fn chess_pieces_have_letters_seen_from_above() {
    let mut app = window(begun(text("chess")));
    *app.world_mut().resource_mut::<Viewpoint>() = Viewpoint::Top;
    pictures(&mut app, 1);
    let mut letters: Vec<char> = seen(&mut app)
        .iter()
        .filter_map(|(_, form)| form.sign())
        .collect();
    assert_eq!(letters.len(), 32);
    letters.sort_unstable();
    letters.dedup();
    assert_eq!(letters.len(), 6);
}

#[test]
fn the_dice_on_the_table_always_match_the_board() {
    let mut app = window(begun_game(10));
    let mut rolls = 0;
    for touch in 0..60_usize {
        let shown = app.world().resource::<Shown>();
        let held = shown.pieces.as_ref().map_or(&[][..], |lies| &lies.held);
        let mut said: Vec<u8> = held
            .iter()
            .filter_map(|held| match held {
                HeldPiece::Die(pips) => Some(*pips),
                HeldPiece::Stone(_) => None,
            })
            .collect();
        let legal = shown.legal.clone();
        let layout = shown.layout;
        said.sort_unstable();
        let world = app.world_mut();
        let mut dice: Vec<u8> = world
            .query::<&Die>()
            .iter(world)
            .map(|die| die.pips)
            .collect();
        dice.sort_unstable();
        assert_eq!(dice, said);
        assert!(is_true(&mut app));
        rolls += usize::from(!said.is_empty());
        match legal.get(touch * 3 % legal.len().max(1)) {
            Some(point) => tap(&mut app, &layout.name(*point).to_string()),
            None => pictures(&mut app, 10),
        }
    }
    assert!(rolls > 10);
    pictures(&mut app, LONG);
    assert_eq!(count::<Actor>(&mut app), 0);
}

#[test]
fn the_winning_pieces_cheer_and_come_to_rest() {
    let mut app = window(begun(text("tic-tac-toe")));
    for name in ["a1", "a2", "b1", "b2", "c1"] {
        tap(&mut app, name);
    }
    let shown = app.world().resource::<Shown>();
    assert!(shown.status.outcome.is_some());
    // Three pieces cheer, and the last one is still arriving.
    assert!(count::<Actor>(&mut app) >= 3);
    pictures(&mut app, LONG);
    assert_still(&mut app);
}
