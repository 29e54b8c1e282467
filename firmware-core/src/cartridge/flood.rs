//! Flood fill: finds all connected sites.
//!
//! A host shifts whole sets, which costs almost nothing there. On a microcontroller, each
//! way of a large board would need shifts of a dozen words, so it visits each site once
//! and looks up its neighbours.
//!
//! Invariants: both methods find the same sites in the same number of steps.

use heapless::Vec;
use protocol::MAX_POINTS;

use crate::points::Points;
use crate::word::Word;

use super::bytes::{Cartridge, WAYS};
use super::machine::Machine;
use super::ways::each_way;

/// True if sites are visited one by one.
pub(super) const ONE_BY_ONE: bool = cfg!(not(feature = "host"));
/// The number of neighbour lookups that take about as long as one step of the machine.
pub(super) const LOOKS_A_STEP: u32 = 16;

/// A bit for each site.
pub(super) type Bits = [u8; MAX_POINTS / 8];

/// The bits of a set.
pub(super) fn bits<W: Word>(set: Points<W>) -> Bits {
    let mut bits = [0; MAX_POINTS / 8];
    set.0.eights(|eight, which| {
        if let Some(place) = bits.get_mut(eight) {
            *place = which;
        }
    });
    bits
}

/// True if the bit of a site is set.
pub(super) fn has(bits: &Bits, site: u8) -> bool {
    let eight = bits.get(usize::from(site / 8));
    eight.is_some_and(|eight| eight & (1 << (site % 8)) != 0)
}

/// A flood that advances step by step.
struct Flood<'g> {
    /// For each way, the next site of each site.
    rows: Vec<&'g [u8], WAYS>,
    /// The sites that may still be reached.
    left: Bits,
    reached: Vec<u8, MAX_POINTS>,
    /// The index of the first site of the last step.
    newest: usize,
}

impl<'g> Flood<'g> {
    fn new<W: Word>(game: &'g Cartridge<'_>, ways: u32, sites: [Points<W>; 2]) -> Self {
        let [from, within] = sites;
        Flood {
            rows: each_way(ways).map(|way| game.row(way)).collect(),
            left: bits(within.without(from)),
            reached: from.map(|site| site.0).collect(),
            newest: 0,
        }
    }

    /// The sites reached in the last step.
    fn newest(&self) -> &[u8] {
        self.reached.get(self.newest..).unwrap_or(&[])
    }

    /// Advances by one step; false if it reaches no new site.
    fn step(&mut self) -> bool {
        let last = self.newest;
        self.newest = self.reached.len();
        for at in last..self.newest {
            let site = self.reached.get(at).copied().unwrap_or_default();
            for row in &self.rows {
                // Without a next site, a site leads to itself, which is reached
                // already.
                let Some(next) = row.get(usize::from(site)).copied() else {
                    continue;
                };
                let (eight, bit) = (usize::from(next / 8), 1 << (next % 8));
                if let Some(left) = self.left.get_mut(eight)
                    && *left & bit != 0
                {
                    *left &= !bit;
                    let _ = self.reached.push(next);
                }
            }
        }
        self.newest < self.reached.len()
    }
}

impl<W: Word> Machine<'_, W> {
    /// The sites within a set that are connected to `from` along these ways,
    /// including `from` itself.
    pub(super) fn flood(&mut self, ways: u32, from: Points<W>, within: Points<W>) -> Points<W> {
        let within = within & self.board;
        let all = match ONE_BY_ONE {
            true => self.flood_by_sites(ways, from, within),
            false => self.flood_by_sets(ways, from, within),
        };
        let sites = all.len() as u32;
        self.tire(1 + sites * ways.count_ones() / LOOKS_A_STEP);
        all
    }

    /// The number of steps between two sets, if each way is the reverse of one of the
    /// others: both floods grow until they meet. `None` if they never do.
    pub(super) fn flood_distance(&mut self, ways: u32, ends: [Points<W>; 2]) -> Option<u16> {
        let steps = match ONE_BY_ONE {
            true => self.distance_by_sites(ways, ends),
            false => self.distance_by_sets(ways, ends),
        };
        // Together the two floods visit about as many sites as lie within half of the
        // distance.
        let half = u32::from(steps.unwrap_or(self.game.board() as u16)) / 2;
        let sites = (half * (half + 1)).min(self.game.board() as u32);
        self.tire(1 + 2 * sites * ways.count_ones() / LOOKS_A_STEP);
        steps
    }

    /// The flood fill on whole sets.
    pub(super) fn flood_by_sets(&self, ways: u32, from: Points<W>, within: Points<W>) -> Points<W> {
        let (mut all, mut edge) = (from, from);
        while !edge.is_empty() {
            edge = self.shifted(edge, ways).without(all) & within;
            all |= edge;
        }
        all
    }

    /// The flood fill from site to site.
    #[inline(never)] // Keeps it out of the stack frames of recursive callers.
    pub(super) fn flood_by_sites(
        &self,
        ways: u32,
        from: Points<W>,
        within: Points<W>,
    ) -> Points<W> {
        if !self.shifted(from, ways).meets(within.without(from)) {
            return from;
        }
        let mut flood = Flood::new(self.game, ways, [from, within]);
        while flood.step() {}
        from | within.without(Points(W::of_bytes(&flood.left)))
    }

    pub(super) fn distance_by_sets(&self, ways: u32, ends: [Points<W>; 2]) -> Option<u16> {
        let [mut one, mut other] = ends.map(|end| (end, end));
        let mut steps = 0;
        while !one.1.meets(other.0) {
            let (all, edge) = one;
            let edge = self.shifted(edge, ways).without(all);
            if edge.is_empty() {
                return None;
            }
            // The other flood advances next.
            one = other;
            other = (all | edge, edge);
            steps += 1;
        }
        Some(steps)
    }

    /// The distance from site to site.
    #[inline(never)]
    pub(super) fn distance_by_sites(&self, ways: u32, ends: [Points<W>; 2]) -> Option<u16> {
        let mut floods = ends.map(|end| Flood::new(self.game, ways, [end, !Points::NONE]));
        for steps in 0..=2 * MAX_POINTS as u16 {
            let [even, odd] = &mut floods;
            let (one, other) = match steps % 2 {
                0 => (even, odd),
                _ => (odd, even),
            };
            if one.newest().iter().any(|site| !has(&other.left, *site)) {
                return Some(steps);
            }
            if !one.step() {
                return None;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::collection::{hash_set, vec};
    use proptest::prelude::*;

    use super::super::op::{NOTHING, Op};
    use super::super::tests::cartridge_on;
    use super::super::verify::{Scratch, verify};
    use super::*;
    use crate::word::Wide;
    use protocol::Point;

    fn alike<W: Word>(steps: &[u8], sets: &[Points<Wide>; 2]) {
        let pass = u16::from_le_bytes([Op::Pass as u8, 0]);
        let bytes = cartridge_on(steps.to_vec(), &[pass], 0, NOTHING);
        let mut scratch = Scratch::new();
        let game = verify(&bytes, &mut scratch).expect("it is one");
        let machine: Machine<'_, W> = Machine::new(&game).expect("it fits");
        let [from, within] = sets.map(|set| {
            let sites = set.filter(|site| site.index() < steps.len() / 2);
            sites.collect::<Points<W>>()
        });
        for ways in [1, 2, 3] {
            assert_eq!(
                machine.flood_by_sites(ways, from, within),
                machine.flood_by_sets(ways, from, within),
            );
        }
        let ends = [from, within];
        assert_eq!(
            machine.distance_by_sites(3, ends),
            machine.distance_by_sets(3, ends)
        );
    }

    fn set(most: usize) -> impl Strategy<Value = Points<Wide>> {
        hash_set(any::<u8>(), 0..most).prop_map(|sites| sites.into_iter().map(Point).collect())
    }

    proptest! {
        #[test]
        fn a_flood_by_sets_equals_one_site_by_site(
            sites in 1_usize..=256,
            steps in vec(any::<u8>(), 512),
            far in 1..40_u8,
            from in set(3),
            within in set(256),
        ) {
            // Half of the steps are short, as on a real board.
            let all = (0..2 * sites).map(|at| {
                let (site, step) = (at % sites, usize::from(steps[at]));
                let to = match step % 2 {
                    0 => site + usize::from(far),
                    _ => step,
                };
                (to % sites) as u8
            });
            let steps: Vec<u8> = all.collect();
            let sets = [from, within];
            match sites {
                ..=64 => alike::<u64>(&steps, &sets),
                65..=128 => alike::<u128>(&steps, &sets),
                _ => alike::<Wide>(&steps, &sets),
            }
        }
    }
}
