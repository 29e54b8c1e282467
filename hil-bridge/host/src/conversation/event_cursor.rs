//! Puts events in order: each is taken once, and none is left out.

use protocol::StampedEvent;

/// The position of the host in the board's events.
#[derive(Clone, Copy, Debug, Default)]
pub struct EventCursor {
    /// The number of the next event; `None` while it is unknown.
    next: Option<u32>,
}

impl EventCursor {
    /// The number of the next event that was not seen.
    #[must_use]
    pub fn next(&self) -> u32 {
        self.next.unwrap_or(0)
    }

    /// Continues with this number.
    pub fn go_on_at(&mut self, next: u32) {
        self.next = Some(next);
    }

    /// True if no events are accepted, because the next number is unknown.
    #[must_use]
    pub fn is_suspended(&self) -> bool {
        self.next.is_none()
    }

    /// Accepts no events until [`EventCursor::go_on_at`].
    pub fn suspend(&mut self) {
        self.next = None;
    }

    /// True if this is the next event, which then counts as taken. An event that was
    /// already taken, or that follows a gap, is ignored; the board will repeat the
    /// missing ones.
    pub fn take(&mut self, event: &StampedEvent) -> bool {
        let is_next = self.next == Some(event.number);
        if is_next {
            self.next = Some(event.number.wrapping_add(1));
        }
        is_next
    }

    /// True if events before the one with number `end` have not been taken.
    #[must_use]
    pub fn lacks(&self, end: u32) -> bool {
        // Numbers wrap around: less than half the range away means "before".
        self.next
            .is_some_and(|next| (end.wrapping_sub(next) as i32) > 0)
    }
}

#[cfg(test)]
mod tests {
    use protocol::Event;

    use super::*;

    fn event(number: u32) -> StampedEvent {
        StampedEvent {
            number,
            tick: 0,
            event: Event::Paused(true),
        }
    }

    #[test]
    fn each_event_is_taken_once_and_in_order() {
        let mut cursor = EventCursor::default();
        assert!(!cursor.take(&event(0)));
        cursor.go_on_at(5);
        let taken: Vec<bool> = [5, 5, 7, 6, 4, 7].map(|n| cursor.take(&event(n))).into();
        assert_eq!(taken, [true, false, false, true, false, true]);
        assert!(!cursor.lacks(8));
        assert!(cursor.lacks(9));
    }

    #[test]
    fn event_numbers_wrap_around() {
        let mut cursor = EventCursor::default();
        cursor.go_on_at(u32::MAX);
        assert!(cursor.lacks(1));
        assert!(cursor.take(&event(u32::MAX)));
        assert!(cursor.take(&event(0)));
        assert!(!cursor.lacks(1));
        assert!(!cursor.lacks(u32::MAX));
    }
}
