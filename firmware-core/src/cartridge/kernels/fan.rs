//! The moves of a set of pieces along several ways, counted way by way.
//!
//! If all steps of a way are equally long (an *even* way), all pieces take a step at once
//! by one shift of their set, and counting the bits counts the moves. All ways together
//! form one batch. Which piece moves is only computed for the chosen move.
//!
//! Invariants: no two pieces reach the same site along the same way, so a target site and a
//! way identify a move.

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::super::bytes::WAYS;
use super::super::known::{Gait, Single};
use super::super::machine::{Machine, first_bits};
use super::super::ways::each_way;

/// The pieces that move, and the sites that they may enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Going<W> {
    /// Whether they step, slide or hop.
    pub gait: Gait,
    /// The pieces. A slide does not pass over any of them.
    pub pieces: Points<W>,
    /// The sites at which a step or hop may end, and which a slide may pass.
    pub open: Points<W>,
    /// The sites that a hop jumps over, or at which a slide ends; empty for a step.
    pub stop: Points<W>,
}

/// How far the moves of a fan are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FanCount {
    /// All of them.
    All,
    /// Up to the first way that has a move.
    UntilOne,
}

/// The moves of some pieces along some ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fan<W> {
    /// The pieces, and the sites that they may enter.
    pub going: Going<W>,
    /// The ways, one bit each.
    pub ways: u32,
    /// The number of moves.
    pub many: u32,
    /// The number of moves along each way.
    pub on: [u16; WAYS],
}

/// A position in the moves of a fan, as a visitor goes through them.
#[derive(Clone, Copy, Debug)]
pub(super) struct FanWalk<W> {
    way: u32,
    /// The number of moves along the ways before it.
    before: usize,
    /// True once the sets below are computed for that way.
    is_begun: bool,
    /// One site for each move along that way, in order: the target, or the start if the
    /// target is not unique.
    all: Points<W>,
    /// The wanted moves among these that have not been visited yet.
    left: Points<W>,
    /// The number of the next move, if sets cannot distinguish the moves.
    place: usize,
}

impl<W: Word> Default for FanWalk<W> {
    fn default() -> Self {
        FanWalk {
            way: 0,
            before: 0,
            is_begun: false,
            all: Points::NONE,
            left: Points::NONE,
            place: 0,
        }
    }
}

impl<W: Word> Machine<'_, W> {
    /// The moves of pieces along these ways.
    #[cfg_attr(feature = "host", inline)]
    pub(in crate::cartridge) fn fan(&self, going: Going<W>, ways: u32, count: FanCount) -> Fan<W> {
        let mut fan = Fan {
            going,
            ways,
            many: 0,
            on: [0; WAYS],
        };
        for way in each_way(ways) {
            let many = self.many_on(&going, way);
            if let Some(place) = fan.on.get_mut(way as usize) {
                *place = many;
            }
            fan.many += u32::from(many);
            if count == FanCount::UntilOne && many > 0 {
                break;
            }
        }
        fan
    }

    /// The `n`-th move of a fan, from 0.
    pub(in crate::cartridge) fn nth_of_fan(
        &self,
        node: u16,
        fan: &Fan<W>,
        n: usize,
    ) -> Option<Single> {
        let mut left = n;
        for way in each_way(fan.ways) {
            let many = usize::from(*fan.on.get(way as usize)?);
            if left < many {
                let (from, to) = self.nth_on(&fan.going, way, left)?;
                return Some(Single {
                    node,
                    from,
                    to,
                    way: way as u8,
                });
            }
            left -= many;
        }
        None
    }

    /// The pieces of a fan that have a move.
    pub(super) fn froms_of_fan(&self, fan: &Fan<W>) -> Points<W> {
        let mut froms = Points::NONE;
        let going = &fan.going;
        for way in each_way(fan.ways) {
            if fan.on.get(way as usize).is_none_or(|many| *many == 0) {
                continue;
            }
            let back = |sites| self.shifted_back(sites, way);
            froms |= match going.gait {
                Gait::Step if !self.is_even(way) => self.steps_on(going, way),
                Gait::Step => back(self.ends_on(going, way)),
                Gait::Hop if self.is_even(way) => back(back(self.ends_on(going, way))),
                Gait::Slide if self.is_even(way) => {
                    let next = self.shifted(going.pieces, 1 << way);
                    back(next & (going.open | going.stop)) & going.pieces
                }
                _ => going
                    .pieces
                    .filter(|piece| self.walk_on(going, way, piece.0, 0).0 > 0)
                    .collect(),
            };
        }
        froms
    }

    /// The targets of the pieces of a fan that are on these sites.
    pub(super) fn tos_of_fan(&self, fan: &Fan<W>, froms: Points<W>) -> Points<W> {
        let mut tos = Points::NONE;
        let going = &Going {
            pieces: fan.going.pieces & froms,
            ..fan.going
        };
        for way in each_way(fan.ways) {
            if self.is_even(way) {
                tos |= self.ends_on(going, way);
                continue;
            }
            for piece in going.pieces {
                let nth = |n| {
                    let (many, to) = self.walk_on(going, way, piece.0, n);
                    (n < many).then_some(Point(to))
                };
                match going.gait {
                    Gait::Step => {}
                    _ => (0..W::BITS).map_while(nth).for_each(|to| tos.insert(to)),
                }
            }
            if going.gait == Gait::Step {
                let froms = self.steps_on(going, way);
                let steps = froms.filter_map(|from| self.game.step(from.0, way));
                steps.for_each(|to| tos.insert(Point(to)));
            }
        }
        tos
    }

    /// The next move of a fan from a site of the first set to one of the second, and its
    /// number among all moves of the fan.
    pub(super) fn next_of_fan(
        &self,
        node: u16,
        fan: &Fan<W>,
        wanted: [Points<W>; 2],
        walk: &mut FanWalk<W>,
    ) -> Option<(usize, Single)> {
        let leads = (fan.going.open | fan.going.stop) & self.board;
        if !walk.is_begun && !leads.meets(wanted[1]) {
            return None;
        }
        while walk.way < WAYS as u32 {
            let way = walk.way;
            let many = match fan.ways >> way & 1 {
                1 => usize::from(*fan.on.get(way as usize)?),
                _ => 0,
            };
            if many > 0 {
                if !walk.is_begun {
                    self.begin_on(fan, way, wanted, walk);
                }
                if let Some((place, [from, to])) = self.next_on(fan, way, many, wanted, walk) {
                    let way = way as u8;
                    let single = Single {
                        node,
                        from,
                        to,
                        way,
                    };
                    return Some((walk.before + place, single));
                }
            }
            *walk = FanWalk {
                way: way + 1,
                before: walk.before + many,
                ..FanWalk::default()
            };
        }
        None
    }

    fn begin_on(
        &self,
        fan: &Fan<W>,
        way: u32,
        [froms, tos]: [Points<W>; 2],
        walk: &mut FanWalk<W>,
    ) {
        walk.is_begun = true;
        let wanted = Going {
            pieces: fan.going.pieces & froms,
            ..fan.going
        };
        let told = |going| match (self.is_even(way), fan.going.gait) {
            (true, _) => self.ends_on(going, way),
            (false, Gait::Step) => self.steps_on(going, way),
            _ => Points::NONE,
        };
        walk.all = told(&fan.going);
        walk.left = told(&wanted);
        if self.is_even(way) {
            walk.left &= tos;
        }
    }

    /// The next wanted move along a way, and its number among the moves of that way.
    fn next_on(
        &self,
        fan: &Fan<W>,
        way: u32,
        many: usize,
        [froms, tos]: [Points<W>; 2],
        walk: &mut FanWalk<W>,
    ) -> Option<(usize, [u8; 2])> {
        let is_even = self.is_even(way);
        if is_even || fan.going.gait == Gait::Step {
            loop {
                let site = walk.left.next()?;
                if is_even && !tos.has(site) {
                    continue;
                }
                let ends = match is_even {
                    true => [self.begin_of(&fan.going, way, site)?, site.0],
                    false => [site.0, self.game.step(site.0, way)?],
                };
                if is_even || tos.has(Point(ends[1])) {
                    let place = (walk.all & Points(first_bits(site.index()))).len();
                    return Some((place, ends));
                }
            }
        }
        while walk.place < many {
            let place = walk.place;
            walk.place += 1;
            let (from, to) = self.nth_on(&fan.going, way, place)?;
            if froms.has(Point(from)) && tos.has(Point(to)) {
                return Some((place, [from, to]));
            }
        }
        None
    }

    #[inline]
    fn many_on(&self, going: &Going<W>, way: u32) -> u16 {
        if self.is_even(way) {
            return self.ends_on(going, way).len() as u16;
        }
        match going.gait {
            Gait::Step => self.steps_on(going, way).len() as u16,
            _ => going
                .pieces
                .map(|piece| self.walk_on(going, way, piece.0, usize::MAX).0 as u16)
                .fold(0, u16::saturating_add),
        }
    }

    /// The start and target of the `n`-th move along a way.
    fn nth_on(&self, going: &Going<W>, way: u32, n: usize) -> Option<(u8, u8)> {
        if self.is_even(way) {
            let to = self.ends_on(going, way).nth(n)?;
            return Some((self.begin_of(going, way, to)?, to.0));
        }
        if going.gait == Gait::Step {
            let from = self.steps_on(going, way).nth(n)?;
            return Some((from.0, self.game.step(from.0, way)?));
        }
        let mut left = n;
        for piece in going.pieces {
            let (many, to) = self.walk_on(going, way, piece.0, left);
            if left < many {
                return Some((piece.0, to));
            }
            left -= many;
        }
        None
    }

    /// The start of the move that ends on a site, along an even way.
    fn begin_of(&self, going: &Going<W>, way: u32, to: Point) -> Option<u8> {
        let back = |site| self.shifted_back(site, way);
        let mut from = back(Points::one(to));
        if going.gait == Gait::Hop {
            from = back(from);
        }
        while going.gait == Gait::Slide && !from.meets(going.pieces) && !from.is_empty() {
            from = back(from);
        }
        Some(from.first()?.0)
    }

    /// The targets of all pieces along an even way.
    #[inline]
    pub(in crate::cartridge) fn ends_on(&self, going: &Going<W>, way: u32) -> Points<W> {
        let Some(shift) = self.shifts.get(way as usize) else {
            return Points::NONE;
        };
        let Going {
            gait,
            pieces,
            open,
            stop,
        } = *going;
        match gait {
            Gait::Step => shift.on(pieces) & open,
            Gait::Hop => shift.on(shift.on(pieces) & stop) & open,
            Gait::Slide => shift.sweep(pieces, open | stop, stop),
        }
    }

    /// The pieces whose step along a way leads to an open site.
    fn steps_on(&self, going: &Going<W>, way: u32) -> Points<W> {
        let row = self.game.row(way);
        let have = self.shifts.get(way as usize);
        let pieces = going.pieces & have.map_or(Points::NONE, |shift| shift.from);
        let mut froms = Points::NONE;
        for from in pieces {
            let to = row.get(from.index()).copied().unwrap_or(from.0);
            if W::BITS <= 64 {
                // Branchless, because the processor could not predict the branch.
                let open = going.open.0.down(to.into()) & W::bit(0);
                froms |= Points(open.up(from.index()));
            } else if going.open.has(Point(to)) {
                froms.insert(from);
            }
        }
        froms
    }

    /// The number of sites that a piece can reach along a way, and the `n`-th of them, if
    /// there are that many. Goes from site to site.
    fn walk_on(&self, going: &Going<W>, way: u32, from: u8, n: usize) -> (usize, u8) {
        let row = self.game.row(way);
        let next = |site: u8| {
            let to = row.get(usize::from(site)).copied();
            to.filter(|to| *to != site && *to != from)
        };
        let (mut many, mut here) = (0, from);
        if going.gait == Gait::Hop {
            let over = next(from).filter(|over| going.stop.has(Point(*over)));
            let to = over.and_then(next);
            let to = to.filter(|to| going.open.has(Point(*to)));
            return (usize::from(to.is_some()), to.unwrap_or(from));
        }
        while let Some(to) = next(here) {
            let ends = going.stop.has(Point(to));
            if !ends && !going.open.has(Point(to)) {
                break;
            }
            here = to;
            many += 1;
            if ends || many > n || many == W::BITS {
                break;
            }
        }
        (many, here)
    }
}
