//! Handles what arrives over the line: answers go to the caller, events into the queue in
//! order, and frames into the copy.

use std::time::Duration;

use protocol::wire::{self, MAX_FRAME_BYTES};
use protocol::{
    Hello, PROTOCOL_VERSION, Reply, SCHEMA_HASH, Severity, StampedEvent, Tick, ToDevice, ToHost,
};
use tracing::{debug, error, info, warn};

use super::Clerk;
use super::parts::PlacedHappening;
use crate::conversation::{FromBoard, Waiting};
use crate::driver::DriverError;
use crate::happening::Happening;
use crate::link_error::LinkError;

/// How many events and frames wait for a hello at most.
const MOST_BEFORE_HELLO: usize = 1_024;

/// True if the event with this number came before the one with the number `end`.
pub(super) fn is_before(number: u32, end: u32) -> bool {
    // Numbers wrap around: less than half the range away means "before".
    end.wrapping_sub(number).cast_signed() > 0
}

impl Clerk {
    pub(super) fn send(&mut self, message: &ToDevice) -> Result<(), DriverError> {
        let mut buffer = [0; MAX_FRAME_BYTES];
        let Some(bytes) = wire::encode(message, &mut buffer) else {
            return Err(self.gone("a message is too long"));
        };
        if !self.is_open {
            return Err(self.gone("it has ended"));
        }
        self.counters.sent_bytes += bytes.len() as u64;
        self.end.borrow_mut().send(bytes)
    }

    /// Waits for the next item; `None` if nothing arrives in time.
    pub(super) async fn listen(&self, until: Duration) -> Result<Option<FromBoard>, DriverError> {
        if !self.is_open {
            return Err(self.gone("it has ended"));
        }
        loop {
            let incoming = self.end.borrow_mut().receive();
            if incoming.is_some() || self.now() >= until {
                return Ok(incoming);
            }
            let waiting = Waiting {
                until,
                for_line: true,
                for_orders: false,
            };
            self.pause(waiting).await;
        }
    }

    /// Handles an arrived item, and returns it if it is an answer.
    pub(super) fn handle(&mut self, incoming: FromBoard) -> Result<Option<Reply>, DriverError> {
        self.counters.received += 1;
        self.counters.received_bytes += self.end.borrow_mut().take_received_bytes();
        match incoming {
            FromBoard::Message(message) => return self.understand(message),
            FromBoard::Damaged(error) => {
                debug!("from {}: {error}", self.name);
                self.counters.damaged += 1;
                self.doubt_frames();
            }
            FromBoard::Stranger { version, schema } => {
                return Err(LinkError::Version {
                    at: self.name.clone(),
                    theirs_version: version,
                    theirs: schema,
                    ours_version: PROTOCOL_VERSION,
                    ours: SCHEMA_HASH,
                }
                .into());
            }
            FromBoard::Ended(error) => return Err(error),
        }
        Ok(None)
    }

    pub(super) fn understand(&mut self, message: ToHost) -> Result<Option<Reply>, DriverError> {
        match message {
            ToHost::Hello(hello) => self.hear_hello(hello)?,
            message @ (ToHost::Event(_) | ToHost::Frame { .. } | ToHost::Delta { .. })
                if self.asking.lacks_hello =>
            {
                self.keep_for_hello(message);
            }
            ToHost::Reply(reply) => return Ok(Some(reply)),
            ToHost::Event(event) => self.event(event),
            ToHost::Frame {
                number,
                tick,
                frame,
            } => {
                self.frame_copy.whole(number, tick, frame);
                self.publish(Some(tick));
            }
            ToHost::Delta {
                number,
                tick,
                delta,
            } => {
                self.frame_copy.change(number, tick, &delta);
                self.publish(Some(tick));
            }
            ToHost::Log { severity, text } => self.hear_log(severity, text.to_string()),
            ToHost::Panic(text) => {
                self.report(Happening::Panicked(text.to_string()));
                return Err(DriverError::Panicked(text.to_string()));
            }
            ToHost::Busy(who) => {
                return Err(LinkError::Busy {
                    at: self.name.clone(),
                    who: who.to_string(),
                }
                .into());
            }
        }
        Ok(None)
    }

    /// Handles a hello, and then the messages that waited for it.
    fn hear_hello(&mut self, hello: Hello) -> Result<(), DriverError> {
        let known = self.known.hello.as_ref();
        if known.is_none_or(|board| board.boot != hello.boot) {
            return Err(self.restarted());
        }
        let before = self.asking.has_hello();
        self.recognise(hello);
        for message in before {
            self.understand(message)?;
        }
        Ok(())
    }

    /// Keeps a message that a hello must come before.
    fn keep_for_hello(&mut self, message: ToHost) {
        if self.asking.before_hello.len() == MOST_BEFORE_HELLO {
            // A board that never greets must not fill the memory. Its events are sent
            // again, and its frame is asked for.
            self.asking.before_hello.clear();
            self.frame_copy.doubt();
        }
        self.asking.before_hello.push(message);
    }

    fn hear_log(&mut self, severity: Severity, text: String) {
        match severity {
            Severity::Information => info!("the board says: {text}"),
            Severity::Warning => warn!("the board says: {text}"),
            Severity::Error => error!("the board says: {text}"),
        }
        self.report(Happening::Log { severity, text });
    }

    /// Handles a message that was lost, which may have been a change of the frame.
    fn doubt_frames(&mut self) {
        self.frame_copy.doubt();
        let before_hello = &mut self.asking.before_hello;
        before_hello.retain(|message| matches!(message, ToHost::Event(_)));
    }

    pub(super) fn event(&mut self, event: StampedEvent) {
        if self.events.cursor.take(&event) {
            self.report(Happening::Event(event));
            self.flush_placed();
        } else {
            self.events.gap |= self.events.cursor.lacks(event.number);
        }
    }

    /// Reports the commands whose place among the events has been reached.
    pub(super) fn flush_placed(&mut self) {
        while let Some((before, _)) = self.events.placed.front()
            && !self.events.cursor.lacks(*before)
            && let Some((_, placed)) = self.events.placed.pop_front()
        {
            match placed {
                PlacedHappening::Told(happening) => self.report(happening),
                PlacedHappening::Awaited => self.events.held = Some(Vec::new()),
            }
        }
    }

    /// Reports a happening that this answer told of, at its place among the events.
    pub(super) fn report_at(&mut self, reply: &Reply, happening: Happening) {
        self.place(reply, PlacedHappening::Told(happening));
    }

    /// Reports a happening at its place among the events: that of this answer. Events that
    /// followed it may be [held](Clerk::hold) already.
    pub(super) fn place(&mut self, reply: &Reply, placed: PlacedHappening) {
        let mut held = self.events.held.take().unwrap_or_default();
        let follows = |happening: &Happening| match happening {
            Happening::Event(event) => !is_before(event.number, reply.events),
            _ => false,
        };
        let place = held.iter().position(follows).unwrap_or(held.len());
        let later = held.split_off(place);
        held.into_iter()
            .for_each(|happening| self.report(happening));
        self.events.placed.push_back((reply.events, placed));
        self.flush_placed();
        later
            .into_iter()
            .for_each(|happening| self.report(happening));
    }

    /// Keeps what happens until it is known where among it an answer has its place.
    pub(super) fn hold(&mut self) {
        self.events.held.get_or_insert_default();
    }

    /// Reports what was kept: there is no answer with a place among it.
    pub(super) fn release(&mut self) {
        for happening in self.events.held.take().unwrap_or_default() {
            self.report(happening);
        }
    }

    pub(super) fn report(&mut self, happening: Happening) {
        if let Some(held) = &mut self.events.held {
            held.push(happening);
            return;
        }
        let dropped = self.end.borrow_mut().side().tell(happening);
        if dropped > 0
            && let Some(view) = &self.view
        {
            let mut view = view.lock();
            view.overrun += dropped;
        }
    }

    /// Updates the view.
    pub(super) fn publish(&mut self, tick: Option<Tick>) {
        if let Some(board) = &mut self.known.hello
            && let Some(tick) = tick
        {
            board.tick = tick;
        }
        let Some(view) = &self.view else { return };
        let mut view = view.lock();
        view.counters = self.counters;
        if let Some(tick) = tick {
            view.tick = tick;
        }
        if view.frame != *self.frame_copy.frame() {
            view.frame.clone_from(self.frame_copy.frame());
        }
    }
}
