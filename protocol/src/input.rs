//! Inputs: a point or a button that goes down or up.

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

use crate::Point;

/// A push button beside the display.
///
/// The Maldoo manual has five of them; Start and Stop/Cont are from the older board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Schema, MaxSize)]
pub enum Button {
    /// Chooses the next game.
    Game,
    /// Chooses the next, longer time for a move.
    Time,
    /// Chooses the next, faster speed.
    Speed,
    /// Chooses the next level.
    Level,
    /// Chooses the next mode of the game.
    Mode,
    /// Starts a game, or restarts it.
    Start,
    /// Pauses the game, or continues it (Stop/Cont).
    Stop,
}

impl Button {
    /// All buttons, in their order on the case.
    pub const ALL: [Button; 7] = [
        Button::Game,
        Button::Time,
        Button::Speed,
        Button::Level,
        Button::Mode,
        Button::Start,
        Button::Stop,
    ];

    /// The word on the case, in small letters.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Button::Game => "game",
            Button::Time => "time",
            Button::Speed => "speed",
            Button::Level => "level",
            Button::Mode => "mode",
            Button::Start => "start",
            Button::Stop => "stop",
        }
    }

    /// The button of this name, in any case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Button> {
        Button::ALL
            .into_iter()
            .find(|button| button.name().eq_ignore_ascii_case(name))
    }
}

/// A debounced input of the board at one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Schema, MaxSize)]
pub enum Input {
    /// A finger came down on a point.
    Touch(Point),
    /// A finger left this point.
    Release(Point),
    /// This button went down.
    Press(Button),
    /// This button came up.
    Lift(Button),
    /// The player whose turn it is gives the turn away. Only a host can do this: on the
    /// Maldoo board itself, a player has to let the clock run out.
    Pass,
}

impl Input {
    /// The input that undoes this one, such as the release for a touch. A pass has none
    /// and is returned unchanged.
    #[must_use]
    pub const fn reverse(self) -> Input {
        match self {
            Input::Touch(point) => Input::Release(point),
            Input::Release(point) => Input::Touch(point),
            Input::Press(button) => Input::Lift(button),
            Input::Lift(button) => Input::Press(button),
            Input::Pass => Input::Pass,
        }
    }
}
