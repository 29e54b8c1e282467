//! The end of a game: the winner's light blinks and the beeper sounds until a player
//! reacts; then the light is steady beside the score.
//!
//! Invariants: a finger that is already on its way does not end the signal; the result is
//! shown until a setting for the next game is changed.

use postcard::experimental::max_size::MaxSize;
use protocol::{Rhythm, Tick};
use serde::{Deserialize, Serialize};

/// The rhythm of the winner's light at the end.
pub const SIGNAL_RHYTHM: Rhythm = Rhythm::Medium;
/// Half a period of that rhythm, in ticks.
const SIGNAL_HALF_MS: Tick = 250;
/// The number of bleeps in the signal. The light keeps blinking after them.
pub const SIGNAL_BLEEPS: Tick = 6;
/// The pitch of the end signal in hertz.
pub const SIGNAL_HZ: u16 = 880;
/// The duration of the bleeps, in ticks. Until they are over, a touch does not end the
/// signal.
pub const SIGNAL_HEARD_MS: Tick = SIGNAL_BLEEPS * 2 * SIGNAL_HALF_MS;

/// The stages of a game's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub enum Ending {
    /// No signal: the game runs, or a setting for the next game was changed.
    Nothing,
    /// The winner's light blinks, at first with bleeps.
    Signal {
        /// The tick at which the game ended.
        since: Tick,
    },
    /// The winner's light is steady, and the score is shown.
    Result,
}

impl Ending {
    /// True while the winner and the score can be read.
    #[must_use]
    pub fn is_shown(self) -> bool {
        self != Ending::Nothing
    }

    /// Ends the signal after a button press.
    pub fn silence(&mut self) {
        if self.is_shown() {
            *self = Ending::Result;
        }
    }

    /// Ends the signal after a touch, if its bleeps are over. Returns true if it did.
    pub fn touch(&mut self, tick: Tick) -> bool {
        let ends = matches!(*self, Ending::Signal { since } if tick - since >= SIGNAL_HEARD_MS);
        if ends {
            *self = Ending::Result;
        }
        ends
    }

    /// The rhythm of the winner's light, and the tick at which it started.
    #[must_use]
    pub fn rhythm(self) -> (Rhythm, Tick) {
        match self {
            Ending::Signal { since } => (SIGNAL_RHYTHM, since),
            Ending::Nothing | Ending::Result => (Rhythm::Steady, 0),
        }
    }

    /// The pitch of the signal in hertz, 0 while it is silent. It sounds while the light
    /// is on.
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

    /// False if this cannot be the state at this tick.
    #[must_use]
    pub fn is_sound(self, tick: Tick) -> bool {
        !matches!(self, Ending::Signal { since } if since > tick)
    }

    /// The next tick at which the sound of the signal starts or stops; the light blinks
    /// without a wake.
    #[must_use]
    pub fn turns_at(self, tick: Tick) -> Option<Tick> {
        let Ending::Signal { since } = self else {
            return None;
        };
        let next = (tick - since) / SIGNAL_HALF_MS + 1;
        (next < 2 * SIGNAL_BLEEPS).then(|| since + next * SIGNAL_HALF_MS)
    }
}
