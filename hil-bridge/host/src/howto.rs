//! The rules of a game in words for a player: its aim, the effect of a touch, its
//! end, and the differences between modes. The texts themselves are in
//! [`crate::games`].
//!
//! They are the project's own, based on the Maldoo manual and the decisions of
//! `firmware-core/RULES.md`, and are kept on the host: a microcontroller could not
//! show them.

/// The rules of one game in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HowTo {
    /// The aim, in a sentence or two.
    pub aim: &'static str,
    /// What a player does and what follows from it, a sentence or two each.
    pub play: &'static [&'static str],
    /// When the game is over, and who has won.
    pub end: &'static str,
    /// How the board plays at levels 1 to 4, or why it does not play.
    pub level: &'static str,
    /// The effect of the Time button in this game.
    pub time: &'static str,
    /// The effect of the Speed button in this game.
    pub speed: &'static str,
    /// The modes, in the order of their numbers, from 0.
    pub modes: &'static [ModeText],
}

impl HowTo {
    /// True if the Speed button does something here.
    #[must_use]
    pub fn has_speed(&self) -> bool {
        self.speed != NO_SPEED
    }
}

/// The name and description of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModeText {
    /// A short name for lists.
    pub name: &'static str,
    /// How the mode differs from the others.
    pub text: &'static str,
    /// True if the Time button has an effect in the mode.
    pub has_turn_time: bool,
}

/// A mode in which the Time button sets a clock.
pub(crate) const fn mode(name: &'static str, text: &'static str) -> ModeText {
    ModeText {
        name,
        text,
        has_turn_time: true,
    }
}

/// A mode in which the Time button sets no clock.
pub(crate) const fn timeless(name: &'static str, text: &'static str) -> ModeText {
    ModeText {
        has_turn_time: false,
        ..mode(name, text)
    }
}

pub(crate) const NO_SPEED: &str = "Speed changes nothing here.";
pub(crate) const NO_TIME: &str = "Time changes nothing here.";
pub(crate) const TURN_IS_LOST: &str = "Time sets how long a turn may take, from 5 seconds to two minutes; the clock waits for the first touch. A turn that takes longer is lost.";
pub(crate) const LOOKS_AHEAD: &str = "Red looks ahead, with fewer mistakes from level to level: one move at levels 1 and 2, two at 3, and at 4, without mistakes, as far as it gets in about three seconds.";
pub(crate) const LEGAL_POINTS_FLASH: &str =
    "Touch a point where you may not play, and the board flashes all those where you may.";
