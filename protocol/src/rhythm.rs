//! Rhythms: how a light blinks.

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

use crate::{Colour, Tick};

/// How a light goes on and off by itself.
///
/// A frame contains the rhythm of each light, and each renderer (the board's own lamps,
/// the window, the terminal, a film) derives from the tick which lights are on. All of
/// them therefore blink alike, and nothing is sent meanwhile. All rhythms begin at the
/// frame's [beat](crate::Frame::beat), and repeat within [`Rhythm::ROUND_MS`].
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    Schema,
    MaxSize,
)]
pub enum Rhythm {
    /// The light does not blink.
    #[default]
    Steady,
    /// Once a second, on for half of it.
    Slow,
    /// Twice a second, on for half of the time.
    Medium,
    /// Four times a second, on for half of the time.
    Fast,
    /// Two short flashes each second.
    Double,
    /// One short flash every second.
    Pulse,
    /// Off for a quarter of each second.
    Wink,
    /// Four times a second between the colour and amber, which neither player has.
    Marked,
}

impl Rhythm {
    /// All rhythms, in the order of their numbers.
    pub const ALL: [Rhythm; 8] = [
        Rhythm::Steady,
        Rhythm::Slow,
        Rhythm::Medium,
        Rhythm::Fast,
        Rhythm::Double,
        Rhythm::Pulse,
        Rhythm::Wink,
        Rhythm::Marked,
    ];

    /// The period after which each rhythm repeats, in milliseconds.
    pub const ROUND_MS: u16 = 1_000;

    /// The word for the rhythm in texts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Rhythm::Steady => "steady",
            Rhythm::Slow => "slow",
            Rhythm::Medium => "medium",
            Rhythm::Fast => "fast",
            Rhythm::Double => "double",
            Rhythm::Pulse => "pulse",
            Rhythm::Wink => "wink",
            Rhythm::Marked => "marked",
        }
    }

    /// The rhythm of this name, in any case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Rhythm> {
        Rhythm::ALL
            .into_iter()
            .find(|rhythm| rhythm.name().eq_ignore_ascii_case(name))
    }

    /// The index of the rhythm, `0..=7`.
    #[must_use]
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// The rhythm with this index; steady if no rhythm has it.
    #[must_use]
    pub fn from_index(index: u8) -> Rhythm {
        let place = usize::from(index);
        Rhythm::ALL.get(place).copied().unwrap_or_default()
    }

    /// The times in a round, in milliseconds, at which the light goes on (the first,
    /// third, ...) and off (the others), and the length of the round. The light also
    /// changes when a new round begins, since no light is both on at the end and on at
    /// the beginning of a round.
    const fn pattern(self) -> (&'static [u16], u16) {
        match self {
            Rhythm::Steady => (&[0], Rhythm::ROUND_MS),
            Rhythm::Slow => (&[0, 500], 1_000),
            Rhythm::Medium => (&[0, 250], 500),
            Rhythm::Fast | Rhythm::Marked => (&[0, 125], 250),
            Rhythm::Double => (&[0, 100, 200, 300], 1_000),
            Rhythm::Pulse => (&[0, 100], 1_000),
            Rhythm::Wink => (&[250], 1_000),
        }
    }

    /// True if the light is on `since_ms` after the beat.
    #[must_use]
    pub fn is_on(self, since_ms: Tick) -> bool {
        let (moments, round) = self.pattern();
        let now = (since_ms % Tick::from(round)) as u16;
        let passed = moments.iter().filter(|moment| **moment <= now).count();
        passed % 2 == 1
    }

    /// Milliseconds from `since_ms` after the beat until the light next goes on or off;
    /// `None` if it never does.
    #[must_use]
    pub fn changes_in_ms(self, since_ms: Tick) -> Option<u16> {
        if self == Rhythm::Steady {
            return None;
        }
        let (moments, round) = self.pattern();
        let now = (since_ms % Tick::from(round)) as u16;
        let next = moments.iter().copied().find(|moment| *moment > now);
        Some(next.unwrap_or(round) - now)
    }

    /// The colour that a light shows `since_ms` after the beat.
    #[must_use]
    pub fn shown(self, colour: Colour, since_ms: Tick) -> Colour {
        match (self, self.is_on(since_ms)) {
            (Rhythm::Marked, true) => Colour::AMBER,
            (Rhythm::Marked, false) | (_, true) => colour,
            (_, false) => Colour::OFF,
        }
    }
}

/// A colour and its rhythm, packed into one byte.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Schema, MaxSize,
)]
#[serde(try_from = "u8", into = "u8")]
pub struct Light(u8);

impl Light {
    /// A light of this colour and rhythm.
    #[must_use]
    pub const fn new(colour: Colour, rhythm: Rhythm) -> Light {
        Light(colour.index() | rhythm.index() << 4)
    }

    /// The colour of the light.
    #[must_use]
    pub const fn colour(self) -> Colour {
        Colour::new(self.0)
    }

    /// The rhythm in which the light blinks.
    #[must_use]
    pub fn rhythm(self) -> Rhythm {
        Rhythm::from_index(self.0 >> 4)
    }
}

/// Refuses numbers from outside that encode no light.
impl TryFrom<u8> for Light {
    type Error = &'static str;

    fn try_from(byte: u8) -> Result<Light, &'static str> {
        match usize::from(byte >> 4) < Rhythm::ALL.len() {
            true => Ok(Light(byte)),
            false => Err("there are 8 rhythms"),
        }
    }
}

impl From<Light> for u8 {
    fn from(light: Light) -> u8 {
        light.0
    }
}
