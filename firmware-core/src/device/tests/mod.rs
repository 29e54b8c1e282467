//! The device from a host's point of view: its messages, the data that it stores, and
//! its refusals.

mod greeting;
mod line;
mod own_faults;
mod states;
mod telling;
mod time;

use std::vec;
use std::vec::Vec;

use protocol::{
    Button, Command, Layout, PROTOCOL_VERSION, Reply, Request, SCHEMA_HASH, StampedEvent, ToDevice,
    wire,
};

use super::*;
use crate::{AnyBoard, SNAPSHOT_BYTES};

type Own = Device<AnyBoard, Vec<u8>>;

fn device() -> Own {
    let board = AnyBoard::new(Layout::MALDOO, 7).expect("a layout");
    let identity = Identity {
        board: "test",
        boot: 1,
        sensors: true,
    };
    Device::new(board, identity, vec![0; SNAPSHOT_BYTES])
}

fn hello(host: u32) -> ToDevice {
    ToDevice::Hello {
        version: PROTOCOL_VERSION,
        schema: SCHEMA_HASH,
        host,
    }
}

fn request(number: u32, seen: u32, command: Command) -> ToDevice {
    ToDevice::Request(Request {
        number,
        seen,
        command,
    })
}

fn step(inputs: &[Input], ticks: u32) -> Command {
    Command::Step {
        inputs: inputs.iter().copied().collect(),
        ticks,
        digest: true,
    }
}

/// Takes all waiting output, and parses it as a host would.
fn received(device: &mut Own) -> Vec<ToHost> {
    let mut receiver: Receiver = Receiver::new();
    let mut heard = Vec::new();
    while !device.output().is_empty() {
        let bytes = device.output().to_vec();
        device.sent(bytes.len());
        for byte in bytes {
            if let Some(frame) = receiver.feed(byte) {
                let plain = frame.expect("the device sends no damaged frame");
                heard.push(wire::parse(plain).expect("the device sends messages"));
            }
        }
    }
    heard
}

/// Feeds all bytes to the device, and returns all its messages.
fn send(device: &mut Own, bytes: &[u8]) -> Vec<ToHost> {
    let mut heard = received(device);
    let mut left = bytes;
    while !left.is_empty() {
        let taken = device.feed(left);
        left = &left[taken..];
        let answers = received(device);
        assert!(taken > 0 || !answers.is_empty(), "the device is stuck");
        heard.extend(answers);
    }
    heard
}

fn send_message(device: &mut Own, message: &ToDevice) -> Vec<ToHost> {
    send(device, &wire::encoded(message))
}

fn reply(heard: &[ToHost]) -> &Reply {
    let mut replies = heard.iter().filter_map(|told| match told {
        ToHost::Reply(reply) => Some(reply),
        _ => None,
    });
    let reply = replies.next().expect("there is an answer");
    assert_eq!(replies.next(), None, "there is one answer");
    reply
}

fn events(heard: &[ToHost]) -> Vec<StampedEvent> {
    let events = heard.iter().filter_map(|told| match told {
        ToHost::Event(event) => Some(*event),
        _ => None,
    });
    events.collect()
}

fn frames(heard: &[ToHost]) -> usize {
    let frames = heard
        .iter()
        .filter(|told| matches!(told, ToHost::Frame { .. } | ToHost::Delta { .. }));
    frames.count()
}

fn greeted() -> Own {
    let mut device = device();
    send_message(&mut device, &hello(1));
    device
}

fn in_lockstep() -> Own {
    let mut device = greeted();
    send_message(&mut device, &request(0, 0, Command::Pace(Pace::Lockstep)));
    device
}

const START: [Input; 2] = [Input::Press(Button::Start), Input::Lift(Button::Start)];
