//! The end of a game: the winner's light blinks and the beeper sounds until
//! somebody saw it, and then the light stays on beside the score.
//!
//! Invariants: a finger that was on its way already does not end the
//! signal, and what the result is can be read until something is chosen for
//! the next game.

use postcard::experimental::max_size::MaxSize;
use protocol::{Rhythm, Tick};
use serde::{Deserialize, Serialize};

/// How the winner's light blinks at the end.
pub const SIGNAL_RHYTHM: Rhythm = Rhythm::Medium;
/// Half a period of it.
const SIGNAL_HALF_MS: Tick = 250;
/// How many times the end is heard; the light goes on blinking.
pub const SIGNAL_BLEEPS: Tick = 6;
/// Pitch of the end signal.
pub const SIGNAL_HZ: u16 = 880;
/// For how long the end is heard: until then no point ends the signal.
pub const SIGNAL_HEARD_MS: Tick = SIGNAL_BLEEPS * 2 * SIGNAL_HALF_MS;

/// What is seen and heard of how a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub enum Ending {
    /// Nothing: the game goes on, or something was chosen for the next one.
    Nothing,
    /// The signal, since this board time.
    Signal {
        /// The tick at which the game ended.
        since: Tick,
    },
    /// The winner's light and the score.
    Result,
}

impl Ending {
    /// True while the winner and the score can be read.
    #[must_use]
    pub fn is_shown(self) -> bool {
        self != Ending::Nothing
    }

    /// A button went down: it ends the signal.
    pub fn silence(&mut self) {
        if self.is_shown() {
            *self = Ending::Result;
        }
    }

    /// A point was touched: it ends a signal that was heard to its end. Returns
    /// true if it did.
    pub fn touch(&mut self, tick: Tick) -> bool {
        let ends = matches!(*self, Ending::Signal { since } if tick - since >= SIGNAL_HEARD_MS);
        if ends {
            *self = Ending::Result;
        }
        ends
    }

    /// How the winner's light blinks, and since when.
    #[must_use]
    pub fn rhythm(self) -> (Rhythm, Tick) {
        match self {
            Ending::Signal { since } => (SIGNAL_RHYTHM, since),
            Ending::Nothing | Ending::Result => (Rhythm::Steady, 0),
        }
    }

    /// The signal's pitch, 0 while it is silent: it is heard while the light is
    /// on.
    #[must_use]
    pub fn hz(self, tick: Tick) -> u16 {
        match self {
            Ending::Signal { since }
                if tick - since < SIGNAL_HEARD_MS && SIGNAL_RHYTHM.is_on(tick - since) =>
            {
                SIGNAL_HZ
            }
            _ => 0,
        }
    }

    /// False if this cannot be so at this tick.
    #[must_use]
    pub fn is_sound(self, tick: Tick) -> bool {
        !matches!(self, Ending::Signal { since } if since > tick)
    }

    /// The next board time at which the signal begins or ends to sound; the
    /// light blinks by itself.
    #[must_use]
    pub fn turns_at(self, tick: Tick) -> Option<Tick> {
        let Ending::Signal { since } = self else {
            return None;
        };
        let next = (tick - since) / SIGNAL_HALF_MS + 1;
        (next < 2 * SIGNAL_BLEEPS).then(|| since + next * SIGNAL_HALF_MS)
    }
}
