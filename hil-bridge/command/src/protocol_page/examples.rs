//! Example messages with their bytes.

use protocol::wire::{self, MAX_FRAME_BYTES};
use protocol::{
    Button, Colour, Command, Deed, Done, Event, Frame, FrameDelta, Input, Layout, Light, Lit,
    Message, PROTOCOL_VERSION, Pace, Packed, Point, Refusal, Reply, Request, Rhythm, SCHEMA_HASH,
    Settings, StampedEvent, Text, ToDevice, ToHost,
};
use serde::Serialize;
use serde_json::{Value, json};
use touchboard_host::hex::hex_of;

/// A message and its bytes.
pub struct Example {
    /// A description in a few words.
    pub name: &'static str,
    /// The type: `ToDevice` or `ToHost`.
    pub kind: &'static str,
    /// The value of the message, as JSON.
    pub value: Value,
    /// The bytes before the CRC.
    pub payload: Vec<u8>,
    /// The bytes on the line.
    pub frame: Vec<u8>,
}

impl Example {
    fn of<M: Message + Serialize>(name: &'static str, kind: &'static str, message: &M) -> Example {
        let mut payload = [0; MAX_FRAME_BYTES];
        let value = serde_json::to_value(message);
        Example {
            name,
            kind,
            value: value.unwrap_or_default(),
            payload: postcard::to_slice(message, &mut payload)
                .map(|bytes| bytes.to_vec())
                .unwrap_or_default(),
            frame: wire::encoded(message),
        }
    }

    /// The example as in the schema file.
    #[must_use]
    pub fn json(&self) -> Value {
        json!({
            "name": self.name,
            "type": self.kind,
            "value": self.value,
            "payload": hex_of(&self.payload),
            "frame": hex_of(&self.frame),
        })
    }
}

/// Examples that together use every encoding rule.
#[must_use]
pub fn all() -> Vec<Example> {
    let hello = ToDevice::Hello {
        version: PROTOCOL_VERSION,
        schema: SCHEMA_HASH,
        host: 0xC0FFEE,
    };
    let mut all = vec![Example::of("a hello", "ToDevice", &hello)];
    all.extend(requests());
    all.extend(replies());
    all.extend(news());
    all
}

/// What a host asks for, in the order in which a session would.
fn requests() -> [Example; 5] {
    let asks = |name, number, command| {
        let seen = 3;
        let request = Request {
            number,
            seen,
            command,
        };
        Example::of(name, "ToDevice", &ToDevice::Request(request))
    };
    let anew = Deed::Reset {
        seed: 7,
        layout: Layout::MALDOO,
    };
    let settings = Settings {
        game: 9,
        ..Settings::default()
    };
    let touch = [Input::Touch(Point(21)), Input::Release(Point(21))];
    let step = Command::Step {
        inputs: touch.into_iter().collect(),
        ticks: 300,
        digest: true,
    };
    let button = Input::Press(Button::Start);
    [
        asks("time stands still", 1, Command::Pace(Pace::Lockstep)),
        asks("a board that restarts", 2, Command::Do(anew)),
        asks("other settings", 3, Command::Do(Deed::Settings(settings))),
        asks("a finger that comes and goes, and 300 ticks", 4, step),
        asks("a button", 5, Command::Do(button.into())),
    ]
}

fn replies() -> [Example; 2] {
    let replies = |name, result| {
        let reply = Reply {
            number: 1,
            tick: 700,
            events: 5,
            frames: 2,
            result,
        };
        Example::of(name, "ToHost", &ToHost::Reply(reply))
    };
    let stepped = Done::Stepped {
        inputs: 2,
        ticks: 300,
        digest: Some(0x0123_4567_89AB_CDEF),
    };
    [
        replies("what came of it", Ok(stepped)),
        replies("a refusal", Err(Refusal::NoSuchGame(31))),
    ]
}

/// What a board tells without being asked.
fn news() -> [Example; 3] {
    let tells = |name, message| Example::of(name, "ToHost", &message);
    let event = StampedEvent {
        number: 4,
        tick: 700,
        event: Event::Score([4, 1]),
    };
    let frame = ToHost::Frame {
        number: 0,
        tick: 12_345,
        frame: frame(),
    };
    let delta = ToHost::Delta {
        number: 1,
        tick: 12_400,
        delta: delta(),
    };
    [
        tells("an event", ToHost::Event(event)),
        tells("a whole frame", frame),
        tells("a change of it", delta),
    ]
}

/// Lights of each colour, one of which blinks.
fn frame() -> Frame {
    let mut points = Packed::default();
    points.set(Point(0), Colour::GREEN);
    points.set(Point(1), Colour::RED);
    points.set(Point(4), Colour::AMBER);
    let mut frame = Frame {
        points,
        turn: [true, false],
        display: Text::clipped("2          2"),
        ..Frame::default()
    };
    frame.rhythms.set(Point(4), Rhythm::Fast);
    frame.set_beat(12_345);
    frame
}

fn delta() -> FrameDelta {
    FrameDelta {
        lit: [Lit {
            point: Point(21),
            light: Light::new(Colour::GREEN, Rhythm::Steady),
        }]
        .into_iter()
        .collect(),
        turn: [false, true],
        ..FrameDelta::default()
    }
}
