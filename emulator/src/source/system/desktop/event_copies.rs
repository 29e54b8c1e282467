//! Wraps a board and copies its events for a second reader.
//!
//! The shell takes the events of the board that it drives; the workbench shows the copies
//! afterwards.

use std::collections::VecDeque;

use protocol::{Deed, StampedEvent};
use touchboard_host::{Driver, DriverError};

use crate::source::LOG_LINES;

/// A driver that keeps a copy of its events.
pub struct EventCopies<'a> {
    inner: &'a mut dyn Driver,
    copies: VecDeque<StampedEvent>,
}

impl<'a> EventCopies<'a> {
    /// Wraps this board, and keeps a copy of its events from now on.
    pub fn new(inner: &'a mut dyn Driver) -> Self {
        EventCopies {
            inner,
            copies: VecDeque::new(),
        }
    }

    /// The copies of the events, oldest first.
    #[must_use]
    pub fn into_events(mut self) -> VecDeque<StampedEvent> {
        self.take_events();
        self.copies
    }
}

impl Driver for EventCopies<'_> {
    touchboard_host::forward!(inner; own: carry_out, take_events);

    fn carry_out(&mut self, deed: &Deed) -> Result<(), DriverError> {
        if deed.restarts() {
            self.copies.clear();
        }
        self.inner.carry_out(deed)
    }

    fn take_events(&mut self) -> Vec<StampedEvent> {
        let events = self.inner.take_events();
        self.copies.extend(&events);
        let over = self.copies.len().saturating_sub(LOG_LINES);
        self.copies.drain(..over);
        events
    }
}

#[cfg(test)]
mod tests {
    use protocol::Layout;
    use touchboard_tests::counted::{CountedDriver, not_handed_on};

    use super::*;

    #[test]
    fn a_board_with_copied_events_forwards_every_call() {
        let (mut board, called) = CountedDriver::new(Layout::MALDOO);
        let mut copying = EventCopies::new(&mut board);
        assert_eq!(not_handed_on(&mut copying, &called), [] as [&str; 0]);
    }
}
