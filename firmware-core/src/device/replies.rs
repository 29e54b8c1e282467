//! The messages that the device sends to a host, in order: hello, events, the newest
//! frame, the answer.
//!
//! Invariants: each message waits until the one before it is in the outbox, and is
//! written there completely or not at all.

use protocol::{
    Capabilities, Colour, Hello, PROTOCOL_VERSION, Refusal, Reply, SCHEMA_HASH, Text, ToHost,
};

use super::Device;
use crate::any_width::AnyWidth;

impl<B: AnyWidth, S: AsMut<[u8]>> Device<B, S> {
    /// Writes the messages that are due to the outbox, in order, as far as there is
    /// room.
    pub(super) fn pump(&mut self) {
        if self.due.hello {
            if !self.outbox.put(&ToHost::Hello(self.own_hello())) {
                return;
            }
            self.due.hello = false;
        }
        if let Some((number, refusal)) = self.refused {
            if !self.outbox.put(&self.refusal(number, refusal)) {
                return;
            }
            self.refused = None;
        }
        if self.greeted && self.pump_events() && self.pump_frame() && self.due.reply {
            self.due.reply = !self.pump_reply();
        }
    }

    /// True if all events have been written to the outbox.
    fn pump_events(&mut self) -> bool {
        while let Some(event) = self.diary.unsent() {
            if !self.outbox.put(&ToHost::Event(*event)) {
                return false;
            }
            self.diary.mark_sent();
        }
        true
    }

    /// True if no frame has to be sent before an answer.
    fn pump_frame(&mut self) -> bool {
        let due = self.due.whole_frame || self.board.frame() != &self.shown;
        if !due {
            return true;
        }
        // As long as older bytes wait, a newer frame may still replace this one.
        if !self.due.reply && !self.outbox.is_empty() {
            return false;
        }
        if !self.outbox.put(&self.frame_message()) {
            return false;
        }
        self.shown.clone_from(self.board.frame());
        self.frames = self.frames.wrapping_add(1);
        self.due.whole_frame = false;
        true
    }

    fn frame_message(&self) -> ToHost {
        let (number, tick) = (self.frames, self.board.tick());
        let frame = self.board.frame();
        let delta = if self.due.whole_frame {
            None
        } else {
            self.shown.delta(frame)
        };
        match delta {
            Some(delta) => ToHost::Delta {
                number,
                tick,
                delta,
            },
            None => ToHost::Frame {
                number,
                tick,
                frame: frame.clone(),
            },
        }
    }

    fn pump_reply(&mut self) -> bool {
        let Some(answered) = &self.answered else {
            return true;
        };
        self.outbox.put(&ToHost::Reply(Reply {
            number: answered.number,
            tick: answered.tick,
            events: answered.events,
            frames: self.frames,
            result: answered.result.clone(),
        }))
    }

    fn refusal(&self, number: u32, refusal: Refusal) -> ToHost {
        ToHost::Reply(Reply {
            number,
            tick: self.board.tick(),
            events: self.diary.next_number(),
            frames: self.frames,
            result: Err(refusal),
        })
    }

    fn own_hello(&self) -> Hello {
        Hello {
            version: PROTOCOL_VERSION,
            schema: SCHEMA_HASH,
            board: Text::clipped(self.identity.board),
            firmware: Text::clipped(env!("CARGO_PKG_VERSION")),
            layout: self.board.layout(),
            colours: Colour::COUNT as u8,
            capabilities: Capabilities {
                free_running: true,
                sensors: self.identity.sensors,
                max_points: B::MAX_POINTS as u16,
                roster: self.board.roster(),
            },
            seed: self.board.seed(),
            tick: self.board.tick(),
            boot: self.identity.boot,
        }
    }
}
