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
    fn send(&mut self, message: &ToDevice) {
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
    input: HostInput,
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
            input: HostInput::new(),
        }
    }

    /// Runs the loop of an image for this many milliseconds, until nothing is left to do.
    fn run(&mut self, ms: u32) {
        for passed_ms in [ms].into_iter().chain([0; 200]) {
            let [first, second] = &mut self.wires;
            self.hosts
                .poll(first, second, passed_ms, &mut self.device, &mut self.input);
            self.input.fresh.start += self.device.feed(self.input.pending());
            let sent = self.hosts.send(first, second, self.device.output());
            self.device.sent(sent);
        }
    }

    fn hello(&mut self, line: LineIndex) {
        self.wires[line as usize].send(&ToDevice::Hello {
            version: PROTOCOL_VERSION,
            schema: SCHEMA_HASH,
            host: line as u32,
        });
        self.run(1);
    }

    fn ping(&mut self, line: LineIndex) {
        let wire = &mut self.wires[line as usize];
        wire.number += 1;
        let request = Request {
            number: wire.number,
            seen: 0,
            command: Command::Ping,
        };
        wire.send(&ToDevice::Request(request));
        self.run(1);
    }

    /// The messages to a host since the last call: hellos, answers, and which line has
    /// the board.
    fn reports(&mut self, line: LineIndex) -> Vec<&'static str> {
        let told = std::mem::take(&mut self.wires[line as usize].told);
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

use LineIndex::{First, Second};

#[test]
fn a_greeting_over_either_line_takes_the_board() {
    for line in [First, Second] {
        let mut desk = Desk::new();
        desk.run(1);
        desk.reports(First);
        desk.hello(line);
        desk.ping(line);
        assert_eq!(desk.reports(line), ["hello", "done"]);
        assert_eq!(desk.reports(line.other()), [""; 0]);
        assert_eq!(desk.hosts.holder(), Some(line));
    }
}

#[test]
fn a_second_host_receives_the_name_of_the_first() {
    for line in [First, Second] {
        let mut desk = Desk::new();
        desk.hello(line);
        desk.reports(line);
        desk.hello(line.other());
        desk.ping(line.other());
        desk.ping(line);
        assert_eq!(desk.reports(line.other()), [NAMES[line as usize]; 2]);
        assert_eq!(desk.reports(line), ["done"]);
    }
}

#[test]
fn a_silent_host_loses_the_board_and_can_get_it_back() {
    let mut desk = Desk::new();
    desk.hello(First);
    desk.ping(First);
    desk.reports(First);
    desk.run(SILENCE_MS - 10);
    desk.hello(Second);
    assert_eq!(desk.reports(Second), [NAMES[0]]);
    desk.run(10);
    desk.hello(Second);
    assert_eq!(desk.reports(Second), ["hello"]);
    assert_eq!(desk.reports(First), [LATER]);
    // The host keeps asking, and is answered each time.
    desk.ping(First);
    assert_eq!(desk.reports(First), [NAMES[1]]);
    desk.run(SILENCE_MS);
    desk.ping(First);
    assert_eq!(desk.reports(First), [NAMES[1]], "a request is not a hello");
    desk.hello(First);
    desk.ping(First);
    assert_eq!(desk.reports(First), ["hello", "done"]);
    assert_eq!(desk.reports(Second), [LATER]);
}

#[test]
fn hanging_up_frees_the_board_at_once() {
    let mut desk = Desk::new();
    desk.hello(Second);
    desk.wires[1].hangs_up = true;
    desk.run(1);
    assert_eq!(desk.hosts.holder(), None);
    desk.reports(First);
    desk.hello(First);
    desk.ping(First);
    assert_eq!(desk.reports(First), ["hello", "done"]);
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
    assert!(desk.reports(First).ends_with(&["hello", "done"]));
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
            let line = if is_first { First } else { Second };
            desk.run(ms);
            desk.wires[line as usize].to_board.extend(&noise);
            desk.run(1);
            desk.reports(line);
            match is_hello {
                true => desk.hello(line),
                false => desk.ping(line),
            }
            let told = desk.wires[line as usize].told.len();
            prop_assert!(told > 0, "{:?} {}", line, is_hello);
        }
    }
}
