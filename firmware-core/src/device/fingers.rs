//! The fingers that a host puts on the board's sensors, until the port applies them.
//!
//! Only hosts simulate sensors: without their feature, an image contains none of
//! this.

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
    /// Declares that the sensors are simulated.
    pub(super) fn feel(&mut self) {
        self.waiting = Some(heapless::Deque::new());
    }

    /// True if they are felt.
    pub(super) fn are_felt(&self) -> bool {
        self.waiting.is_some()
    }

    /// Adds a finger that comes or goes; false if there is no room.
    pub(super) fn put(&mut self, input: Input) -> bool {
        let waiting = self.waiting.as_mut();
        waiting.is_some_and(|waiting| waiting.push_back(input).is_ok())
    }

    /// Takes the next finger.
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
