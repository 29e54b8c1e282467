//! The short sounds of the beeper: for a touch without effect, for an illegal touch, and
//! for a clock that is running out.
//!
//! The sounds differ in pitch and length, and also from the sound of the end of a
//! game, which [`crate::referee`] defines.
//!
//! Invariants: only one sound is played at a time, and a less important sound does
//! not interrupt it.

use postcard::experimental::max_size::MaxSize;
use protocol::Tick;
use serde::{Deserialize, Serialize};

/// A short sound. A later one in this list takes precedence over an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, MaxSize)]
pub enum Sound {
    /// A touch without effect: a knock.
    Nothing,
    /// One of the last seconds of a clock starts.
    Second,
    /// A touch that the rules do not allow, in a game whose legal points do not
    /// flash.
    Illegal,
    /// A player has run out of time.
    TimeOut,
}

impl Sound {
    /// The pitch of the sound in hertz.
    #[must_use]
    pub const fn hz(self) -> u16 {
        match self {
            Sound::Nothing => 110,
            Sound::Second => 1_320,
            Sound::Illegal => 220,
            Sound::TimeOut => 440,
        }
    }

    /// The length of the sound in milliseconds.
    #[must_use]
    pub const fn ms(self) -> Tick {
        match self {
            Sound::Nothing | Sound::Second => 30,
            Sound::Illegal => 150,
            Sound::TimeOut => 500,
        }
    }
}

/// The beeper of the board: at most one sound at a time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub struct Beeper {
    /// The current sound, and the tick at which it ends.
    note: Option<(Sound, Tick)>,
}

impl Beeper {
    /// Starts this sound, unless a more important one is playing.
    pub fn sound(&mut self, sound: Sound, now: Tick) {
        if self.note.is_none_or(|(sounding, _)| sounding <= sound) {
            self.note = Some((sound, now + sound.ms()));
        }
    }

    /// The tick at which the beeper falls silent; `None` while it is silent.
    #[must_use]
    pub fn wakes_at(&self) -> Option<Tick> {
        self.note.map(|(_, until)| until)
    }

    /// Falls silent if the sound is over. Returns true if it did.
    pub fn wake(&mut self, now: Tick) -> bool {
        self.note.take_if(|(_, until)| *until <= now).is_some()
    }

    /// The pitch of the current sound, if there is one.
    #[must_use]
    pub fn hz(&self) -> Option<u16> {
        self.note.map(|(sound, _)| sound.hz())
    }

    /// False if the beeper cannot be in this state at this tick.
    #[must_use]
    pub fn is_sound(&self, now: Tick) -> bool {
        self.note
            .is_none_or(|(sound, until)| until <= now.saturating_add(sound.ms()))
    }
}
