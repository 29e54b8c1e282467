//! All chance on the board.

use postcard::experimental::max_size::MaxSize;
use protocol::Point;
use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro128PlusPlus;
use serde::{Deserialize, Serialize};

use crate::points::Points;
use crate::word::Word;

/// A seeded generator: the same seed gives the same numbers on every machine.
///
/// xoshiro128++: 32-bit steps, which a microcontroller does in a few cycles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rng(Xoshiro128PlusPlus);

impl MaxSize for Rng {
    // Four words of at most five bytes each.
    const POSTCARD_MAX_SIZE: usize = 4 * 5;
}

impl Rng {
    /// The generator of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro128PlusPlus::seed_from_u64(seed))
    }

    /// The next 32 random bits.
    #[inline]
    pub fn next(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// A number below `bound`, or 0 if that is 0. Lemire's multiplication
    /// without the rejection: uneven by less than `bound / 2^32`.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.next()) * u64::from(bound)) >> 32) as u32
    }

    /// One of the points, each as likely, or `None` of none.
    #[inline]
    pub fn pick<W: Word>(&mut self, points: Points<W>) -> Option<Point> {
        points.nth(self.below(points.len() as u32) as usize)
    }

    /// So many different ones of the points, each choice as likely; all of them
    /// if there are fewer. Knuth's selection sampling: one number a point.
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

    /// True with a chance of `chance_percent` in 100.
    pub fn percent(&mut self, chance_percent: u32) -> bool {
        self.below(100) < chance_percent
    }

    /// A generator of its own, so that what one part of the board draws does
    /// not shift what another one gets.
    #[must_use]
    pub fn split(&mut self) -> Rng {
        let seed = (u64::from(self.next()) << 32) | u64::from(self.next());
        Rng::new(seed)
    }
}
