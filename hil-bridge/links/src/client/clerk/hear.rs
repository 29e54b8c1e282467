//! Handles what arrives over the line: answers go to the caller, events into the queue in
//! order, and frames into the copy.

use std::sync::PoisonError;
use std::time::Instant;

use crossbeam_channel::RecvTimeoutError;
use protocol::wire::{self, MAX_FRAME_BYTES};
use protocol::{
    PROTOCOL_VERSION, Reply, SCHEMA_HASH, Severity, StampedEvent, Tick, ToDevice, ToHost,
};
use touchboard_host::driver::DriverError;
use touchboard_host::happening::Happening;
use tracing::{debug, error, info, warn};

use super::Clerk;
use super::parts::Mark;
use crate::LinkError;
use crate::client::reader::Incoming;

impl Clerk {
    pub(super) fn send(&mut self, message: &ToDevice) -> Result<(), DriverError> {
        let mut buffer = [0; MAX_FRAME_BYTES];
        let Some(bytes) = wire::encode(message, &mut buffer) else {
            return Err(self.gone("a message is too long"));
        };
        let Some(line) = &mut self.line else {
            return Err(self.gone("it has ended"));
        };
        let sent = line.link.send(bytes);
        self.counters.sent_bytes += bytes.len() as u64;
        sent.map_err(|error| self.failed(&error))
    }

    /// Waits for the reader's next item; `None` if nothing arrives in time.
    pub(super) fn listen(&self, until: Instant) -> Result<Option<Incoming>, DriverError> {
        let Some(line) = &self.line else {
            return Err(self.gone("it has ended"));
        };
        match line.reader.incoming.recv_deadline(until) {
            Ok(incoming) => Ok(Some(incoming)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.gone("its reader ended")),
        }
    }

    /// Handles an arrived item, and returns it if it is an answer.
    pub(super) fn handle(&mut self, incoming: Incoming) -> Result<Option<Reply>, DriverError> {
        self.counters.received += 1;
        let came = self
            .line
            .as_ref()
            .map_or(0, |line| line.reader.take_bytes());
        self.counters.received_bytes += came;
        match incoming {
            Incoming::Message(message) => return self.understand(message),
            Incoming::Damaged(error) => {
                debug!("from {}: {error}", self.dial.name());
                self.counters.damaged += 1;
                self.frame_copy.doubt();
            }
            Incoming::Stranger { version, schema } => {
                return Err(LinkError::Version {
                    at: self.dial.name().into(),
                    theirs_version: version,
                    theirs: schema,
                    ours_version: PROTOCOL_VERSION,
                    ours: SCHEMA_HASH,
                }
                .into());
            }
            Incoming::Ended(error) => return Err(self.failed(&error)),
        }
        Ok(None)
    }

    pub(super) fn understand(&mut self, message: ToHost) -> Result<Option<Reply>, DriverError> {
        match message {
            ToHost::Hello(hello) => {
                let same = self
                    .known
                    .hello
                    .as_ref()
                    .is_some_and(|board| board.boot == hello.boot);
                if !same {
                    return Err(self.restarted());
                }
                self.recognise(hello);
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
            ToHost::Log { severity, text } => {
                match severity {
                    Severity::Information => info!("the board says: {text}"),
                    Severity::Warning => warn!("the board says: {text}"),
                    Severity::Error => error!("the board says: {text}"),
                }
                let text = text.to_string();
                self.report(Happening::Log { severity, text });
            }
            ToHost::Panic(text) => {
                self.report(Happening::Panicked(text.to_string()));
                return Err(DriverError::Panicked(text.to_string()));
            }
            ToHost::Busy(who) => {
                return Err(LinkError::Busy {
                    at: self.dial.name().into(),
                    who: who.to_string(),
                }
                .into());
            }
        }
        Ok(None)
    }

    pub(super) fn event(&mut self, event: StampedEvent) {
        if self.events.cursor.take(&event) {
            self.report(Happening::Event(event));
            self.flush_marks();
        } else {
            self.events.gap |= self.events.cursor.lacks(event.number);
        }
    }

    /// Reports the commands whose place among the events has been reached.
    pub(super) fn flush_marks(&mut self) {
        while let Some((before, _)) = self.events.marks.front()
            && !self.events.cursor.lacks(*before)
            && let Some((_, mark)) = self.events.marks.pop_front()
        {
            match mark {
                Mark::Told(happening) => self.report(happening),
                Mark::Awaited => self.events.held = Some(Vec::new()),
            }
        }
    }

    /// Reports a happening at its place among the events: that of this answer.
    pub(super) fn mark(&mut self, reply: &Reply, mark: Mark) {
        self.events.marks.push_back((reply.events, mark));
        self.flush_marks();
    }

    pub(super) fn report(&mut self, happening: Happening) {
        if let Some(held) = &mut self.events.held {
            held.push(happening);
            return;
        }
        let dropped = self.events.feed.report(happening);
        if dropped > 0
            && let Some(view) = &self.view
        {
            let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
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
        let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
        view.counters = self.counters;
        if let Some(tick) = tick {
            view.tick = tick;
        }
        if view.frame != *self.frame_copy.frame() {
            view.frame.clone_from(self.frame_copy.frame());
        }
    }
}
