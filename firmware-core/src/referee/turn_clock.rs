//! The clock of a turn.
//!
//! The clock waits at its full time until a player touches something in the game, so the
//! board plays nothing for a player who is still reading the rules. It stops while the
//! last move can be taken back; after that the turn continues with the remaining time, so
//! that no turn is longer than its time.
//!
//! Invariants: the clock waits only in a game in which nothing has been done yet; it runs
//! or is stopped only in other games; it is stopped only while the game offers to take
//! back a move, and never with more time than the turn had.

use postcard::experimental::max_size::MaxSize;
use protocol::Tick;
use serde::{Deserialize, Serialize};

/// The clock of the current turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub enum TurnClock {
    /// No clock limits the turn.
    #[default]
    Off,
    /// The clock waits at its full time until a player acts in the game.
    Waits,
    /// The clock runs: the turn is over at this play time.
    RunsUntil(Tick),
    /// The clock is stopped, with this many milliseconds left.
    Stands(Tick),
}

impl TurnClock {
    /// A clock that runs for `time_ms` from now on.
    #[must_use]
    pub fn start(now: Tick, time_ms: Tick) -> Self {
        TurnClock::RunsUntil(now.saturating_add(time_ms))
    }

    /// The play time at which the turn is over, if the clock runs.
    #[must_use]
    pub fn deadline(self) -> Option<Tick> {
        match self {
            TurnClock::RunsUntil(at) => Some(at),
            TurnClock::Off | TurnClock::Waits | TurnClock::Stands(_) => None,
        }
    }

    /// The same clock, stopped at the play time `now`.
    #[must_use]
    pub fn stopped(self, now: Tick) -> Self {
        match self {
            TurnClock::RunsUntil(at) => TurnClock::Stands(at.saturating_sub(now)),
            other => other,
        }
    }

    /// The same clock, running from the play time `now` on.
    #[must_use]
    pub fn resumed(self, now: Tick) -> Self {
        match self {
            TurnClock::Stands(left_ms) => TurnClock::start(now, left_ms),
            other => other,
        }
    }

    /// If the clock runs, moves its deadline to `at` or later.
    pub fn run_until_at_least(&mut self, at: Tick) {
        if let TurnClock::RunsUntil(until) = self {
            *until = (*until).max(at);
        }
    }
}
