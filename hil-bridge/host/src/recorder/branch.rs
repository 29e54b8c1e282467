//! Branches that were left: what lay ahead when something else was done.
//!
//! A branch is a whole session, from the same beginning on, so that it stays what it was
//! whatever becomes of the others.
//!
//! Where branches part is worked out when somebody asks, and kept until something else is
//! done: a window asks with each of its pictures.
//!
//! Invariants: two branches never are the same; there are at most [`BRANCHES`], and the
//! oldest makes room; a branch keeps its number whatever becomes of it, and no other gets it.

use std::sync::OnceLock;

use protocol::Tick;

use super::{Keyframe, Recorder};
use crate::session::{SessionClock, TimedItem};

/// The most branches that are kept.
pub const BRANCHES: usize = 16;

/// A way that a session went until something else was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its number, which is its name: from 1, in the order in which they were begun.
    pub number: u32,
    /// When it parts from the session as it is now.
    pub from: Tick,
    /// The last time at which something is known to happen in it.
    pub until: Tick,
    /// How many things are done in it from there on.
    pub acts: usize,
}

/// The branches that were left, oldest first.
#[derive(Clone, Debug)]
pub(super) struct Branches {
    left: Vec<Left>,
    /// The number of the session as it is now.
    current: u32,
    /// The number of the next one that is begun.
    next: u32,
    /// How they part from the session, once somebody has asked.
    known: OnceLock<Vec<Branch>>,
}

/// A branch that was left.
#[derive(Clone, Debug)]
struct Left {
    number: u32,
    entries: Vec<TimedItem>,
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
    /// The session, which is these entries, is left.
    fn leave(&mut self, entries: &[TimedItem]) {
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

    /// The session is one that nobody was on before.
    fn begin(&mut self) {
        self.current = self.next;
        self.next += 1;
    }

    /// Something else was done in the session, or among them.
    pub(super) fn part_anew(&mut self) {
        self.known.take();
    }
}

/// The entries that are actions, without those that only compare or read.
fn acts(entries: &[TimedItem]) -> impl Iterator<Item = &TimedItem> {
    entries.iter().filter(|entry| entry.item.is_done())
}

/// How many acts two sessions have in common at their beginning.
fn common(one: &[TimedItem], other: &[TimedItem]) -> usize {
    let pairs = acts(one).zip(acts(other));
    pairs.take_while(|(one, other)| one == other).count()
}

/// The first entry that comes after so many acts and this time.
fn after(entries: &[TimedItem], acts: usize, time: Tick) -> usize {
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

/// The times of what is done.
fn act_times(entries: &[TimedItem]) -> impl Iterator<Item = Tick> {
    let mut clock = SessionClock::default();
    let timed = entries.iter().map(move |entry| (entry, clock.pass(entry)));
    timed
        .filter(|(entry, _)| entry.item.is_done())
        .map(|(_, time)| time)
}

impl Recorder {
    /// What lay ahead will not happen any more: it is a branch from now on, if anything
    /// is done in it.
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

    /// The number of the session as it is now, among the branches.
    #[must_use]
    pub fn branch_number(&self) -> u32 {
        self.branches.current
    }

    /// How it parts from the session.
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

    /// The session is this branch from now on, and what it was is a branch. Returns the
    /// last keyframe that both have: the board has to be loaded with it, and everything
    /// after it lies ahead. `None` if there is no such branch, or nothing leads back to
    /// where it parts.
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
        // A keyframe of ours may lie behind the first thing that they do.
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
        self.wind_to(&last);
        Some(last)
    }
}
