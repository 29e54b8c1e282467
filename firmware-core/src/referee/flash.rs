//! The flash of the legal points after an illegal touch.
//!
//! Invariants: during half of the flash the position is visible; the flash starts in the
//! tick of the touch, whatever else blinks.

use postcard::experimental::max_size::MaxSize;
use protocol::Tick;
use serde::{Deserialize, Serialize};

use crate::game::FLASH_MS;

/// A flash in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub struct Flash {
    /// The tick at which the flash is over.
    pub until: Tick,
}

impl Flash {
    /// A flash that starts now.
    #[must_use]
    pub fn begin(now: Tick) -> Self {
        Flash {
            until: now + FLASH_MS,
        }
    }

    /// The tick at which the flash began.
    #[must_use]
    pub fn since(self) -> Tick {
        self.until.saturating_sub(FLASH_MS)
    }

    /// False if this cannot be a running flash at this tick.
    #[must_use]
    pub fn is_sound(self, tick: Tick) -> bool {
        self.until <= tick.saturating_add(FLASH_MS)
    }
}
