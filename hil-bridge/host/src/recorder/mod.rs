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
//! A recorder [into a log](Recorder::into_log), a file that grows, writes each
//! line at once and keeps nothing, so it cannot go back.

use std::collections::VecDeque;

use firmware_core::{AnyBoard, SNAPSHOT_BYTES};
use protocol::{Deed, Event, Hello, Input, KnownDrawings, Roster, Tick};

use crate::happening::Happening;
use crate::session::{Header, Session, SessionItem, TimedItem};
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
    /// When.
    pub tick: Tick,
    /// The state.
    pub state: Vec<u8>,
    /// The first entry that was not done yet.
    next: usize,
}

/// Writes down what happens to a board.
pub struct Recorder {
    header: Header,
    /// What was done, and after `next` what lies ahead. Nothing of it is kept
    /// where all goes into a log.
    entries: Vec<TimedItem>,
    /// The first entry that is not done yet.
    next: usize,
    /// In the order of their ticks; those that lie ahead too.
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
            self.next += 1;
            self.branches.part_anew();
        }
    }

    /// All begins again, as this says, and everything lies ahead.
    fn begin_again(&mut self, roster: Roster) -> Header {
        self.header.roster = roster;
        self.next = 0;
        self.forget_keyframes();
        self.header.clone()
    }

    /// What the chance of the board followed from when this began.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.header.seed
    }

    /// True if nothing was done since this keyframe, at this tick.
    fn is_now(&self, keyframe: &Keyframe, tick: Tick) -> bool {
        keyframe.tick == tick && keyframe.next == self.next
    }

    /// The next state that the board tells is the last keyframe, of this tick.
    fn expect_now(&mut self, tick: Tick) {
        self.jump = self.keyframe_before(tick).cloned();
    }

    /// The same, but for its log.
    fn clone_past(&self) -> Recorder {
        Recorder {
            header: self.header.clone(),
            entries: self.entries.clone(),
            next: self.next,
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
        self.next += 1;
        Some(entry.clone())
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
        if let SessionItem::Do(Deed::Reset { seed, layout }) = item {
            // Nothing leads back to before it.
            let header =
                Header::new(layout, seed, &self.header.note).with_games(self.header.roster);
            let firmware = std::mem::take(&mut self.header.firmware);
            *self = Recorder::new(Session::new(Header { firmware, ..header }));
            return Ok(());
        }
        if self.has_more() && !item.is_done() {
            // It was noted the first time.
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
            self.next += skipped + 1;
            return Ok(());
        }
        self.branch();
        if matches!(item, SessionItem::Load(_)) {
            // The keyframes so far belong to another count of ticks.
            self.forget_keyframes();
        }
        if let Some(layout) = item.layout() {
            self.drawings.own(layout);
        }
        if item.is_done() {
            self.branches.part_anew();
        }
        self.entries.push(TimedItem { tick, item });
        self.next = self.entries.len();
        Ok(())
    }

    /// The tick from which on a keyframe is wanted, on a board at this tick;
    /// `None` where none is kept.
    #[must_use]
    pub fn keyframe_due(&self, now: Tick) -> Option<Tick> {
        if self.is_in_log() {
            return None;
        }
        Some(
            self.keyframe_before(now)
                .map_or(now, |last| last.tick + KEYFRAME_MS),
        )
    }

    /// Keeps a state, and its digest as a proof for those who replay the session.
    pub fn keep(&mut self, tick: Tick, state: Vec<u8>, digest: u64) {
        if !self.has_more() {
            let item = SessionItem::Digest(digest);
            self.entries.push(TimedItem { tick, item });
            self.next = self.entries.len();
        }
        let keyframe = Keyframe {
            tick,
            state,
            next: self.next,
        };
        let later = |kept: &Keyframe| kept.tick > tick;
        let place = self.keyframes.iter().position(later);
        self.keyframes
            .insert(place.unwrap_or(self.keyframes.len()), keyframe);
        if self.keyframes.len() > KEYFRAMES {
            self.thin_out();
        }
    }

    /// Makes room: of the older half, keyframes stay that are equally far from each other,
    /// and the first one.
    fn thin_out(&mut self) {
        let half = KEYFRAMES / 2;
        let [Some(first), Some(middle)] = [0, half].map(|index| self.keyframes.get(index)) else {
            return;
        };
        let gap = (middle.tick - first.tick) / (half as Tick / 2);
        let (mut index, mut next) = (0, first.tick);
        self.keyframes.retain(|keyframe| {
            index += 1;
            let stays = index > half || keyframe.tick >= next;
            if stays {
                next = keyframe.tick + gap;
            }
            stays
        });
    }

    /// The keyframes so far belong to another count of ticks.
    pub fn forget_keyframes(&mut self) {
        self.keyframes.clear();
    }

    /// How many bytes all keyframes take.
    #[must_use]
    pub fn keyframe_bytes(&self) -> usize {
        let states = self.keyframes.iter().map(|keyframe| keyframe.state.len());
        states.sum::<usize>() + self.keyframes.len() * size_of::<Keyframe>()
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

    /// The last keyframe at this tick or before it, or the first one there is.
    #[must_use]
    pub fn keyframe_before(&self, tick: Tick) -> Option<&Keyframe> {
        let before = self.keyframes.iter().rev().find(|kept| kept.tick <= tick);
        before.or(self.keyframes.front())
    }

    /// The board is this keyframe from now on: what was done after it lies ahead.
    pub fn wind_to(&mut self, keyframe: &Keyframe) {
        self.next = keyframe.next;
    }

    /// Leaves a note at a tick for whoever reads the session. It is none of the things that
    /// are done, so what lies ahead stays.
    pub fn mark(&mut self, tick: Tick, words: String) {
        let done = &self.entries[..self.next];
        let later = done.iter().rev().take_while(|entry| entry.tick > tick);
        let at = done.len() - later.count();
        let item = SessionItem::Note(words);
        self.entries.insert(at, TimedItem { tick, item });
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
        session.push(tick.max(self.latest()), SessionItem::End);
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
            self.next += 1;
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
