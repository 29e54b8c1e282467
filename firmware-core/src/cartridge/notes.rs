//! Stored values of conditions.
//!
//! A condition that depends on only one site is evaluated once for each site, however
//! many moves need it. Some conditions are known for all sites at once, because they
//! correspond to sets that the position stores anyway.
//!
//! Invariants: a note is about one node and one position.

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::flood::ONE_BY_ONE;
use super::known::{NOTES, Note};
use super::machine::Machine;
use super::op::{NodeKind, NotedSite, Op, OperandKind, OperandSlot, slot};

/// The depth to which a node is searched for references to a site.
const MOST_APART: u8 = 4;

impl<W: Word> Machine<'_, W> {
    /// Evaluates [`Op::Everywhere`] for the current site.
    #[inline(never)]
    pub(super) fn noted(&mut self, at: u16, extra: u8) -> bool {
        let noted = NotedSite::of(extra);
        let site = match noted {
            NotedSite::To => self.context.to,
            NotedSite::Between => self.context.between,
            NotedSite::Site => self.context.site,
        };
        let truth = self.operand(at, slot::Everywhere::CONDITION);
        let Some(site) = self.site(site.into()) else {
            return self.truth(truth);
        };
        let place = usize::from(self.operand(at, slot::Everywhere::NOTE)) % NOTES;
        let epoch = self.state.epoch;
        let point = Point(site);
        let fresh = match self.notes.get(place) {
            Some(note) if note.node == at && note.epoch == epoch => {
                if note.known.has(point) {
                    return note.holds.has(point);
                }
                false
            }
            _ => true,
        };
        if fresh {
            let all = self.all;
            let holds = self.set_of(truth, noted.op(), all);
            let note = Note {
                node: at,
                epoch,
                known: if holds.is_some() { all } else { Points::NONE },
                holds: holds.unwrap_or(Points::NONE),
            };
            if let Some(place) = self.notes.get_mut(place) {
                *place = note;
            }
            if let Some(holds) = holds {
                return holds.has(point);
            }
        }
        let holds = self.truth(truth);
        if let Some(note) = self.notes.get_mut(place)
            && note.node == at
            && note.epoch == epoch
        {
            note.known.insert(point);
            if holds {
                note.holds.insert(point);
            }
        }
        holds
    }

    /// The sites on which a condition holds, if that is known for all sites at once.
    pub(super) fn whole_set(&mut self, node: u16) -> Option<Points<W>> {
        let (op, extra) = self.node(node);
        if op != Op::Everywhere {
            return None;
        }
        let looked_at = NotedSite::of(extra).op();
        // A condition that costs nothing to evaluate needs no note.
        let truth = self.operand(node, slot::Everywhere::CONDITION);
        let asked = self.word(truth)[0];
        if asked == Op::IsEmpty as u8 && self.is_looked_at(truth, slot::IsEmpty::SITE, looked_at) {
            return Some(self.all.without(self.state.occupied()));
        }
        if asked == Op::IsEnemy as u8 || asked == Op::IsFriend as u8 {
            let op = Op::of(asked)?;
            return self.set_of_owner(truth, op, looked_at);
        }
        self.whole_set_noted(node, looked_at)
    }

    #[inline(never)]
    fn whole_set_noted(&mut self, node: u16, looked_at: Op) -> Option<Points<W>> {
        let all = self.all;
        let place = usize::from(self.operand(node, slot::Everywhere::NOTE)) % NOTES;
        let epoch = self.state.epoch;
        if let Some(note) = self.notes.get(place)
            && note.node == node
            && note.epoch == epoch
        {
            return (note.known == all).then_some(note.holds);
        }
        let truth = self.operand(node, slot::Everywhere::CONDITION);
        let holds = self.set_of(truth, looked_at, all)?;
        if let Some(place) = self.notes.get_mut(place) {
            *place = Note {
                node,
                epoch,
                known: all,
                holds,
            };
        }
        Some(holds)
    }

    /// The sites at which the state of the piece is the number of the mover, or that of
    /// another player.
    fn by_state(&self, of_mover: bool) -> Points<W> {
        let mover = self.state.mover;
        if of_mover {
            return self.state.with_state(mover.into());
        }
        let others = (1..=self.game.players()).filter(|player| *player != mover);
        others.fold(Points::NONE, |all, player| {
            all | self.state.with_state(player.into())
        })
    }

    /// The sites on which a condition holds, if the position stores them as a set.
    pub(super) fn set_of(
        &mut self,
        truth: u16,
        looked_at: Op,
        all: Points<W>,
    ) -> Option<Points<W>> {
        let (op, extra) = self.node(truth);
        match op {
            Op::True => Some(all),
            Op::False => Some(Points::NONE),
            Op::Not => {
                let node = self.operand(truth, slot::Not::CONDITION);
                Some(all.without(self.set_of(node, looked_at, all)?))
            }
            Op::And | Op::Or => self.set_of_parts(op, extra, truth, looked_at, all),
            Op::IsEmpty | Op::IsOccupied
                if self.is_looked_at(truth, slot::IsEmpty::SITE, looked_at) =>
            {
                let occupied = self.state.occupied();
                Some(match op {
                    Op::IsEmpty => all.without(occupied),
                    _ => occupied,
                })
            }
            Op::IsVisited if self.is_looked_at(truth, slot::IsVisited::SITE, looked_at) => {
                Some(self.state.visited)
            }
            Op::IsEnemy | Op::IsFriend => self.set_of_owner(truth, op, looked_at),
            Op::Equal => self.set_of_equal(truth, looked_at, all),
            Op::Unequal => Some(all.without(self.set_of_equal(truth, looked_at, all)?)),
            Op::IsEmpty | Op::IsOccupied if self.is_by_table(truth, looked_at) => {
                let occupied = self.state.occupied();
                let set = match op {
                    Op::IsEmpty => self.all.without(occupied),
                    _ => occupied,
                };
                Some(self.set_by_table(truth, set, all))
            }
            Op::IsIn if self.is_looked_at(truth, slot::IsIn::SITE, looked_at) => {
                self.set_that_is_apart(truth)
            }
            Op::IsIn if self.is_by_table(truth, looked_at) => {
                let set = self.set_that_is_apart(truth)?;
                Some(self.set_by_table(truth, set, all))
            }
            Op::IfTruth => self.set_of_one(truth, looked_at, all),
            // A condition that names no site has the same value for every site.
            _ if self.is_apart(truth, MOST_APART) => {
                Some(if self.truth(truth) { all } else { Points::NONE })
            }
            _ => None,
        }
    }

    /// The set of an `IsIn`, if it does not depend on the site.
    fn set_that_is_apart(&mut self, truth: u16) -> Option<Points<W>> {
        let set = self.operand(truth, slot::IsIn::SITES);
        self.is_apart(set, MOST_APART).then(|| self.sites(set))
    }

    fn set_of_parts(
        &mut self,
        op: Op,
        extra: u8,
        truth: u16,
        looked_at: Op,
        all: Points<W>,
    ) -> Option<Points<W>> {
        let mut set = if op == Op::And { all } else { Points::NONE };
        for slot in slot::And::each(extra) {
            let node = self.operand(truth, slot);
            let more = self.set_of(node, looked_at, all)?;
            set = if op == Op::And {
                set & more
            } else {
                set | more
            };
        }
        Some(set)
    }

    /// Of two conditions, the one that is meant.
    fn set_of_one(&mut self, truth: u16, looked_at: Op, all: Points<W>) -> Option<Points<W>> {
        let condition = self.operand(truth, slot::IfTruth::CONDITION);
        if !self.is_apart(condition, MOST_APART) {
            return None;
        }
        let place = if self.truth(condition) {
            slot::IfTruth::YES
        } else {
            slot::IfTruth::NO
        };
        let node = self.operand(truth, place);
        self.set_of(node, looked_at, all)
    }

    /// True if a condition tests a table's entry for the current site.
    fn is_by_table(&self, truth: u16, looked_at: Op) -> bool {
        let entry = self.operand(truth, slot::IsIn::SITE);
        self.word(entry)[0] == Op::Entry as u8
            && self.is_looked_at(entry, slot::Entry::INDEX, looked_at)
    }

    /// The sites whose entry in the table of such a condition is in this set.
    fn set_by_table(&self, truth: u16, set: Points<W>, all: Points<W>) -> Points<W> {
        let table = self.operand(self.operand(truth, slot::Entry::TABLE), slot::IsIn::SITE);
        let is_one = |site: &Point| {
            let other = self.game.entry(table, site.0.into());
            let other = other.and_then(|other| self.site(other.into()));
            other.is_some_and(|other| set.has(Point(other)))
        };
        all.filter(is_one).collect()
    }

    /// True if the operand of a node in this slot is the current site.
    fn is_looked_at(&self, at: u16, slot: OperandSlot, looked_at: Op) -> bool {
        self.word(self.operand(at, slot))[0] == looked_at as u8
    }

    /// The sites at which the owner of the piece, or its state, is the mover, or another
    /// player.
    fn set_of_owner(&mut self, truth: u16, op: Op, looked_at: Op) -> Option<Points<W>> {
        let who = self.operand(truth, slot::IsEnemy::OWNER);
        if !self.is_looked_at(who, slot::Who::SITE, looked_at) {
            return None;
        }
        match self.node(who).0 {
            Op::StateAt => Some(self.by_state(op == Op::IsFriend)),
            Op::Who if op == Op::IsFriend => Some(self.state.owned(self.state.mover.into())),
            Op::Who => {
                let mover = i32::from(self.state.mover);
                let mut enemies = Points::NONE;
                for player in 1..=i32::from(self.game.players()) {
                    if player != mover {
                        enemies |= self.state.owned(player);
                    }
                }
                Some(enemies)
            }
            _ => None,
        }
    }

    /// The sites at which a number that depends on the site equals one that does not.
    fn set_of_equal(&mut self, truth: u16, looked_at: Op, all: Points<W>) -> Option<Points<W>> {
        let (mut of_a_site, mut same) = (
            self.operand(truth, slot::Equal::LEFT),
            self.operand(truth, slot::Equal::RIGHT),
        );
        if !self.is_apart(same, MOST_APART) {
            (of_a_site, same) = (same, of_a_site);
            if !self.is_apart(same, MOST_APART) {
                return None;
            }
        }
        let op = self.node(of_a_site).0;
        if op == looked_at {
            let site = self.number(same);
            let site = self.site(site);
            return Some(site.map_or(Points::NONE, |site| Points::one(Point(site))));
        }
        if !self.is_looked_at(of_a_site, slot::Who::SITE, looked_at) {
            return None;
        }
        match op {
            Op::Who => {
                let owner = self.number(same);
                (owner > 0).then(|| self.state.owned(owner))
            }
            Op::StateAt => {
                let mover = i32::from(self.state.mover);
                (self.number(same) == mover).then(|| self.by_state(true))
            }
            Op::What => match u8::try_from(self.number(same)) {
                Ok(0) => Some(all.without(self.state.occupied())),
                Ok(what) => self.state.kind(what),
                Err(_) => Some(Points::NONE),
            },
            _ => None,
        }
    }

    /// True if a condition depends on which moves exist, which is expensive to find out.
    /// Nested conditions are searched to any depth.
    pub(super) fn asks_for_moves(&self, node: u16) -> bool {
        self.asks_so_deep(node, MOST_APART)
    }

    fn asks_so_deep(&self, node: u16, deep: u8) -> bool {
        let [number, extra] = self.word(node);
        match Op::of(number) {
            Some(Op::NoMoves | Op::IsThreatened | Op::CanMove) => true,
            Some(Op::Not) if deep > 0 => {
                self.asks_so_deep(self.operand(node, slot::Not::CONDITION), deep - 1)
            }
            Some(Op::And | Op::Or) if deep > 0 => slot::And::each(extra)
                .any(|place| self.asks_so_deep(self.operand(node, place), deep - 1)),
            _ => false,
        }
    }

    /// True if a node refers neither to registers nor to moves; its value is then the
    /// same for all sites of a position. `deep` is the number of levels of nodes to
    /// search.
    fn is_apart(&self, node: u16, deep: u8) -> bool {
        let [number, extra] = self.word(node);
        let Some(op) = Op::of(number) else {
            return false;
        };
        match op {
            Op::From | Op::To | Op::Between | Op::Site | Op::Player | Op::Value => return false,
            Op::Constant | Op::Mover | Op::Next | Op::Previous | Op::LastTo | Op::Fixed => {
                return true;
            }
            Op::NoMoves | Op::IsThreatened | Op::CanMove | Op::Reached | Op::Chance => {
                return false;
            }
            _ => {}
        }
        if deep == 0 || matches!(op.gives(), NodeKind::Moves | NodeKind::End) {
            return false;
        }
        op.operands(extra).all(|(place, takes)| match takes {
            OperandKind::Node(_) => self.is_apart(self.operand(node, place), deep - 1),
            OperandKind::Maybe(_) => self
                .optional(node, place)
                .is_none_or(|node| self.is_apart(node, deep - 1)),
            _ => true,
        })
    }

    /// The sites from which a step along a way leads into a set, if all steps of the way
    /// are equally long.
    #[inline]
    pub(super) fn shifted_back(&self, set: Points<W>, way: u32) -> Points<W> {
        let shift = self.shifts.get(way as usize);
        shift.map_or(Points::NONE, |shift| shift.back_from(set))
    }

    /// The sites that one step along these ways reaches from a set.
    pub(super) fn shifted(&self, set: Points<W>, ways: u32) -> Points<W> {
        let mut all = Points::NONE;
        let is_one = set.0.without_lowest() == W::ZERO;
        let looks_up = ONE_BY_ONE && W::BITS > 64 && is_one;
        let uneven = if looks_up {
            ways
        } else {
            ways & self.shifts.uneven
        };
        for way in super::ways::each_way(ways & !uneven) {
            if let Some(shift) = self.shifts.get(way as usize) {
                all |= shift.on(set);
            }
        }
        // The neighbours of each site are looked up once for all of these ways.
        if uneven != 0 {
            for site in set & self.board {
                for way in super::ways::each_way(uneven) {
                    if let Some(next) = self.game.step(site.0, way) {
                        all.insert(Point(next));
                    }
                }
            }
        }
        all
    }
}
