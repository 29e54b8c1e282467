//! Freezes board time while the user reads the list of games, the keys, or the rules, or has
//! left the window, so that no move is lost to a clock out of sight.
//!
//! Invariants: only running clocks or lights are frozen, and only on a board whose time
//! belongs to this program; a touch of the board or a command to run lets time run, no
//! matter what is open; time that was frozen before stays frozen.

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::input::keyboard::KeyboardInput;
use bevy::input::mouse::{MouseButtonInput, MouseWheel};
use bevy::input::touch::TouchInput;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use protocol::Status;
use touchboard_host::games::{self, Guide};
use touchboard_host::standing::{Situation, is_boards_turn, phase};

use super::lists::picker::Picker;
use super::{HowToDrawer, KeysDrawer};
use crate::scene::touch::FingersDown;
use crate::source::{BoardLink, BoardPace, Shown, SourceSet, WindowCommand};

/// Present while nobody sits in front of the window, for example while a film is
/// recorded: time waits for no reader.
#[derive(Resource, Clone, Copy, Debug)]
pub struct Unattended;

/// Nobody has moved the mouse, typed or touched anything for this long: whoever was to move
/// has left.
const LEFT_AFTER: Duration = Duration::from_secs(60);

/// Whether somebody sits in front of the window.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Presence {
    /// Somebody does, or nothing waits for a person.
    #[default]
    Here,
    /// A clock runs for a person, and nothing has been done for [`LEFT_AFTER`].
    Left,
}

/// Freezes time while the user reads or has left.
pub struct ReadingPlugin;

impl Plugin for ReadingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<FingersDown>()
            .init_resource::<Presence>()
            .add_message::<KeyboardInput>()
            .add_message::<MouseButtonInput>()
            .add_message::<MouseWheel>()
            .add_message::<TouchInput>()
            .add_message::<CursorMoved>()
            .add_systems(
                Update,
                (watch_presence, wait_for_reader)
                    .chain()
                    .before(SourceSet::Exchange)
                    .run_if(not(resource_exists::<Unattended>)),
            );
    }
}

/// Whether time waits for a reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ReaderWait {
    /// Nobody reads, or no clock runs.
    #[default]
    No,
    /// The request to freeze time has been sent.
    Asked,
    /// Time waits for the reader.
    Yes,
    /// Time waited, and the user lets it run although something is open.
    NoMore,
}

/// What the wait for a reader depends on.
#[derive(Clone, Copy, Debug, Default)]
struct ReaderFacts {
    /// A page to read is open, or nobody is in front of the window.
    is_open: bool,
    /// A clock or lights go on by themselves.
    runs: bool,
    /// Time is frozen.
    frozen: bool,
    /// A finger is on the board.
    touched: bool,
}

/// What the wait for a reader asks of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TimeWish {
    Freeze,
    Run,
}

impl ReaderWait {
    /// The next state, and what is asked of time, if anything.
    fn next(self, now: ReaderFacts) -> (ReaderWait, Option<TimeWish>) {
        let ReaderFacts {
            is_open,
            runs,
            frozen,
            touched,
        } = now;
        match self {
            ReaderWait::No if is_open && runs && !frozen && !touched => {
                (ReaderWait::Asked, Some(TimeWish::Freeze))
            }
            ReaderWait::Asked if is_open && frozen => (ReaderWait::Yes, None),
            ReaderWait::Yes if is_open && !frozen => (ReaderWait::NoMore, None),
            ReaderWait::Yes if is_open && touched => (ReaderWait::NoMore, Some(TimeWish::Run)),
            ReaderWait::Asked | ReaderWait::Yes if !is_open => {
                (ReaderWait::No, Some(TimeWish::Run))
            }
            ReaderWait::NoMore if !is_open => (ReaderWait::No, None),
            same => (same, None),
        }
    }
}

/// Everything that a person does at the window or at a panel that is connected to it.
#[derive(SystemParam)]
struct Activity<'w, 's> {
    keys: MessageReader<'w, 's, KeyboardInput>,
    buttons: MessageReader<'w, 's, MouseButtonInput>,
    wheel: MessageReader<'w, 's, MouseWheel>,
    touches: MessageReader<'w, 's, TouchInput>,
    moves: MessageReader<'w, 's, CursorMoved>,
    commands: MessageReader<'w, 's, WindowCommand>,
}

impl Activity<'_, '_> {
    /// True if anything was done since the last picture.
    fn any(&mut self) -> bool {
        let given = |command: &WindowCommand| matches!(command, WindowCommand::Do(_));
        // All are read, whatever the first of them says.
        [
            self.keys.read().count() > 0,
            self.buttons.read().count() > 0,
            self.wheel.read().count() > 0,
            self.touches.read().count() > 0,
            self.moves.read().count() > 0,
            self.commands
                .read()
                .filter(|command| given(command))
                .count()
                > 0,
        ]
        .contains(&true)
    }
}

/// Notes whether the person has left whose clock runs. Without a window, for example while a
/// scenario is drawn into a file, nobody is expected.
fn watch_presence(
    mut activity: Activity,
    windows: Query<(), With<PrimaryWindow>>,
    (time, shown): (Res<Time<Real>>, Res<Shown>),
    mut since: Local<Option<Duration>>,
    mut presence: ResMut<Presence>,
) {
    let now = time.elapsed();
    let is_awaited = !windows.is_empty() && runs_for_a_person(&shown.status);
    if activity.any() || !is_awaited {
        *since = None;
    }
    let alone = now.saturating_sub(*since.get_or_insert(now));
    presence.set_if_neq(match alone >= LEFT_AFTER {
        true => Presence::Left,
        false => Presence::Here,
    });
}

/// True while the clock of a person runs, who is to move.
fn runs_for_a_person(status: &Status) -> bool {
    phase(status) == Situation::Play && !is_boards_turn(status) && goes_on(status)
}

fn wait_for_reader(
    picker: Res<Picker>,
    how_to: Res<HowToDrawer>,
    (keys, presence): (Res<KeysDrawer>, Res<Presence>),
    fingers: Res<FingersDown>,
    shown: Res<Shown>,
    mut waits: Local<ReaderWait>,
    mut commands: MessageWriter<WindowCommand>,
) {
    let has_left = *presence == Presence::Left;
    let is_open = picker.is_open() || how_to.is_open() || keys.is_open() || has_left;
    let runs = shown.link == BoardLink::Direct && goes_on(&shown.status);
    let (next, wish) = waits.next(ReaderFacts {
        is_open,
        runs,
        frozen: shown.pace.frozen,
        touched: fingers.any(),
    });
    *waits = next;
    if let Some(wish) = wish {
        commands.write(WindowCommand::Pace(BoardPace {
            frozen: wish == TimeWish::Freeze,
            ..shown.pace
        }));
    }
}

/// The note on a page while time waits for its reader.
pub const WAITS: &str = "The board's time waits while you read.";

/// True if time waits for the reader.
#[must_use]
pub fn waits(shown: &Shown) -> bool {
    shown.link == BoardLink::Direct && shown.pace.frozen && goes_on(&shown.status)
}

/// True while something happens by itself: a clock runs, or the lights of a game in real
/// time change.
fn goes_on(status: &Status) -> bool {
    let in_real_time = || games::find(status.settings.game).is_some_and(Guide::is_in_real_time);
    match status.clock {
        Some(clock) => !clock.waits,
        None => phase(status) == Situation::Play && in_real_time(),
    }
}

#[cfg(test)]
mod tests {
    use protocol::{Clock, Settings, Side};

    use super::*;

    /// A page is open, and a clock runs.
    const OPEN: ReaderFacts = ReaderFacts {
        is_open: true,
        runs: true,
        frozen: false,
        touched: false,
    };
    const FROZEN: ReaderFacts = ReaderFacts {
        frozen: true,
        ..OPEN
    };

    #[test]
    fn opening_the_rules_freezes_time_and_closing_resumes_it() {
        let (waits, wish) = ReaderWait::No.next(OPEN);
        assert_eq!((waits, wish), (ReaderWait::Asked, Some(TimeWish::Freeze)));
        let (waits, wish) = waits.next(FROZEN);
        assert_eq!((waits, wish), (ReaderWait::Yes, None));
        assert_eq!(waits.next(FROZEN), (ReaderWait::Yes, None));
        let closed = ReaderFacts {
            is_open: false,
            ..FROZEN
        };
        assert_eq!(waits.next(closed), (ReaderWait::No, Some(TimeWish::Run)));
    }

    #[test]
    fn playing_while_reading_resumes_time() {
        let touched = ReaderFacts {
            touched: true,
            ..FROZEN
        };
        let (waits, wish) = ReaderWait::Yes.next(touched);
        assert_eq!((waits, wish), (ReaderWait::NoMore, Some(TimeWish::Run)));
        for same in [FROZEN, OPEN] {
            assert_eq!(waits.next(same), (waits, None));
        }
        let by_hand = ReaderWait::Yes.next(OPEN);
        assert_eq!(by_hand, (ReaderWait::NoMore, None));
        let closed = ReaderFacts {
            is_open: false,
            ..OPEN
        };
        assert_eq!(waits.next(closed), (ReaderWait::No, None));
    }

    #[test]
    fn reading_pauses_running_lights_but_no_turn_without_clock() {
        let on = |game| Status {
            settings: Settings {
                game,
                ..Settings::default()
            },
            score: Some([0; 2]),
            turn: Some(Side::Green),
            ..Status::default()
        };
        let [reversi, life] = [0, 2].map(on);
        assert!(goes_on(&life) && !goes_on(&reversi));
        assert!(!goes_on(&Status {
            paused: true,
            ..life
        }));
        let waits = Clock {
            left_ms: 5,
            of_ms: 5,
            waits: true,
        };
        let clock = Some(waits);
        assert!(!goes_on(&Status { clock, ..reversi }));
        let clock = Some(Clock {
            waits: false,
            ..waits
        });
        assert!(goes_on(&Status { clock, ..reversi }));
    }

    #[test]
    fn who_leaves_a_running_clock_finds_it_as_it_was() {
        let mut app = App::new();
        app.init_resource::<Time<Real>>()
            .init_resource::<Picker>()
            .init_resource::<HowToDrawer>()
            .init_resource::<KeysDrawer>()
            .init_resource::<Shown>()
            .add_message::<WindowCommand>()
            .add_plugins(ReadingPlugin);
        app.world_mut().spawn(PrimaryWindow);
        let clock = Clock {
            left_ms: 90_000,
            of_ms: 120_000,
            waits: false,
        };
        let mut shown = app.world_mut().resource_mut::<Shown>();
        shown.link = BoardLink::Direct;
        shown.status = Status {
            score: Some([2; 2]),
            turn: Some(Side::Green),
            clock: Some(clock),
            ..Status::default()
        };
        let froze = |app: &mut App, seconds: u64| {
            let mut time = app.world_mut().resource_mut::<Time<Real>>();
            time.advance_by(Duration::from_secs(seconds));
            app.update();
            let mut commands = app.world_mut().resource_mut::<Messages<WindowCommand>>();
            let paces = commands.drain().filter_map(|command| match command {
                WindowCommand::Pace(pace) => Some(pace),
                _ => None,
            });
            let pace = paces.last();
            if let Some(pace) = pace {
                app.world_mut().resource_mut::<Shown>().pace = pace;
            }
            pace.map(|pace| pace.frozen)
        };
        assert_eq!(froze(&mut app, 0), None);
        assert_eq!(froze(&mut app, 59), None);
        assert_eq!(froze(&mut app, 1), Some(true));
        assert_eq!(froze(&mut app, 3_600), None);
        assert_eq!(*app.world().resource::<Presence>(), Presence::Left);
        let window = app.world_mut().spawn_empty().id();
        app.world_mut().write_message(CursorMoved {
            window,
            position: Vec2::ZERO,
            delta: None,
        });
        assert_eq!(froze(&mut app, 1), Some(false));
        assert_eq!(*app.world().resource::<Presence>(), Presence::Here);
        // The board's own thinking is not waited for.
        let mut shown = app.world_mut().resource_mut::<Shown>();
        shown.status.settings.level = 1;
        shown.status.turn = Some(Side::Red);
        assert_eq!(froze(&mut app, 3_600), None);
    }

    #[test]
    fn reading_leaves_time_alone_if_frozen_or_without_clock() {
        let still = ReaderFacts {
            runs: false,
            ..OPEN
        };
        for facts in [still, FROZEN] {
            assert_eq!(ReaderWait::No.next(facts), (ReaderWait::No, None));
        }
    }
}
