//! The time from a host's touch to its light, as the host sees it.
//!
//! A touch is sent in a request, the board reports that it took it ([`Event::Taken`]),
//! and the next frame in which a point looks different is its light. A touch without a
//! light is not counted.
//!
//! Invariants: a frame is the light of at most one touch, the last one taken before it.

use std::collections::BTreeMap;
use std::slice;

use firmware_core::debounce::STABLE_MS;
use protocol::{Command, Deed, Event, Frame, FrameDelta, Input, Point, StampedEvent, Tick};

/// The path of a touch to a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TouchPath {
    /// A message that names the touched point.
    #[default]
    Message,
    /// A finger on simulated sensors, which debounce it.
    Sensors,
}

impl TouchPath {
    /// All paths of a touch to a board.
    pub const ALL: [TouchPath; 2] = [TouchPath::Message, TouchPath::Sensors];

    /// The path in one word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            TouchPath::Message => "message",
            TouchPath::Sensors => "sensors",
        }
    }

    /// The shortest time of debouncing, in microseconds, from the first sample to the
    /// last; 0 without sensors.
    #[must_use]
    pub const fn debounce_us(self) -> u64 {
        match self {
            TouchPath::Message => 0,
            TouchPath::Sensors => (STABLE_MS as u64 - 1) * 1_000,
        }
    }
}

/// A touch that was sent, and may have a light.
#[derive(Clone, Copy)]
pub struct Lit {
    /// The time at which the touch was sent, in microseconds.
    pub sent_us: u64,
    /// The number of bytes of the message.
    pub bytes: u64,
    /// The path of the touch.
    pub path: TouchPath,
}

/// Waits for the lights of touches.
#[derive(Default)]
pub struct LightWatch {
    sent: BTreeMap<Point, Lit>,
    /// The touch that the board took at this tick.
    taken: Option<(Tick, Lit)>,
    shown: Option<Frame>,
}

impl LightWatch {
    /// Forgets all touches: a new run of the board begins.
    pub fn forget(&mut self) {
        *self = LightWatch::default();
    }

    /// Handles a request of the host, which may be a touch.
    pub fn request(&mut self, sent_us: u64, command: &Command, bytes: u64) {
        let (path, inputs) = match command {
            Command::Do(Deed::Input(input)) => (TouchPath::Message, slice::from_ref(input)),
            Command::Step { inputs, .. } => (TouchPath::Message, &inputs[..]),
            Command::Fingers(fingers) => (TouchPath::Sensors, &fingers[..]),
            _ => return,
        };
        for input in inputs {
            if let Input::Touch(point) = input {
                let lit = Lit {
                    sent_us,
                    bytes,
                    path,
                };
                self.sent.insert(*point, lit);
            }
        }
    }

    /// Handles an event of the board.
    pub fn event(&mut self, event: &StampedEvent) {
        if let Event::Taken(Input::Touch(point)) = event.event
            && let Some(lit) = self.sent.remove(&point)
        {
            self.taken = Some((event.tick, lit));
        }
    }

    /// Handles a whole frame; returns the touch whose light it is.
    pub fn whole(&mut self, tick: Tick, frame: &Frame) -> Option<Lit> {
        let before = self.shown.replace(frame.clone());
        let differs = before
            .is_some_and(|before| before.points != frame.points || before.rhythms != frame.rhythms);
        self.light(tick, differs)
    }

    /// Handles a change of the frame; returns the touch whose light it is.
    pub fn change(&mut self, tick: Tick, delta: &FrameDelta) -> Option<Lit> {
        if let Some(shown) = &mut self.shown {
            shown.apply(delta);
        }
        self.light(tick, !delta.lit.is_empty())
    }

    fn light(&mut self, tick: Tick, differs: bool) -> Option<Lit> {
        let is_its = |(taken, _): &mut (Tick, Lit)| differs && tick >= *taken;
        self.taken.take_if(is_its).map(|(_, lit)| lit)
    }
}
