//! Branches that were left: the entries that were ahead when something new was done.
//!
//! A branch is stored as a whole session from the common beginning, so changes of other
//! branches do not affect it.
//!
//! Where branches part is computed on request and cached until the entries change,
//! because a window asks for it every time it draws.
//!
//! Invariants: no two branches are equal; there are at most [`BRANCHES`], and the oldest
//! is dropped first; a branch keeps its number, which is never reused.

use std::sync::OnceLock;

use protocol::Tick;

use super::{Keyframe, Recorder};
use crate::session::{SessionClock, SessionEntry};

/// The maximum number of branches kept.
pub const BRANCHES: usize = 16;

/// A continuation of the session that was left when something new was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The number by which it is named, from 1, in the order in which branches began.
    pub number: u32,
    /// The session time at which it parts from the current session, in ms.
    pub from: Tick,
    /// The session time of its last entry, in ms.
    pub until: Tick,
    /// The number of actions in it after it parts.
    pub acts: usize,
}

/// The branches that were left, oldest first.
#[derive(Clone, Debug)]
pub(super) struct Branches {
    left: Vec<Left>,
    /// The number of the current session.
    current: u32,
    /// The number of the next new branch.
    next: u32,
    /// Where the branches part from the session; empty until it is requested.
    known: OnceLock<Vec<Branch>>,
}

/// A branch that was left.
#[derive(Clone, Debug)]
struct Left {
    number: u32,
    entries: Vec<SessionEntry>,
}

impl Default for Branches {
    fn default() -> Branches {
        Branches {
            left: Vec::new(),
            current: 1,
            next: 2,
            known: OnceLock::new(),
        }
    }
}

impl Branches {
    /// Stores the session with these entries as a branch that was left.
    fn leave(&mut self, entries: &[SessionEntry]) {
        let is_same = |other: &Left| acts(&other.entries).eq(acts(entries));
        self.left.retain(|other| !is_same(other));
        if self.left.len() == BRANCHES {
            self.left.remove(0);
        }
        self.left.push(Left {
            number: self.current,
            entries: entries.to_vec(),
        });
        self.part_anew();
    }

    /// Gives the session a new number.
    fn begin(&mut self) {
        self.current = self.next;
        self.next += 1;
    }

    /// Discards the cached partings, because entries have changed.
    pub(super) fn part_anew(&mut self) {
        self.known.take();
    }
}

/// The entries that are actions, without those that are only compared or read.
fn acts(entries: &[SessionEntry]) -> impl Iterator<Item = &SessionEntry> {
    entries.iter().filter(|entry| entry.item.is_done())
}

/// The number of actions that two sessions have in common at their beginning.
fn common(one: &[SessionEntry], other: &[SessionEntry]) -> usize {
    let pairs = acts(one).zip(acts(other));
    pairs.take_while(|(one, other)| one == other).count()
}

/// The index of the first entry after this many actions and after this session time.
fn after(entries: &[SessionEntry], acts: usize, time: Tick) -> usize {
    let (mut left, mut clock) = (acts, SessionClock::default());
    for (index, entry) in entries.iter().enumerate() {
        let is_later = clock.pass(entry) > time;
        if entry.item.is_done() {
            let Some(fewer) = left.checked_sub(1) else {
                return index;
            };
            left = fewer;
        } else if left == 0 && is_later {
            return index;
        }
    }
    entries.len()
}

/// The session times of the actions.
fn act_times(entries: &[SessionEntry]) -> impl Iterator<Item = Tick> {
    let mut clock = SessionClock::default();
    let timed = entries.iter().map(move |entry| (entry, clock.pass(entry)));
    timed
        .filter(|(entry, _)| entry.item.is_done())
        .map(|(_, time)| time)
}

impl Recorder {
    /// Drops the entries that are ahead. If there are actions among them, they are stored
    /// as a branch.
    pub(super) fn branch(&mut self) {
        if !self.has_more() {
            return;
        }
        if acts(&self.entries[self.next..]).next().is_some() {
            self.branches.leave(&self.entries);
            self.branches.begin();
        }
        self.entries.truncate(self.next);
        self.branches.part_anew();
        self.keyframes.retain(|keyframe| keyframe.next <= self.next);
        for contact in std::mem::take(&mut self.aside) {
            self.put_in(contact);
        }
    }

    /// The branches that were left, oldest first.
    #[must_use]
    pub fn branches(&self) -> &[Branch] {
        let Branches { left, known, .. } = &self.branches;
        known.get_or_init(|| left.iter().map(|branch| self.parting(branch)).collect())
    }

    /// The number of the current session, which counts as a branch.
    #[must_use]
    pub fn branch_number(&self) -> u32 {
        self.branches.current
    }

    /// Where a branch parts from the session.
    fn parting(&self, Left { number, entries }: &Left) -> Branch {
        let same = common(&self.entries, entries);
        let own = act_times(entries).nth(same);
        let ours = act_times(&self.entries).nth(same);
        let mut clock = SessionClock::default();
        let until = entries.iter().map(|entry| clock.pass(entry)).last();
        let until = until.unwrap_or(0);
        let parts = own.into_iter().chain(ours).min();
        Branch {
            number: *number,
            from: parts.unwrap_or(until),
            until,
            acts: acts(entries).count() - same,
        }
    }

    /// Makes this branch the session, and stores the current session as a branch. Returns
    /// the last keyframe that both share: the caller has to load it into the board, and
    /// all entries after it are ahead. `None` if there is no such branch, or no shared
    /// keyframe before the parting.
    pub fn switch_to(&mut self, branch: usize) -> Option<Keyframe> {
        let entries = &self.branches.left.get(branch)?.entries;
        let same = common(&self.entries, entries);
        let acts_of = |keyframe: &Keyframe| acts(&self.entries[..keyframe.next]).count();
        let is_shared = |keyframe: &Keyframe| acts_of(keyframe) <= same;
        self.keyframes.iter().find(|keyframe| is_shared(keyframe))?;
        let mut shared: Vec<Keyframe> = self.keyframes.iter().cloned().collect();
        shared.retain(is_shared);
        for keyframe in &mut shared {
            keyframe.next = after(entries, acts_of(keyframe), keyframe.time());
        }
        // A keyframe of the current session may be later than the branch's first action
        // of its own.
        let parts = act_times(entries).nth(same);
        shared.retain(|keyframe| parts.is_none_or(|time| keyframe.time() <= time));
        let Left { number, entries } = self.branches.left.remove(branch);
        self.branches.part_anew();
        let left = std::mem::replace(&mut self.entries, entries);
        if acts(&left).count() > same {
            self.branches.leave(&left);
        }
        self.branches.current = number;
        let last = shared.last().cloned();
        self.keyframes = shared.into();
        let last = last?;
        self.return_to(&last);
        Some(last)
    }
}
