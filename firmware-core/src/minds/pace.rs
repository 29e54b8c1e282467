//! When a computer player begins, thinks, rests and answers.
//!
//! People want to see the board think, and even the clock with the shortest Time must not
//! run out. A player that knows its answer early therefore rests until it may give it,
//! and one that would think endlessly is stopped. The player is called once a tick while
//! it thinks, and not at all while it rests.
//!
//! Invariants: no answer is due earlier than [`EARLIEST_MS`] after the turn began, and an
//! answer is due [`LATEST_MS`] after it at the latest, however little the player knows.

use postcard::experimental::max_size::MaxSize;
use protocol::Tick;
use serde::{Deserialize, Serialize};

/// The earliest time of an answer, in milliseconds after the turn began.
pub const EARLIEST_MS: Tick = 400;
/// The latest time of an answer, in milliseconds after the turn began. The shortest Time
/// is 5,000 ms.
pub const LATEST_MS: Tick = 4_700;

/// What a computer player has to do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// The player thinks for one tick.
    Think,
    /// The player rests until it is called again.
    Rest,
    /// The player must answer now.
    Answer,
}

/// The timing of a mind in one turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
pub struct ThinkingTime {
    /// The time at which the turn began; `None` before the first call.
    began: Option<Tick>,
    /// The time of the next call. A time in the past means the next tick.
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

    /// The time since the turn began, in ticks.
    #[must_use]
    pub fn thought_ms(&self, now: Tick) -> Tick {
        now.saturating_sub(self.began.unwrap_or(now))
    }

    /// Records a call. True for the first one, which begins the turn.
    pub fn begins(&mut self, now: Tick) -> bool {
        self.wakes_at = now;
        let begins = self.began.is_none();
        self.began.get_or_insert(now);
        begins
    }

    /// What a player has to do that may think for `think_ms`; `knows` is true if it
    /// already knows its answer.
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
