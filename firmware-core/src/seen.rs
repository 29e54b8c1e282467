//! The visible state of a board at one moment, for code that drives lamps.
//!
//! Invariants: it depends only on the frame and the tick.

use protocol::{DISPLAY_CHARACTERS, Frame, Packed, Text, Tick};

/// Everything visible and audible on a board at one moment: a [`Frame`] in which each
/// blinking light is either on or off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The colours of the points.
    pub points: Packed,
    /// The turn lights, `[green, red]`.
    pub turn: [bool; 2],
    /// The text on the alphanumeric display.
    pub display: Text<DISPLAY_CHARACTERS>,
    /// The beeper's pitch in hertz, 0 when it is silent.
    pub beep_hz: u16,
}

impl Seen {
    /// The visible state of a frame at this tick.
    #[must_use]
    pub fn of(frame: &Frame, tick: Tick) -> Seen {
        Seen {
            points: frame.points_seen(tick),
            turn: frame.turn_seen(tick),
            display: frame.display.clone(),
            beep_hz: frame.beep_hz,
        }
    }
}
