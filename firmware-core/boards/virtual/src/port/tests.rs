//! Tests of a port without plugs, with simulated time.

use std::collections::BTreeMap;

use firmware_core::device::ContactNews;
use firmware_core::{AnyBoard, Faults, Matrix};
use law::{Judged, Weight, law};
use proptest::collection;
use proptest::prelude::*;
use protocol::wire::Receiver;
use protocol::{
    Button, Command, Deed, Done, Event, Input, Layout, PROTOCOL_VERSION, Point, Refusal, Request,
    SCHEMA_HASH, StampedEvent, Tick, ToDevice,
};

use super::*;

fn port(faults: &str) -> Port<AnyBoard> {
    let options = Options {
        no_pty: true,
        faults: crate::FaultOptions(faults.parse().unwrap()),
        ..Options::default()
    };
    let plugs = Plugs::open(&options).unwrap();
    let faults = options.faults.0.clone();
    let fingers = Fingers::new(options.first_layout(), faults, plugs.waker());
    let board = AnyBoard::new(options.first_layout(), 0).unwrap();
    Port::new(Keeping::new(board), None, options, plugs, fingers)
}

const HELLO: ToDevice = ToDevice::Hello {
    version: PROTOCOL_VERSION,
    schema: SCHEMA_HASH,
    host: 1,
};

fn send(port: &mut Port<AnyBoard>, message: &ToDevice) {
    port.incoming.extend(wire::encoded(message));
    port.feed();
}

/// Takes all messages of the board.
fn received(port: &mut Port<AnyBoard>) -> Vec<ToHost> {
    let (mut receiver, mut heard): (Receiver, _) = (Receiver::new(), Vec::new());
    while !port.device.output().is_empty() {
        let bytes = port.device.output().to_vec();
        for byte in &bytes {
            if let Some(Ok(plain)) = receiver.feed(*byte) {
                heard.extend(wire::parse::<ToHost>(plain));
            }
        }
        port.device.sent(bytes.len());
        port.elapse(0);
    }
    heard
}

/// The lines for the log among these messages.
fn logged(port: &mut Port<AnyBoard>) -> Vec<String> {
    let line = |told| match told {
        ToHost::Log { text, .. } => Some(text.to_string()),
        _ => None,
    };
    received(port).into_iter().filter_map(line).collect()
}

#[test]
fn each_host_hears_once_of_a_stuck_key() {
    let mut port = port("stuck d4");
    port.elapse(20_000);
    assert_eq!(logged(&mut port), [""; 0], "nobody is there");
    send(&mut port, &HELLO);
    let stuck = "d4 has been held down for 10 s: it may be stuck, check what lies on it";
    assert_eq!(logged(&mut port), [stuck]);
    port.elapse(60_000);
    assert_eq!(logged(&mut port), [""; 0]);
}

#[test]
fn a_board_without_fingers_and_faults_may_sleep() {
    let mut port = port("none");
    port.elapse(1_000);
    assert_eq!(port.board_sleeps_ms(), port.device.sleeps_ms());
    port.hand.fingers.line("down d4").unwrap();
    port.elapse(0);
    assert_eq!(port.board_sleeps_ms(), Some(1));
}

#[test]
fn a_smaller_board_drops_stuck_keys_it_does_not_have() {
    let mut port = port("stuck i9");
    let small = Layout::grid(4, 4).unwrap();
    let board = Keeping::new(AnyBoard::new(small, 0).unwrap());
    port.device = device(board, None, 1, &Faults::default());
    port.elapse(20_000);
    assert_eq!(port.hand.layout(), small);
    assert!(!port.hand.has_more_to_say());
    assert!(port.hand.fingers.line("down i9").is_err());
}

/// Events of a board, whether it is used as a function or over a line.
#[derive(Clone, Debug)]
enum Happens {
    Finger(Input),
    Faults(Box<Faults>),
    /// A host sets the faults.
    Break(Box<Faults>),
    Time(u32),
}

/// A player who clicks on the board from the other end of its line.
struct Clicker {
    port: Port<AnyBoard>,
    number: u32,
    events: Vec<(Tick, Event)>,
}

impl Clicker {
    fn request(&mut self, command: Command) -> Result<Done, Refusal> {
        self.number += 1;
        let request = Request {
            number: self.number,
            seen: self.events.len() as u32,
            command,
        };
        send(&mut self.port, &ToDevice::Request(request));
        self.listen().unwrap()
    }

    /// Sets the faults of the board.
    fn inject_faults(&mut self, faults: &Faults) -> Result<Done, Refusal> {
        let text = match faults.are_none() {
            // Contacts that still bounce go on with this seed.
            true => format!("seed {}", faults.seed),
            false => faults.to_string(),
        };
        let bytes = text.bytes().collect();
        self.request(Command::Write { offset: 0, bytes })?;
        let length = text.len() as u16;
        self.request(Command::Break { length })
    }

    /// The inputs that the board took, with their ticks.
    fn taken(&self) -> Vec<(Tick, Input)> {
        let taken = |(tick, event): &(Tick, Event)| match event {
            Event::Taken(input) => Some((*tick, *input)),
            _ => None,
        };
        self.events.iter().filter_map(taken).collect()
    }

    /// Handles the board's messages, and returns its answer to a request.
    fn listen(&mut self) -> Option<Result<Done, Refusal>> {
        let mut answer = None;
        for told in received(&mut self.port) {
            match told {
                ToHost::Event(event) if event.number == self.events.len() as u32 => {
                    self.events.push((event.tick, event.event));
                }
                ToHost::Reply(reply) => answer = Some(reply.result),
                _ => {}
            }
        }
        answer
    }
}

fn clicker(faults: &str) -> Clicker {
    let mut port = port(faults);
    send(&mut port, &HELLO);
    let mut clicker = Clicker {
        port,
        number: 0,
        events: Vec::new(),
    };
    clicker.listen();
    clicker
}

/// Lets everything happen to a board over a line; returns its events.
fn over_a_line(all: &[Happens]) -> Vec<(Tick, Event)> {
    let mut clicker = clicker("none");
    for happens in all {
        match happens {
            Happens::Finger(input) => {
                let taken = Done::Stepped {
                    inputs: 1,
                    ticks: 0,
                    digest: None,
                };
                assert_eq!(clicker.request(Command::fingers([*input])), Ok(taken));
            }
            Happens::Faults(faults) => {
                clicker.port.hand.fingers.set_faults((**faults).clone());
                clicker.port.elapse(0);
            }
            Happens::Break(faults) => {
                assert_eq!(clicker.inject_faults(faults), Ok(Done::Done));
            }
            Happens::Time(ms) => {
                let mut left = *ms;
                while left > 0 {
                    // A host that reads all the time is told of every ms of bouncing.
                    let sleeps_ms = clicker.port.hand.sleeps_ms().unwrap_or(left);
                    let passed = left.min(sleeps_ms.max(1));
                    clicker.port.elapse(passed);
                    clicker.listen();
                    assert_eq!(clicker.request(Command::Ping), Ok(Done::Done));
                    left -= passed;
                }
            }
        }
    }
    clicker
        .events
        .retain(|(_, event)| !matches!(event, Event::Digest(_)));
    clicker.events
}

/// Lets everything happen to a board that is called as a function; returns its events.
fn in_process(all: &[Happens]) -> Vec<(Tick, Event)> {
    let mut board = AnyBoard::new(Layout::MALDOO, 0).unwrap();
    let mut matrix = Matrix::new(Layout::MALDOO, Faults::default());
    let mut events = Vec::new();
    let mut tell = |tick, event| events.push((tick, event));
    for happens in all {
        match happens {
            Happens::Finger(input) => matrix.click(*input),
            Happens::Faults(faults) | Happens::Break(faults) => {
                matrix.set_faults((**faults).clone());
            }
            Happens::Time(ms) => {
                let end = board.tick() + Tick::from(*ms);
                while board.tick() < end {
                    let passed = board.step(matrix.quiet_within(end - board.tick()), &mut tell);
                    let mut felt = Vec::new();
                    matrix.pass(passed, |input| felt.push(input));
                    matrix.take_contacts(|contact| tell(board.tick(), Event::Contact(contact)));
                    for input in felt {
                        tell(board.tick(), Event::Taken(input));
                        board.carry_out(&Deed::Input(input), &mut tell).unwrap();
                    }
                }
            }
        }
    }
    events
}

fn happens() -> impl Strategy<Value = Vec<Happens>> {
    let button = (0..Button::ALL.len()).prop_map(|index| Button::ALL[index]);
    let finger = prop_oneof![
        3 => (20..60_u8).prop_map(|point| Input::Touch(Point(point))),
        3 => (20..60_u8).prop_map(|point| Input::Release(Point(point))),
        1 => Just(Input::Press(Button::Start)),
        1 => Just(Input::Lift(Button::Start)),
        1 => button.clone().prop_map(Input::Press),
        1 => button.prop_map(Input::Lift),
    ];
    let faults = (
        any::<u64>(),
        0..20_u64,
        any::<bool>(),
        0..3_usize,
        any::<bool>(),
    );
    let faults = faults.prop_map(|(seed, bounce_ms, ghosting, which, by_host)| {
        let more = ["", ", stuck d4, dead e5", ", dead start, stuck c6"][which];
        let text = format!("seed {seed}, bounce-ms {bounce_ms}{more}");
        let mut faults: Faults = text.parse().unwrap();
        faults.board.ghosting = ghosting;
        match by_host {
            true => Happens::Break(Box::new(faults)),
            false => Happens::Faults(Box::new(faults)),
        }
    });
    let time = prop_oneof![1..8_u32, 1..300_u32].prop_map(Happens::Time);
    let one = prop_oneof![6 => finger.prop_map(Happens::Finger), 1 => faults, 4 => time];
    collection::vec(one, 1..60).prop_map(|mut all| {
        all.push(Happens::Time(1_500));
        all
    })
}

#[test]
fn clicks_over_a_line_act_as_in_process() {
    law(Weight::of(150, 80), happens(), |all| {
        let events = over_a_line(&all);
        prop_assert_eq!(&events, &in_process(&all));
        let has = |told: fn(&Event) -> bool| events.iter().filter(|(_, event)| told(event)).count();
        let felt = has(|event| matches!(event, Event::Taken(_)));
        let contacts = has(|event| matches!(event, Event::Contact(_)));
        Ok(Judged::if_any(felt > 2 && contacts > 2))
    });
}

#[test]
fn a_dead_key_ignores_clicks_but_not_messages() {
    let mut clicker = clicker("dead d4, stuck e5");
    let layout = clicker.port.hand.layout();
    let [d4, e5] = ["d4", "e5"].map(|name| layout.point(name).unwrap());
    for point in [d4, e5] {
        let click = [Input::Touch(point), Input::Release(point)];
        clicker.request(Command::fingers(click)).unwrap();
    }
    clicker.port.elapse(100);
    clicker.listen();
    assert_eq!(
        clicker.taken(),
        [(5, Input::Touch(e5))],
        "it was down before it was clicked"
    );
    clicker
        .request(Command::Do(Input::Touch(d4).into()))
        .unwrap();
    assert_eq!(clicker.taken()[1..], [(100, Input::Touch(d4))]);
}

/// The contacts that the board tells of, each once.
fn contacts(port: &mut Port<AnyBoard>) -> Vec<Input> {
    let contact = |told| match told {
        ToHost::Event(StampedEvent {
            number,
            event: Event::Contact(contact),
            ..
        }) => Some((number, contact)),
        _ => None,
    };
    let told: BTreeMap<u32, Input> = received(port).into_iter().filter_map(contact).collect();
    told.into_values().collect()
}

#[test]
fn closed_contacts_are_reported_after_a_hello_or_reset() {
    let mut port = port("stuck d4");
    port.elapse(100);
    let d4 = Input::Touch(port.hand.layout().point("d4").unwrap());
    for host in [1, 2] {
        let hello = ToDevice::Hello {
            version: PROTOCOL_VERSION,
            schema: SCHEMA_HASH,
            host,
        };
        send(&mut port, &hello);
        port.elapse(10);
        assert_eq!(contacts(&mut port), [d4]);
        // The same host, whose line was interrupted, knows it.
        send(&mut port, &hello);
        port.elapse(10);
        contacts(&mut port);
        let seen = port.device.contact_news();
        assert_eq!(seen, ContactNews::Changes);
    }
    let (seed, layout) = (0, port.hand.layout());
    let reset = Request {
        number: 1,
        seen: 2,
        command: Command::Do(Deed::Reset { seed, layout }),
    };
    send(&mut port, &ToDevice::Request(reset));
    contacts(&mut port);
    port.elapse(10);
    assert_eq!(contacts(&mut port), [d4]);
}

#[test]
fn fingers_do_not_advance_time() {
    let mut clicker = clicker("none");
    let ticks = Command::Step {
        inputs: std::iter::once(Input::Press(Button::Start)).collect(),
        ticks: 1,
        digest: false,
    };
    assert_eq!(clicker.request(ticks), Err(Refusal::NotInLockstep));
    assert_eq!(clicker.taken(), []);
}
