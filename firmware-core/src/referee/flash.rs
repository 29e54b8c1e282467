//! The flash of the legal points after an illegal touch.
//!
//! What always holds: half of the time the position is seen as it is.

use postcard::experimental::max_size::MaxSize;
use protocol::Tick;
use serde::{Deserialize, Serialize};

/// How long the legal points flash after an illegal touch.
pub const FLASH_MS: Tick = 1_000;
/// Half a period of that flash: on, off, on, off, ...
pub const FLASH_HALF_MS: Tick = 125;

/// A flash that goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub struct Flash {
    until: Tick,
}

impl Flash {
    /// A flash that begins now.
    #[must_use]
    pub fn begin(now: Tick) -> Self {
        Flash {
            until: now + FLASH_MS,
        }
    }

    /// True once it is over.
    #[must_use]
    pub fn is_over(self, tick: Tick) -> bool {
        self.until <= tick
    }

    /// True while the points are lit, false while the position is seen.
    #[must_use]
    pub fn is_on(self, tick: Tick) -> bool {
        let halves_left = self.until.saturating_sub(tick).div_ceil(FLASH_HALF_MS);
        halves_left.is_multiple_of(2)
    }

    /// The next board time at which it goes on or off.
    #[must_use]
    pub fn turns_at(self, tick: Tick) -> Tick {
        let left = self.until.saturating_sub(tick);
        self.until - left.saturating_sub(1) / FLASH_HALF_MS * FLASH_HALF_MS
    }

    /// False if this cannot be a flash at this tick.
    #[must_use]
    pub fn is_sound(self, tick: Tick) -> bool {
        self.until <= tick.saturating_add(FLASH_MS)
    }
}
