//! Records what happens to a board, local or remote, and finds the way back to any moment.
//!
//! A recorder gets every action ([`Recorder::record`], or [`Recorder::record_happening`] for a board at
//! the end of a line) and from time to time a keyframe: a whole state
//! ([`Recorder::keep`]). Boards are deterministic, so any moment follows from the last
//! keyframe before it and the actions since.
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

use firmware_core::{AnyBoard, SNAPSHOT_BYTES};
use protocol::{Deed, Event, Hello, Input, KnownDrawings, Roster, Tick};

use crate::happening::Happening;
use crate::session::{Header, Session, SessionClock, SessionItem, TimedItem};
use crate::twin::{Followed, Twin};

mod branch;
mod driver;
mod log;
mod replay_path;
mod rerun;
mod trace;

pub use crate::divergence::{Divergence, Rerun};
pub use branch::{BRANCHES, Branch};
pub use driver::RecordingDriver;
pub use log::{SessionLog, Unwritten};
pub use replay_path::{ReplayPath, To};

/// The minimum time between two keyframes, in ms. Where no keyframe is missing, going to
/// a moment repeats at most this much board time.
pub const KEYFRAME_MS: Tick = 1_000;

/// The maximum number of keyframes: one a second for the last half hour of board time, and
/// increasingly sparse ones before that, in about 30 MB.
const KEYFRAMES: usize = 3_600;

/// The whole state of a board at a tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyframe {
    /// The tick of the state.
    pub tick: Tick,
    /// The bytes of the state.
    pub state: Vec<u8>,
    /// The index of the first entry that had not been carried out.
    next: usize,
    /// The session clock at the keyframe.
    clock: SessionClock,
}

impl Keyframe {
    /// The session time of the keyframe, in ms.
    #[must_use]
    pub fn time(&self) -> Tick {
        self.clock.time(self.tick)
    }
}

/// Records what happens to a board.
pub struct Recorder {
    header: Header,
    /// The entries up to `next` have been carried out; those from `next` on are ahead.
    /// Empty if the recorder writes into a log.
    entries: Vec<TimedItem>,
    /// The index of the first entry that is ahead.
    next: usize,
    /// The session clock at `next`.
    clock: SessionClock,
    /// What contacts did while other entries were ahead. It is added to the entries if a
    /// branch starts here, and dropped if the recorded entries are repeated.
    aside: Vec<TimedItem>,
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
    pub fn entries(&self) -> &[TimedItem] {
        &self.entries[..self.next]
    }

    /// The next entry, if one is ahead.
    fn next_entry(&self) -> Option<TimedItem> {
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
        let seed = |entry: &TimedItem| match entry.item {
            SessionItem::Do(Deed::Reset { seed, .. }) => Some(seed),
            _ => None,
        };
        let resets = self.entries().iter().rev().find_map(seed);
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

    /// True if the board is exactly at this keyframe: same tick, and no entry since.
    fn is_now(&self, keyframe: &Keyframe, tick: Tick) -> bool {
        keyframe.tick == tick && keyframe.next == self.next
    }

    /// Expects that the next state that the board reports is the last keyframe, at this
    /// tick.
    fn expect_now(&mut self, tick: Tick) {
        self.jump = self.keyframe_before(self.time(tick)).cloned();
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
    pub fn take_due(&mut self, tick: Tick) -> Option<TimedItem> {
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
        let is_done = |entry: &TimedItem| entry.item.is_done();
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
                self.aside.push(TimedItem { tick, item });
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
        self.entries.push(TimedItem { tick, item });
        self.go_on_to(self.entries.len());
        Ok(())
    }

    /// The tick from which a keyframe is due, on a board at tick `now`; `None` if no
    /// keyframes are kept.
    #[must_use]
    pub fn keyframe_due(&self, now: Tick) -> Option<Tick> {
        if self.is_in_log() {
            return None;
        }
        let last = self.keyframe_before(self.time(now));
        Some(last.map_or(now, |last| self.clock.tick(last.time() + KEYFRAME_MS)))
    }

    /// Keeps a state as a keyframe, and records its digest, which a replay of the session
    /// compares.
    pub fn keep(&mut self, tick: Tick, state: Vec<u8>, digest: u64) {
        if !self.has_more() {
            let item = SessionItem::Digest(digest);
            self.entries.push(TimedItem { tick, item });
            self.go_on_to(self.entries.len());
        }
        let keyframe = Keyframe {
            tick,
            state,
            next: self.next,
            clock: self.clock,
        };
        let time = keyframe.time();
        let place = self.keyframes_until(time);
        let is_known = |kept: &Keyframe| kept.time() == time && kept.next == keyframe.next;
        let mut before = self.keyframes.range(..place);
        if before.next_back().is_some_and(is_known) {
            return;
        }
        self.keyframes.insert(place, keyframe);
        if self.keyframes.len() > KEYFRAMES {
            self.thin_out();
        }
    }

    /// The number of keyframes up to this session time.
    fn keyframes_until(&self, time: Tick) -> usize {
        self.keyframes.partition_point(|kept| kept.time() <= time)
    }

    /// Makes room: thins out the older half to evenly spaced keyframes, and keeps the
    /// first one.
    fn thin_out(&mut self) {
        let half = KEYFRAMES / 2;
        let [Some(first), Some(middle)] = [0, half].map(|index| self.keyframes.get(index)) else {
            return;
        };
        let gap = (middle.time() - first.time()) / (half as Tick / 2);
        let (mut index, mut next) = (0, first.time());
        self.keyframes.retain(|keyframe| {
            index += 1;
            let stays = index > half || keyframe.time() >= next;
            if stays {
                next = keyframe.time() + gap;
            }
            stays
        });
    }

    /// The earliest session time that can be gone back to; `None` without a keyframe.
    #[must_use]
    pub fn earliest(&self) -> Option<Tick> {
        self.keyframes.front().map(Keyframe::time)
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

    /// The last keyframe at this session time or before it, or else the first keyframe.
    #[must_use]
    pub fn keyframe_before(&self, time: Tick) -> Option<&Keyframe> {
        let until = self.keyframes_until(time);
        self.keyframes.get(until.saturating_sub(1))
    }

    /// True if going from a tick of the board to a time of the session loads a keyframe
    /// instead of running the board: the time lies in the past, or a later keyframe is
    /// closer.
    #[must_use]
    pub fn jumps_to(&self, now: Tick, time: Tick) -> bool {
        let now = self.time(now);
        let keyframe = self.keyframe_before(time);
        time < now || keyframe.is_some_and(|keyframe| keyframe.time() > now + KEYFRAME_MS)
    }

    /// Notes that the board is at this keyframe: all entries after it are ahead.
    pub fn return_to(&mut self, keyframe: &Keyframe) {
        (self.next, self.clock) = (keyframe.next, keyframe.clock);
        self.aside.clear();
    }

    /// Adds a note for readers of the session at a tick. A note is not an action, so the
    /// entries that are ahead stay.
    pub fn mark(&mut self, tick: Tick, words: String) {
        let item = SessionItem::Note(words);
        self.put_in(TimedItem { tick, item });
    }

    /// Inserts an entry that is only read at its place by tick, after the last restart.
    fn put_in(&mut self, entry: TimedItem) {
        let done = &self.entries[..self.next];
        let is_later = |other: &&TimedItem| other.tick > entry.tick && !other.item.jumps();
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

    /// Records what a board at the end of a line reports. It needs all happenings, in
    /// order, each with the twin's result. The twin's states become the keyframes, so the
    /// board's state need not be read.
    ///
    /// # Errors
    /// When the log cannot be written any more.
    pub fn record_happening(
        &mut self,
        happening: &Happening,
        followed: Followed,
        twin: &Twin,
    ) -> Result<(), Unwritten> {
        // While the board's state is unknown, what happens cannot be repeated. A snapshot
        // is on its way.
        let differs = matches!(followed, Followed::Differs { .. });
        if twin.board().is_none() && !differs {
            return Ok(());
        }
        if let Happening::Snapshot { state, .. } = happening
            && let Some(keyframe) = self.jump.take_if(|keyframe| keyframe.state == *state)
        {
            self.return_to(&keyframe);
            return Ok(());
        }
        let Some(entry) = TimedItem::of(happening) else {
            return Ok(());
        };
        if self.is_in_log() {
            return self.record(entry.tick, entry.item);
        }
        let TimedItem { tick, item } = entry;
        match item {
            SessionItem::Digest(digest) => {
                self.record_digest(happening, tick, digest, followed, twin)
            }
            // Nothing was done to this board before, so the session begins with the
            // loaded state.
            SessionItem::Load(state)
                if self.is_untouched()
                    && twin.board().map(AnyBoard::layout) == Some(*self.header.layout) =>
            {
                let state = Some(state);
                self.begin_with(Header {
                    state,
                    ..self.header.clone()
                });
                self.keep_board(twin.board(), None);
                Ok(())
            }
            item if item.jumps() => {
                self.record(tick, item)?;
                self.keep_board(twin.board(), None);
                Ok(())
            }
            item => self.record(tick, item),
        }
    }

    /// Records a digest of the board. If the twin agrees and a keyframe is due, the
    /// twin's state becomes one.
    fn record_digest(
        &mut self,
        happening: &Happening,
        tick: Tick,
        digest: u64,
        followed: Followed,
        twin: &Twin,
    ) -> Result<(), Unwritten> {
        let agreed = followed == Followed::Agreed(tick);
        while self
            .entries
            .get(self.next)
            .is_some_and(|ahead| !ahead.item.is_done() && ahead.tick <= tick)
        {
            self.go_on_to(self.next + 1);
        }
        if agreed && self.keyframe_due(tick).is_some_and(|due| due <= tick) {
            self.keep_board(twin.board(), Some(digest));
            return Ok(());
        }
        // A digest that was requested along with a step is not recorded if it agrees.
        let is_told =
            matches!(happening, Happening::Event(event) if matches!(event.event, Event::Digest(_)));
        if !agreed {
            // The entries that are ahead were recorded on a board with other digests.
            self.branch();
        }
        if !agreed || is_told {
            return self.record(tick, SessionItem::Digest(digest));
        }
        Ok(())
    }

    fn keep_board(&mut self, board: Option<&AnyBoard>, digest: Option<u64>) {
        let Some(board) = board else { return };
        let mut buffer = vec![0; SNAPSHOT_BYTES];
        if let Some(state) = board.save(&mut buffer) {
            let digest = digest.unwrap_or_else(|| board.digest());
            self.keep(board.tick(), state.to_vec(), digest);
        }
    }
}

#[cfg(test)]
mod tests;
