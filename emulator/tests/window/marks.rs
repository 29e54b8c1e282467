//! The window's own marks on the board, tested without a window: the last move, and the
//! points where a side may play.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::windowless::app;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use emulator::scene::buttons::StartFrame;
use emulator::scene::marks::{DecidingLink, MarkMeaning, MarksOnBoard, PointMark};
use emulator::scene::pieces::Stands;
use emulator::scene::plan::PointPlan;
use emulator::source::core::InProcess;
use emulator::source::written::OpenText;
use emulator::source::{Shown, WindowCommand};
use emulator::switches::WindowSwitches;
use firmware_core::games::{BUILT, number};
use protocol::{Button, Deed, Input, KnownLayout, Layout, Point, Roster, Settings, Tick};
use touchboard_host::written::{self, EndReason, library};
use touchboard_host::{CoreDriver, Driver, preview};

/// An app with a game in which these points were touched, `then` ticks later.
fn played(settings: Settings, points: &[&str], then: Tick) -> App {
    let mut board = CoreDriver::new(Layout::MALDOO, 3).unwrap();
    board.carry_out(&Deed::Settings(settings)).unwrap();
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 10).unwrap();
    for name in points {
        let point = point(name);
        let touch = [Input::Touch(point), Input::Release(point)];
        board.step(&touch, 10).unwrap();
    }
    board.step(&[], then).unwrap();
    app(InProcess::new(board).unwrap().unhurried())
}

/// The numbers of points that are marked as legal, as forbidden, as that of a
/// held piece, and as its possible targets, after a game of a text began and these points
/// were touched.
fn marked_in_text(name: &str, points: &[&str]) -> [usize; 4] {
    let text = library::text(name).unwrap();
    let layout = written::of_text(name, text, &[]).unwrap().layout;
    let mut board = CoreDriver::new(*layout, 3).unwrap();
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 100).unwrap();
    for name in points {
        let point = layout.point(name).unwrap();
        let touch = [Input::Touch(point), Input::Release(point)];
        board.step(&touch, 100).unwrap();
    }
    let mut app = app(InProcess::new(board).unwrap().unhurried());
    let world = app.world_mut();
    let mut marks = world.query::<&PointMark>();
    [
        MarkMeaning::Legal,
        MarkMeaning::Forbidden,
        MarkMeaning::Held,
        MarkMeaning::Goes,
    ]
    .map(|meaning| {
        let marks = marks.iter(world);
        marks.filter(|mark| mark.meaning == meaning).count()
    })
}

fn point(name: &str) -> Point {
    Layout::MALDOO.point(name).unwrap()
}

fn marked(app: &mut App, meaning: MarkMeaning) -> Vec<String> {
    let world = app.world_mut();
    let mut marks = world.query::<&PointMark>();
    let mut points: Vec<Point> = marks
        .iter(world)
        .filter(|mark| mark.meaning == meaning)
        .map(|mark| mark.point)
        .collect();
    points.sort();
    points
        .into_iter()
        .map(|point| Layout::MALDOO.name(point).to_string())
        .collect()
}

fn game(game: u8) -> Settings {
    Settings {
        game,
        ..Settings::default()
    }
}

#[test]
fn a_ring_marks_the_last_move_and_brackets_legal_points() {
    let mut app = played(game(0), &["e4"], 0);
    assert_eq!(marked(&mut app, MarkMeaning::Last), ["e4"]);
    assert_eq!(marked(&mut app, MarkMeaning::Legal), ["f6", "d4", "f4"]);
    assert_eq!(marked(&mut app, MarkMeaning::LastByClock).len(), 0);
    let at = app.world().resource::<PointPlan>().place(point("e4"));
    let world = app.world_mut();
    let mut marks = world.query::<(&PointMark, &Transform)>();
    let (_, place) = marks
        .iter(world)
        .find(|(mark, _)| mark.meaning == MarkMeaning::Last)
        .unwrap();
    assert_eq!(place.translation.xz(), at.xz());
}

#[test]
fn a_time_out_move_has_its_own_mark() {
    let half_a_minute = Settings { time: 5, ..game(0) };
    let mut app = played(half_a_minute, &["e4"], 30_000);
    assert_eq!(marked(&mut app, MarkMeaning::LastByClock).len(), 1);
    assert_eq!(marked(&mut app, MarkMeaning::Last).len(), 0);
}

#[test]
fn the_ring_around_the_boards_answer_shrinks_onto_it() {
    let level = Settings {
        level: 1,
        ..game(0)
    };
    let mut app = played(level, &["e4"], 0);
    assert_eq!(marked(&mut app, MarkMeaning::Last), ["e4"]);
    assert_eq!(size_of_the_ring(&mut app), 1.0);
    let picture = TimeUpdateStrategy::ManualDuration(Duration::from_millis(16));
    app.insert_resource(picture);
    let most = 500;
    let answers = (0..most).find(|_| {
        app.update();
        marked(&mut app, MarkMeaning::Last) != ["e4"]
    });
    assert!(answers.is_some(), "the board answers");
    let sizes: Vec<f32> = (0..60)
        .map(|_| {
            app.update();
            size_of_the_ring(&mut app)
        })
        .collect();
    assert!(sizes[0] > 1.2, "{sizes:?}");
    assert!(sizes.is_sorted_by(|before, after| before >= after));
    assert_eq!(sizes.last(), Some(&1.0));
}

fn size_of_the_ring(app: &mut App) -> f32 {
    let world = app.world_mut();
    let mut marks = world.query::<(&PointMark, &Transform)>();
    let last = marks
        .iter(world)
        .find(|(mark, _)| mark.meaning == MarkMeaning::Last);
    last.expect("the last move is marked").1.scale.x
}

#[test]
fn illegal_points_are_struck_out_if_they_are_fewer() {
    let mut app = played(game(5), &["a1", "i9"], 0);
    assert_eq!(
        marked(&mut app, MarkMeaning::Forbidden),
        ["a3", "b3", "c3", "a2", "b2", "c2", "b1", "c1"]
    );
    assert_eq!(marked(&mut app, MarkMeaning::Legal).len(), 0);
}

/// An app with a game of a text in which these points were touched.
fn text_played(name: &str, points: &[&str]) -> (App, KnownLayout) {
    let text = library::text(name).unwrap();
    let game = written::of_text(name, text, &[]).unwrap();
    let layout = game.layout.clone();
    let mut board = CoreDriver::new(*layout, 3).unwrap();
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 100).unwrap();
    for name in points {
        let point = layout.point(name).unwrap();
        let touch = [Input::Touch(point), Input::Release(point)];
        board.step(&touch, 1_000).unwrap();
    }
    let mut app = app(InProcess::new(board).unwrap().unhurried());
    let mut open = OpenText::default();
    open.game = Some(Arc::new(game));
    app.insert_resource(open);
    app.update();
    (app, layout)
}

/// Scholar's mate.
const MATE: [&str; 14] = [
    "e2", "e4", "e7", "e5", "d1", "h5", "b8", "c6", "f1", "c4", "g8", "f6", "h5", "f7",
];

#[test]
fn the_king_that_is_mated_is_ringed_beside_the_last_move() {
    let (mut app, layout) = text_played("chess", &MATE);
    assert!(app.world().resource::<Shown>().status.outcome.is_some());
    let decision = app.world().resource::<MarksOnBoard>().decision.clone();
    assert_eq!(decision.unwrap().reason, EndReason::Checkmate);
    let world = app.world_mut();
    let mut marks = world.query::<&PointMark>();
    let mut of = |meaning| {
        let marks = marks.iter(world).filter(|mark| mark.meaning == meaning);
        let names = marks.map(|mark| layout.name(mark.point).to_string());
        names.collect::<Vec<String>>()
    };
    assert_eq!(of(MarkMeaning::Decided), ["e8"]);
    assert_eq!(of(MarkMeaning::Last), ["f7"]);
}

/// In mode 3 of CountLines, the first row of four wins.
#[test]
fn the_first_line_of_countlines_is_ringed_and_joined() {
    let first_line = Settings { mode: 3, ..game(5) };
    let touches = [
        "e5", "a1", "b5", "i1", "f5", "a5", "c5", "i5", "h8", "a9", "d5",
    ];
    let mut app = played(first_line, &touches, 0);
    assert!(app.world().resource::<Shown>().status.outcome.is_some());
    let row = marked(&mut app, MarkMeaning::Decided);
    assert_eq!(row, ["b5", "c5", "d5", "e5", "f5"]);
    let world = app.world_mut();
    let links = world
        .query_filtered::<(), With<DecidingLink>>()
        .iter(world)
        .count();
    assert_eq!(links, row.len() - 1);
    // A game in which the most lines win is decided by no single one.
    let most = Settings { mode: 2, ..game(5) };
    let mut app = played(most, &["e5", "a1", "f5", "b1", "g5", "d1", "h5"], 0);
    assert_eq!(marked(&mut app, MarkMeaning::Decided), [""; 0]);
}

#[test]
fn the_rings_of_a_row_that_wins_close_in_one_after_the_other() {
    for is_animated in [true, false] {
        let (mut app, layout) = text_played("tic-tac-toe", &["a1", "b1", "b2", "c1"]);
        app.world_mut().resource_mut::<WindowSwitches>().motion = is_animated;
        let picture = TimeUpdateStrategy::ManualDuration(Duration::from_millis(16));
        app.insert_resource(picture);
        let c3 = layout.point("c3").unwrap();
        for input in [Input::Touch(c3), Input::Release(c3)] {
            let deed = Deed::Input(input);
            app.world_mut().write_message(WindowCommand::Do(deed));
            for _ in 0..4 {
                app.update();
            }
        }
        let mut sizes = Vec::new();
        for _ in 0..80 {
            app.update();
            let world = app.world_mut();
            let mut marks = world.query::<(&PointMark, &Transform)>();
            let decided = marks.iter(world);
            let decided = decided.filter(|(mark, _)| mark.meaning == MarkMeaning::Decided);
            let mut now: Vec<(Point, f32)> = decided
                .map(|(mark, place)| (mark.point, place.scale.x))
                .collect();
            now.sort_by_key(|(point, _)| *point);
            sizes.push(now.into_iter().map(|(_, size)| size).collect::<Vec<f32>>());
        }
        assert_eq!(sizes.last().unwrap()[..], [1.0; 3]);
        let moves = |sizes: &Vec<f32>| sizes.iter().any(|size| *size != 1.0);
        assert_eq!(sizes.iter().any(moves), is_animated);
        // While one is larger than it will be, another is smaller: not seen yet.
        let in_turn =
            |sizes: &Vec<f32>| sizes.iter().any(|size| *size > 1.0) && sizes.contains(&0.0);
        assert_eq!(sizes.iter().any(in_turn), is_animated);
    }
}

#[test]
fn the_whole_winning_row_is_ringed() {
    let (mut app, layout) = text_played("tic-tac-toe", &["a1", "b1", "b2", "c1", "c3"]);
    let world = app.world_mut();
    let mut marks = world.query::<&PointMark>();
    let of = |meaning| {
        let marks = marks.iter(world).filter(|mark| mark.meaning == meaning);
        let names = marks.map(|mark| layout.name(mark.point).to_string());
        names.collect::<BTreeSet<String>>()
    };
    let [decided, last] = [MarkMeaning::Decided, MarkMeaning::Last].map(of);
    assert_eq!(decided, ["a1", "b2", "c3"].map(str::to_owned).into());
    assert_eq!(last, BTreeSet::new());
}

#[test]
fn texts_mark_legal_or_illegal_points_by_number() {
    // Eight pawns and two knights; then the two squares ahead of the pawn that is held.
    // The pieces that could be picked up instead have no mark any more.
    assert_eq!(marked_in_text("chess", &[]), [10, 0, 0, 0]);
    assert_eq!(marked_in_text("chess", &["e2"]), [0, 0, 1, 2]);
    // A touch that is refused makes all of them flash, and changes no mark.
    assert_eq!(marked_in_text("chess", &["e2", "h6"]), [0, 0, 1, 2]);
    // Every free cell except one is legal: nothing is marked.
    assert_eq!(marked_in_text("hex", &[]), [0; 4]);
}

/// In Clearing (Maldoo manual, FillIt), any point may be touched, lit or dark, if the
/// touch turns a light off.
#[test]
fn games_played_on_lit_points_strike_out_lit_ones() {
    let clear = Settings { mode: 3, ..game(6) };
    let mut app = played(clear, &[], 0);
    let shown = app.world().resource::<Shown>();
    let legal = shown.legal.len();
    let points = shown.layout.points();
    assert!(legal < points);
    assert_eq!(
        marked(&mut app, MarkMeaning::Forbidden).len(),
        points - legal
    );
    assert_eq!(marked(&mut app, MarkMeaning::Legal).len(), 0);
}

#[test]
fn the_many_free_points_of_visiput_have_small_marks() {
    let mut app = played(game(number::VISIPUT), &[], 0);
    let legal = app.world().resource::<Shown>().legal.len();
    assert!(legal > 20, "{legal}");
    assert_eq!(marked(&mut app, MarkMeaning::LegalOfMany).len(), legal);
    assert_eq!(marked(&mut app, MarkMeaning::Legal).len(), 0);
}

#[test]
fn no_marks_give_the_solution_away() {
    for number in [1, 2, 3, 4, 7] {
        let mut app = played(game(number), &[], 20_000);
        assert_eq!(
            marked(&mut app, MarkMeaning::Legal).len(),
            0,
            "game {number}"
        );
        assert_eq!(
            marked(&mut app, MarkMeaning::Forbidden).len(),
            0,
            "game {number}"
        );
    }
}

#[test]
fn marks_are_hidden_when_off_paused_or_the_board_moves() {
    let mut app = played(game(0), &[], 0);
    assert_eq!(marked(&mut app, MarkMeaning::Legal).len(), 4);
    app.world_mut().resource_mut::<WindowSwitches>().tracks = false;
    app.update();
    assert_eq!(marked(&mut app, MarkMeaning::Legal).len(), 0);

    let mut board = CoreDriver::new(Layout::MALDOO, 3).unwrap();
    let hold = [
        Input::Press(Button::Start),
        Input::Lift(Button::Start),
        Input::Touch(point("e4")),
        Input::Release(point("e4")),
        Input::Press(Button::Stop),
    ];
    board.step(&hold, 10).unwrap();
    assert!(board.status().unwrap().paused && board.status().unwrap().last_move.is_some());
    let mut held = app_of(board);
    assert_eq!(marked(&mut held, MarkMeaning::Legal).len(), 0);
    assert_eq!(marked(&mut held, MarkMeaning::Last).len(), 0);

    let level = Settings {
        level: 4,
        ..game(0)
    };
    let mut thinking = played(level, &["e4"], 0);
    assert_eq!(marked(&mut thinking, MarkMeaning::Legal).len(), 0);
    assert_eq!(marked(&mut thinking, MarkMeaning::Last), ["e4"]);
}

/// In Malaka, a pile is lit, and so are the points to which its piece may go.
#[test]
fn a_picked_pile_is_ringed_and_its_top_piece_rises() {
    let malaka = game(10);
    let mut board = CoreDriver::with_games(Layout::MALDOO, BUILT, 3).unwrap();
    board.carry_out(&Deed::Settings(malaka)).unwrap();
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 2_000).unwrap();
    let from = board.legal().unwrap()[0];
    board
        .step(&[Input::Touch(from), Input::Release(from)], 100)
        .unwrap();
    let goals = preview::destinations(board.board());
    assert!(!goals.is_empty());
    let mut app = app_of(board);
    let name = |point: &Point| Layout::MALDOO.name(*point).to_string();
    assert_eq!(marked(&mut app, MarkMeaning::Held), [name(&from)]);
    let goals: BTreeSet<String> = goals.iter().map(name).collect();
    let [free, taken] =
        [MarkMeaning::Goes, MarkMeaning::GoesOnto].map(|meaning| marked(&mut app, meaning));
    let occupied: BTreeSet<String> = {
        let world = app.world_mut();
        let mut pieces = world.query::<&Stands>();
        pieces.iter(world).map(|piece| name(&piece.point)).collect()
    };
    assert!(taken.iter().all(|point| occupied.contains(point)));
    assert!(free.iter().all(|point| !occupied.contains(point)));
    assert_eq!(
        free.into_iter().chain(taken).collect::<BTreeSet<_>>(),
        goals
    );
    let world = app.world_mut();
    let mut pieces = world.query::<&Stands>();
    let pile = pieces.iter(world).filter(|piece| piece.point == from);
    let mut lifts: Vec<f32> = pile.map(|piece| piece.piece.lift).collect();
    lifts.sort_by(f32::total_cmp);
    let [low, top] = lifts[..] else {
        panic!("a pile of two: {lifts:?}");
    };
    assert!(low == 0.0 && top > 0.45, "{lifts:?}");
}

fn app_of(board: CoreDriver) -> App {
    app(InProcess::new(board).unwrap().unhurried())
}

#[test]
fn start_is_framed_until_a_game_is_on() {
    let is_framed = |app: &mut App| {
        let world = app.world_mut();
        let mut frames = world.query_filtered::<&Visibility, With<StartFrame>>();
        *frames.single(world).unwrap() != Visibility::Hidden
    };
    let mut waits = app_of(CoreDriver::new(Layout::MALDOO, 3).unwrap());
    assert!(is_framed(&mut waits));
    assert!(!is_framed(&mut played(game(0), &[], 0)));
    // Ishido's stones do not fit this layout, so START begins nothing.
    let ishido = Roster::of(&[11]);
    let too_small = CoreDriver::with_games(Layout::MALDOO, ishido, 3);
    assert!(!is_framed(&mut app_of(too_small.unwrap())));
}

#[test]
fn a_new_game_clears_the_old_marks() {
    let mut app = played(game(0), &["e4"], 0);
    assert_eq!(marked(&mut app, MarkMeaning::Last), ["e4"]);
    app.world_mut()
        .write_message(WindowCommand::Do(Deed::Input(Input::Press(Button::Start))));
    // Longer than the debouncing of a touch.
    let picture = TimeUpdateStrategy::ManualDuration(Duration::from_millis(16));
    app.insert_resource(picture);
    app.update();
    app.update();
    assert_eq!(marked(&mut app, MarkMeaning::Last).len(), 0);
}

#[test]
fn the_origin_of_the_last_move_is_marked() {
    let text = library::text("chess").unwrap();
    let layout = written::of_text("chess", text, &[]).unwrap().layout;
    let board = CoreDriver::new(*layout, 3).unwrap();
    let mut app = app(InProcess::new(board).unwrap().unhurried());
    let give = |app: &mut App, input| {
        let deed = Deed::Input(input);
        app.world_mut().write_message(WindowCommand::Do(deed));
        for _ in 0..10 {
            app.update();
        }
    };
    give(&mut app, Input::Press(Button::Start));
    give(&mut app, Input::Lift(Button::Start));
    let mut touch = |name: &str| {
        let point = layout.point(name).unwrap();
        give(&mut app, Input::Touch(point));
        give(&mut app, Input::Release(point));
        let world = app.world_mut();
        let mut marks = world.query::<&PointMark>();
        let came = marks
            .iter(world)
            .filter(|mark| mark.meaning == MarkMeaning::CameFrom);
        came.map(|mark| layout.name(mark.point).to_string())
            .collect::<Vec<_>>()
    };
    // A piece that is only picked up, or put down again, has not moved.
    for name in ["d2", "d2", "e2"] {
        assert_eq!(touch(name), [""; 0], "{name}");
    }
    assert_eq!(touch("e4"), ["e2"]);
    assert_eq!(touch("e7"), ["e2"]);
    assert_eq!(touch("e5"), ["e7"]);
}
