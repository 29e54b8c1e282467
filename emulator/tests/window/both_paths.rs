//! The both-paths test of the window: its plugins, driven by commands, give the same
//! results as the core, driven by inputs. The digests are equal after every step of
//! arbitrary plays, and the domes show the frame of that tick. Errors and panics count as
//! failures like any difference, and are shrunk.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bevy::prelude::*;
use emulator::scene::domes::{BoardLight, LitDome};
use emulator::source::core::InProcess;
use emulator::source::{BoardPace, Shown, Source, SourceError, Trouble, WindowCommand};
use firmware_core::EventSink;
use law::{Judged, Ruling, Weight, law};
use proptest::prelude::*;
use proptest::test_runner::{TestError, TestRunner};
use protocol::{Colour, Event, Input, Layout, Point, Tick};
use touchboard_host::CoreDriver;
use touchboard_host::session::Session;
use touchboard_tests::{Play, TestStep, carry_out, legal_point, play_on};

/// An injected mistake: an unexpected effect of a command on the board.
type Mistake = fn(&WindowCommand) -> Result<(), SourceError>;

/// The window's board with a mistake. The test shares it, to read its digest.
#[derive(Clone)]
struct Glass(Arc<Mutex<InProcess>>, Mistake);

impl Glass {
    fn digest(&self) -> u64 {
        self.0.lock().unwrap().driver().board().digest()
    }
}

/// The correct board: commands have no unexpected effect.
fn no_mistake(_command: &WindowCommand) -> Result<(), SourceError> {
    Ok(())
}

/// True if this touches the middle column of the board of the manual.
fn touches_the_middle(command: &WindowCommand) -> bool {
    matches!(command, WindowCommand::Do(protocol::Deed::Input(Input::Touch(point))) if Layout::MALDOO.has(*point)
        && Layout::MALDOO.column(*point) == 4)
}

impl Source for Glass {
    fn name(&self) -> String {
        self.0.lock().unwrap().name()
    }

    fn obey(&mut self, command: &WindowCommand) -> Result<(), SourceError> {
        self.1(command)?;
        self.0.lock().unwrap().obey(command)
    }

    fn time_of(&self, tick: Tick) -> Tick {
        self.0.lock().unwrap().time_of(tick)
    }

    fn session(&self) -> Result<Session, SourceError> {
        self.0.lock().unwrap().session()
    }

    fn update(
        &mut self,
        elapsed: Duration,
        shown: &mut Shown,
        tell: EventSink<'_>,
    ) -> Result<Tick, SourceError> {
        self.0.lock().unwrap().update(elapsed, shown, tell)
    }
}

/// The window's commands for a step.
fn commands(step: &TestStep, own: &firmware_core::AnyBoard) -> Vec<WindowCommand> {
    match step {
        TestStep::Do(input) => vec![WindowCommand::from(*input)],
        TestStep::PlayLegal(choice) => match legal_point(own, *choice) {
            Some(point) => [Input::Touch(point), Input::Release(point)]
                .map(WindowCommand::from)
                .into(),
            None => Vec::new(),
        },
        TestStep::Wait(ticks) => vec![WindowCommand::Step(u32::try_from(*ticks).unwrap())],
        TestStep::Set(settings) => vec![WindowCommand::Do(protocol::Deed::Settings(*settings))],
    }
}

/// The number and colour of every point of the scene.
fn points(app: &mut App) -> Vec<(Point, Colour)> {
    let mut domes = app.world_mut().query::<&LitDome>();
    let point = |dome: &LitDome| match dome.light {
        BoardLight::Point(point) => Some((point, dome.colour)),
        BoardLight::Turn(_) => None,
    };
    domes.iter(app.world()).filter_map(point).collect()
}

/// Fails if the window itself reports trouble.
fn no_trouble(app: &App) -> Result<(), TestCaseError> {
    let mut told = app.world().resource::<Trouble>().sentences();
    told.next().map_or(Ok(()), |sentence| {
        Err(TestCaseError::fail(sentence.to_owned()))
    })
}

/// Runs a play on both paths. It only counts if a move was made.
fn the_plugins_do_as_the_core_does(play: &Play, mistake: Mistake) -> Ruling {
    let driver = CoreDriver::new(play.layout, play.seed).unwrap();
    let board = Arc::new(Mutex::new(InProcess::new(driver).unwrap()));
    let glass = Glass(board, mistake);
    let mut app = crate::windowless::app(glass.clone());
    let mut own = play.board();
    let still = BoardPace {
        frozen: true,
        ..BoardPace::default()
    };
    // The app's first pictures let time pass, so the board is frozen and restarted.
    for command in [
        WindowCommand::Pace(still),
        WindowCommand::Do(protocol::Deed::Reset {
            seed: play.seed,
            layout: play.layout,
        }),
        WindowCommand::Do(protocol::Deed::Settings(play.settings)),
    ] {
        app.world_mut().write_message(command);
    }
    app.update();
    prop_assert_eq!(glass.digest(), own.digest());
    let mut moves = 0;
    for step in &play.steps {
        for command in commands(step, &own) {
            app.world_mut().write_message(command);
        }
        let mut listen = |_, event| moves += u32::from(matches!(event, Event::Move { .. }));
        carry_out(step, &mut own, &mut listen, &mut |board, ticks, tell| {
            board.advance(ticks, tell);
        });
        app.update();
        // A long way takes more than one picture, so the test waits for its end.
        while app.world().resource::<Shown>().work.is_some() {
            app.update();
        }
        no_trouble(&app)?;
        prop_assert_eq!(glass.digest(), own.digest(), "after {:?}", step);
        app.update();
        for (point, colour) in points(&mut app) {
            prop_assert_eq!(colour, own.frame().seen(point, own.tick()), "{:?}", point);
        }
    }
    back_and_on_again_is_where_it_was(&glass, &own)?;
    Ok(Judged::if_any(moves > 0))
}

/// Checks that going back to any moment and forward again gives the same board, and that
/// replaying its session does too.
fn back_and_on_again_is_where_it_was(
    glass: &Glass,
    own: &firmware_core::AnyBoard,
) -> Result<(), TestCaseError> {
    let mut source = glass.0.lock().unwrap();
    for part in [3, 2, 7] {
        source
            .obey(&WindowCommand::GoTo(own.tick() / part))
            .unwrap();
        source.obey(&WindowCommand::GoTo(own.tick())).unwrap();
        prop_assert_eq!(source.driver().board().digest(), own.digest());
    }
    let mut elsewhere = CoreDriver::new(Layout::MALDOO, 0).unwrap();
    let session = source.session().unwrap();
    prop_assert_eq!(session.replay(&mut elsewhere, &mut |_| ()).unwrap(), None);
    prop_assert_eq!(elsewhere.board().digest(), own.digest());
    Ok(())
}

#[test]
fn the_emulators_plugins_agree_with_the_core() {
    law(
        Weight::of(24, 40),
        play_on(Just(Layout::MALDOO), 30),
        |play| the_plugins_do_as_the_core_does(&play, no_mistake),
    );
}

/// Searches for a play that fails on a board with this mistake. Returns the failure and
/// the shrunk play.
fn found(mistake: Mistake) -> (String, Play) {
    let cases = 64;
    let config = ProptestConfig {
        cases,
        // Enough iterations to shrink every play completely.
        max_shrink_iters: 16 * 1024,
        ..law::config("a mistake is found", cases)
    };
    let plays = play_on(Just(Layout::MALDOO), 30);
    let result = TestRunner::new(config).run(&plays, |play| {
        the_plugins_do_as_the_core_does(&play, mistake).map(drop)
    });
    match result {
        Err(TestError::Fail(reason, play)) => (reason.to_string(), play),
        other => panic!("the mistake was not found: {other:?}"),
    }
}

#[test]
fn a_panic_or_trouble_is_reported_with_a_shrunk_play() {
    let panics: Mistake = |command| {
        assert!(!touches_the_middle(command), "a point too far");
        Ok(())
    };
    let is_in_trouble: Mistake = |command| match touches_the_middle(command) {
        true => Err(SourceError::Down(
            "the board is lost: a point too far".into(),
        )),
        false => Ok(()),
    };
    for mistake in [panics, is_in_trouble] {
        let (reason, play) = found(mistake);
        assert!(reason.contains("a point too far"), "{reason} {play:?}");
        assert!(play.steps.len() <= 8, "not shrunk: {play:?}");
    }
}
