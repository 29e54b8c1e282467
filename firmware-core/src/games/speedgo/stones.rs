//! The stones on the board: groups, liberties, and the effect of a new stone.
//!
//! Everything is found by flood fill: a set grows along rows and columns until it no
//! longer changes. That needs memory for only a few sets, and takes as many steps as the
//! longest path through a group.

use postcard::experimental::max_size::MaxSize;
use protocol::{Point, Side};
use serde::{Deserialize, Serialize};

use super::groups::{Connectivity, Groups, Liberties, On, liberties};
use crate::grid::Grid;
use crate::points::Points;
use crate::two_colours::TwoColours;
use crate::word::Word;

/// The points next to any point of the set; some may be in the set.
#[inline]
#[must_use]
pub fn beside<W: Word>(grid: &Grid<W>, set: Points<W>) -> Points<W> {
    grid.beside(set)
}

/// The points of `within` that can be reached from points of `from` without leaving
/// `within`.
#[must_use]
pub fn spread<W: Word>(grid: &Grid<W>, from: Points<W>, within: Points<W>) -> Points<W> {
    let mut reached = from & within;
    loop {
        let further = (reached | beside(grid, reached)) & within;
        if further == reached {
            return reached;
        }
        reached = further;
    }
}

/// The connected parts of a set, the one with the smallest point first.
pub fn parts<W: Word>(grid: &Grid<W>, set: Points<W>) -> impl Iterator<Item = Points<W>> {
    let mut rest = set;
    core::iter::from_fn(move || {
        let part = spread(grid, Points::one(rest.first()?), rest);
        rest = rest.without(part);
        Some(part)
    })
}

/// The stones on the board, `[green, red]`.
///
/// Invariants in a game: no point has two stones, and every group has a
/// liberty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
#[serde(transparent)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Stones<W: Word>(pub [Points<W>; 2]);

impl<W: Word> Stones<W> {
    /// The stones of one side.
    #[inline]
    #[must_use]
    pub fn of(&self, side: Side) -> Points<W> {
        self.0[side.index()]
    }

    /// The stones of both sides.
    #[inline]
    #[must_use]
    pub fn all(&self) -> Points<W> {
        self.0[0] | self.0[1]
    }

    /// The points without a stone.
    #[inline]
    #[must_use]
    pub fn empty(&self, grid: &Grid<W>) -> Points<W> {
        grid.all().without(self.all())
    }

    /// The group of the stone on this point; none if there is no stone.
    #[must_use]
    pub fn group(&self, grid: &Grid<W>, point: Point) -> Points<W> {
        let colour = self.0.into_iter().find(|stones| stones.has(point));
        colour.map_or(Points::NONE, |stones| {
            spread(grid, Points::one(point), stones)
        })
    }

    /// The empty points next to a set of stones.
    #[must_use]
    pub fn liberties(&self, grid: &Grid<W>, set: Points<W>) -> Points<W> {
        beside(grid, set) & self.empty(grid)
    }

    /// Those of these groups that have no liberty; only whole groups may be given.
    #[must_use]
    fn breathless(&self, grid: &Grid<W>, groups: Points<W>) -> Points<W> {
        groups.without(spread(grid, beside(grid, self.empty(grid)), groups))
    }

    /// True if the position is possible: all stones are on the board, no point has two
    /// stones, and every group has a liberty.
    #[must_use]
    pub fn is_sound(&self, grid: &Grid<W>) -> bool {
        TwoColours(self.0).is_sound(grid)
            && self
                .0
                .into_iter()
                .all(|stones| self.breathless(grid, stones).is_empty())
    }

    /// The stones after a move, and those that it captures; `None` if the point is
    /// occupied, or the new stone's group would have no liberty. Earlier positions
    /// are not considered.
    #[must_use]
    pub fn place(&self, grid: &Grid<W>, side: Side, point: Point) -> Option<(Self, Points<W>)> {
        if !self.empty(grid).has(point) {
            return None;
        }
        let stone = Points::one(point);
        let near = beside(grid, stone);
        let mut next = *self;
        next.0[side.index()] |= stone;
        let theirs = next.of(side.other());
        let caught = next.breathless(grid, spread(grid, near, theirs));
        next.0[side.other().index()] = theirs.without(caught);
        let own = spread(grid, stone, next.of(side));
        (!next.liberties(grid, own).is_empty()).then_some((next, caught))
    }

    /// All points where [`Stones::place`] accepts a stone of this side: next to an empty
    /// point, on the last liberty of a hostile group, or next to an own group with
    /// another liberty.
    // A separate function, so that the names of the groups leave the stack with it.
    #[inline(never)]
    #[must_use]
    pub fn moves(&self, grid: &Grid<W>, side: Side) -> Points<W> {
        let empty = self.empty(grid);
        let open = empty & beside(grid, empty);
        let closed = empty.without(open);
        if closed.is_empty() {
            return open;
        }
        let groups = self.groups(grid, side, Connectivity::Groups);
        let liberties = liberties(&groups);
        let can_breathe = |point: u8| {
            let mut can = false;
            groups.each_near(point, |near| {
                let known = liberties[usize::from(groups.name_of(near))];
                can |= match groups.on(near) {
                    On::Own => known == Liberties::More,
                    On::Theirs => known == Liberties::One(point),
                    On::Nothing => false,
                };
            });
            can
        };
        closed
            .filter(|point| can_breathe(point.0))
            .fold(open, |moves, point| moves | Points::one(point))
    }

    /// The named parts of the board from a side's point of view.
    #[inline(always)]
    pub fn groups(&self, grid: &Grid<W>, side: Side, parts: Connectivity) -> Groups {
        Groups::new(grid, self.of(side), self.of(side.other()), parts)
    }
}
