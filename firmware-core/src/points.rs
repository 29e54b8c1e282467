//! Sets of points as bitboards.

use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use postcard::experimental::max_size::MaxSize;
use protocol::Point;
use serde::{Deserialize, Serialize};

use crate::word::Word;

/// A set of points: bit `n` of the word is point `n`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Points<W>(pub W);

impl<W: Word> Points<W> {
    /// The empty set.
    pub const NONE: Self = Points(W::ZERO);

    /// The set of one point.
    #[inline]
    #[must_use]
    pub fn one(point: Point) -> Self {
        Points(W::bit(point.index()))
    }

    /// The number of points in the set.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.0.count()
    }

    /// True if the set has no point.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == W::ZERO
    }

    /// True if the set has this point. A point beyond the word is not in any set.
    #[inline]
    #[must_use]
    pub fn has(self, point: Point) -> bool {
        point.index() < W::BITS && !(self & Points::one(point)).is_empty()
    }

    /// True if the sets have a point in common.
    #[inline]
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// The points that are not in `other`.
    #[inline]
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        self & !other
    }

    /// Adds a point. `point` must be on the board.
    #[inline]
    pub fn insert(&mut self, point: Point) {
        *self |= Points::one(point);
    }

    /// Removes a point. `point` must be on the board.
    #[inline]
    pub fn remove(&mut self, point: Point) {
        *self &= !Points::one(point);
    }

    /// The point with the smallest number.
    #[inline]
    #[must_use]
    pub fn first(self) -> Option<Point> {
        (!self.is_empty()).then(|| Point(self.0.lowest() as u8))
    }

    /// The point that follows `n` smaller points of the set; `None` if there are not that
    /// many.
    #[inline]
    #[must_use]
    pub fn nth(self, n: usize) -> Option<Point> {
        let place = self.0.nth(n);
        (place < W::BITS).then_some(Point(place as u8))
    }
}

impl<W: Word> Iterator for Points<W> {
    type Item = Point;
    #[inline]
    fn next(&mut self) -> Option<Point> {
        let first = self.first();
        self.0 = self.0.without_lowest();
        first
    }

    // Faster on a machine with short words.
    #[inline]
    fn for_each<F: FnMut(Point)>(self, mut what: F) {
        self.0.each(|place| what(Point(place as u8)));
    }
}

impl<W: Word> FromIterator<Point> for Points<W> {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        points
            .into_iter()
            .fold(Points::NONE, |set, point| set | Points::one(point))
    }
}

macro_rules! bitwise {
    ($($trait:ident $method:ident, $assign:ident $assign_method:ident;)*) => { $(
        impl<W: Word> $trait for Points<W> {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Points(self.0.$method(other.0))
            }
        }
        impl<W: Word> $assign for Points<W> {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                self.0.$assign_method(other.0);
            }
        }
    )* };
}

bitwise! {
    BitAnd bitand, BitAndAssign bitand_assign;
    BitOr bitor, BitOrAssign bitor_assign;
    BitXor bitxor, BitXorAssign bitxor_assign;
}

/// All bits of the word that are not in the set, including those beyond the layout.
/// Intersect the result with [`crate::Grid::all`] or with a set of points on the board.
impl<W: Word> Not for Points<W> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Points(!self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;
    use crate::word::Wide;

    fn is_walked_the_same_in_every_way<W: Word>(set: Points<W>) {
        let one_by_one: Vec<Point> = set.collect();
        let mut at_once = Vec::new();
        set.for_each(|point| at_once.push(point));
        assert_eq!(at_once, one_by_one);
        let by_number = (0..W::BITS).map_while(|n| set.nth(n));
        assert_eq!(by_number.collect::<Vec<_>>(), one_by_one);
        assert_eq!(set.nth(set.len()), None);
        assert_eq!(set.len(), one_by_one.len());
    }

    proptest! {
        #[test]
        fn a_set_is_walked_the_same_in_every_way(low: u128, high: u128, mask: u128) {
            let (low, high) = (low & mask, high & mask);
            is_walked_the_same_in_every_way(Points(low as u64));
            is_walked_the_same_in_every_way(Points(low));
            is_walked_the_same_in_every_way(Points(Wide(low, high)));
        }
    }
}
