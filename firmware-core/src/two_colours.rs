//! Two sets of points, green's and red's: the stones on the board, with all operations
//! that do not depend on the rules of a game.
//!
//! Saved as the two sets, green's first.
//!
//! Invariants in a game: both sets lie on the board and have no point in common; see
//! [`TwoColours::is_sound`].

use core::ops::{Index, IndexMut};

use postcard::experimental::max_size::MaxSize;
use protocol::{Diagram, Side};
use serde::{Deserialize, Serialize};

use crate::game::{Canvas, stones};
use crate::grid::Grid;
use crate::ground::Ground;
use crate::points::Points;
use crate::word::Word;

/// The green and the red points: `colours[side]` are those of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct TwoColours<W>(pub [Points<W>; 2]);

impl<W: Word> TwoColours<W> {
    /// Both sets are empty.
    pub const NONE: Self = TwoColours([Points::NONE; 2]);

    /// The points of a diagram; `None` if it uses other colours or a point that is
    /// not on the board.
    #[must_use]
    pub fn of(diagram: &Diagram, ground: &Ground<W>) -> Option<Self> {
        stones(diagram, ground).map(TwoColours)
    }

    /// The two sets, given as the `own` points of `side` and the points of the `other`
    /// side.
    #[must_use]
    pub fn told_by(side: Side, own: Points<W>, other: Points<W>) -> Self {
        match side {
            Side::Green => TwoColours([own, other]),
            Side::Red => TwoColours([other, own]),
        }
    }

    /// The points of `side` and those of its opponent.
    #[must_use]
    pub fn seen_by(self, side: Side) -> [Points<W>; 2] {
        [self[side], self[side.other()]]
    }

    /// The points of either colour.
    #[must_use]
    pub fn lit(self) -> Points<W> {
        self[Side::Green] | self[Side::Red]
    }

    /// The points of neither colour.
    #[must_use]
    pub fn dark(self, grid: &Grid<W>) -> Points<W> {
        grid.all().without(self.lit())
    }

    /// The number of green and of red points.
    #[must_use]
    pub fn count(self) -> [u16; 2] {
        self.0.map(|points| points.len() as u16)
    }

    /// Paints each set in its colour.
    pub fn paint(self, canvas: &mut Canvas<'_, W>) {
        for side in Side::BOTH {
            canvas.fill(self[side], side.into());
        }
    }

    /// False if a point has both colours or is not on the board.
    #[must_use]
    pub fn is_sound(self, grid: &Grid<W>) -> bool {
        let [green, red] = self.0;
        self.lit().without(grid.all()).is_empty() && !green.meets(red)
    }
}

impl<W> Index<Side> for TwoColours<W> {
    type Output = Points<W>;
    fn index(&self, side: Side) -> &Points<W> {
        let [green, red] = &self.0;
        match side {
            Side::Green => green,
            Side::Red => red,
        }
    }
}

impl<W> IndexMut<Side> for TwoColours<W> {
    fn index_mut(&mut self, side: Side) -> &mut Points<W> {
        let [green, red] = &mut self.0;
        match side {
            Side::Green => green,
            Side::Red => red,
        }
    }
}

/// Two sets of points from the point of view of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Bitboards<W> {
    /// The points of the side to move.
    pub own: Points<W>,
    /// The points of the opponent.
    pub other: Points<W>,
}

impl<W: Word> Bitboards<W> {
    /// The same from the point of view of the opponent.
    #[inline]
    #[must_use]
    pub fn turned(self) -> Self {
        Bitboards {
            own: self.other,
            other: self.own,
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::{Layout, Point};

    use super::*;

    fn two(green: u8, red: u8) -> TwoColours<u64> {
        TwoColours([Points::one(Point(green)), Points::one(Point(red))])
    }

    #[test]
    fn own_points_come_first_for_each_side() {
        for side in Side::BOTH {
            let [own, other] = two(3, 5).seen_by(side);
            assert_eq!(own, two(3, 5)[side]);
            assert_eq!(TwoColours::told_by(side, own, other), two(3, 5));
        }
    }

    #[test]
    fn a_point_of_both_colours_or_off_the_board_is_not_sound() {
        let grid = Grid::new(Layout::grid(2, 3).unwrap()).unwrap();
        assert!(two(4, 5).is_sound(&grid));
        assert_eq!(two(4, 5).dark(&grid), (0..4).map(Point).collect());
        assert!(!two(4, 4).is_sound(&grid));
        assert!(!two(4, 6).is_sound(&grid));
    }

    #[test]
    fn two_colours_are_saved_as_two_sets() {
        let (mut bytes, mut sets) = ([0; 40], [0; 40]);
        let stones = two(3, 63);
        let written = postcard::to_slice(&stones, &mut bytes).unwrap();
        assert_eq!(written, postcard::to_slice(&stones.0, &mut sets).unwrap());
        assert_eq!(
            TwoColours::<u64>::POSTCARD_MAX_SIZE,
            <[Points<u64>; 2]>::POSTCARD_MAX_SIZE
        );
    }
}
