//! Recordings of a board, wherever it is, and the way back in them.
//!
//! A recorder is told what was done ([`Recorder::note`], or for a board at the end of a
//! line [`Recorder::hear`]) and now and then given a keyframe, a whole state
//! ([`Recorder::keep`]). Boards are deterministic, so any moment is the keyframe before it
//! plus what was done since.
//!
//! After going back, and while a session is replayed, what lies ahead happens again when
//! its time comes, until something else is done: that starts a branch, and the old one can
//! be gone back to ([`Recorder::switch_to`]).
//!
//! A moment is named by the time of the session ([`SessionClock`]), since ticks begin again
//! where the board was restarted; that happens again as everything else does.
//!
//! A recorder [into a log](Recorder::into_log), a file that grows, writes each
//! line at once and keeps nothing, so it cannot go back.

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

/// The least time between two keyframes, and so the most that has to be repeated if
/// they are no farther apart.
pub const KEYFRAME_MS: Tick = 1_000;

/// Keyframes that are kept: the last half an hour of board time second by second, and all
/// that was before it ever more sparsely, in about thirty megabytes.
const KEYFRAMES: usize = 3_600;

/// The whole state of a board at a tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyframe {
    /// Its tick.
    pub tick: Tick,
    /// The state.
    pub state: Vec<u8>,
    /// The first entry that was not done yet.
    next: usize,
    /// What time it was.
    clock: SessionClock,
}

impl Keyframe {
    /// When, in the time of the session.
    #[must_use]
    pub fn time(&self) -> Tick {
        self.clock.time(self.tick)
    }
}

/// Writes down what happens to a board.
pub struct Recorder {
    header: Header,
    /// What was done, and after `next` what lies ahead. Nothing of it is kept
    /// where all goes into a log.
    entries: Vec<TimedItem>,
    /// The first entry that is not done yet.
    next: usize,
    /// What time it is there.
    clock: SessionClock,
    /// What contacts did while other things lay ahead, with what else nobody does: it is
    /// written once that is left for a branch.
    aside: Vec<TimedItem>,
    /// In the order of their times; those that lie ahead too.
    keyframes: VecDeque<Keyframe>,
    /// A keyframe that is being loaded into the board.
    jump: Option<Keyframe>,
    log: Option<Box<dyn SessionLog>>,
    branches: branch::Branches,
    /// Of the layouts in the entries: one may go back to a state that was loaded.
    drawings: KnownDrawings,
}

impl Recorder {
    /// A recorder of a board that is as this session begins. What is done in the
    /// session lies ahead.
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

    /// A recorder of a board at the end of a line that has just told its whole
    /// state, and whose Twin has it.
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

    /// The log, if there is one.
    #[must_use]
    pub fn log(self) -> Option<Box<dyn SessionLog>> {
        self.log
    }

    /// True if all goes into a log and one cannot go back.
    #[must_use]
    pub fn is_in_log(&self) -> bool {
        self.log.is_some()
    }

    /// The tick of what was noted last.
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

    /// True if something lies ahead.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.next < self.entries.len()
    }

    /// How many entries are done.
    #[must_use]
    pub fn done(&self) -> usize {
        self.next
    }

    /// The entries so far, including those that only compare or read.
    #[must_use]
    pub fn entries(&self) -> &[TimedItem] {
        &self.entries[..self.next]
    }

    /// The next recorded entry, if any lies ahead.
    fn next_entry(&self) -> Option<TimedItem> {
        self.entries.get(self.next).cloned()
    }

    /// What lay ahead next was done again, on another board; this is what it is
    /// there.
    fn did_again(&mut self, item: SessionItem) {
        if let Some(entry) = self.entries.get_mut(self.next) {
            entry.item = item;
            self.come_to(self.next + 1);
            self.branches.part_anew();
        }
    }

    /// All begins again, as this says, and everything lies ahead.
    fn begin_again(&mut self, roster: Roster) -> Header {
        self.header.roster = roster;
        (self.next, self.clock) = (0, SessionClock::default());
        self.keyframes.clear();
        self.header.clone()
    }

    /// What the chance of the board follows from since it was restarted last.
    #[must_use]
    pub fn seed(&self) -> u64 {
        let seed = |entry: &TimedItem| match entry.item {
            SessionItem::Do(Deed::Reset { seed, .. }) => Some(seed),
            _ => None,
        };
        let resets = self.entries().iter().rev().find_map(seed);
        resets.unwrap_or(self.header.seed)
    }

    /// The time of the session at this tick of the board as it is now.
    #[must_use]
    pub fn time(&self, tick: Tick) -> Tick {
        self.clock.time(tick)
    }

    /// All before this entry is done.
    fn come_to(&mut self, next: usize) {
        for entry in self.entries.get(self.next..next).unwrap_or_default() {
            self.clock.pass(entry);
        }
        self.next = next;
    }

    /// True if nothing was done since this keyframe, at this tick.
    fn is_now(&self, keyframe: &Keyframe, tick: Tick) -> bool {
        keyframe.tick == tick && keyframe.next == self.next
    }

    /// The next state that the board tells is the last keyframe, of this tick.
    fn expect_now(&mut self, tick: Tick) {
        self.jump = self.keyframe_before(self.time(tick)).cloned();
    }

    /// The same, but for its log.
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

    /// The next entry, if it is due at this tick: it counts as done.
    pub fn take_due(&mut self, tick: Tick) -> Option<TimedItem> {
        let entry = self.entries.get(self.next)?;
        if entry.tick > tick {
            return None;
        }
        let entry = entry.clone();
        self.come_to(self.next + 1);
        Some(entry)
    }

    /// True if nothing was ever done to the board, and nothing lies ahead.
    fn is_untouched(&self) -> bool {
        let is_done = |entry: &TimedItem| entry.item.is_done();
        !self.entries.iter().any(is_done) && self.branches().is_empty()
    }

    /// Notes what happened. If it is what lay ahead, it has happened again;
    /// otherwise what lay ahead will not happen any more.
    ///
    /// # Errors
    /// When the log takes no more.
    pub fn note(&mut self, tick: Tick, item: SessionItem) -> Result<(), Unwritten> {
        if let Some(log) = &mut self.log {
            return log.note(tick, item);
        }
        if let SessionItem::Do(Deed::Reset { seed, layout }) = item
            && self.is_untouched()
        {
            // The session begins with it.
            let header =
                Header::new(layout, seed, &self.header.note).with_games(self.header.roster);
            let firmware = std::mem::take(&mut self.header.firmware);
            *self = Recorder::new(Session::new(Header { firmware, ..header }));
            return Ok(());
        }
        if self.has_more() && !item.is_done() {
            // It was noted the first time, unless this becomes another branch.
            if matches!(item, SessionItem::Contact(_)) {
                self.aside.push(TimedItem { tick, item });
            }
            return Ok(());
        }
        let ahead = self.entries.get(self.next..).unwrap_or_default();
        // Entries that only compare or read have no moment that could be missed.
        let skipped = ahead
            .iter()
            .take_while(|entry| !entry.item.is_done())
            .count();
        let again = ahead.get(skipped);
        if again.is_some_and(|entry| entry.tick == tick && entry.item == item) {
            self.come_to(self.next + skipped + 1);
            self.aside.clear();
            return Ok(());
        }
        self.branch();
        let time = self.time(tick);
        if item.is_done() && self.keyframes.back().is_some_and(|last| last.time() > time) {
            // They are of a board to which this was not done.
            self.keyframes.retain(|keyframe| keyframe.time() <= time);
        }
        if let Some(layout) = item.layout() {
            self.drawings.own(layout);
        }
        if item.is_done() {
            self.branches.part_anew();
        }
        self.entries.push(TimedItem { tick, item });
        self.come_to(self.entries.len());
        Ok(())
    }

    /// The tick from which on a keyframe is wanted, on a board at this tick;
    /// `None` where none is kept.
    #[must_use]
    pub fn keyframe_due(&self, now: Tick) -> Option<Tick> {
        if self.is_in_log() {
            return None;
        }
        let last = self.keyframe_before(self.time(now));
        Some(last.map_or(now, |last| self.clock.tick(last.time() + KEYFRAME_MS)))
    }

    /// Keeps a state, and its digest as a proof for those who replay the session.
    pub fn keep(&mut self, tick: Tick, state: Vec<u8>, digest: u64) {
        if !self.has_more() {
            let item = SessionItem::Digest(digest);
            self.entries.push(TimedItem { tick, item });
            self.come_to(self.entries.len());
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

    /// How many keyframes there are up to this time.
    fn keyframes_until(&self, time: Tick) -> usize {
        self.keyframes.partition_point(|kept| kept.time() <= time)
    }

    /// Makes room: of the older half, keyframes stay that are equally far from each other,
    /// and the first one.
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

    /// How many bytes all keyframes take.
    #[must_use]
    pub fn keyframe_bytes(&self) -> usize {
        let states = self.keyframes.iter().map(|keyframe| keyframe.state.len());
        states.sum::<usize>() + self.keyframes.len() * size_of::<Keyframe>()
    }

    /// The earliest time that one can go back to.
    #[must_use]
    pub fn earliest(&self) -> Option<Tick> {
        self.keyframes.front().map(Keyframe::time)
    }

    /// The last time at which something is known to happen.
    #[must_use]
    pub fn latest(&self) -> Tick {
        let mut clock = self.clock;
        let ahead = &self.entries[self.next..];
        let last = ahead.iter().map(|entry| clock.pass(entry)).last();
        let done = || self.entries().last().map_or(0, |entry| entry.tick);
        last.unwrap_or_else(|| self.time(done()))
    }

    /// The last keyframe at this time or before it, or the first one there is.
    #[must_use]
    pub fn keyframe_before(&self, time: Tick) -> Option<&Keyframe> {
        let until = self.keyframes_until(time);
        self.keyframes.get(until.saturating_sub(1))
    }

    /// The board is this keyframe from now on: what was done after it lies ahead.
    pub fn wind_to(&mut self, keyframe: &Keyframe) {
        (self.next, self.clock) = (keyframe.next, keyframe.clock);
        self.aside.clear();
    }

    /// Leaves a note at a tick for whoever reads the session. It is none of the things that
    /// are done, so what lies ahead stays.
    pub fn mark(&mut self, tick: Tick, words: String) {
        let item = SessionItem::Note(words);
        self.put_in(TimedItem { tick, item });
    }

    /// Writes what is only read where it belongs among what is done since the last restart.
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

    /// The actions so far and those ahead of this tick, as a session.
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

    /// The actions up to this tick, as a session.
    #[must_use]
    pub fn session(&self, tick: Tick) -> Session {
        let mut session = Session::new(self.header.clone());
        session.entries = self.entries[..self.next].to_vec();
        session.drawings = self.drawings.clone();
        session.push(tick, SessionItem::End);
        session
    }

    /// What lifts the fingers that are on the board and its buttons, as far as is
    /// known.
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

    /// Feeds it what a board at the end of a line tells. Hand in all happenings,
    /// in order, with what the board's Twin made of each: its states are the
    /// keyframes, so that none has to be read from the board.
    ///
    /// # Errors
    /// When the log takes no more.
    pub fn hear(
        &mut self,
        happening: &Happening,
        followed: Followed,
        twin: &Twin,
    ) -> Result<(), Unwritten> {
        // What happens while nobody knows how the board is cannot be done again;
        // the state that it comes to is on its way.
        let differs = matches!(followed, Followed::Differs { .. });
        if twin.board().is_none() && !differs {
            return Ok(());
        }
        if let Happening::Snapshot { state, .. } = happening
            && let Some(keyframe) = self.jump.take_if(|keyframe| keyframe.state == *state)
        {
            self.wind_to(&keyframe);
            return Ok(());
        }
        let Some(entry) = TimedItem::of(happening) else {
            return Ok(());
        };
        if self.is_in_log() {
            return self.note(entry.tick, entry.item);
        }
        let TimedItem { tick, item } = entry;
        match item {
            SessionItem::Digest(digest) => {
                self.hear_digest(happening, (tick, digest), followed, twin)
            }
            // To this board nothing was done yet, so the session begins with it as it is.
            SessionItem::Load(state)
                if self.is_untouched()
                    && twin.board().map(AnyBoard::layout) == Some(*self.header.layout) =>
            {
                self.header.state = Some(state);
                *self = Recorder::new(Session::new(self.header.clone()));
                self.keep_board(twin.board(), None);
                Ok(())
            }
            item if item.jumps() => {
                self.note(tick, item)?;
                self.keep_board(twin.board(), None);
                Ok(())
            }
            item => self.note(tick, item),
        }
    }

    /// A digest that both have makes the twin's state a keyframe.
    fn hear_digest(
        &mut self,
        happening: &Happening,
        (tick, digest): (Tick, u64),
        followed: Followed,
        twin: &Twin,
    ) -> Result<(), Unwritten> {
        let agreed = followed == Followed::Agreed(tick);
        while self
            .entries
            .get(self.next)
            .is_some_and(|ahead| !ahead.item.is_done() && ahead.tick <= tick)
        {
            self.come_to(self.next + 1);
        }
        if agreed && self.keyframe_due(tick).is_some_and(|due| due <= tick) {
            self.keep_board(twin.board(), Some(digest));
            return Ok(());
        }
        // One that was asked for in passing proves nothing new if it is right.
        let is_told =
            matches!(happening, Happening::Event(event) if matches!(event.event, Event::Digest(_)));
        if !agreed {
            // This is not the board on which the rest was done.
            self.branch();
        }
        if !agreed || is_told {
            return self.note(tick, SessionItem::Digest(digest));
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
