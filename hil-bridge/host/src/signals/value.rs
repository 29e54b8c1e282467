//! What a signal is at a tick.

use std::fmt;

/// What a signal is at a tick.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SignalValue {
    /// Off or on.
    Bit(bool),
    /// A count, a pitch in hertz, a setting.
    Number(u64),
    /// Everything else: `green`, `none`, the text of the display.
    Word(String),
}

impl SignalValue {
    /// A value that is written as a person reads it.
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

    /// True for what is neither off, nor 0, nor nothing.
    #[must_use]
    pub fn is_on(&self) -> bool {
        match self {
            SignalValue::Bit(bit) => *bit,
            SignalValue::Number(number) => *number != 0,
            SignalValue::Word(word) => !matches!(word.as_str(), "" | "off" | "none"),
        }
    }

    /// As a number, if it is one; a bit is 0 or 1.
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
