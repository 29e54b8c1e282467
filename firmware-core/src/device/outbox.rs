//! The bytes to be sent: whole wire frames, one after the other.

use protocol::ToHost;
use protocol::wire::{self, TO_HOST_BYTES};

/// The capacity in bytes: an answer, a frame and some events. At 115,200 baud that takes
/// 90 ms, which is why a frame is only made when nothing else waits.
const OUTBOX_BYTES: usize = 1024;

/// A bounded queue of bytes. Only [`Outbox::clear`] drops bytes.
pub struct Outbox {
    bytes: [u8; OUTBOX_BYTES],
    start: usize,
    end: usize,
    /// The number of waiting bytes up to the end of the last event.
    events_end: usize,
}

impl Outbox {
    /// An outbox without any bytes.
    pub const fn new() -> Outbox {
        Outbox {
            bytes: [0; OUTBOX_BYTES],
            start: 0,
            end: 0,
            events_end: 0,
        }
    }

    /// The bytes that wait to be sent.
    pub fn waiting(&self) -> &[u8] {
        self.bytes.get(self.start..self.end).unwrap_or(&[])
    }

    /// Removes the first `count` waiting bytes, which were sent.
    pub fn sent(&mut self, count: usize) {
        self.start = self.end.min(self.start.saturating_add(count));
        self.events_end = self.events_end.saturating_sub(count);
        if self.start == self.end {
            self.clear();
        }
    }

    /// Drops all bytes that wait to be sent.
    pub fn clear(&mut self) {
        self.start = 0;
        self.end = 0;
        self.events_end = 0;
    }

    /// True if an event waits to be sent.
    pub fn has_events(&self) -> bool {
        self.events_end > 0
    }

    /// True if no bytes wait to be sent.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// True if there is room for the longest message.
    pub fn has_room(&self) -> bool {
        self.waiting().len() + TO_HOST_BYTES <= OUTBOX_BYTES
    }

    /// Appends a message. Returns false, and changes nothing, if there is no room.
    pub fn put(&mut self, message: &ToHost) -> bool {
        if !self.has_room() {
            return false;
        }
        if self.end + TO_HOST_BYTES > OUTBOX_BYTES {
            self.bytes.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        let free = self.bytes.get_mut(self.end..).unwrap_or_default();
        let Some(frame) = wire::encode(message, free) else {
            return false;
        };
        self.end += frame.len();
        if matches!(message, ToHost::Event(_)) {
            self.events_end = self.waiting().len();
        }
        true
    }
}
