//! Fingers that a host puts on the board's sensors, until the port applies them.
//!
//! Only hosts simulate sensors: without the feature for it, an image contains none of
//! this.

use protocol::Input;

/// The inputs of hosts' fingers that the port has not applied yet.
#[derive(Default)]
pub(super) struct HostFingers {
    /// Holds more than one request contains; `None` if the sensors are not simulated.
    #[cfg(feature = "host")]
    waiting: Option<heapless::Deque<Input, 16>>,
    /// The host was told which contacts are closed, so changes are enough.
    #[cfg(feature = "host")]
    knows_contacts: bool,
}

#[cfg(feature = "host")]
impl HostFingers {
    /// Turns on simulated sensors.
    pub(super) fn simulate(&mut self) {
        self.waiting = Some(heapless::Deque::new());
    }

    /// True if the sensors are simulated.
    pub(super) fn are_simulated(&self) -> bool {
        self.waiting.is_some()
    }

    /// Adds a finger's action; false if there is no room.
    pub(super) fn put(&mut self, input: Input) -> bool {
        let waiting = self.waiting.as_mut();
        waiting.is_some_and(|waiting| waiting.push_back(input).is_ok())
    }

    /// Takes the next action.
    pub(super) fn take(&mut self) -> Option<Input> {
        self.waiting.as_mut()?.pop_front()
    }

    /// Notes that the host knows no contacts: it is another one, or the board restarted.
    pub(super) fn forget_contacts(&mut self) {
        self.knows_contacts = false;
    }

    /// What the host, which is told of contacts now, has to hear.
    pub(super) fn contact_news(&mut self) -> ContactNews {
        match core::mem::replace(&mut self.knows_contacts, true) {
            true => ContactNews::Changes,
            false => ContactNews::All,
        }
    }
}

/// What a host has to hear of the contacts of a simulated matrix.
#[cfg(feature = "host")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactNews {
    /// Nothing: there is no host, or no room. What changed meanwhile is told later.
    Nothing,
    /// Those that changed since the last time.
    Changes,
    /// All that are closed: it was told of none yet.
    All,
}

#[cfg(not(feature = "host"))]
impl HostFingers {
    pub(super) const fn are_simulated(&self) -> bool {
        false
    }

    pub(super) const fn put(&mut self, _: Input) -> bool {
        false
    }

    pub(super) const fn forget_contacts(&mut self) {}
}
