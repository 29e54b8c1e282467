//! Records what happens to a board, local or remote, and finds the way back to any moment.
//!
//! A recorder gets every action ([`Recorder::record`], or
//! [`Recorder::record_happening`] for a board at the end of a line) and from time to time
//! a keyframe: a whole state ([`Recorder::keep`]). Boards are deterministic, so any moment
//! follows from the last keyframe before it and the actions since.
//!
//! After going back, and while a session is replayed, some recorded entries are *ahead*
//! of the board. Each is repeated at its tick. A new action ends this: it starts a
//! branch, and the entries that were ahead stay available as the branch that was left
//! ([`Recorder::switch_to`]).
//!
//! A moment is identified by its session time ([`SessionClock`]), because ticks start
//! again when the board restarts. A recorded restart is repeated like any other action.
//!
//! A recorder [into a log](Recorder::into_log), a file that grows, writes each line at
//! once and keeps nothing in memory, so it cannot go back.

use std::collections::VecDeque;

use protocol::{Deed, Hello, Input, KnownDrawings, Roster, Tick};

use crate::session::{Header, Session, SessionClock, SessionEntry, SessionItem};
use crate::twin::Twin;

mod branch;
mod driver;
mod happenings;
mod kept;
mod keyframes;
mod log;
mod rerun;
mod trace;
mod trip_path;

pub use crate::divergence::{Divergence, Rerun};
pub use branch::{BRANCHES, Branch};
pub use driver::RecordingDriver;
pub use kept::{KEPT_BYTES, KEPT_STATES, KeptPast};
pub use keyframes::{KEYFRAME_MS, Keyframe};
pub use log::{SessionLog, Unwritten};
pub use trip_path::{To, TripPath};

/// Records what happens to a board.
pub struct Recorder {
    header: Header,
    /// The entries up to `next` have been carried out; those from `next` on are ahead.
    /// Empty if the recorder writes into a log.
    entries: Vec<SessionEntry>,
    /// The index of the first entry that is ahead.
    next: usize,
    /// The session clock at `next`.
    clock: SessionClock,
    /// What contacts did while other entries were ahead. It is added to the entries if a
    /// branch starts here, and dropped if the recorded entries are repeated.
    aside: Vec<SessionEntry>,
    /// In the order of their times, including keyframes that are ahead.
    keyframes: VecDeque<Keyframe>,
    /// A keyframe that is being loaded into the board.
    jump: Option<Keyframe>,
    log: Option<Box<dyn SessionLog>>,
    branches: branch::Branches,
    /// The drawings of the layouts in the entries, because going back may load an earlier
    /// layout.
    drawings: KnownDrawings,
}

impl Recorder {
    /// A recorder for a board that is in the session's initial state. All entries of the
    /// session are ahead.
    #[must_use]
    pub fn new(session: Session) -> Recorder {
        let Session {
            header,
            mut entries,
            drawings,
        } = session;
        // The end is not something that happens to a board.
        entries.retain(|entry| entry.item != SessionItem::End);
        Recorder {
            header,
            entries,
            next: 0,
            clock: SessionClock::default(),
            aside: Vec::new(),
            keyframes: VecDeque::new(),
            jump: None,
            log: None,
            branches: branch::Branches::default(),
            drawings,
        }
    }

    /// A recorder for a board at the end of a line whose whole state has just arrived and
    /// is also the twin's state.
    #[must_use]
    pub fn of_board(hello: &Hello, state: &[u8], twin: &Twin, note: &str) -> Recorder {
        let mut recorder = Recorder::new(Session::new(Header::of_board(hello, state, note)));
        recorder.keep_board(twin.board(), None);
        recorder
    }

    /// A recorder that writes into this log.
    #[must_use]
    pub fn into_log(header: Header, log: Box<dyn SessionLog>) -> Recorder {
        Recorder {
            log: Some(log),
            ..Recorder::new(Session::new(header))
        }
    }

    /// The log, if the recorder writes into one.
    #[must_use]
    pub fn log(self) -> Option<Box<dyn SessionLog>> {
        self.log
    }

    /// True if everything is written into a log, so that going back is impossible.
    #[must_use]
    pub fn is_in_log(&self) -> bool {
        self.log.is_some()
    }

    /// The tick of the last entry.
    #[must_use]
    pub fn last_tick(&self) -> Tick {
        match &self.log {
            Some(log) => log.last_tick(),
            None => self
                .next
                .checked_sub(1)
                .map_or(0, |last| self.entries[last].tick),
        }
    }

    /// True if entries are ahead.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.next < self.entries.len()
    }

    /// The number of entries that have been carried out.
    #[must_use]
    pub fn done(&self) -> usize {
        self.next
    }

    /// The entries that have been carried out, including those that are only compared or
    /// read.
    #[must_use]
    pub fn entries(&self) -> &[SessionEntry] {
        &self.entries[..self.next]
    }

    /// The next entry, if one is ahead.
    fn next_entry(&self) -> Option<SessionEntry> {
        self.entries.get(self.next).cloned()
    }

    /// Replaces the next entry by what happened when a rebuilt board repeated it.
    fn replace_next(&mut self, item: SessionItem) {
        if let Some(entry) = self.entries.get_mut(self.next) {
            entry.item = item;
            self.go_on_to(self.next + 1);
            self.branches.part_anew();
        }
    }

    /// Rewinds to the beginning: every entry is ahead again. Sets the roster of the board
    /// that will repeat them, and returns the header.
    fn begin_again(&mut self, roster: Roster) -> Header {
        self.header.roster = roster;
        (self.next, self.clock) = (0, SessionClock::default());
        self.keyframes.clear();
        self.header.clone()
    }

    /// The seed of the board's random numbers: that of the last reset, or else of the
    /// header.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed_before(self.next)
    }

    /// The seed before this entry.
    fn seed_before(&self, entry: usize) -> u64 {
        let seed = |entry: &SessionEntry| match entry.item {
            SessionItem::Do(Deed::Reset { seed, .. }) => Some(seed),
            _ => None,
        };
        let resets = self.entries[..entry].iter().rev().find_map(seed);
        resets.unwrap_or(self.header.seed)
    }

    /// The session time at a tick of the current count, in ms.
    #[must_use]
    pub fn time(&self, tick: Tick) -> Tick {
        self.clock.time(tick)
    }

    /// Marks all entries before this one as carried out.
    fn go_on_to(&mut self, next: usize) {
        for entry in self.entries.get(self.next..next).unwrap_or_default() {
            self.clock.pass(entry);
        }
        self.next = next;
    }

    /// A copy without the log.
    fn clone_past(&self) -> Recorder {
        Recorder {
            header: self.header.clone(),
            entries: self.entries.clone(),
            next: self.next,
            clock: self.clock,
            aside: self.aside.clone(),
            keyframes: self.keyframes.clone(),
            jump: self.jump.clone(),
            log: None,
            branches: self.branches.clone(),
            drawings: self.drawings.clone(),
        }
    }

    /// The tick of the next entry, if there is one.
    #[must_use]
    pub fn due(&self) -> Option<Tick> {
        self.entries.get(self.next).map(|entry| entry.tick)
    }

    /// The next entry if it is due at this tick, and marks it as carried out.
    pub fn take_due(&mut self, tick: Tick) -> Option<SessionEntry> {
        let entry = self.entries.get(self.next)?;
        if entry.tick > tick {
            return None;
        }
        let entry = entry.clone();
        self.go_on_to(self.next + 1);
        Some(entry)
    }

    /// True if no action was ever recorded, neither carried out nor ahead nor in a branch.
    fn is_untouched(&self) -> bool {
        let is_done = |entry: &SessionEntry| entry.item.is_done();
        !self.entries.iter().any(is_done) && self.branches().is_empty()
    }

    /// Begins the session here, with this header. The board keeps its firmware.
    fn begin_with(&mut self, header: Header) {
        let firmware = std::mem::take(&mut self.header.firmware);
        *self = Recorder::new(Session::new(Header { firmware, ..header }));
    }

    /// Records an item. If it equals the next recorded action and its tick, it counts as
    /// the repetition of that action. Otherwise it starts a branch, and the entries that
    /// were ahead are left.
    ///
    /// # Errors
    /// When the log cannot be written any more.
    pub fn record(&mut self, tick: Tick, item: SessionItem) -> Result<(), Unwritten> {
        if let Some(log) = &mut self.log {
            return log.record(tick, item);
        }
        if let SessionItem::Do(Deed::Reset { seed, layout }) = item
            && self.is_untouched()
        {
            // An untouched board was reset: the session begins with the reset.
            let header = Header::new(layout, seed, &self.header.note);
            self.begin_with(header.with_games(self.header.roster));
            return Ok(());
        }
        if self.has_more() && !item.is_done() {
            // It was recorded the first time; it is only needed again if a branch starts
            // here.
            if matches!(item, SessionItem::Contact(_)) {
                self.aside.push(SessionEntry { tick, item });
            }
            return Ok(());
        }
        let ahead = self.entries.get(self.next..).unwrap_or_default();
        // Entries that are only compared or read can be skipped.
        let skipped = ahead
            .iter()
            .take_while(|entry| !entry.item.is_done())
            .count();
        let again = ahead.get(skipped);
        if again.is_some_and(|entry| entry.tick == tick && entry.item == item) {
            self.go_on_to(self.next + skipped + 1);
            self.aside.clear();
            return Ok(());
        }
        self.branch();
        let time = self.time(tick);
        if item.is_done() && self.keyframes.back().is_some_and(|last| last.time() > time) {
            // These keyframes belong to a board on which this action did not happen.
            self.keyframes.retain(|keyframe| keyframe.time() <= time);
        }
        if let Some(layout) = item.layout() {
            self.drawings.own(layout);
        }
        if item.is_done() {
            self.branches.part_anew();
        }
        self.entries.push(SessionEntry { tick, item });
        self.go_on_to(self.entries.len());
        Ok(())
    }

    /// The session time of the last entry, ahead or not.
    #[must_use]
    pub fn latest(&self) -> Tick {
        let mut clock = self.clock;
        let ahead = &self.entries[self.next..];
        let last = ahead.iter().map(|entry| clock.pass(entry)).last();
        let done = || self.entries().last().map_or(0, |entry| entry.tick);
        last.unwrap_or_else(|| self.time(done()))
    }

    /// Adds a note for readers of the session at a tick. A note is not an action, so the
    /// entries that are ahead stay.
    pub fn mark(&mut self, tick: Tick, words: String) {
        let item = SessionItem::Note(words);
        self.put_in(SessionEntry { tick, item });
    }

    /// Adds a note at a tick, unless the same one is there already: a moment that is lived
    /// through again has its notes.
    pub fn mark_once(&mut self, tick: Tick, words: String) {
        let item = SessionItem::Note(words);
        let (done, ahead) = self.entries.split_at(self.next);
        let is_of_run = |entry: &&SessionEntry| !entry.item.jumps();
        let before = done.iter().rev().take_while(is_of_run);
        let before = before.take_while(|entry| entry.tick >= tick);
        let after = ahead.iter().take_while(is_of_run);
        let after = after.take_while(|entry| entry.tick <= tick);
        let mut near = before.chain(after).filter(|entry| entry.tick == tick);
        if !near.any(|entry| entry.item == item) {
            self.put_in(SessionEntry { tick, item });
        }
    }

    /// Inserts an entry that is only read at its place by tick, after the last restart.
    fn put_in(&mut self, entry: SessionEntry) {
        let done = &self.entries[..self.next];
        let is_later = |other: &&SessionEntry| other.tick > entry.tick && !other.item.jumps();
        let at = done.len() - done.iter().rev().take_while(is_later).count();
        self.entries.insert(at, entry);
        self.next += 1;
        for keyframe in self.keyframes.iter_mut().filter(|kept| kept.next > at) {
            keyframe.next += 1;
        }
    }

    /// All entries, carried out or ahead, as a session that ends at this tick or later.
    #[must_use]
    pub fn whole_session(&self, tick: Tick) -> Session {
        let mut session = Session::new(self.header.clone());
        session.entries = self.entries.clone();
        session.drawings = self.drawings.clone();
        let ahead = &self.entries[self.next..];
        let last = ahead.last().map_or(0, |last| last.tick);
        let restarts = ahead.iter().any(|entry| entry.item.jumps());
        session.push(
            if restarts { last } else { tick.max(last) },
            SessionItem::End,
        );
        session
    }

    /// The entries that have been carried out, as a session that ends at this tick.
    #[must_use]
    pub fn session(&self, tick: Tick) -> Session {
        let mut session = Session::new(self.header.clone());
        session.entries = self.entries[..self.next].to_vec();
        session.drawings = self.drawings.clone();
        session.push(tick, SessionItem::End);
        session
    }

    /// The inputs that lift all fingers that the entries left on points and buttons.
    #[must_use]
    pub fn lifts(&self) -> Vec<Input> {
        let mut lifts = Vec::new();
        for entry in &self.entries[..self.next] {
            match entry.item {
                SessionItem::Do(Deed::Input(press @ (Input::Touch(_) | Input::Press(_)))) => {
                    lifts.push(press.reverse());
                }
                SessionItem::Do(Deed::Input(input)) => lifts.retain(|lift| *lift != input),
                SessionItem::Do(Deed::Reset { .. }) => lifts.clear(),
                _ => {}
            }
        }
        lifts
    }
}

#[cfg(test)]
mod tests;
