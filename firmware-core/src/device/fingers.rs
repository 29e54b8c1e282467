//! Fingers that a host puts on the board's sensors, until the port takes them to these.
//!
//! Sensors that are simulated are a matter of hosts: without their feature no board has
//! any, and nothing of this is in an image.

use protocol::Input;

/// The fingers that hosts hold on the board.
#[derive(Default)]
pub(super) struct Fingers {
    /// More than a request carries; `None` where the sensors are not simulated.
    #[cfg(feature = "host")]
    waiting: Option<heapless::Deque<Input, 16>>,
}

#[cfg(feature = "host")]
impl Fingers {
    /// From now on they are felt.
    pub(super) fn feel(&mut self) {
        self.waiting = Some(heapless::Deque::new());
    }

    /// True if they are felt.
    pub(super) fn are_felt(&self) -> bool {
        self.waiting.is_some()
    }

    /// A finger comes or goes; false if there is no room.
    pub(super) fn put(&mut self, input: Input) -> bool {
        let waiting = self.waiting.as_mut();
        waiting.is_some_and(|waiting| waiting.push_back(input).is_ok())
    }

    /// What the next one does.
    pub(super) fn take(&mut self) -> Option<Input> {
        self.waiting.as_mut()?.pop_front()
    }
}

#[cfg(not(feature = "host"))]
impl Fingers {
    pub(super) const fn are_felt(&self) -> bool {
        false
    }

    pub(super) const fn put(&mut self, _: Input) -> bool {
        false
    }
}
