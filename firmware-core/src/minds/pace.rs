//! When a computer player begins, thinks, rests and answers.
//!
//! A person wants to see the board think, and even the clock with the shortest Time
//! must not run out. So a player that knows its answer early rests until it may give
//! it, and one that would think without end is stopped. It is called once a tick
//! while it thinks, and not at all while it rests.
//!
//! Invariants: no answer is due before [`EARLIEST_MS`] after the turn began, and one
//! is due at most [`LATEST_MS`] after it, however little the player knows.

use postcard::experimental::max_size::MaxSize;
use protocol::Tick;
use serde::{Deserialize, Serialize};

/// The board never answers before this.
pub const EARLIEST_MS: Tick = 400;
/// The latest time of an answer. The shortest Time is 5,000 ms.
pub const LATEST_MS: Tick = 4_700;

/// What a computer player is to do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// The player thinks for one tick.
    Think,
    /// The player rests until it is called again.
    Rest,
    /// The player must answer now.
    Answer,
}

/// A mind's time in one turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
pub struct ThinkingTime {
    /// The time at which the turn began; `None` before the first call.
    began: Option<Tick>,
    /// The time of the next call; in the past means in the next tick.
    wakes_at: Tick,
}

impl ThinkingTime {
    /// The time at which the player wants to be called again; see
    /// [`Player::wakes_at`](crate::game::Player::wakes_at).
    #[must_use]
    pub fn wakes_at(&self) -> Tick {
        self.wakes_at
    }

    /// The time at which the turn began; `None` before the first call.
    #[cfg(feature = "host")]
    #[must_use]
    pub fn began(&self) -> Option<Tick> {
        self.began
    }

    /// Notes a call. True if it is the first: the turn begins.
    pub fn begins(&mut self, now: Tick) -> bool {
        self.wakes_at = now;
        let begins = self.began.is_none();
        self.began.get_or_insert(now);
        begins
    }

    /// What is due for a player that may think for `think_ms` and may already know
    /// its answer.
    pub fn due(&mut self, now: Tick, knows: bool, think_ms: Tick) -> Due {
        let began = *self.began.get_or_insert(now);
        let thought_ms = now.saturating_sub(began);
        if !knows && thought_ms < think_ms.min(LATEST_MS) {
            Due::Think
        } else if thought_ms >= EARLIEST_MS {
            Due::Answer
        } else {
            self.wakes_at = began.saturating_add(EARLIEST_MS);
            Due::Rest
        }
    }
}
