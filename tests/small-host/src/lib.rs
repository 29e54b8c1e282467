//! A minimal host: it sends requests, repeats them until they are answered, and stores
//! the answers.
//!
//! Tests of boards use it instead of the client of `touchboard-links`, so that an error
//! of that client cannot hide one of the board.

#![forbid(unsafe_code)]

use std::io::{ErrorKind, Read, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use firmware_core::AnyBoard;
use protocol::wire::{self, MAX_FRAME_BYTES, Receiver};
use protocol::{
    Button, CHUNK_BYTES, Command, Deed, Done, Event, Frame, Hello, Input, Layout, PROTOCOL_VERSION,
    Pace, Point, Refusal, Reply, Request, SCHEMA_HASH, StampedEvent, Tick, ToDevice, ToHost,
};

/// How long the host waits for an answer before it repeats a request.
const REPEAT_AFTER: Duration = Duration::from_millis(40);
/// How often lost events are requested before they count as gone.
const MOST_ATTEMPTS: u32 = 20;
/// How long a board may be silent before the test gives up.
const GIVE_UP_AFTER: Duration = Duration::from_secs(60);

static HOSTS: AtomicU32 = AtomicU32::new(1);

pub struct Host<L> {
    pub line: L,
    receiver: Receiver,
    pending: Vec<u8>,
    /// The number of this host, which is unique in this process.
    host: u32,
    number: u32,
    pub events: Vec<StampedEvent>,
    next_event: u32,
    pub frame: Frame,
    next_frame: u32,
    pub panic: Option<String>,
    pub repeated: u32,
}

/// A read from `line` must give up after some milliseconds, as reads from a serial port
/// and a socket with a time limit do.
impl<L: Read + Write> Host<L> {
    pub fn new(line: L) -> Self {
        Host {
            line,
            receiver: Receiver::new(),
            pending: Vec::new(),
            host: HOSTS.fetch_add(1, Ordering::Relaxed),
            number: 100,
            events: Vec::new(),
            next_event: 0,
            frame: Frame::default(),
            next_frame: 0,
            panic: None,
            repeated: 0,
        }
    }

    fn send(&mut self, message: &ToDevice) {
        let mut buffer = [0; MAX_FRAME_BYTES];
        let frame = wire::encode(message, &mut buffer).expect("every message fits");
        self.line.write_all(frame).expect("the line is open");
    }

    /// The next message; `None` if none arrives in time.
    fn receive(&mut self, deadline: Instant) -> Option<ToHost> {
        loop {
            for (index, byte) in self.pending.iter().enumerate() {
                if let Some(Ok(plain)) = self.receiver.feed(*byte)
                    && let Ok(message) = wire::parse(plain)
                {
                    self.pending.drain(..=index);
                    return Some(message);
                }
            }
            self.pending.clear();
            if Instant::now() >= deadline {
                return None;
            }
            let mut buffer = [0; 1024];
            match self.line.read(&mut buffer) {
                Ok(0) => return None,
                Ok(count) => self.pending.extend_from_slice(&buffer[..count]),
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::TimedOut | ErrorKind::WouldBlock | ErrorKind::Interrupted
                    ) => {}
                Err(error) => panic!("the line failed: {error}"),
            }
        }
    }

    /// Sends `message` repeatedly until `answer` accepts one of the received messages.
    fn until<T>(&mut self, message: &ToDevice, answer: impl Fn(&ToHost) -> Option<T>) -> T {
        let give_up = Instant::now() + GIVE_UP_AFTER;
        loop {
            self.send(message);
            let repeat = Instant::now() + REPEAT_AFTER;
            while let Some(told) = self.receive(repeat) {
                if let Some(found) = answer(&told) {
                    return found;
                }
                self.note(told);
            }
            assert!(Instant::now() < give_up, "no answer to {message:?}");
            self.repeated += 1;
        }
    }

    /// The host that has the board, if this one was told that it is busy.
    pub fn is_busy_with(&mut self) -> Option<String> {
        let give_up = Instant::now() + GIVE_UP_AFTER;
        while let Some(told) = self.receive(give_up) {
            if let ToHost::Busy(who) = told {
                return Some(who.to_string());
            }
        }
        None
    }

    fn note(&mut self, told: ToHost) {
        match told {
            ToHost::Event(event) if event.number == self.next_event => {
                self.next_event += 1;
                self.events.push(event);
            }
            ToHost::Frame { number, frame, .. } => {
                self.next_frame = number.wrapping_add(1);
                self.frame = frame;
            }
            ToHost::Delta { number, delta, .. } if number == self.next_frame => {
                self.next_frame = number.wrapping_add(1);
                self.frame.apply(&delta);
            }
            ToHost::Panic(words) => self.panic = Some(words.to_string()),
            _ => {}
        }
    }

    pub fn hello(&mut self) -> Hello {
        self.hello_of(PROTOCOL_VERSION, SCHEMA_HASH)
    }

    pub fn hello_of(&mut self, version: u16, schema: u64) -> Hello {
        let host = self.host;
        let hello = ToDevice::Hello {
            version,
            schema,
            host,
        };
        self.until(&hello, |told| match told {
            ToHost::Hello(hello) => Some(hello.clone()),
            _ => None,
        })
    }

    /// Sends a request without waiting for an answer.
    pub fn ask_only(&mut self, command: Command) {
        self.number += 1;
        let request = Request {
            number: self.number,
            seen: self.next_event,
            command,
        };
        self.send(&ToDevice::Request(request));
    }

    pub fn request(&mut self, command: Command) -> Result<Done, Refusal> {
        self.reply(command).result
    }

    /// The current tick of the board.
    pub fn tick(&mut self) -> Tick {
        self.reply(Command::Ping).tick
    }

    fn reply(&mut self, command: Command) -> Reply {
        let reply = self.exchange(command);
        self.catch_up(&reply);
        reply
    }

    fn exchange(&mut self, command: Command) -> Reply {
        self.number += 1;
        let request = Request {
            number: self.number,
            seen: self.next_event,
            command,
        };
        let number = self.number;
        let restarts = matches!(request.command, Command::Do(Deed::Reset { .. }));
        let reply: Reply = self.until(&ToDevice::Request(request), |told| match told {
            ToHost::Reply(reply) if reply.number == number => Some(reply.clone()),
            _ => None,
        });
        if restarts && reply.result.is_ok() {
            self.events.clear();
            self.next_event = 0;
        }
        reply
    }

    /// Requests lost events. Events that the board no longer has, or that happened before
    /// this host connected, remain unknown.
    fn catch_up(&mut self, reply: &Reply) {
        for _ in 0..MOST_ATTEMPTS {
            if self.next_event >= reply.events {
                break;
            }
            self.exchange(Command::Resend);
        }
        self.next_event = self.next_event.max(reply.events);
        if self.next_frame != reply.frames {
            while self.exchange(Command::Frame).frames != self.next_frame {}
        }
    }

    /// Carries out these inputs and advances by this many ticks, in as many requests as
    /// necessary.
    pub fn step(&mut self, inputs: &[Input], ticks: u32) {
        let (mut inputs, mut left) = (inputs, ticks);
        loop {
            let done = self.request(Command::Step {
                inputs: inputs.iter().copied().collect(),
                ticks: left,
                digest: false,
            });
            let Ok(Done::Stepped {
                inputs: taken,
                ticks: passed,
                ..
            }) = done
            else {
                panic!("no step: {done:?}");
            };
            inputs = &inputs[usize::from(taken)..];
            left -= passed;
            if inputs.is_empty() && left == 0 {
                return;
            }
        }
    }

    /// Reads the whole state of the board, chunk by chunk.
    pub fn read_state(&mut self) -> Vec<u8> {
        let mut state = Vec::new();
        loop {
            let offset = state.len() as u16;
            let done = self.request(Command::Read { offset });
            let Ok(Done::Chunk { total, bytes, .. }) = done else {
                panic!("no chunk: {done:?}");
            };
            state.extend_from_slice(&bytes);
            if state.len() == usize::from(total) {
                return state;
            }
        }
    }

    /// Loads a state that [`Host::read_state`] returned into the board.
    pub fn load_state(&mut self, state: &[u8]) {
        for (number, bytes) in state.chunks(CHUNK_BYTES).enumerate() {
            let write = Command::Write {
                offset: (number * CHUNK_BYTES) as u16,
                bytes: bytes.iter().copied().collect(),
            };
            assert_eq!(self.request(write), Ok(Done::Done));
        }
        let length = state.len() as u16;
        assert_eq!(self.request(Command::Load { length }), Ok(Done::Done));
    }

    /// Says hello until a board answers that started later than `before`.
    pub fn hello_after(&mut self, before: &Hello) -> Hello {
        loop {
            let hello = self.hello();
            if hello.boot != before.boot {
                return hello;
            }
        }
    }

    /// Records the messages that arrive within this time.
    pub fn listen(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while let Some(told) = self.receive(deadline) {
            self.note(told);
        }
    }
}

fn step(inputs: &[Input], ticks: u32) -> Command {
    Command::Step {
        inputs: inputs.iter().copied().collect(),
        ticks,
        digest: true,
    }
}

/// Plays on the board and on a twin in this process, and compares them after every step.
pub fn agrees_with_a_twin<L: Read + Write>(host: &mut Host<L>, layout: Layout) {
    host.hello();
    assert_eq!(host.request(Command::Pace(Pace::Lockstep)), Ok(Done::Done));
    assert_eq!(
        host.request(Command::Do(Deed::Reset { seed: 7, layout })),
        Ok(Done::Done)
    );
    let mut twin = AnyBoard::new(layout, 7).expect("the layout is one");
    let mut events = Vec::new();
    for number in 0..200_u32 {
        let point = Point((number * 37 % layout.points() as u32) as u8);
        let inputs = if number % 20 == 0 {
            [Input::Press(Button::Start), Input::Lift(Button::Start)]
        } else {
            [Input::Touch(point), Input::Release(point)]
        };
        let ticks = number * 13 % 300;
        let done = host.request(step(&inputs, ticks));
        for input in inputs {
            events.push(Event::Taken(input));
            twin.input(input, &mut |_, event| events.push(event));
        }
        twin.advance(ticks.into(), &mut |_, event| events.push(event));
        let expected = Done::Stepped {
            inputs: 2,
            ticks,
            digest: Some(twin.digest()),
        };
        assert_eq!(done, Ok(expected), "step {number}");
        assert_eq!(&host.frame, twin.frame(), "step {number}");
        let told: Vec<Event> = host.events.drain(..).map(|event| event.event).collect();
        assert_eq!(told, std::mem::take(&mut events), "step {number}");
    }
}
