//! What is said to somebody whose touch does nothing on the board just now: no game is
//! on, or it is paused; and what is asked before a game is left.

use std::time::Duration;

use bevy::prelude::*;
use protocol::{Deed, Input};
use touchboard_host::standing::{Situation, phase};

use crate::leaving::Leaving;
use crate::source::{Shown, SourceSet, WindowCommand};

/// For how long it is said.
const SAID: Duration = Duration::from_secs(5);

/// What is said now, beside the state of the game.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hint(Option<(&'static str, Duration)>);

impl Hint {
    /// The sentence, as long as it is to be read.
    #[must_use]
    pub fn sentence(&self, now: Duration) -> Option<&'static str> {
        let (sentence, at) = self.0?;
        (now.saturating_sub(at) < SAID).then_some(sentence)
    }
}

/// Listens to touches.
pub struct HintPlugin;

impl Plugin for HintPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Hint>()
            .init_resource::<Leaving>()
            .add_systems(Update, listen.before(SourceSet::Exchange));
    }
}

fn listen(
    mut orders: MessageReader<WindowCommand>,
    shown: Res<Shown>,
    leaving: Res<Leaving>,
    time: Res<Time<Real>>,
    mut hint: ResMut<Hint>,
) {
    let now = time.elapsed();
    if leaving.is_changed() && leaving.is_asked(now) {
        hint.0 = Some((ASKED, now));
    }
    for order in orders.read() {
        let WindowCommand::Do(Deed::Input(input)) = order else {
            continue;
        };
        hint.0 = match (input, phase(&shown.status)) {
            (Input::Touch(_), Situation::NoGame) => Some((NO_GAME, now)),
            (Input::Touch(_), Situation::Held) => Some((HELD, now)),
            (Input::Touch(_) | Input::Press(_), _) => None,
            _ => continue,
        };
    }
}

/// Said to a touch before the first game.
const NO_GAME: &str = "No game is on yet: press Start, here, on the board, or Enter.";
/// Said to a touch while the game is paused.
const HELD: &str = "The game is paused: press Resume to go on.";
/// Asked before a game is left.
const ASKED: &str = "A game is on. Once more, and it is left for a new one.";
