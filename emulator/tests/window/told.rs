//! Messages to the user about failed requests, about saving, and about the speed of board
//! time.

use std::path::PathBuf;
use std::time::Duration;

use crate::windowless::app;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use emulator::source::core::InProcess;
use emulator::source::{
    BoardPace, Connect, RealRate, Save, Saved, SessionFolder, Shown, Source, SourceError, Trouble,
    WindowCommand,
};
use emulator::workbench::hint::{Hint, HintPlugin};
use firmware_core::EventSink;
use protocol::{Button, Deed, Input, Layout, Settings, Tick};
use tempfile::tempdir;
use touchboard_host::session::Session;
use touchboard_host::written::{self, library};
use touchboard_host::{CoreDriver, Driver};
use touchboard_links::At;
use touchboard_links::SessionInFile;

fn real_board() -> InProcess {
    InProcess::new(CoreDriver::new(Layout::MALDOO, 1).unwrap())
        .unwrap()
        .unhurried()
}

fn sentences(app: &App) -> Vec<String> {
    let trouble = app.world().resource::<Trouble>();
    trouble.sentences().map(str::to_owned).collect()
}

/// A command that the board refuses.
fn refused() -> WindowCommand {
    WindowCommand::Do(Deed::Settings(Settings {
        mode: 200,
        ..Settings::default()
    }))
}

#[test]
fn a_refusal_survives_a_success_in_the_same_picture() {
    let mut app = app(real_board());
    for command in [
        refused(),
        WindowCommand::Do(Deed::Input(Input::Press(Button::Start))),
    ] {
        app.world_mut().write_message(command);
    }
    app.world_mut().write_message(Save::ByItself);
    let folder = tempdir().unwrap();
    app.insert_resource(SessionFolder(folder.path().to_owned()));
    app.update();
    let told = sentences(&app);
    assert!(
        told.iter().any(|sentence| sentence.contains("mode 200")),
        "{told:?}"
    );
    app.world_mut()
        .write_message(WindowCommand::Do(Deed::Input(Input::Lift(Button::Start))));
    app.update();
    assert_eq!(sentences(&app), told, "it stays until it was read");
}

#[test]
fn another_board_clears_the_errors_of_the_last() {
    let mut app = app(real_board());
    app.world_mut().write_message(refused());
    app.update();
    assert_eq!(sentences(&app).len(), 1);
    app.world_mut().write_message(Connect(At::Core));
    app.update();
    assert_eq!(sentences(&app), [""; 0]);
}

#[test]
fn a_saved_session_is_named_with_its_folder() {
    let folder = tempdir().unwrap();
    let mut app = app(real_board());
    app.insert_resource(SessionFolder(folder.path().to_owned()));
    app.world_mut().write_message(Save::ByItself);
    app.update();
    let file = folder.path().join("touchboard-1.session");
    assert_eq!(*app.world().resource::<Saved>(), Saved::In(file.clone()));
    assert!(Session::load(&file).is_ok());
    drop(folder);

    app.world_mut().write_message(Save::ByItself);
    app.update();
    let Saved::Failed(sentence) = app.world().resource::<Saved>() else {
        panic!("there is no folder");
    };
    assert!(sentence.contains("cannot be written"), "{sentence}");
    assert_eq!(sentences(&app), std::slice::from_ref(sentence));
}

#[test]
fn the_error_of_saving_names_an_absolute_path() {
    let mut app = app(real_board());
    // A relative path to a folder that does not exist.
    let folder = PathBuf::from("no-such-folder");
    app.insert_resource(SessionFolder(folder));
    app.world_mut().write_message(Save::ByItself);
    app.update();
    let told = sentences(&app).concat();
    let here = std::env::current_dir().unwrap().display().to_string();
    assert!(told.contains(&here), "{told}");
}

/// A board that runs at a seventh of the requested speed.
struct Slow {
    passed: Duration,
}

impl Source for Slow {
    fn name(&self) -> String {
        "slow".to_owned()
    }

    fn obey(&mut self, _command: &WindowCommand) -> Result<(), SourceError> {
        Ok(())
    }

    fn time_of(&self, tick: Tick) -> Tick {
        tick
    }

    fn session(&self) -> Result<Session, SourceError> {
        Err(SourceError::NothingKnown)
    }

    fn update(
        &mut self,
        elapsed: Duration,
        _shown: &mut Shown,
        _tell: EventSink<'_>,
    ) -> Result<Tick, SourceError> {
        self.passed += elapsed;
        Ok(self.passed.as_millis() as Tick / 7)
    }
}

/// The time per picture, in ms, on a graphics card, and on a processor for a small, a
/// large and a very large window.
const PICTURES_MS: [u64; 4] = [17, 250, 800, 2_000];

/// The displayed rate after six seconds with pictures of this length.
fn rate_off(
    board: impl Source + 'static,
    picture_ms: u64,
    command: Option<WindowCommand>,
) -> Option<f32> {
    let mut app = app(board);
    let picture = Duration::from_millis(picture_ms);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(picture));
    if let Some(command) = command {
        app.world_mut().write_message(command);
    }
    (0..=6_000 / picture_ms).for_each(|_| app.update());
    let pace = app.world().resource::<Shown>().pace;
    app.world().resource::<RealRate>().off(pace)
}

#[test]
fn a_slow_board_is_reported_as_slow() {
    let slow = || Slow {
        passed: Duration::ZERO,
    };
    for picture_ms in PICTURES_MS {
        let off = rate_off(slow(), picture_ms, None);
        // A picture makes up for at most one second.
        let made_up = 1_000.0 / picture_ms.max(1_000) as f32;
        let wanted = made_up / 7.0;
        assert!(
            off.is_some_and(|off| (off / wanted - 1.0).abs() < 0.05),
            "{picture_ms}: {off:?}"
        );
    }
}

#[test]
fn the_in_process_board_keeps_up_unless_pictures_are_too_slow() {
    let [card, small, large, too_slow] = PICTURES_MS;
    for picture_ms in [card, small, large] {
        assert_eq!(rate_off(real_board(), picture_ms, None), None);
    }
    let pace = |frozen, speed| Some(WindowCommand::Pace(BoardPace { frozen, speed }));
    assert_eq!(rate_off(real_board(), card, pace(false, 2.5)), None);
    assert_eq!(rate_off(real_board(), card, pace(true, 1.0)), None);
    let off = rate_off(real_board(), too_slow, None);
    assert!(off.is_some_and(|off| (off - 0.5).abs() < 0.05), "{off:?}");
}

/// The sentence over the board after these touches of a game that just began.
fn said_of_touches(mut board: CoreDriver, touches: &[&str]) -> String {
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 500).unwrap();
    let layout = board.layout();
    let mut app = app(InProcess::new(board).unwrap().unhurried());
    app.add_plugins(HintPlugin);
    for name in touches {
        let point = layout.point(name).unwrap();
        for input in [Input::Touch(point), Input::Release(point)] {
            app.world_mut()
                .write_message(WindowCommand::Do(Deed::Input(input)));
            // Longer than the debouncing of a touch.
            for _ in 0..5 {
                app.update();
            }
        }
    }
    let now = app.world().resource::<Time<Real>>().elapsed();
    let hint = app.world().resource::<Hint>();
    hint.sentence(now).unwrap_or_default().to_owned()
}

#[test]
fn every_illegal_touch_gives_its_reason() {
    let text = library::text("chess").unwrap();
    let chess = written::of_text("chess", text, &[]).unwrap();
    let board = || CoreDriver::new(*chess.layout, 3).unwrap();
    assert_eq!(
        said_of_touches(board(), &["e7"]),
        "No move: the pawn on e7 is not yours."
    );
    assert_eq!(
        said_of_touches(board(), &["e2", "e5"]),
        "No move: the pawn on e2 cannot go to e5."
    );
    let game = |game| {
        let mut board = CoreDriver::new(Layout::MALDOO, 3).unwrap();
        let settings = Settings {
            game,
            ..Settings::default()
        };
        board.carry_out(&Deed::Settings(settings)).unwrap();
        board
    };
    assert_eq!(
        said_of_touches(game(0), &["a1"]),
        "No move: a light on a1 would turn nothing."
    );
    // FillIt ignores a touch of a light, and only makes a sound.
    assert_eq!(
        said_of_touches(game(6), &["d4", "d4"]),
        "No move: d4 is taken."
    );
}
