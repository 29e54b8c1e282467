//! What was done to a board, and what it was like on the way: for going back in
//! time, and to be kept as a session.
//!
//! The board is deterministic: a state from before a moment, and all that was
//! done from there to the moment, are the moment. What lies ahead, after one
//! went back or in a session that is being replayed, happens again when its time
//! comes, until something else is done.

use std::collections::VecDeque;

use hil_bridge::session::{Act, Entry, Header, Session};
use protocol::Tick;

/// Between two states that are kept. At most so much has to be done again.
pub const KEYFRAME_MS: Tick = 1_000;

/// States that are kept: ten minutes of board time in about five megabytes.
const KEYFRAMES: usize = 600;

/// A state on the way.
struct Keyframe {
    tick: Tick,
    /// The first entry that was not done yet.
    next: usize,
    state: Vec<u8>,
}

/// All that was done to a board since it began, or will be.
pub struct Tape {
    header: Header,
    entries: Vec<Entry>,
    /// The first entry that is not done yet.
    next: usize,
    keyframes: VecDeque<Keyframe>,
}

impl Tape {
    /// A tape of a board to which this will be done.
    #[must_use]
    pub fn new(session: Session) -> Tape {
        let Session {
            header,
            mut entries,
        } = session;
        // The end is not something that happens to a board.
        entries.retain(|entry| entry.act != Act::End);
        Tape {
            header,
            entries,
            next: 0,
            keyframes: VecDeque::new(),
        }
    }

    /// True if something lies ahead.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.next < self.entries.len()
    }

    /// When the next entry is due, if there is one.
    #[must_use]
    pub fn due(&self) -> Option<Tick> {
        self.entries.get(self.next).map(|entry| entry.tick)
    }

    /// The next entry, if it is due at this tick.
    pub fn take_due(&mut self, tick: Tick) -> Option<Entry> {
        let entry = self.entries.get(self.next)?;
        if entry.tick > tick {
            return None;
        }
        self.next += 1;
        Some(entry.clone())
    }

    /// Notes what was done now. What lay ahead will not happen any more.
    pub fn note(&mut self, tick: Tick, act: Act) {
        self.cut();
        self.entries.push(Entry { tick, act });
        self.next = self.entries.len();
    }

    /// What lay ahead will not happen any more.
    pub fn cut(&mut self) {
        self.entries.truncate(self.next);
    }

    /// True if it is time to keep a state again.
    #[must_use]
    pub fn wants_keyframe(&self, tick: Tick) -> bool {
        let last = self.keyframes.back();
        last.is_none_or(|last| tick >= last.tick + KEYFRAME_MS)
    }

    /// Keeps a state, and its digest as a proof for those who replay the tape.
    pub fn keep(&mut self, tick: Tick, state: Vec<u8>, digest: u64) {
        if !self.has_more() {
            self.note(tick, Act::Digest(digest));
        }
        self.keyframes.push_back(Keyframe {
            tick,
            next: self.next,
            state,
        });
        while self.keyframes.len() > KEYFRAMES {
            self.keyframes.pop_front();
        }
    }

    /// The states so far belong to another count of ticks.
    pub fn forget_states(&mut self) {
        self.keyframes.clear();
    }

    /// The earliest tick that one can go back to.
    #[must_use]
    pub fn earliest(&self) -> Option<Tick> {
        self.keyframes.front().map(|first| first.tick)
    }

    /// The last tick at which something is known to happen.
    #[must_use]
    pub fn latest(&self) -> Tick {
        self.entries.last().map_or(0, |entry| entry.tick)
    }

    /// Winds back to the last state before this tick, or the first one there is;
    /// from there the board has to go on. `None` if there is no state.
    pub fn wind_back(&mut self, tick: Tick) -> Option<&[u8]> {
        while self.keyframes.len() > 1 && self.keyframes.back()?.tick > tick {
            self.keyframes.pop_back();
        }
        let last = self.keyframes.back()?;
        self.next = last.next;
        Some(&last.state)
    }

    /// What was done up to this tick, as a session.
    #[must_use]
    pub fn session(&self, tick: Tick) -> Session {
        let mut session = Session::new(self.header.clone());
        session.entries = self.entries[..self.next].to_vec();
        session.push(tick, Act::End);
        session
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{Deed, Input, Layout, Point};

    fn tape() -> Tape {
        Tape::new(Session::new(Header::new(Layout::MALDOO, 1, "a test")))
    }

    fn touch(point: u8) -> Act {
        Act::Do(Deed::Input(Input::Touch(Point(point))))
    }

    #[test]
    fn what_lay_ahead_is_gone_once_something_else_is_done() {
        let mut tape = tape();
        tape.keep(0, vec![0], 0);
        tape.note(10, touch(1));
        tape.note(20, touch(2));
        assert_eq!(tape.wind_back(15), Some(&[0][..]));
        assert_eq!(tape.take_due(15).unwrap().act, touch(1));
        assert!(tape.has_more());
        tape.note(15, touch(3));
        assert!(!tape.has_more());
        let session = tape.session(30);
        let acts: Vec<_> = session.entries.into_iter().map(|entry| entry.act).collect();
        assert_eq!(acts, [Act::Digest(0), touch(1), touch(3), Act::End]);
    }

    #[test]
    fn one_can_go_back_ten_minutes() {
        let mut tape = tape();
        for second in 0..1_000 {
            let tick = second * KEYFRAME_MS;
            assert!(tape.wants_keyframe(tick));
            tape.keep(tick, vec![], 0);
            assert!(!tape.wants_keyframe(tick + KEYFRAME_MS - 1));
        }
        assert_eq!(tape.earliest(), Some(400_000));
    }
}
