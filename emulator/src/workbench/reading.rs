//! Freezes board time while the user reads the list of games, the keys, or the rules, so
//! that no move is lost to a clock out of sight.
//!
//! Invariants: only running clocks or lights are frozen, and only on a board whose time
//! belongs to this program; a touch of the board or a command to run lets time run, no
//! matter what is open; time that was frozen before stays frozen.

use bevy::prelude::*;
use protocol::Status;
use touchboard_host::games::{self, Guide};
use touchboard_host::standing::{Situation, phase};

use super::lists::picker::Picker;
use super::{HowToDrawer, KeysDrawer};
use crate::scene::touch::FingersDown;
use crate::source::{BoardLink, BoardPace, Shown, SourceSet, WindowCommand};

/// Present while nobody sits in front of the window, for example while a film is
/// recorded: time waits for no reader.
#[derive(Resource, Clone, Copy, Debug)]
pub struct Unattended;

/// Freezes time while the user reads.
pub struct ReadingPlugin;

impl Plugin for ReadingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<FingersDown>().add_systems(
            Update,
            wait_for_reader
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

impl ReaderWait {
    /// The next state, and whether to freeze time or to let it run, if either.
    fn next(
        self,
        is_open: bool,
        runs: bool,
        frozen: bool,
        touched: bool,
    ) -> (ReaderWait, Option<bool>) {
        match self {
            ReaderWait::No if is_open && runs && !frozen && !touched => {
                (ReaderWait::Asked, Some(true))
            }
            ReaderWait::Asked if is_open && frozen => (ReaderWait::Yes, None),
            ReaderWait::Yes if is_open && !frozen => (ReaderWait::NoMore, None),
            ReaderWait::Yes if is_open && touched => (ReaderWait::NoMore, Some(false)),
            ReaderWait::Asked | ReaderWait::Yes if !is_open => (ReaderWait::No, Some(false)),
            ReaderWait::NoMore if !is_open => (ReaderWait::No, None),
            same => (same, None),
        }
    }
}

fn wait_for_reader(
    picker: Res<Picker>,
    how_to: Res<HowToDrawer>,
    keys: Res<KeysDrawer>,
    fingers: Res<FingersDown>,
    shown: Res<Shown>,
    mut waits: Local<ReaderWait>,
    mut commands: MessageWriter<WindowCommand>,
) {
    let is_open = picker.is_open() || how_to.is_open() || keys.is_open();
    let runs = shown.link == BoardLink::Direct && goes_on(&shown.status);
    let frozen = shown.pace.frozen;
    let (next, freezes) = waits.next(is_open, runs, frozen, fingers.any());
    *waits = next;
    if let Some(frozen) = freezes {
        commands.write(WindowCommand::Pace(BoardPace {
            frozen,
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

    #[test]
    fn opening_the_rules_freezes_time_and_closing_resumes_it() {
        let (waits, command) = ReaderWait::No.next(true, true, false, false);
        assert_eq!((waits, command), (ReaderWait::Asked, Some(true)));
        let (waits, command) = waits.next(true, true, true, false);
        assert_eq!((waits, command), (ReaderWait::Yes, None));
        assert_eq!(waits.next(true, true, true, false), (ReaderWait::Yes, None));
        assert_eq!(
            waits.next(false, true, true, false),
            (ReaderWait::No, Some(false))
        );
    }

    #[test]
    fn playing_while_reading_resumes_time() {
        let (waits, command) = ReaderWait::Yes.next(true, true, true, true);
        assert_eq!((waits, command), (ReaderWait::NoMore, Some(false)));
        for frozen in [true, false] {
            assert_eq!(waits.next(true, true, frozen, false), (waits, None));
        }
        let by_hand = ReaderWait::Yes.next(true, true, false, false);
        assert_eq!(by_hand, (ReaderWait::NoMore, None));
        assert_eq!(
            waits.next(false, true, false, false),
            (ReaderWait::No, None)
        );
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
    fn reading_leaves_time_alone_if_frozen_or_without_clock() {
        assert_eq!(
            ReaderWait::No.next(true, false, false, false),
            (ReaderWait::No, None)
        );
        assert_eq!(
            ReaderWait::No.next(true, true, true, false),
            (ReaderWait::No, None)
        );
    }
}
