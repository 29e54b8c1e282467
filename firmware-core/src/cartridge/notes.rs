//! What was found out about the sites of a position, and steps of whole sets.
//!
//! A condition that depends on one site alone is asked of a site once, however
//! many moves come by it. Some are known of all sites at once, because they are
//! sets that the position has anyway.
//!
//! What always holds: a note is of one node and one position.

use protocol::Point;

use crate::points::Points;

use super::bytes::{Cartridge, WAYS};
use super::machine::{Machine, first_bits};
use super::op::Op;
use super::span::Span;

/// How many notes there are.
pub const NOTES: usize = 16;

/// What is known of a condition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Note<W> {
    /// The node.
    node: u16,
    /// The position.
    epoch: u64,
    /// The sites of which it is known.
    known: Points<W>,
    /// Those where it is so.
    holds: Points<W>,
}

impl<W: Span> Note<W> {
    /// Nothing is known.
    pub(super) const NOTHING: Self = Note {
        node: super::op::NOTHING,
        epoch: u64::MAX,
        known: Points::NONE,
        holds: Points::NONE,
    };
}

/// A way as a shift of a set: on many boards all its steps are as long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shift<W> {
    /// The sites that have such a step.
    from: Points<W>,
    /// By how much; 0 if steps differ.
    pub(super) by: i16,
    /// The ways that lead from some site where this one leads, a bit each.
    pub(super) twins: u32,
}

/// The ways of a board as shifts of sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shifts<W>([Shift<W>; WAYS]);

impl<W: Span> Shifts<W> {
    /// None.
    pub const NOTHING: Self = Shifts(
        [Shift {
            from: Points::NONE,
            by: 0,
            twins: 0,
        }; WAYS],
    );

    /// Those of a game's board.
    #[inline(never)]
    #[must_use]
    pub fn of(game: &Cartridge<'_>) -> Self {
        Shifts(Shift::of_all(game))
    }

    /// That of a way.
    #[inline]
    pub(super) fn get(&self, way: usize) -> Option<&Shift<W>> {
        self.0.get(way)
    }
}

impl<W: Span> Shift<W> {
    /// The steps of a way.
    fn of(game: &Cartridge<'_>, way: u32) -> Self {
        let mut from = Points::NONE;
        let mut by = None;
        for site in 0..game.board() {
            let Some(next) = game.step(site as u8, way) else {
                continue;
            };
            let step = i16::from(next) - site as i16;
            let same = by.is_none_or(|by| by == step);
            by = Some(if same { step } else { 0 });
            from.insert(Point(site as u8));
        }
        Shift {
            from,
            by: by.unwrap_or(0),
            twins: 0,
        }
    }

    /// The steps of all ways.
    fn of_all(game: &Cartridge<'_>) -> [Self; WAYS] {
        let mut all = core::array::from_fn(|way| Shift::of(game, way as u32));
        for way in 0..game.ways().min(WAYS) {
            let twins = (0..game.ways() as u32).filter(|other| {
                *other != way as u32
                    && all.get(*other as usize).is_some_and(|shift: &Self| {
                        all.get(way).is_some_and(|one| one.may_meet(shift))
                            && (0..game.board() as u8).any(|site| {
                                let next = game.step(site, way as u32);
                                next.is_some() && next == game.step(site, *other)
                            })
                    })
            });
            let twins = twins.fold(0, |all, way| all | 1 << way);
            if let Some(shift) = all.get_mut(way) {
                shift.twins = twins;
            }
        }
        all
    }

    /// False if no steps of both can be the same, as they are of other lengths.
    fn may_meet(&self, other: &Self) -> bool {
        self.by == other.by || self.by == 0 || other.by == 0
    }
}

impl<W: Span> Machine<'_, W> {
    /// [`Op::Everywhere`], of the site that is looked at.
    pub(super) fn noted(&mut self, at: u16, x: u8) -> bool {
        let site = match x {
            0 => self.context.to,
            1 => self.context.between,
            _ => self.context.site,
        };
        let truth = self.operand(at, 2);
        let Some(site) = self.site(site.into()) else {
            return self.truth(truth);
        };
        let place = usize::from(self.operand(at, 1)) % NOTES;
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
            let looked_at = match x {
                0 => Op::To,
                1 => Op::Between,
                _ => Op::Site,
            };
            let all = Points(first_bits(self.game.sites()));
            let holds = self.set_of(truth, looked_at, all);
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

    /// Where a condition of one site holds, if that is known of all sites at once.
    pub(super) fn whole_set(&mut self, node: u16) -> Option<Points<W>> {
        let (op, x) = self.node(node);
        if op != Op::Everywhere {
            return None;
        }
        let looked_at = match x {
            0 => Op::To,
            1 => Op::Between,
            _ => Op::Site,
        };
        let all = Points(first_bits(self.game.sites()));
        let place = usize::from(self.operand(node, 1)) % NOTES;
        let epoch = self.state.epoch;
        if let Some(note) = self.notes.get(place)
            && note.node == node
            && note.epoch == epoch
        {
            return (note.known == all).then_some(note.holds);
        }
        let truth = self.operand(node, 2);
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

    /// Where the state of pieces is the number of a player: of the mover, or of
    /// another.
    fn by_state(&self, of_mover: bool) -> Points<W> {
        let (mover, players) = (self.state.mover, self.game.players());
        self.state.with_state(|state| {
            if of_mover {
                state == mover
            } else {
                state != mover && state != 0 && state <= players
            }
        })
    }

    /// Where a condition holds, if that is a set that the position has.
    fn set_of(&mut self, truth: u16, looked_at: Op, all: Points<W>) -> Option<Points<W>> {
        let (op, x) = self.node(truth);
        match op {
            Op::True => Some(all),
            Op::False => Some(Points::NONE),
            Op::Not => {
                let node = self.operand(truth, 1);
                Some(all.without(self.set_of(node, looked_at, all)?))
            }
            Op::And | Op::Or => {
                let mut set = if op == Op::And { all } else { Points::NONE };
                for place in 1..=u16::from(x) {
                    let node = self.operand(truth, place);
                    let more = self.set_of(node, looked_at, all)?;
                    set = if op == Op::And {
                        set & more
                    } else {
                        set | more
                    };
                }
                Some(set)
            }
            Op::IsEmpty | Op::IsOccupied => {
                let node = self.operand(truth, 1);
                let is_it = self.node(node).0 == looked_at;
                let occupied = self.state.occupied();
                is_it.then_some(match op {
                    Op::IsEmpty => all.without(occupied),
                    _ => occupied,
                })
            }
            Op::IsEnemy | Op::IsFriend | Op::Equal => {
                let who = self.operand(truth, 1);
                let by_state = self.node(who).0 == Op::StateAt;
                if self.node(who).0 != Op::Who && !by_state {
                    return None;
                }
                let node = self.operand(who, 1);
                if self.node(node).0 != looked_at {
                    return None;
                }
                if by_state && op != Op::Equal {
                    return Some(self.by_state(op == Op::IsFriend));
                }
                let mover = i32::from(self.state.mover);
                match op {
                    Op::IsFriend => Some(self.state.owned(mover)),
                    Op::Equal => {
                        let owner = self.operand(truth, 2);
                        let known = matches!(
                            self.node(owner).0,
                            Op::Constant | Op::Mover | Op::Next | Op::Previous
                        );
                        let owner = self.number(owner);
                        if by_state && owner == mover {
                            return Some(self.by_state(true));
                        }
                        (known && owner > 0 && !by_state).then(|| self.state.owned(owner))
                    }
                    _ => {
                        let mut enemies = Points::NONE;
                        for player in 1..=i32::from(self.game.players()) {
                            if player != mover {
                                enemies |= self.state.owned(player);
                            }
                        }
                        Some(enemies)
                    }
                }
            }
            Op::IsIn => {
                let node = self.operand(truth, 1);
                let set = self.operand(truth, 2);
                let fixed = matches!(self.node(set).0, Op::Fixed | Op::Empty | Op::OccupiedBy);
                (fixed && self.node(node).0 == looked_at).then(|| self.sites(set))
            }
            _ => None,
        }
    }

    /// The sites from which a step on a way leads to a set, if all steps of the way
    /// are as long.
    #[inline]
    pub(super) fn shifted_back(&self, set: Points<W>, way: u32) -> Points<W> {
        let Some(shift) = self.shifts.get(way as usize) else {
            return Points::NONE;
        };
        let by = usize::from(shift.by.unsigned_abs());
        let back = if shift.by > 0 {
            set.0.down(by)
        } else {
            set.0.up(by)
        };
        Points(back) & shift.from
    }

    /// The sites that a step on these ways leads to from a set.
    pub(super) fn shifted(&self, set: Points<W>, ways: u32) -> Points<W> {
        let mut all = Points::NONE;
        for way in super::sites::each_way(ways) {
            let Some(shift) = self.shifts.get(way as usize) else {
                continue;
            };
            let from = set & shift.from;
            match shift.by {
                0 => {
                    for site in from {
                        if let Some(next) = self.game.step(site.0, way) {
                            all.insert(Point(next));
                        }
                    }
                }
                up @ 1.. => all |= Points(from.0.up(up as usize)),
                down => all |= Points(from.0.down(usize::from(down.unsigned_abs()))),
            }
        }
        all
    }
}
