//! What a line brings: messages, whole or cut, and their wire frames.

use firmware_core::AnyBoard;
use law::Judged;
use protocol::wire::{self, Receiver};
use protocol::{
    Button, Deed, Input, Layout, Message, PROTOCOL_VERSION, Point, SCHEMA_HASH, Settings, ToDevice,
    ToHost,
};

use super::board::{START, Step, act};

/// The same messages are received wherever a stream is cut in two, and a good
/// frame after it is read.
pub(super) fn receiver(bytes: &[u8]) -> Judged {
    let Some((cut, stream)) = bytes.split_first() else {
        return Judged::Nothing;
    };
    let whole: Vec<ToHost> = read(&mut Receiver::new(), stream);
    let (early, late) = stream.split_at(usize::from(*cut) % (stream.len() + 1));
    let mut receiver = Receiver::new();
    let mut parts: Vec<ToHost> = read(&mut receiver, early);
    parts.extend(read(&mut receiver, late));
    assert_eq!(parts, whole);
    let next = log("next");
    let after: Vec<ToHost> = read(&mut receiver, &wire::encoded(&next));
    assert_eq!(after.last(), Some(&next));
    assert!(after.len() <= 2, "{after:?}");
    Judged::if_any(!whole.is_empty())
}

fn read<M: Message>(receiver: &mut Receiver, bytes: &[u8]) -> Vec<M> {
    let mut read = Vec::new();
    for byte in bytes {
        let frame = receiver.feed(*byte);
        read.extend(frame.and_then(|plain| wire::parse(plain.ok()?).ok()));
    }
    read
}

/// The bytes of a message, without the wire frame.
fn plain<M: Message>(message: &M) -> Vec<u8> {
    let mut frame = wire::encoded(message);
    let inner = frame.len() - 1;
    let plain = wire::unwrap(&mut frame[1..inner]);
    plain.expect("what was written is read").to_vec()
}

/// A message has only one encoding.
pub(super) fn decodes<M: Message + PartialEq + std::fmt::Debug>(bytes: &[u8]) -> Judged {
    let _ = wire::hello_of_any_version(bytes);
    let Ok(message) = wire::parse::<M>(bytes) else {
        return Judged::Nothing;
    };
    assert_eq!(plain(&message), bytes, "{message:?}");
    Judged::Something
}

/// A line for the log.
fn log(line: &str) -> ToHost {
    ToHost::Log {
        severity: protocol::Severity::Warning,
        text: protocol::Text::clipped(line),
    }
}

pub(super) fn messages_of_a_host() -> Vec<Vec<u8>> {
    use protocol::{Command, Pace, Request};
    let hello = ToDevice::Hello {
        version: PROTOCOL_VERSION,
        schema: SCHEMA_HASH,
        host: 1,
    };
    let inputs = [
        Input::Touch(Point(3)),
        Input::Release(Point(3)),
        Input::Pass,
    ];
    let commands = [
        Command::Ping,
        Command::Step {
            inputs: inputs.into_iter().collect(),
            ticks: 300,
            digest: true,
        },
        Command::Do(Input::Press(Button::Start).into()),
        Command::Pace(Pace::Free { permille: 1_000 }),
        Command::Do(Deed::Settings(Settings::default())),
        Command::Do(Deed::Choose(3)),
        Command::Legal,
        Command::Write {
            offset: 7,
            bytes: [1, 2, 3, 4].into_iter().collect(),
        },
        Command::Do(Deed::Reset {
            seed: 7,
            layout: Layout::MALDOO,
        }),
    ];
    let request = |(number, command)| {
        plain(&ToDevice::Request(Request {
            number,
            seen: 2,
            command,
        }))
    };
    let requests = (1..).zip(commands).map(request);
    [plain(&hello)].into_iter().chain(requests).collect()
}

/// The messages that a device sends about a game.
pub(super) fn reports() -> Vec<ToHost> {
    let mut board = AnyBoard::new(Layout::MALDOO, 3).expect("9x9 is a layout");
    let mut events = act(&mut board, Step::Press(START));
    for number in 0..4 {
        events.extend(act(&mut board, Step::Legal(number)));
    }
    let stamped = events.into_iter().zip(0..).map(|((tick, event), number)| {
        ToHost::Event(protocol::StampedEvent {
            number,
            tick,
            event,
        })
    });
    let frame = ToHost::Frame {
        number: 5,
        tick: board.tick(),
        frame: board.frame().clone(),
    };
    let reply = ToHost::Reply(protocol::Reply {
        number: 1,
        tick: 5,
        events: 9,
        frames: 2,
        result: Ok(protocol::Done::Status(board.status())),
    });
    stamped.chain([frame, reply, log("hello")]).collect()
}

pub(super) fn messages_of_a_device() -> Vec<Vec<u8>> {
    reports().iter().map(plain).collect()
}

pub(super) fn streams() -> Vec<Vec<u8>> {
    let frames: Vec<Vec<u8>> = reports().iter().map(wire::encoded).collect();
    let pairs = frames.windows(2);
    pairs
        .map(|two| [&[20], &two.concat()[..]].concat())
        .collect()
}
