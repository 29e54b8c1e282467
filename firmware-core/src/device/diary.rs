//! The events that the host may not have seen yet.

use heapless::Deque;
use protocol::{Event, StampedEvent, Tick};

/// Events that are kept until they were seen.
pub const EVENTS: usize = 64;

/// The most events that one input, one setting or one wake of the board makes:
/// eight of a game's own, and those of panel, referee and device around them.
pub const EVENTS_AT_ONCE: usize = 20;

/// A bounded queue of numbered events, and how far they were sent.
pub struct Diary {
    events: Deque<StampedEvent, EVENTS>,
    /// The number of the next event.
    next: u32,
    /// How many of the kept ones were sent already, or sent again.
    sent: usize,
    /// How many of the kept ones were ever sent: no host has seen more.
    told: usize,
}

impl Diary {
    /// A diary without an event.
    pub const fn new() -> Diary {
        Diary {
            events: Deque::new(),
            next: 0,
            sent: 0,
            told: 0,
        }
    }

    /// The number of the next event.
    pub fn next_number(&self) -> u32 {
        self.next
    }

    /// True if whatever happens next finds room.
    pub fn has_room(&self) -> bool {
        self.events.len() + EVENTS_AT_ONCE <= EVENTS
    }

    /// True if all that happened was seen.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Writes down what happened. When it is full the oldest goes, and the gap
    /// in the numbers tells.
    pub fn note(&mut self, tick: Tick, event: Event) {
        if self.events.is_full() {
            self.drop_first(1);
        }
        let number = self.next;
        self.next = number.wrapping_add(1);
        let _ = self.events.push_back(StampedEvent {
            number,
            tick,
            event,
        });
    }

    /// The host has seen all events before this number. A number that no event
    /// can have that was sent to it says nothing.
    pub fn seen(&mut self, number: u32) {
        let first = self.next.wrapping_sub(self.events.len() as u32);
        let count = number.wrapping_sub(first) as usize;
        if count <= self.told {
            self.drop_first(count);
        }
    }

    fn drop_first(&mut self, count: usize) {
        for _ in 0..count {
            self.events.pop_front();
        }
        self.sent = self.sent.saturating_sub(count);
        self.told = self.told.saturating_sub(count);
    }

    /// The first event that was not sent yet.
    pub fn unsent(&self) -> Option<&StampedEvent> {
        self.events.iter().nth(self.sent)
    }

    /// Marks the event given by [`Diary::unsent`] as sent.
    pub fn was_sent(&mut self) {
        self.sent = self.events.len().min(self.sent + 1);
        self.told = self.told.max(self.sent);
    }

    /// All that was not seen is to be sent once more.
    pub fn send_again(&mut self) {
        self.sent = 0;
    }

    /// Forgets what was not seen, and counts on.
    pub fn forget(&mut self) {
        self.events.clear();
        self.sent = 0;
        self.told = 0;
    }

    /// Forgets everything, and counts from 0.
    pub fn restart(&mut self) {
        self.forget();
        self.next = 0;
    }
}
