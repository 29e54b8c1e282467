//! The value of a signal at a tick.

use std::fmt;

/// The value of a signal at a tick.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SignalValue {
    /// A bit that is off or on.
    Bit(bool),
    /// A count, a pitch in hertz, a setting.
    Number(u64),
    /// Everything else: `green`, `none`, the text of the display.
    Word(String),
}

/// A signal, by name, and its value at a tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignalReading {
    /// The name of the signal.
    pub name: String,
    /// Its value.
    pub value: SignalValue,
}

impl SignalValue {
    /// Reads a value from text.
    #[must_use]
    pub fn of_text(text: &str) -> SignalValue {
        match text {
            "true" => SignalValue::Bit(true),
            "false" => SignalValue::Bit(false),
            other => match other.parse() {
                Ok(number) => SignalValue::Number(number),
                Err(_) => SignalValue::Word(other.to_owned()),
            },
        }
    }

    /// False for off, 0, `none` and an empty word.
    #[must_use]
    pub fn is_on(&self) -> bool {
        match self {
            SignalValue::Bit(bit) => *bit,
            SignalValue::Number(number) => *number != 0,
            SignalValue::Word(word) => !matches!(word.as_str(), "" | "off" | "none"),
        }
    }

    /// The value as a number, with 0 or 1 for a bit; `None` for a word.
    #[must_use]
    pub fn as_number(&self) -> Option<u64> {
        match self {
            SignalValue::Bit(bit) => Some(u64::from(*bit)),
            SignalValue::Number(number) => Some(*number),
            SignalValue::Word(_) => None,
        }
    }
}

impl fmt::Display for SignalValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignalValue::Bit(bit) => write!(f, "{}", u8::from(*bit)),
            SignalValue::Number(number) => write!(f, "{number}"),
            SignalValue::Word(word) => write!(f, "{word}"),
        }
    }
}
