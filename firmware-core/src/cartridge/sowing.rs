//! Tracks, and sowing along them.
//!
//! A track is a table: its first entry says how it continues beyond its end, and its
//! sites follow in order. A sowing is found by trying it, because what it captures
//! depends on the pits after all seeds have been sown.
//!
//! Invariants: a sowing goes around its track at most once for each seed, and at most
//! twice to find a pit that is not skipped.

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::action::Action;
use super::machine::{CONTINUE, Flow, Machine};
use super::op::{OperandSlot, bit, slot};
use super::outlet::Outlet;
use super::state::State;

/// Bits of a track's first entry.
pub mod track {
    /// The first site follows the last one.
    pub const LOOPS: i16 = 1;
    /// The track cannot be followed backwards.
    pub const ONE_WAY: i16 = 2;
}

/// A sowing that is being tried.
struct Sown<'s, W: Word> {
    /// The position before the sowing.
    before: &'s State<W>,
    /// The index of its first action in the buffer.
    mark: usize,
    /// The index after its last action in the buffer.
    end: usize,
}

impl<'g, W: Word> Machine<'g, W> {
    /// The track that an operand names.
    fn track_of(&mut self, at: u16, slot: OperandSlot) -> Option<u16> {
        let table = u16::try_from(self.number_of(at, slot)).ok()?;
        (self.track_length(table) > 0).then_some(table)
    }

    fn track_length(&self, track: u16) -> i32 {
        self.game.table(track).len() as i32 - 1
    }

    /// The site at a position of a track.
    fn track_site(&self, track: u16, place: i32) -> i32 {
        let entry = self.game.entry(track, place + 1);
        entry.filter(|_| place >= 0).map_or(-1, i32::from)
    }

    /// The first position of a site on a track.
    fn track_place(&self, track: u16, site: i32) -> Option<i32> {
        (0..self.track_length(track)).find(|place| self.track_site(track, *place) == site)
    }

    fn track_flags(&self, track: u16) -> i16 {
        self.game.entry(track, 0).unwrap_or(0)
    }

    fn track_next(&self, track: u16, place: i32) -> Option<i32> {
        let next = place + 1;
        if next < self.track_length(track) {
            return Some(next);
        }
        (self.track_flags(track) & track::LOOPS != 0).then_some(0)
    }

    fn track_back(&self, track: u16, place: i32) -> Option<i32> {
        let last = self.track_length(track) - 1;
        let flags = self.track_flags(track);
        if place == 0 {
            return (flags & track::LOOPS != 0).then_some(last);
        }
        (flags & track::ONE_WAY == 0 || place == last).then_some(place - 1)
    }

    /// Evaluates [`Op::TrackAhead`](super::op::Op::TrackAhead): a site further along
    /// a track.
    pub(super) fn track_ahead(&mut self, at: u16) -> i32 {
        let Some(track) = self.track_of(at, slot::TrackAhead::TRACK) else {
            return -1;
        };
        let length = self.track_length(track);
        let from = match self.optional(at, slot::TrackAhead::SITE) {
            Some(node) => {
                let site = self.number(node);
                self.track_place(track, site).unwrap_or(length)
            }
            None => -1,
        };
        let place = from.saturating_add(self.number_of(at, slot::TrackAhead::STEPS).max(0));
        if place < length {
            return self.track_site(track, place);
        }
        if self.track_flags(track) & track::LOOPS == 0 {
            return -1;
        }
        self.track_site(track, place % length.max(1))
    }

    /// Evaluates [`Op::TrackPart`](super::op::Op::TrackPart): the sites of a part of
    /// a track.
    pub(super) fn track_part(&mut self, at: u16) -> Points<W> {
        let mut part = Points::NONE;
        let Some(track) = self.track_of(at, slot::TrackPart::TRACK) else {
            return part;
        };
        let ends = [slot::TrackPart::FROM, slot::TrackPart::TO]
            .map(|slot| self.optional(at, slot).map(|node| self.number(node)));
        let from = match ends[0] {
            Some(site) if site != -1 => self.track_place(track, site),
            _ => Some(0),
        };
        let Some(from) = from else { return part };
        let length = self.track_length(track);
        for more in 0..length {
            let site = self.track_site(track, (from + more) % length);
            if let Some(site) = self.site(site) {
                part.insert(Point(site));
            }
            if Some(site) == ends[1] {
                break;
            }
        }
        part
    }

    /// Evaluates [`Op::TrackFirst`](super::op::Op::TrackFirst): the first matching
    /// site of a track.
    pub(super) fn track_first(&mut self, at: u16) -> i32 {
        let Some(track) = self.track_of(at, slot::TrackFirst::TRACK) else {
            return -1;
        };
        let from = match self.optional(at, slot::TrackFirst::SITE) {
            Some(node) => match self.number(node) {
                -1 => Some(0),
                site => self.track_place(track, site),
            },
            None => Some(0),
        };
        let Some(from) = from else { return -1 };
        let condition = self.optional(at, slot::TrackFirst::CONDITION);
        let saved = self.context.to;
        let length = self.track_length(track);
        let mut places = (0..length).map(|more| (from + more) % length);
        let found = places.find(|place| {
            self.context.to = self.track_site(track, *place) as i16;
            self.holds(condition)
        });
        self.context.to = saved;
        found.map_or(-1, |place| self.track_site(track, place))
    }

    /// Evaluates [`Op::Sow`](super::op::Op::Sow): sows pieces along a track.
    pub(super) fn sows(&mut self, at: u16, extra: u8, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let (Some(start), Some(track)) = (
            self.site_of(at, slot::Sow::START),
            self.track_of(at, slot::Sow::TRACK),
        ) else {
            return CONTINUE;
        };
        let mark = self.here();
        let saved = self.context;
        let Some(last) = self.sow_seeds(at, extra, start, track) else {
            self.actions.truncate(mark);
            self.context = saved;
            return CONTINUE;
        };
        if let Some(effect) = self.optional(at, slot::Sow::CAPTURE) {
            let before = self.state;
            let keeps = core::mem::replace(&mut self.keeps, false);
            let sown = Sown {
                before: &before,
                mark,
                end: self.here(),
            };
            self.carry_out(mark, sown.end);
            self.take_sown(at, start, track, last, effect, &sown);
            self.keeps = keeps;
            self.state = before;
        }
        self.context = saved;
        // Sowing nothing is also a move, with the actions that precede it.
        let first = self.actions.get(mark).copied();
        let flow = self.emit(mark, first.map_or([-1; 2], Action::sites), out);
        self.actions.truncate(mark);
        flow
    }

    /// Sows one seed into each pit and returns the position of the last one.
    fn sow_seeds(&mut self, at: u16, extra: u8, start: u8, track: u16) -> Option<i32> {
        let count = self.number_of(at, slot::Sow::COUNT).min(255);
        let [per_hole, skip, origin, effect] = [
            slot::Sow::PER_PIT,
            slot::Sow::SKIPS,
            slot::Sow::ORIGIN,
            slot::Sow::EFFECT,
        ]
        .map(|slot| self.optional(at, slot));
        let place = self.track_place(track, start.into());
        let from = self.context.from;
        let mut sown = 0;
        self.context.from = start.into();
        if origin.is_some_and(|node| self.truth(node)) {
            if let Some(effect) = effect {
                self.collect(effect);
            }
            self.drop_seeds(start, start, per_hole, count, &mut sown);
            self.context.to = start.into();
        }
        self.context.from = from;
        if sown >= count {
            return Some(place.unwrap_or(0));
        }
        let mut here = place?;
        let mut passed = 0;
        let mut index = 0;
        while index < count {
            self.context.value = (count - index) as i16;
            let mut next = self.track_next(track, here);
            let mut to = next.map_or(-1, |next| self.track_site(track, next));
            self.context.to = to as i16;
            let skips = skip.is_some_and(|node| self.truth(node));
            if skips && passed < 2 * self.track_length(track) {
                passed += 1;
                here = next?;
                continue;
            }
            passed = 0;
            if extra & bit::NOT_FIRST != 0 && to == i32::from(start) {
                here = next?;
                next = self.track_next(track, here);
                to = next.map_or(-1, |next| self.track_site(track, next));
            }
            if let Some(effect) = effect {
                self.collect(effect);
            }
            let to = self.site(to)?;
            self.drop_seeds(start, to, per_hole, count, &mut sown);
            here = next?;
            if sown >= count {
                break;
            }
            index += 1;
        }
        Some(here)
    }

    /// Drops the right number of seeds into a pit.
    fn drop_seeds(&mut self, from: u8, to: u8, per_hole: Option<u16>, count: i32, sown: &mut i32) {
        let many = per_hole.map_or(1, |node| self.number(node));
        for _ in 0..many.min(255) {
            if *sown < count {
                self.push(Action::Drop { from, to });
            }
            *sown += 1;
        }
    }

    /// Captures after all seeds have been sown, starting from the last pit.
    fn take_sown(
        &mut self,
        at: u16,
        start: u8,
        track: u16,
        last: i32,
        effect: u16,
        sown: &Sown<'_, W>,
    ) {
        let [condition, back, on] = [slot::Sow::CONDITION, slot::Sow::BACK, slot::Sow::ON]
            .map(|slot| self.optional(at, slot));
        let mut here = last;
        for _ in 0..self.track_length(track) {
            if !self.holds(condition) {
                break;
            }
            self.context.from = start.into();
            self.collect_whole(effect, sown);
            let (goes_on, next) = match (back, on) {
                (Some(back), _) => (back, self.track_back(track, here)),
                (None, Some(on)) => (on, self.track_next(track, here)),
                (None, None) => break,
            };
            if !self.truth(goes_on) {
                break;
            }
            let Some(next) = next else { break };
            here = next;
            let site = self.track_site(track, here);
            self.context.to = site as i16;
            if !self.truth(goes_on) || (back.is_some() && site == i32::from(start)) {
                break;
            }
        }
    }

    /// Appends the effects of a node with all their consequences to the buffer. The
    /// consequences are found as if each effect were the last move, immediately after the
    /// sowing.
    fn collect_whole(&mut self, effect: u16, sown: &Sown<'_, W>) {
        let start = self.here();
        self.collect(effect);
        let end = self.here();
        let is_after = |action: &Action| matches!(action, Action::Then { .. });
        let found = self.actions.get(start..end);
        if !found.is_some_and(|found| found.iter().any(is_after)) {
            return;
        }
        let base = self.kept.len();
        let mut first = None;
        for index in start..end {
            let Some(action) = self.actions.get(index).copied() else {
                break;
            };
            if let Action::Then { node } = action {
                self.collect_after(node);
                continue;
            }
            let before = index.checked_sub(1).filter(|before| *before >= start);
            let before = before.and_then(|before| self.actions.get(before).copied());
            if first.is_none() || before.as_ref().is_some_and(is_after) {
                // A different move starts from the original position.
                self.state = *sown.before;
                self.carry_out(sown.mark, sown.end);
                let [from, to] = action.sites();
                [self.state.last_from, self.state.last_to] = [from, to];
                first = Some(index);
            }
            self.keep_done(action);
        }
        self.state = *sown.before;
        self.carry_out(sown.mark, sown.end);
        self.actions.truncate(start);
        for index in base..self.kept.len() {
            if let Some(action) = self.kept.get(index).copied() {
                self.push(action);
            }
        }
        self.kept.truncate(base);
    }

    /// Carries out the consequences of a move and stores their actions.
    fn collect_after(&mut self, node: u16) {
        let start = self.here();
        self.collect(node);
        for index in start..self.here() {
            match self.actions.get(index).copied() {
                Some(Action::Then { node }) => self.collect_after(node),
                Some(action) => self.keep_done(action),
                None => {}
            }
        }
        self.actions.truncate(start);
    }

    fn keep_done(&mut self, action: Action) {
        self.do_one(action);
        if self.kept.push(action).is_err() {
            self.give_up();
        }
    }
}
