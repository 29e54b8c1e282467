//! Evaluates the ways of a program, and follows them.

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::machine::Machine;
use super::op::{Op, OperandSlot, bit, moves, numbers, rules, sets, slot, truths};

/// The most steps that are followed along a way, at least the number of sites: a way of a
/// cartridge from elsewhere may run in a circle, which a larger number would follow for
/// seconds without any fuel.
pub(super) const MOST_STEPS: i32 = 256;

/// Which way a move is said to have gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bearing {
    /// From its start to its end.
    Onward,
    /// From its end to its start.
    Back,
}

impl Bearing {
    /// The one that these bits of a node ask for.
    #[inline]
    #[must_use]
    pub fn of_bits(extra: u8) -> Bearing {
        match extra & bit::OPPOSITE != 0 {
            true => Bearing::Back,
            false => Bearing::Onward,
        }
    }
}

/// The ways whose bits are set, the lowest first.
pub fn each_way(ways: u32) -> impl Iterator<Item = u32> {
    let mut rest = ways;
    core::iter::from_fn(move || {
        let way = (rest != 0).then(|| rest.trailing_zeros());
        rest &= rest.wrapping_sub(1);
        way
    })
}

impl<W: Word> Machine<'_, W> {
    /// The value of a node as ways from a site.
    #[inline]
    pub(super) fn ways(&mut self, at: u16, site: u8) -> u32 {
        if self.word(at)[0] == Op::Choice as u8 {
            let owner = self.game.owner(self.state.what(site));
            return self
                .game
                .choice(self.operand(at, slot::Choice::CHOICE), owner);
        }
        self.ways_at_length(at, site)
    }

    #[inline(never)]
    fn ways_at_length(&mut self, at: u16, site: u8) -> u32 {
        let (op, extra) = self.node(at);
        match op {
            Op::LastWay => {
                let choice = self.operand(at, slot::LastWay::CHOICE);
                self.last_way(choice, Bearing::of_bits(extra))
            }
            Op::AnyWay => {
                let mut ways = 0;
                for slot in slot::AnyWay::each(extra) {
                    let node = self.operand(at, slot);
                    ways |= self.ways(node, site);
                }
                ways
            }
            Op::IfWays => {
                let place = if self.truth_of(at, slot::IfWays::CONDITION) {
                    slot::IfWays::YES
                } else {
                    slot::IfWays::NO
                };
                let node = self.operand(at, place);
                self.ways(node, site)
            }
            Op::Choice | numbers!() | truths!() | sets!() | moves!() | rules!() => 0,
        }
    }

    #[inline]
    pub(super) fn ways_of(&mut self, at: u16, slot: OperandSlot, site: u8) -> u32 {
        let node = self.operand(at, slot);
        self.ways(node, site)
    }

    /// The way of the last move among those of a choice: the first one whose line
    /// contains the end of the move.
    pub(super) fn last_way(&self, choice: u16, bearing: Bearing) -> u32 {
        let (from, to) = (self.state.last_from, self.state.last_to);
        let (from, to) = match bearing {
            Bearing::Onward => (from, to),
            Bearing::Back => (to, from),
        };
        let (Some(from), Some(to)) = (self.site(from.into()), self.site(to.into())) else {
            return 0;
        };
        let ways = each_way(self.game.choice(choice, 0));
        let mut found = 0;
        for way in ways {
            // If steps are equally long, most ways can be ruled out at once.
            let by = self.shifts.get(way as usize).map_or(0, |shift| shift.by);
            let far = i16::from(to) - i16::from(from);
            let leads = by == 0 || (far % by == 0 && far / by > 0);
            if leads && self.ray(from, way).any(|site| site == to) {
                found |= 1 << way;
            }
        }
        found
    }

    /// The sites along a way, without the start.
    pub(super) fn ray(&self, from: u8, way: u32) -> impl Iterator<Item = u8> + use<'_, W> {
        let game = self.game;
        let next = move |site: &u8| game.step(*site, way).filter(|next| *next != from);
        core::iter::successors(next(&from), next).take(game.board())
    }

    /// The sites that one step reaches from a set, along the ways of a node.
    pub(super) fn beside(&mut self, sites: Points<W>, ways: u16) -> Points<W> {
        if let Some(all) = self.ways_for_all(ways) {
            // The cost grows with the number of words that are shifted.
            self.tire(all.count_ones() * (W::BITS as u32 / 64) / 4);
            return self.shifted(sites, all);
        }
        let mut beside = Points::NONE;
        for site in sites {
            for way in each_way(self.ways(ways, site.0)) {
                if let Some(next) = self.game.step(site.0, way) {
                    beside.insert(Point(next));
                }
            }
        }
        beside
    }

    /// The ways of a node, if they do not depend on the piece on a site.
    pub(super) fn ways_for_all(&self, ways: u16) -> Option<u32> {
        if self.word(ways)[0] != Op::Choice as u8 {
            return None;
        }
        let choice = self.operand(ways, slot::Choice::CHOICE);
        let all = self.game.choice(choice, 0);
        self.is_same_for_all(choice, all).then_some(all)
    }

    /// True if a choice of ways is the same for the pieces of all owners.
    pub(super) fn is_same_for_all(&self, choice: u16, ways: u32) -> bool {
        (1..=self.game.players() + 1).all(|owner| self.game.choice(choice, owner) == ways)
    }

    /// The site a number of steps ahead; the start site itself if the way is too short.
    pub(super) fn ahead(&mut self, at: u16) -> i32 {
        let Some(from) = self.site_of(at, slot::Ahead::SITE) else {
            return -1;
        };
        let steps = self.number_of(at, slot::Ahead::STEPS);
        let Some(beyond) = usize::try_from(steps).ok().and_then(|n| n.checked_sub(1)) else {
            return from.into();
        };
        // A line in one direction uses several ways if they continue differently.
        let mut ways = each_way(self.ways_of(at, slot::Ahead::WAYS, from));
        let ahead = ways.find_map(|way| self.ray(from, way).nth(beyond));
        ahead.unwrap_or(from).into()
    }
}
