//! The source of all random numbers on the board.

use postcard::experimental::max_size::MaxSize;
use protocol::Point;
use serde::{Deserialize, Serialize};

use crate::points::Points;
use crate::word::Word;

/// A seeded generator: the same seed gives the same numbers on every machine.
///
/// The algorithm is xoshiro128++ (Blackman and Vigna), whose 32-bit steps take a few
/// cycles on a microcontroller. Without the standard library, the crates that implement
/// it cannot save their state; the tests compare this code with one of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rng([u32; 4]);

impl MaxSize for Rng {
    // Four words of at most five bytes each, as varints.
    const POSTCARD_MAX_SIZE: usize = 4 * 5;
}

impl Rng {
    /// The generator for this seed, which SplitMix64 expands as the authors of the
    /// algorithm recommend.
    #[must_use]
    pub fn new(seed: u64) -> Rng {
        let mut state = seed;
        let mut stretch = || {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            mixed ^ (mixed >> 31)
        };
        let (low, high) = (stretch(), stretch());
        Rng([
            low as u32,
            (low >> 32) as u32,
            high as u32,
            (high >> 32) as u32,
        ])
    }

    /// The generator with the state that [`Rng::words`] returned.
    #[must_use]
    pub const fn of_words(words: [u32; 4]) -> Rng {
        Rng(words)
    }

    /// The state of the generator, from which it can be restored.
    #[must_use]
    pub const fn words(&self) -> [u32; 4] {
        self.0
    }

    /// The next 32 random bits.
    #[inline]
    #[allow(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u32 {
        let [a, b, c, d] = &mut self.0;
        let next = a.wrapping_add(*d).rotate_left(7).wrapping_add(*a);
        let shifted = *b << 9;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(11);
        next
    }

    /// A random number below `bound`; 0 if `bound` is 0. Lemire's multiplication without
    /// rejection, whose bias is less than `bound / 2^32`.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.next()) * u64::from(bound)) >> 32) as u32
    }

    /// A random point of the set, all with the same probability; `None` if the set is
    /// empty.
    #[inline]
    pub fn pick<W: Word>(&mut self, points: Points<W>) -> Option<Point> {
        points.nth(self.below(points.len() as u32) as usize)
    }

    /// A random subset of `count` points, all with the same probability; the whole set if
    /// it has fewer. Knuth's selection sampling, which draws one number for each point.
    #[must_use]
    pub fn choose<W: Word>(&mut self, points: Points<W>, count: usize) -> Points<W> {
        let (mut left, mut wanted) = (points.len() as u32, count as u32);
        let mut chosen = Points::NONE;
        for point in points {
            if self.below(left) < wanted {
                chosen.insert(point);
                wanted -= 1;
            }
            left -= 1;
        }
        chosen
    }

    /// True with a probability of `chance_percent` in 100.
    pub fn percent(&mut self, chance_percent: u32) -> bool {
        self.below(100) < chance_percent
    }

    /// A new generator, so that the draws of one part of the board do not affect those of
    /// another.
    #[must_use]
    pub fn split(&mut self) -> Rng {
        let seed = (u64::from(self.next()) << 32) | u64::from(self.next());
        Rng::new(seed)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_core::{Rng as _, SeedableRng};
    use rand_xoshiro::Xoshiro128PlusPlus;

    use super::Rng;

    proptest! {
        #[test]
        fn the_numbers_are_those_of_xoshiro128_plus_plus(seed: u64) {
            let mut theirs = Xoshiro128PlusPlus::seed_from_u64(seed);
            let mut ours = Rng::new(seed);
            for _ in 0..100 {
                prop_assert_eq!(ours.next(), theirs.next_u32());
            }
        }
    }
}
