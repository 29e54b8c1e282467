//! Two hosts, each connected to one line of the same board.

use std::collections::VecDeque;

use firmware_core::{AnyBoard, Identity, SNAPSHOT_BYTES};
use proptest::prelude::*;
use protocol::wire::MAX_FRAME_BYTES;
use protocol::{Command, Layout, PROTOCOL_VERSION, Request, SCHEMA_HASH};

use super::*;

const NAMES: [&str; 2] = ["a host on the first", "a host on the second"];
const LATER: &str = "a host that came later";

/// A line, and the messages that its host received.
#[derive(Default)]
struct Wire {
    to_board: VecDeque<u8>,
    from_board: Receiver,
    told: Vec<ToHost>,
    /// The number of bytes that the line takes at once.
    room: usize,
    hangs_up: bool,
    number: u32,
}

type Vec<T> = std::vec::Vec<T>;

impl HostLine for Wire {
    fn receive(&mut self, buffer: &mut [u8]) -> usize {
        let count = self.to_board.len().min(buffer.len());
        for (place, byte) in buffer.iter_mut().zip(self.to_board.drain(..count)) {
            *place = byte;
        }
        count
    }

    fn send(&mut self, bytes: &[u8]) -> usize {
        let count = bytes.len().min(self.room);
        for byte in &bytes[..count] {
            if let Some(Ok(plain)) = self.from_board.feed(*byte) {
                self.told.extend(wire::parse(plain));
            }
        }
        count
    }
}

impl SecondLine for Wire {
    fn poll(&mut self) {}

    fn has_hung_up(&mut self) -> bool {
        std::mem::take(&mut self.hangs_up)
    }

    fn arm_wake_up(&self) {}
}

impl Wire {
    fn say(&mut self, message: &ToDevice) {
        let mut buffer = [0; MAX_FRAME_BYTES];
        let bytes = wire::encode(message, &mut buffer).unwrap();
        self.to_board.extend(bytes.iter().copied());
    }
}

/// A board with two lines, in its loop.
struct Desk {
    wires: [Wire; 2],
    hosts: Hosts,
    device: Device<AnyBoard, Vec<u8>>,
    bytes: [u8; CHUNK_BYTES],
    fresh: Range<usize>,
}

impl Desk {
    fn new() -> Desk {
        let board = AnyBoard::new(Layout::MALDOO, 0).unwrap();
        let identity = Identity {
            board: "simulated",
            boot: 1,
            sensors: false,
        };
        let wire = || Wire {
            room: 16,
            ..Wire::default()
        };
        Desk {
            wires: [wire(), wire()],
            hosts: Hosts::new(NAMES),
            device: Device::new(board, identity, vec![0; SNAPSHOT_BYTES]),
            bytes: [0; CHUNK_BYTES],
            fresh: 0..0,
        }
    }

    /// Runs the loop of an image for this many milliseconds, until nothing is left to do.
    fn run(&mut self, ms: u32) {
        for passed_ms in [ms].into_iter().chain([0; 200]) {
            let [first, second] = &mut self.wires;
            let room = (&mut self.bytes, &mut self.fresh);
            self.hosts
                .poll(first, second, passed_ms, &mut self.device, room);
            self.fresh.start += self.device.feed(&self.bytes[self.fresh.clone()]);
            let sent = self.hosts.send(first, second, self.device.output());
            self.device.sent(sent);
        }
    }

    fn hello(&mut self, plug: Plug) {
        self.wires[plug as usize].say(&ToDevice::Hello {
            version: PROTOCOL_VERSION,
            schema: SCHEMA_HASH,
            host: plug as u32,
        });
        self.run(1);
    }

    fn ping(&mut self, plug: Plug) {
        let wire = &mut self.wires[plug as usize];
        wire.number += 1;
        let request = Request {
            number: wire.number,
            seen: 0,
            command: Command::Ping,
        };
        wire.say(&ToDevice::Request(request));
        self.run(1);
    }

    /// The messages to a host since the last call: hellos, answers, and which line has
    /// the board.
    fn told(&mut self, plug: Plug) -> Vec<&'static str> {
        let told = std::mem::take(&mut self.wires[plug as usize].told);
        let words = told.iter().filter_map(|message| match message {
            ToHost::Hello(_) => Some("hello"),
            ToHost::Reply(reply) => reply.result.is_ok().then_some("done"),
            ToHost::Busy(who) => [NAMES[0], NAMES[1], LATER]
                .into_iter()
                .find(|known| **known == **who),
            _ => None,
        });
        words.collect()
    }
}

use Plug::{First, Second};

#[test]
fn a_greeting_over_either_line_takes_the_board() {
    for plug in [First, Second] {
        let mut desk = Desk::new();
        desk.run(1);
        desk.told(First);
        desk.hello(plug);
        desk.ping(plug);
        assert_eq!(desk.told(plug), ["hello", "done"]);
        assert_eq!(desk.told(plug.other()), [""; 0]);
        assert_eq!(desk.hosts.holder(), Some(plug));
    }
}

#[test]
fn a_second_host_receives_the_name_of_the_first() {
    for plug in [First, Second] {
        let mut desk = Desk::new();
        desk.hello(plug);
        desk.told(plug);
        desk.hello(plug.other());
        desk.ping(plug.other());
        desk.ping(plug);
        assert_eq!(desk.told(plug.other()), [NAMES[plug as usize]; 2]);
        assert_eq!(desk.told(plug), ["done"]);
    }
}

#[test]
fn a_silent_host_loses_the_board_and_can_get_it_back() {
    let mut desk = Desk::new();
    desk.hello(First);
    desk.ping(First);
    desk.told(First);
    desk.run(SILENCE_MS - 10);
    desk.hello(Second);
    assert_eq!(desk.told(Second), [NAMES[0]]);
    desk.run(10);
    desk.hello(Second);
    assert_eq!(desk.told(Second), ["hello"]);
    assert_eq!(desk.told(First), [LATER]);
    // The host keeps asking, and is answered each time.
    desk.ping(First);
    assert_eq!(desk.told(First), [NAMES[1]]);
    desk.run(SILENCE_MS);
    desk.ping(First);
    assert_eq!(desk.told(First), [NAMES[1]], "a request is not a hello");
    desk.hello(First);
    desk.ping(First);
    assert_eq!(desk.told(First), ["hello", "done"]);
    assert_eq!(desk.told(Second), [LATER]);
}

#[test]
fn hanging_up_frees_the_board_at_once() {
    let mut desk = Desk::new();
    desk.hello(Second);
    desk.wires[1].hangs_up = true;
    desk.run(1);
    assert_eq!(desk.hosts.holder(), None);
    desk.told(First);
    desk.hello(First);
    desk.ping(First);
    assert_eq!(desk.told(First), ["hello", "done"]);
}

#[test]
fn a_blocked_line_does_not_delay_the_other() {
    let mut desk = Desk::new();
    desk.hello(Second);
    desk.wires[1].room = 0;
    desk.ping(Second);
    desk.run(SILENCE_MS);
    desk.hello(First);
    desk.ping(First);
    assert!(desk.told(First).ends_with(&["hello", "done"]));
}

proptest! {
    /// Every request is answered, or refused with the name of the line that has the
    /// board, whatever happens in between.
    #[test]
    fn every_request_is_answered_or_refused(
        deeds in proptest::collection::vec((any::<bool>(), any::<bool>(), 0..2 * SILENCE_MS), 1..20),
        noise in proptest::collection::vec(any::<u8>(), 0..90),
    ) {
        let mut desk = Desk::new();
        for (is_first, is_hello, ms) in deeds {
            let plug = if is_first { First } else { Second };
            desk.run(ms);
            desk.wires[plug as usize].to_board.extend(&noise);
            desk.run(1);
            desk.told(plug);
            match is_hello {
                true => desk.hello(plug),
                false => desk.ping(plug),
            }
            let told = desk.wires[plug as usize].told.len();
            prop_assert!(told > 0, "{:?} {}", plug, is_hello);
        }
    }
}
