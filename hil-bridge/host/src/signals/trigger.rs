//! Tells when a condition comes true on a board, once for each time that it does.
//!
//! Invariants: a condition that holds at the first look has not come true; after it came
//! true, it has to stop holding before it can come true again.

use firmware_core::AnyBoard;
use firmware_core::faults::BoardFaults;
use protocol::{Event, Tick};

use super::{SignalCondition, SignalReader, SignalWatch};
use crate::session::SessionItem;

/// A condition, and whether it was met before.
pub struct SignalTrigger {
    watch: SignalWatch,
    /// The condition was not met at the last look.
    is_armed: bool,
}

impl SignalTrigger {
    /// A trigger that has looked at no board yet.
    #[must_use]
    pub fn new(condition: SignalCondition) -> SignalTrigger {
        let mut known = SignalReader::new(Vec::new());
        // Contacts are open until something else is told.
        known.know_contacts();
        SignalTrigger {
            watch: SignalWatch::new(condition, &known),
            is_armed: false,
        }
    }

    /// The condition that triggers.
    #[must_use]
    pub fn condition(&self) -> &SignalCondition {
        self.watch.condition()
    }

    /// Counts an event of the board. Hand in all, in order, before the look that follows
    /// them.
    pub fn count(&mut self, event: &Event) {
        self.watch.reader.count(event);
    }

    /// Takes in what contacts did; hand in all, in order, before the look that follows
    /// them.
    pub fn sense(&mut self, item: &SessionItem) {
        self.watch.reader.sense(item);
    }

    /// Takes in the faults of the board: a dead lamp is never lit.
    pub fn know_faults(&mut self, faults: &BoardFaults) {
        self.watch.reader.know_faults(faults);
    }

    /// Looks at the board; true if the condition has come true since the last look.
    pub fn poll(&mut self, board: &AnyBoard) -> bool {
        let is_met = self.watch.poll(board);
        let has_come_true = is_met && self.is_armed;
        self.is_armed = !is_met;
        has_come_true
    }

    /// The tick of the next check; see [`SignalWatch::next_look`].
    #[must_use]
    pub fn next_look(&self, board: &AnyBoard, until: Tick) -> Tick {
        self.watch.next_look(board, until)
    }
}
