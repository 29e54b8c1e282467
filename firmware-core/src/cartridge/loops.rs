//! Loops: tests whether pieces cut off sites from the edge of the board.
//!
//! A flood fill that looks for a way out visits half of a board that is nearly empty.
//! This search instead follows each way as far as it leads: where there are few pieces,
//! one of the first ways leads to the edge.
//!
//! Invariants: the result equals that of a flood from each of the sites, as long as every
//! step can be reversed. This is the case on every board whose sites are mutual
//! neighbours, as in all games with loops. With a one-way step, a dead end could be
//! mistaken for a way out.

use heapless::Vec;
use protocol::{MAX_POINTS, Point};

use crate::points::Points;
use crate::word::Word;

use super::bytes::{Cartridge, WAYS};
use super::flood::{Bits, LOOKS_A_STEP, bits, has};
use super::machine::Machine;
use super::op::slot;
use super::ways::each_way;

/// Finds out whether a site has a way out between walls.
struct Maze<'g> {
    /// For each way, the next site of each site.
    rows: Vec<&'g [u8], WAYS>,
    /// The sites between the walls that have not been visited yet.
    left: Bits,
    /// The sites from which a way out is known.
    out: Bits,
    /// The sites visited from the current start, beginning with the start itself.
    come: Vec<u8, MAX_POINTS>,
    /// The number of sites expanded, for all starts together.
    gone: u32,
}

impl<'g> Maze<'g> {
    fn new<W: Word>(
        game: &'g Cartridge<'_>,
        ways: u32,
        between: Points<W>,
        outer: Points<W>,
    ) -> Self {
        Maze {
            rows: each_way(ways).map(|way| game.row(way)).collect(),
            left: bits(between),
            out: bits(between & outer),
            come: Vec::new(),
            gone: 0,
        }
    }

    /// True if there is a way out from a site, which may itself be part of a wall.
    fn leads_out(&mut self, from: u8, is_wall: bool) -> bool {
        if has(&self.out, from) {
            return true;
        }
        self.come.clear();
        let _ = self.come.push(from);
        clear(&mut self.left, from);
        if !self.goes_on() {
            return false;
        }
        // Sites connected only through a wall may have no way out: test again.
        let (known, first) = match is_wall {
            true => (&mut self.left, 1),
            false => (&mut self.out, 0),
        };
        for site in self.come.iter().skip(first) {
            set(known, *site);
        }
        true
    }

    /// Continues from each visited site; true once a way out is found.
    fn goes_on(&mut self) -> bool {
        let mut next = 0;
        while let Some(site) = self.come.get(next).copied() {
            next += 1;
            self.gone += 1;
            for way in 0..self.rows.len() {
                if self.goes_straight(site, way) {
                    return true;
                }
            }
        }
        false
    }

    /// Follows one way as far as it leads; true if it leads out.
    fn goes_straight(&mut self, from: u8, way: usize) -> bool {
        let Some(row) = self.rows.get(way) else {
            return false;
        };
        let mut here = from;
        // Without a next site, a site leads to itself, which was visited already.
        while let Some(next) = row.get(usize::from(here)).copied() {
            if has(&self.out, next) {
                return true;
            }
            if !has(&self.left, next) {
                break;
            }
            clear(&mut self.left, next);
            let _ = self.come.push(next);
            here = next;
        }
        false
    }
}

fn set(bits: &mut Bits, site: u8) {
    if let Some(eight) = bits.get_mut(usize::from(site / 8)) {
        *eight |= 1 << (site % 8);
    }
}

fn clear(bits: &mut Bits, site: u8) {
    if let Some(eight) = bits.get_mut(usize::from(site / 8)) {
        *eight &= !(1 << (site % 8));
    }
}

impl<W: Word> Machine<'_, W> {
    /// [`Op::IsLoop`](super::op::Op::IsLoop): true if the pieces of a site's owner
    /// cut off some sites from the edge, with the site as part of the wall. Operands:
    /// the ways to the sites that may be enclosed, and the ways that lead out.
    pub(super) fn is_loop(&mut self, at: u16) -> bool {
        let Some(from) = self.site_of(at, slot::IsLoop::SITE) else {
            return false;
        };
        let what = self.state.what(from);
        let owner = self.game.owner(what);
        if what == 0 || owner == 0 {
            return false;
        }
        let outer: Points<W> = self.game.set(self.operand(at, slot::IsLoop::OUTER));
        let (near, ways) = (
            self.operand(at, slot::IsLoop::NEAR),
            self.operand(at, slot::IsLoop::WAYS),
        );
        let walls = self.state.owned(owner.into());
        let beside = self.beside(Points::one(Point(from)), near);
        if (beside & walls).len() < 2 {
            return false;
        }
        let inside = beside.without(outer);
        match self.ways_for_all(ways) {
            Some(ways) => self.is_cut_off(inside, ways, walls, outer),
            None => self.is_cut_off_by_sets(inside, ways, walls, outer),
        }
    }

    /// True if some of these sites have no way out. The only wall that can be passed
    /// is the start itself.
    #[inline(never)] // Keeps it out of the stack frames of recursive callers.
    fn is_cut_off(
        &mut self,
        inside: Points<W>,
        ways: u32,
        walls: Points<W>,
        outer: Points<W>,
    ) -> bool {
        let between = self.board.without(walls);
        let mut maze = Maze::new(self.game, ways, between, outer);
        let mut free = inside.without(walls);
        let mut filled = inside & walls;
        let is_cut_off = free.any(|site| !maze.leads_out(site.0, false))
            || filled.any(|site| !maze.leads_out(site.0, true));
        self.tire(1 + maze.gone * ways.count_ones() / LOOKS_A_STEP);
        is_cut_off
    }

    /// As `is_cut_off`, if the ways depend on the piece.
    fn is_cut_off_by_sets(
        &mut self,
        mut inside: Points<W>,
        ways: u16,
        walls: Points<W>,
        outer: Points<W>,
    ) -> bool {
        inside.any(|site| {
            let within = self.board.without(walls) | Points::one(site);
            let (mut all, mut edge) = (Points::one(site), Points::one(site));
            while !edge.is_empty() && !edge.meets(outer) {
                edge = self.beside(edge, ways).without(all) & within;
                all |= edge;
            }
            edge.is_empty()
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::{hash_set, vec};
    use proptest::prelude::*;

    use super::super::op::{NOTHING, Op};
    use super::super::tests::cartridge_on;
    use super::super::verify::{Scratch, verify};
    use super::*;
    use crate::word::Wide;

    /// Compares the maze with floods on a board with these steps.
    fn alike<W: Word>(steps: &[u8], ways: usize, sets: &[Points<Wide>; 3]) {
        let pass = u16::from_le_bytes([Op::Pass as u8, 0]);
        let bytes = cartridge_on(steps.to_vec(), &[pass], 0, NOTHING);
        let mut scratch = Scratch::new();
        let game = verify(&bytes, &mut scratch).expect("it is one");
        let mut machine: Machine<'_, W> = Machine::new(&game).expect("it fits");
        let [inside, walls, outer] = sets.map(|set| {
            let sites = set.filter(|site| site.index() < steps.len() / 2);
            sites.collect::<Points<W>>()
        });
        let inside = inside.without(outer);
        let by_floods = inside.into_iter().any(|site| {
            let origin = Points::one(site);
            let within = machine.board.without(walls) | origin;
            let reached = machine.flood_by_sets(ways as u32, origin, within);
            !reached.meets(outer)
        });
        assert_eq!(
            machine.is_cut_off(inside, ways as u32, walls, outer),
            by_floods
        );
    }

    fn set(most: usize) -> impl Strategy<Value = Points<Wide>> {
        hash_set(any::<u8>(), 0..most).prop_map(|sites| sites.into_iter().map(Point).collect())
    }

    proptest! {
        #[test]
        fn straight_walks_escape_where_a_flood_does(
            sites in 1_usize..=256,
            steps in vec(any::<u8>(), 512),
            far in 1..40_u8,
            ways in 1_usize..4,
            inside in set(7),
            walls in set(200),
            outer in set(30),
        ) {
            // Most steps are short and reversible, as on a real board.
            let mut all: std::vec::Vec<u8> = (0..2 * sites).map(|at| (at % sites) as u8).collect();
            for (at, step) in steps.iter().enumerate().take(2 * sites) {
                let (way, site) = (at / sites * sites, at % sites);
                let step = usize::from(*step);
                let to = match step % 8 {
                    0 => step,
                    1 => site,
                    2..5 => site + usize::from(far),
                    _ => site + sites - usize::from(far) % sites,
                } % sites;
                let are_free = [site, to].map(|site| usize::from(all[way + site]) == site);
                if are_free == [true; 2] {
                    (all[way + site], all[way + to]) = (to as u8, site as u8);
                }
            }
            let steps = all;
            let sets = [inside, walls, outer];
            match sites {
                ..=64 => alike::<u64>(&steps, ways, &sets),
                65..=128 => alike::<u128>(&steps, ways, &sets),
                _ => alike::<Wide>(&steps, ways, &sets),
            }
        }
    }
}
