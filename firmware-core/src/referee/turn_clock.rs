//! The clock of a turn.
//!
//! It waits, at its full time, until somebody touches something in the game: whoever
//! is still reading how to play has nothing played for them, and no turn of theirs
//! passes. It stands while the move that was just made can be taken back: whoever takes it
//! back goes on with the time that was left, so that a turn never has more than
//! its time.
//!
//! Invariants: it waits only in a game in which nobody has done anything yet,
//! and runs and stands only in others; it stands only while the game offers to take a
//! move back, and never with more time than the turn had.

use postcard::experimental::max_size::MaxSize;
use protocol::Tick;
use serde::{Deserialize, Serialize};

/// The clock of the turn that goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub enum TurnClock {
    /// No clock limits the turn.
    #[default]
    Off,
    /// It has all of its time until somebody does something in the game.
    Waits,
    /// It runs: the turn is over at this play time.
    RunsUntil(Tick),
    /// It stands, with this many milliseconds left.
    Stands(Tick),
}

impl TurnClock {
    /// One that runs for `time_ms` from now on.
    #[must_use]
    pub fn start(now: Tick, time_ms: Tick) -> Self {
        TurnClock::RunsUntil(now.saturating_add(time_ms))
    }

    /// When the turn is over, of a clock that runs.
    #[must_use]
    pub fn deadline(self) -> Option<Tick> {
        match self {
            TurnClock::RunsUntil(at) => Some(at),
            TurnClock::Off | TurnClock::Waits | TurnClock::Stands(_) => None,
        }
    }

    /// The same clock, stopped at the tick `now`.
    #[must_use]
    pub fn stopped(self, now: Tick) -> Self {
        match self {
            TurnClock::RunsUntil(at) => TurnClock::Stands(at.saturating_sub(now)),
            other => other,
        }
    }

    /// The same clock, running again.
    #[must_use]
    pub fn resumed(self, now: Tick) -> Self {
        match self {
            TurnClock::Stands(left_ms) => TurnClock::start(now, left_ms),
            other => other,
        }
    }

    /// Runs until then at the earliest, if it runs.
    pub fn run_until_at_least(&mut self, at: Tick) {
        if let TurnClock::RunsUntil(until) = self {
            *until = (*until).max(at);
        }
    }
}
