//! The thread of a conversation: its line is a [`Link`] with a reading thread, its clock
//! that of the computer, and its orders come over a channel.

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Select, TryRecvError};
use touchboard_host::client::ClientSide;
use touchboard_host::conversation::{
    Conversation, FromBoard, LineEnd, Order, ProgramSide, Waiting,
};
use touchboard_host::driver::DriverError;

use super::Dial;
use super::reader::{Arrival, Reader};
use crate::LinkError;
use crate::link::{Link, Unrecorded};

/// An open line.
struct Line {
    link: Box<dyn Link>,
    reader: Reader,
}

/// What a conversation has around it in a thread.
pub struct ThreadEnd {
    dial: Box<dyn Dial>,
    line: Option<Line>,
    side: ClientSide,
    since: Instant,
}

impl ThreadEnd {
    /// Lines from `dial`, the queues of a client, and a clock that began at `since`.
    pub fn new(dial: Box<dyn Dial>, side: ClientSide, since: Instant) -> ThreadEnd {
        ThreadEnd {
            dial,
            line: None,
            side,
            since,
        }
    }

    /// The error of a failed line.
    fn failed(&self, error: &io::Error) -> DriverError {
        if Unrecorded::is_cause_of(error) {
            return LinkError::lost(error.to_string());
        }
        LinkError::gone(self.dial.name(), &error.to_string())
    }

    fn incoming(&self) -> Option<Receiver<Arrival>> {
        Some(self.line.as_ref()?.reader.incoming.clone())
    }
}

/// Holds the conversation until it is over.
pub fn run(mut conversation: Conversation<ThreadEnd>) {
    while let Some(waiting) = conversation.poll() {
        let end = conversation.end().borrow();
        let (incoming, orders, now) = (end.incoming(), end.side.orders().clone(), end.now());
        drop(end);
        wait(waiting, incoming.as_ref(), &orders, now);
    }
}

fn wait(
    waiting: Waiting,
    incoming: Option<&Receiver<Arrival>>,
    orders: &Receiver<Order>,
    now: Duration,
) {
    let at_most = waiting.until.saturating_sub(now);
    let mut select = Select::new();
    if let Some(incoming) = incoming.filter(|_| waiting.for_line) {
        select.recv(incoming);
    }
    if waiting.for_orders {
        select.recv(orders);
    }
    // What is ready is taken by the conversation; without anything to select, this sleeps.
    let _ = select.ready_timeout(at_most);
}

impl LineEnd for ThreadEnd {
    fn name(&self) -> &str {
        self.dial.name()
    }

    fn now(&self) -> Duration {
        self.since.elapsed()
    }

    fn random(&mut self) -> u32 {
        RandomState::new().hash_one(std::process::id()) as u32
    }

    fn open(&mut self) -> Result<(), DriverError> {
        let link = self.dial.dial()?;
        let reader = link.try_clone().and_then(Reader::start);
        let reader = reader.map_err(|error| self.failed(&error))?;
        self.line = Some(Line { link, reader });
        Ok(())
    }

    fn close(&mut self) {
        self.line = None;
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), DriverError> {
        let Some(line) = &mut self.line else {
            return Err(LinkError::gone(self.dial.name(), "it has ended"));
        };
        let sent = line.link.send(bytes);
        sent.map_err(|error| self.failed(&error))
    }

    fn receive(&mut self) -> Option<FromBoard> {
        match self.line.as_ref()?.reader.incoming.try_recv() {
            Ok(Ok(incoming)) => Some(incoming),
            Ok(Err(error)) => Some(FromBoard::Ended(self.failed(&error))),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                let gone = LinkError::gone(self.dial.name(), "its reader ended");
                Some(FromBoard::Ended(gone))
            }
        }
    }

    fn take_received_bytes(&mut self) -> u64 {
        let line = self.line.as_ref();
        line.map_or(0, |line| line.reader.take_bytes())
    }

    fn side(&mut self) -> &mut dyn ProgramSide {
        &mut self.side
    }

    fn why_ended(&mut self) -> Option<String> {
        self.dial.why_ended()
    }

    fn faults(&self) -> Option<String> {
        self.dial.faults()
    }

    fn is_halted(&mut self) -> bool {
        self.dial.is_halted()
    }
}
