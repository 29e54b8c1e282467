//! Session time, which continues where a board's ticks start again.
//!
//! A restarted board counts its ticks from 0, and a board that loads a state continues
//! from that state's tick. So a tick does not identify a moment of a session; its time
//! does: the ms since the session's first tick 0.
//!
//! ```text
//! tick   0 ... 5000  reset  0 ... 300  load of tick 9000  9000 ...
//! time   0 ... 5000         5000 ... 5300                 9000 ...
//! ```
//!
//! Invariants: time never goes back; until the first restart it equals the tick.

use protocol::Tick;

use super::{Session, SessionEntry, SessionItem};
use crate::pieces::board_of_state;

/// Follows a session entry by entry and computes session times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionClock {
    /// The difference between time and tick in the current count of ticks, in ms.
    later_ms: Tick,
    /// The time of the last entry, in ms.
    last_ms: Tick,
}

impl SessionClock {
    /// The time of a tick in the current count.
    #[must_use]
    pub fn time(&self, tick: Tick) -> Tick {
        tick.saturating_add(self.later_ms)
    }

    /// The tick of a time in the current count; 0 for times before it began.
    #[must_use]
    pub fn tick(&self, time: Tick) -> Tick {
        time.saturating_sub(self.later_ms)
    }

    /// The time of an entry, if it is the next one.
    #[must_use]
    pub fn time_of(&self, entry: &SessionEntry) -> Tick {
        let time = self.time(entry.tick);
        match entry.item.jumps() {
            // A state reported after a restart has a tick of its own.
            true => time.max(self.last_ms),
            false => time,
        }
    }

    /// Passes the next entry. Returns its time.
    pub fn pass(&mut self, entry: &SessionEntry) -> Tick {
        let time = self.time_of(entry);
        if let Some(tick) = begins_at(&entry.item) {
            self.later_ms = time.saturating_sub(tick);
        }
        self.last_ms = self.last_ms.max(time);
        time
    }
}

/// The tick at which the board continues after this item, if the item starts a new count
/// of ticks.
fn begins_at(item: &SessionItem) -> Option<Tick> {
    match item {
        SessionItem::Load(state) => Some(tick_of(state).unwrap_or(0)),
        item => item.jumps().then_some(0),
    }
}

/// The tick of a state; `None` if the bytes are not a valid state.
#[must_use]
pub fn tick_of(state: &[u8]) -> Option<Tick> {
    board_of_state(state).map(|board| board.tick())
}

impl Session {
    /// The session time of each entry, in ms.
    #[must_use]
    pub fn times(&self) -> Vec<Tick> {
        let mut clock = SessionClock::default();
        let entries = self.entries.iter();
        entries.map(|entry| clock.pass(entry)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use protocol::{Deed, Input, Layout};

    use super::*;
    use crate::driver::{CoreDriver, Driver};
    use crate::session::Header;

    fn reset() -> SessionItem {
        let layout = Layout::MALDOO;
        Deed::Reset { seed: 1, layout }.into()
    }

    fn times(entries: Vec<(Tick, SessionItem)>) -> Vec<Tick> {
        let mut session = Session::new(Header::new(Layout::MALDOO, 1, ""));
        for (tick, item) in entries {
            session.push(tick, item);
        }
        session.times()
    }

    #[test]
    fn session_time_continues_over_restarts_and_loads() {
        let mut board = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        board.step(&[], 700).unwrap();
        let state = board.save().unwrap();
        let entries = vec![
            (5_000, reset()),
            (300, SessionItem::Digest(1)),
            (300, SessionItem::Load(state)),
            (900, SessionItem::End),
        ];
        assert_eq!(times(entries), [5_000, 5_300, 5_300, 5_500]);
    }

    proptest! {
        #[test]
        fn session_time_passes_like_ticks(
            spans in proptest::collection::vec((0..5_000_u64, any::<bool>()), 1..40),
        ) {
            let (mut tick, mut entries, mut passed, mut all) = (0, Vec::new(), 0, Vec::new());
            for (ticks, restarts) in spans {
                tick += ticks;
                passed += ticks;
                all.push(passed);
                let input = SessionItem::from(Input::Pass);
                entries.push((tick, if restarts { reset() } else { input }));
                tick = if restarts { 0 } else { tick };
            }
            prop_assert_eq!(times(entries), all);
        }
    }
}
