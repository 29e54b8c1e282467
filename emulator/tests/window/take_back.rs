//! Taking back, tested without a window: a move with one and with two touches, against a
//! person and against the board, a pass, and a game that was left.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use emulator::keys::{Meaning, Stroke, StrokePhase};
use emulator::source::core::InProcess;
use emulator::source::{Bring, Log, Shown, WindowCommand};
use emulator::workbench::story::StoryPlugin;
use emulator::workbench::take_back::{TakeBackPlugin, TouchWait};
use firmware_core::games::number;
use protocol::{Button, Colour, Deed, Input, Layout, Settings, Side};
use touchboard_host::CoreDriver;
use touchboard_host::written::{self, library};

/// A board on which a game begins.
fn begun(layout: Layout, level: u8) -> App {
    let board = InProcess::new(CoreDriver::new(layout, 3).unwrap())
        .unwrap()
        .unhurried();
    let mut app = crate::windowless::app(board);
    let step = TimeUpdateStrategy::ManualDuration(Duration::from_millis(50));
    app.insert_resource(step)
        .add_plugins((StoryPlugin, TakeBackPlugin));
    let settings = shown(&app).status.settings;
    command(&mut app, Deed::Settings(Settings { level, ..settings }));
    command(&mut app, Deed::Input(Input::Press(Button::Start)));
    command(&mut app, Deed::Input(Input::Lift(Button::Start)));
    app
}

fn command(app: &mut App, deed: Deed) {
    app.world_mut().write_message(WindowCommand::Do(deed));
    for _ in 0..3 {
        app.update();
    }
}

fn touch(app: &mut App, point: &str) {
    let point = shown(app).layout.point(point).unwrap();
    command(app, Deed::Input(Input::Touch(point)));
    command(app, Deed::Input(Input::Release(point)));
}

fn take_back(app: &mut App) {
    app.world_mut().write_message(Stroke {
        meaning: Meaning::TakeBack,
        phase: StrokePhase::Down,
    });
    for _ in 0..3 {
        app.update();
    }
}

fn shown(app: &App) -> &Shown {
    app.world().resource::<Shown>()
}

/// The colours of all points.
fn seen(app: &App) -> Vec<Colour> {
    let Shown { layout, frame, .. } = shown(app);
    layout.iter().map(|point| frame.points.get(point)).collect()
}

fn waits(app: &App) -> TouchWait {
    *app.world().resource::<TouchWait>()
}

#[test]
fn take_back_removes_a_move_of_two_touches() {
    let chess = written::of_text("chess", library::text("chess").unwrap(), &[]).unwrap();
    let mut app = begun(*chess.layout, 0);
    let at_first = seen(&app);
    touch(&mut app, "e2");
    touch(&mut app, "e4");
    let after_green = seen(&app);
    assert_ne!(at_first, after_green);
    touch(&mut app, "e7");
    touch(&mut app, "e5");
    take_back(&mut app);
    assert_eq!(seen(&app), after_green);
    assert_eq!(waits(&app), TouchWait::TakenBack);
    take_back(&mut app);
    assert_eq!(seen(&app), at_first);
    assert!(shown(&app).pace.frozen);
    // There is no earlier move to take back.
    take_back(&mut app);
    assert_eq!(seen(&app), at_first);
    touch(&mut app, "d2");
    assert_eq!(waits(&app), TouchWait::No);
    assert!(!shown(&app).pace.frozen);
    touch(&mut app, "d4");
    assert_ne!(seen(&app), at_first);
    assert_ne!(seen(&app), after_green);
}

#[test]
fn take_back_against_the_board_removes_its_answer() {
    let mut app = begun(Layout::MALDOO, 1);
    let at_first = seen(&app);
    touch(&mut app, "e4");
    for _ in 0..100 {
        app.update();
    }
    assert!(!shown(&app).status.thinking, "red has answered");
    take_back(&mut app);
    assert_eq!(seen(&app), at_first);
    assert_eq!(waits(&app), TouchWait::TakenBack);
}

#[test]
fn time_set_running_after_a_take_back_keeps_running() {
    let mut app = begun(Layout::MALDOO, 0);
    touch(&mut app, "e4");
    take_back(&mut app);
    app.world_mut()
        .write_message(WindowCommand::Pace(Default::default()));
    app.update();
    app.update();
    assert_eq!(waits(&app), TouchWait::No);
    assert!(!shown(&app).pace.frozen);
}

#[test]
fn a_pass_of_ones_own_is_taken_back_like_a_move() {
    let go = written::of_text("go", library::text("go").unwrap(), &[]).unwrap();
    let mut app = begun(*go.layout, 0);
    let at_first = seen(&app);
    touch(&mut app, "d4");
    let after_green = seen(&app);
    assert_eq!(shown(&app).status.turn, Some(Side::Red));
    command(&mut app, Deed::Input(Input::Pass));
    assert_eq!(shown(&app).status.turn, Some(Side::Green));
    take_back(&mut app);
    assert_eq!(shown(&app).status.turn, Some(Side::Red));
    assert_eq!(seen(&app), after_green);
    take_back(&mut app);
    assert_eq!(seen(&app), at_first);
}

#[test]
fn take_back_restores_a_game_left_by_start_or_a_setting() {
    let settings = |mode, app: &App| Settings {
        mode,
        ..shown(app).status.settings
    };
    for is_new_game in [true, false] {
        let mut app = begun(Layout::MALDOO, 0);
        touch(&mut app, "e4");
        let (played, last) = (seen(&app), shown(&app).status.last_move);
        assert!(last.is_some());
        if is_new_game {
            command(&mut app, Deed::Input(Input::Press(Button::Start)));
            command(&mut app, Deed::Input(Input::Lift(Button::Start)));
        } else {
            let other = Deed::Settings(settings(1, &app));
            command(&mut app, other);
        }
        assert_eq!(shown(&app).status.last_move, None);
        take_back(&mut app);
        assert_eq!(shown(&app).status.last_move, last);
        assert_eq!(seen(&app), played);
        assert_eq!(waits(&app), TouchWait::Continued);
    }
}

#[test]
fn take_back_prefers_moves_of_the_new_game() {
    let mut app = begun(Layout::MALDOO, 0);
    touch(&mut app, "e4");
    command(&mut app, Deed::Input(Input::Press(Button::Start)));
    command(&mut app, Deed::Input(Input::Lift(Button::Start)));
    let anew = seen(&app);
    touch(&mut app, "d7");
    take_back(&mut app);
    assert_eq!(seen(&app), anew);
}

#[test]
fn take_back_restores_a_game_left_for_one_on_another_board() {
    let mut app = begun(Layout::MALDOO, 0);
    for point in ["e4", "d6"] {
        touch(&mut app, point);
    }
    let (played, last) = (seen(&app), shown(&app).status.last_move);
    let lines = |app: &App| app.world().resource::<Log>().iter().count();
    let told = lines(&app);
    let ishido = number::ISHIDO;
    app.world_mut().write_message(Bring::Game(ishido));
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(shown(&app).layout, Layout::grid(12, 8).unwrap());
    take_back(&mut app);
    assert_eq!(shown(&app).layout, Layout::MALDOO);
    assert_eq!((seen(&app), lines(&app)), (played, told));
    assert_eq!(shown(&app).status.last_move, last);
    // The moves of the game that came back can be taken back, too.
    take_back(&mut app);
    take_back(&mut app);
    assert_eq!(shown(&app).status.last_move, None);
    assert!(shown(&app).pace.frozen);
}

#[test]
fn the_clock_of_a_continued_game_waits_for_a_touch() {
    let mut app = begun(Layout::MALDOO, 0);
    touch(&mut app, "e4");
    app.world_mut().write_message(Bring::Game(number::ISHIDO));
    for _ in 0..3 {
        app.update();
    }
    take_back(&mut app);
    assert_eq!(waits(&app), TouchWait::Continued);
    let clock = shown(&app).status.clock;
    assert!(clock.is_some());
    for _ in 0..100 {
        app.update();
    }
    assert_eq!(shown(&app).status.clock, clock);
    let point = shown(&app).legal[0];
    let point = shown(&app).layout.name(point).to_string();
    touch(&mut app, &point);
    assert_eq!(waits(&app), TouchWait::No);
    let before = shown(&app).status.clock;
    for _ in 0..100 {
        app.update();
    }
    assert_ne!(shown(&app).status.clock, before);
}
