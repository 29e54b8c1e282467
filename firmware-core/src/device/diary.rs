//! The events that the host may not have received yet.

use heapless::Deque;
use protocol::{Event, StampedEvent, Tick};

/// The number of events that are kept until the host has acknowledged them.
pub const EVENTS: usize = 64;

/// The maximum number of events from one input, one change of settings or one wake: eight
/// of the game, and those of the panel, referee and device.
pub const EVENTS_AT_ONCE: usize = 20;

/// A bounded queue of numbered events, which records how far they were sent.
pub struct Diary {
    events: Deque<StampedEvent, EVENTS>,
    /// The number of the next event.
    next: u32,
    /// The number of kept events that were sent since the last request to resend.
    sent: usize,
    /// The number of kept events that were ever sent. The host has seen no later ones.
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

    /// True if there is room for the events of any single deed.
    pub fn has_room(&self) -> bool {
        self.events.len() + EVENTS_AT_ONCE <= EVENTS
    }

    /// True if the host has acknowledged all events.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Adds an event. If the diary is full, the oldest event is dropped, which shows
    /// as a gap in the numbers.
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

    /// Forgets all events before this number, which the host has seen. Numbers of events
    /// that were never sent are ignored.
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
    pub fn mark_sent(&mut self) {
        self.sent = self.events.len().min(self.sent + 1);
        self.told = self.told.max(self.sent);
    }

    /// Marks all unseen events to be sent again.
    pub fn send_again(&mut self) {
        self.sent = 0;
    }

    /// [`Diary::send_again`], unless events are being sent. On a slow line a message of the
    /// host is repeated before all events have passed, and beginning again each time would
    /// never come to the last one. If one of them is lost, the host asks for it.
    pub fn send_again_unless_sending(&mut self) {
        if self.unsent().is_none() {
            self.send_again();
        }
    }

    /// Drops all unseen events; the numbers continue.
    pub fn forget(&mut self) {
        self.events.clear();
        self.sent = 0;
        self.told = 0;
    }

    /// Drops all events, and restarts their numbers at 0.
    pub fn restart(&mut self) {
        self.forget();
        self.next = 0;
    }
}
