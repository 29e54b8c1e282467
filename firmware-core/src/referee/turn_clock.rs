//! The clock of a turn.
//!
//! The clock waits, at its full time, until a player touches something in the game:
//! while a player still reads the rules, nothing is played for them. It stops while
//! the last move can be taken back; after that the player continues with the
//! remaining time, so that a turn never has more than its time.
//!
//! Invariants: the clock waits only in a game in which nothing was done yet, and runs
//! or stops only in others; it stops only while the game offers to take back a move,
//! and never with more time than the turn had.

use postcard::experimental::max_size::MaxSize;
use protocol::Tick;
use serde::{Deserialize, Serialize};

/// The clock of the current turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub enum TurnClock {
    /// No clock limits the turn.
    #[default]
    Off,
    /// It waits with its full time until a player does something in the game.
    Waits,
    /// It runs: the turn is over at this play time.
    RunsUntil(Tick),
    /// It is stopped, with this many milliseconds left.
    Stands(Tick),
}

impl TurnClock {
    /// A clock that runs for `time_ms` from now on.
    #[must_use]
    pub fn start(now: Tick, time_ms: Tick) -> Self {
        TurnClock::RunsUntil(now.saturating_add(time_ms))
    }

    /// The end of the turn, if the clock runs.
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
