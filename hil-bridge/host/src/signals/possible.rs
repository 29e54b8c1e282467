//! The values that a signal can have, so that nobody waits for one that it never has.
//!
//! Invariant: every value that a signal of a board has is one of them.

use std::fmt;

use firmware_core::panel::LEVELS;
use protocol::{Colour, Outcome, Rhythm, Side};

use super::Signal;

/// The values that a signal can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PossibleValues {
    /// Only these words.
    Words(Vec<&'static str>),
    /// Whole numbers up to this one.
    Numbers(u64),
    /// A colour, and a rhythm if it is lit.
    Lights,
    /// Too many to list.
    Any,
}

impl PossibleValues {
    /// The values that this signal can have.
    pub(super) fn of(signal: &Signal) -> PossibleValues {
        let sides = Side::BOTH.map(Side::name);
        match signal {
            Signal::Contact(_)
            | Signal::ButtonContact(_)
            | Signal::Point(_)
            | Signal::Button(_)
            | Signal::Lit(_)
            | Signal::Lamp(_)
            | Signal::Paused
            | Signal::Thinking => {
                PossibleValues::Words(vec!["1", "0", "on", "off", "true", "false"])
            }
            Signal::Turn => PossibleValues::Words([&sides[..], &["none"]].concat()),
            Signal::Winner => {
                PossibleValues::Words([&sides[..], &[Outcome::Draw.name(), "none"]].concat())
            }
            Signal::Light(_) => PossibleValues::Lights,
            Signal::Level => PossibleValues::Numbers(u64::from(LEVELS) - 1),
            Signal::Beeper
            | Signal::Score(_)
            | Signal::Legal
            | Signal::Game
            | Signal::Mode
            | Signal::Line(_)
            | Signal::Event(_) => PossibleValues::Numbers(u64::MAX),
            Signal::Display | Signal::Hash | Signal::State(_) => PossibleValues::Any,
        }
    }

    /// True if a person may write one of them like this, in any case.
    pub(super) fn contain(&self, text: &str) -> bool {
        match self {
            PossibleValues::Words(words) => {
                words.iter().any(|word| word.eq_ignore_ascii_case(text))
            }
            PossibleValues::Numbers(most) => {
                let number = text.parse::<u64>();
                number.is_ok_and(|number| number <= *most && number.to_string() == text)
            }
            PossibleValues::Lights => {
                let (colour, rhythm) = text.split_once(' ').unwrap_or((text, ""));
                let mut rhythms = blinking();
                Colour::from_name(colour).is_some()
                    && (rhythm.is_empty() || rhythms.any(|name| name.eq_ignore_ascii_case(rhythm)))
            }
            PossibleValues::Any => true,
        }
    }
}

/// The rhythms in which lights blink.
fn blinking() -> impl Iterator<Item = &'static str> {
    let all = Rhythm::ALL.into_iter();
    all.filter(|rhythm| *rhythm != Rhythm::Steady)
        .map(Rhythm::name)
}

impl fmt::Display for PossibleValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PossibleValues::Words(words) => write!(f, "choose one of {}", words.join(", ")),
            PossibleValues::Numbers(u64::MAX) => f.write_str("write a whole number"),
            PossibleValues::Numbers(most) => write!(f, "write a number from 0 to {most}"),
            PossibleValues::Lights => {
                let colours: Vec<&str> = Colour::all().map(Colour::name).collect();
                let rhythms: Vec<&str> = blinking().collect();
                write!(
                    f,
                    "choose one of {}, and for a light that blinks one of {} after it",
                    colours.join(", "),
                    rhythms.join(", ")
                )
            }
            PossibleValues::Any => f.write_str("any text"),
        }
    }
}
