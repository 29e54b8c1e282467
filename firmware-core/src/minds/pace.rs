//! When a mind begins, thinks on, rests and answers.
//!
//! A person wants to see the board think, and the clock of the shortest Time
//! must not run out. So a mind that knows its answer early rests until it may
//! give it, and one that would think on for ever is stopped. It is asked once a
//! tick while it thinks, and not at all while it rests.
//!
//! Invariants: no answer is due before [`EARLIEST_MS`] after the turn
//! began, and one is at most [`LATEST_MS`] after it, however little the mind
//! knows by then.

use postcard::experimental::max_size::MaxSize;
use protocol::Tick;
use serde::{Deserialize, Serialize};

/// The board never answers before this.
pub const EARLIEST_MS: Tick = 400;
/// The board always answers by then. The shortest Time is 5,000 ms.
pub const LATEST_MS: Tick = 4_700;

/// What a mind is to do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// The player thinks for one tick.
    Think,
    /// Nothing until it is asked again.
    Rest,
    /// The player must answer now.
    Answer,
}

/// A mind's time in one turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
pub struct ThinkingTime {
    /// When its turn began; `None` before it was asked for the first time.
    began: Option<Tick>,
    /// When it wants to be asked again; in the past means in the next tick.
    wakes_at: Tick,
}

impl ThinkingTime {
    /// When the mind wants to be asked again; see
    /// [`Player::wakes_at`](crate::game::Player::wakes_at).
    #[must_use]
    pub fn wakes_at(&self) -> Tick {
        self.wakes_at
    }

    /// When its turn began; `None` before it was asked for the first time.
    #[cfg(feature = "host")]
    #[must_use]
    pub fn began(&self) -> Option<Tick> {
        self.began
    }

    /// The mind is asked. True if that is for the first time: its turn begins.
    pub fn begins(&mut self, now: Tick) -> bool {
        self.wakes_at = now;
        let begins = self.began.is_none();
        self.began.get_or_insert(now);
        begins
    }

    /// What is due in a mind that may think for `think_ms`, and may already know its
    /// answer.
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
