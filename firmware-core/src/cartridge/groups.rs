//! Groups of connected sites: their number, size and border, and distances within them.

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::machine::Machine;
use super::op::{Op, OperandSlot, slot};
use super::ways::each_way;

impl<W: Word> Machine<'_, W> {
    /// The group of a site: the sites connected to it, along the ways of one operand, on
    /// which the condition of another operand holds. Without a condition, they are the
    /// sites with pieces of the same owner.
    pub(super) fn group(
        &mut self,
        at: u16,
        ways: OperandSlot,
        from: i32,
        truth: OperandSlot,
    ) -> Points<W> {
        let Some(from) = self.site(from) else {
            return Points::NONE;
        };
        let ways = self.operand(at, ways);
        match self.optional(at, truth) {
            Some(truth) => self.spread_where(Points::one(Point(from)), ways, truth),
            None => {
                let what = self.state.what(from);
                if what == 0 {
                    return Points::NONE;
                }
                let owner = self.game.owner(what);
                let within = self.state.owned(owner.into());
                self.spread(Points::one(Point(from)), ways, within)
            }
        }
    }

    /// The part of `within` that is connected to `from`, along the ways of a node.
    pub(super) fn spread(&mut self, from: Points<W>, ways: u16, within: Points<W>) -> Points<W> {
        if let Some(ways) = self.ways_for_all(ways) {
            return self.flood(ways, from, within);
        }
        let mut all = from;
        let mut edge = from;
        while !edge.is_empty() {
            edge = self.beside(edge, ways).without(all) & within;
            all |= edge;
        }
        all
    }

    /// The sites connected to `from` on which a condition on `to` holds; empty if it does
    /// not hold at the start.
    fn spread_where(&mut self, from: Points<W>, ways: u16, truth: u16) -> Points<W> {
        let saved = self.context.to;
        let mut asked = Points::NONE;
        let (mut all, mut edge) = (Points::NONE, from);
        while !edge.is_empty() {
            let mut found = Points::NONE;
            for site in edge {
                self.context.to = site.0.into();
                if self.truth(truth) {
                    found.insert(site);
                }
            }
            asked |= edge;
            all |= found;
            edge = self.beside(found, ways).without(asked);
        }
        self.context.to = saved;
        all
    }

    /// The number of groups of sites on which a condition holds, of at least a given
    /// size.
    pub(super) fn groups(&mut self, at: u16) -> i32 {
        let (ways, truth) = (
            self.operand(at, slot::Groups::WAYS),
            self.operand(at, slot::Groups::CONDITION),
        );
        let least = self
            .optional(at, slot::Groups::LEAST)
            .map_or(0, |node| self.number(node));
        let saved = self.context.to;
        let whole = match self.whole_set(truth) {
            None => self.set_of(truth, Op::To, self.board),
            whole => whole,
        };
        let mut left = whole.unwrap_or(Points::NONE) & self.board;
        for site in whole.map_or(self.board, |_| Points::NONE) {
            self.context.to = site.0.into();
            if self.truth(truth) {
                left.insert(site);
            }
        }
        self.context.to = saved;
        let mut groups = 0;
        while let Some(site) = left.first() {
            let group = self.spread(Points::one(site), ways, left);
            left = left.without(group);
            groups += i32::from(group.len() as i32 >= least);
        }
        groups
    }

    /// The number of steps between two sites.
    pub(super) fn distance(&mut self, at: u16) -> i32 {
        let ways = self.operand(at, slot::Distance::WAYS);
        let (from, to) = (
            self.site_of(at, slot::Distance::FROM),
            self.site_of(at, slot::Distance::TO),
        );
        let (Some(from), Some(to)) = (from, to) else {
            return 0;
        };
        let (from, to) = (Points::one(Point(from)), Points::one(Point(to)));
        if let Some(all) = self.ways_for_all(ways)
            && self.lead_back(all)
        {
            return self.flood_distance(all, [from, to]).map_or(-1, i32::from);
        }
        let (mut all, mut edge, mut steps) = (from, from, 0);
        while !edge.meets(to) {
            edge = self.beside(edge, ways).without(all);
            if edge.is_empty() {
                return -1;
            }
            all |= edge;
            steps += 1;
        }
        steps
    }

    /// True if each of the ways is the reverse of another one.
    fn lead_back(&self, ways: u32) -> bool {
        each_way(ways).all(|way| {
            let shift = self.shifts.get(way as usize);
            shift.is_some_and(|shift| shift.leads_back && ways & (1 << (shift.back & 31)) != 0)
        })
    }

    /// The number of empty sites in areas that border only on pieces of a player.
    pub(super) fn territory(&mut self, at: u16) -> i32 {
        let ways = self.operand(at, slot::Territory::WAYS);
        let player = self.number_of(at, slot::Territory::PLAYER);
        let mine = self.state.owned(player);
        let mut left = self.board.without(self.state.occupied());
        let mut size = 0;
        while let Some(site) = left.first() {
            let empty = self.board.without(self.state.occupied());
            let area = self.spread(Points::one(site), ways, empty);
            left = left.without(area);
            let border = self.beside(area, ways).without(area);
            if !border.is_empty() && border.without(mine).is_empty() {
                size += area.len() as i32;
            }
        }
        size
    }

    /// The number of empty sites next to the group of a site.
    pub(super) fn liberties(&mut self, at: u16) -> i32 {
        let ways = self.operand(at, slot::Liberties::WAYS);
        let Some(from) = self.site_of(at, slot::Liberties::SITE) else {
            return 0;
        };
        let owner = self.game.owner(self.state.what(from)).into();
        let within = self.state.owned(owner);
        let group = self.spread(Points::one(Point(from)), ways, within);
        let beside = self.beside(group, ways) & self.board;
        beside.without(self.state.occupied()).len() as i32
    }
}
