//! A host as small as can be: it asks, repeats until it is answered, and keeps
//! what it was told.

use std::io::{ErrorKind, Read, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use protocol::wire::{self, MAX_FRAME_BYTES, Receiver};
use protocol::{
    Command, Done, Frame, Hello, PROTOCOL_VERSION, Refusal, Reply, Request, SCHEMA_HASH,
    StampedEvent, ToDevice, ToHost,
};

/// How long an answer may take before the host repeats its question.
const REPEAT_AFTER: Duration = Duration::from_millis(100);
/// How long a board may be silent before the test gives up.
const GIVE_UP_AFTER: Duration = Duration::from_secs(20);

static HOSTS: AtomicU32 = AtomicU32::new(1);

pub struct Host<L> {
    line: L,
    receiver: Receiver,
    pending: Vec<u8>,
    /// Who this host is: no two in this process are the same.
    host: u32,
    number: u32,
    pub events: Vec<StampedEvent>,
    next_event: u32,
    pub frame: Frame,
    next_frame: u32,
    pub panic: Option<String>,
    pub repeated: u32,
}

/// `line` must give up reading after some milliseconds, as a serial port and a
/// socket with a time limit do.
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

    /// The next message, or `None` if none came in time.
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
                    if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock) => {}
                Err(error) => panic!("the line failed: {error}"),
            }
        }
    }

    /// Asks `message` until `answer` finds what it wants in what comes.
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

    /// Asks, and does not wait for an answer.
    pub fn ask_only(&mut self, command: Command) {
        self.number += 1;
        let request = Request {
            number: self.number,
            seen: self.next_event,
            command,
        };
        self.send(&ToDevice::Request(request));
    }

    pub fn ask(&mut self, command: Command) -> Result<Done, Refusal> {
        self.number += 1;
        let request = Request {
            number: self.number,
            seen: self.next_event,
            command,
        };
        let number = self.number;
        let restarts = matches!(request.command, Command::Reset { .. });
        let reply: Reply = self.until(&ToDevice::Request(request), |told| match told {
            ToHost::Reply(reply) if reply.number == number => Some(reply.clone()),
            _ => None,
        });
        if restarts && reply.result.is_ok() {
            self.events.clear();
            self.next_event = 0;
        }
        reply.result
    }

    /// Lets what comes in within this time be noted.
    pub fn listen(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while let Some(told) = self.receive(deadline) {
            self.note(told);
        }
    }
}
