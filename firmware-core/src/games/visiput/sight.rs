//! The points that each colour sees, for the whole board at once.
//!
//! In each of the eight directions, a colour sees points across dark points. These are
//! found by spreading a set of points with shifts, each of which reaches twice as far as
//! the one before. The number of times that each point is seen is then counted for all
//! points together, in binary: the bits `n` of all counts form one set.
//!
//! Invariants: no bit outside of the board is read or set; no branch depends on the lit
//! points.

use crate::grid::{Direction, Grid};
use crate::points::Points;
use crate::word::Word;

/// Added to each difference so that it is never negative: 1 for each direction.
const OFFSET: i8 = 8;

/// The number of binary digits of a difference plus its offset, which is 0 to 16.
const DIGITS: usize = 5;

/// The differences of all points: own lines minus the opponent's, plus `OFFSET`. The bits
/// `n` of all of them form set `n`.
#[derive(Clone, Copy, Debug)]
pub struct Margins<W>([Points<W>; DIGITS]);

impl<W: Word> Margins<W> {
    /// Adds 2 at the points of `twos` and 1 at those of `ones`; no point may be in both.
    #[inline(always)]
    fn add(&mut self, twos: Points<W>, ones: Points<W>) {
        let Margins([lowest, higher @ ..]) = self;
        let mut carry = (*lowest & ones) | twos;
        *lowest ^= ones;
        // The ones and the twos of the same point cannot both produce a carry, so one
        // carry is enough.
        for digit in higher {
            let next = *digit & carry;
            *digit ^= carry;
            carry = next;
        }
    }

    /// The points, including those outside of the board, whose difference is at least
    /// `margin`.
    #[inline]
    #[must_use]
    pub fn at_least(&self, margin: i8) -> Points<W> {
        let least = margin.saturating_add(OFFSET).max(0) as usize;
        let mut found = !Points::NONE;
        for (place, digit) in self.0.into_iter().enumerate() {
            found = match (least >> place) & 1 {
                0 => digit | found,
                _ => digit & found,
            };
        }
        found
    }

    /// The sum of the differences at these points.
    #[inline]
    #[must_use]
    pub fn sum(&self, points: Points<W>) -> i32 {
        let weigh = |(place, digit): (usize, Points<W>)| ((digit & points).len() as i32) << place;
        let with_offset: i32 = self.0.into_iter().enumerate().map(weigh).sum();
        with_offset - i32::from(OFFSET) * points.len() as i32
    }
}

/// The rules of a mode on a board, as masks.
#[derive(Clone, Copy, Debug)]
pub struct SightRules<W> {
    grid: Grid<W>,
    /// The minimum difference with which a player may light a point.
    pub(super) margin: i8,
    not_west_edge: Points<W>,
    not_east_edge: Points<W>,
}

impl<W: Word> SightRules<W> {
    /// The masks of a board, and the minimum difference of a mode.
    #[must_use]
    pub fn new(grid: &Grid<W>, margin: i8) -> Self {
        SightRules {
            grid: *grid,
            margin,
            not_west_edge: grid.shift(grid.all(), Direction::East),
            not_east_edge: grid.shift(grid.all(), Direction::West),
        }
    }

    /// The grid of the board.
    #[inline]
    #[must_use]
    pub fn grid(&self) -> &Grid<W> {
        &self.grid
    }

    /// The points without a light.
    #[inline]
    #[must_use]
    pub fn dark(&self, own: Points<W>, other: Points<W>) -> Points<W> {
        self.grid.all().without(own | other)
    }

    /// For each dark point, along how many more lines `own` sees it than `other`.
    #[must_use]
    pub fn margins(&self, own: Points<W>, other: Points<W>) -> Margins<W> {
        let (columns, rows) = (self.grid.columns(), self.grid.rows());
        // With a constant size, all shifts are constants.
        if columns == 9 && rows == 9 {
            self.margins_on(9, 9, own, other)
        } else {
            self.margins_on(columns, rows, own, other)
        }
    }

    #[inline(always)]
    fn margins_on(
        &self,
        columns: usize,
        rows: usize,
        own: Points<W>,
        other: Points<W>,
    ) -> Margins<W> {
        let dark = self.dark(own, other);
        let diagonal = columns.min(rows);
        // The points to which a step may lead, its distance in bits, and the longest
        // line.
        let lines = [
            (
                dark & self.not_west_edge,
                dark & self.not_east_edge,
                1,
                columns,
            ),
            (dark, dark, columns, rows),
            (
                dark & self.not_west_edge,
                dark & self.not_east_edge,
                columns + 1,
                diagonal,
            ),
            (
                dark & self.not_east_edge,
                dark & self.not_west_edge,
                columns - 1,
                diagonal,
            ),
        ];
        let mut margins = Margins([Points::NONE; DIGITS]);
        for (up, down, step, length) in lines {
            let own_up = spread(own, up, step, length, W::up);
            let other_up = spread(other, up, step, length, W::up);
            margins.add(own_up, !(own_up | other_up));
            let own_down = spread(own, down, step, length, W::down);
            let other_down = spread(other, down, step, length, W::down);
            margins.add(own_down, !(own_down | other_down));
        }
        margins
    }

    /// The points where the side of `own` and the side of `other` may play.
    #[inline]
    #[must_use]
    pub fn open_to(&self, own: Points<W>, other: Points<W>) -> [Points<W>; 2] {
        self.open_by(&self.margins(own, other), self.dark(own, other))
    }

    /// As `open_to`, given the differences and the dark points.
    #[inline]
    #[must_use]
    pub fn open_by(&self, margins: &Margins<W>, dark: Points<W>) -> [Points<W>; 2] {
        let opponents_least = 1_i8.saturating_sub(self.margin);
        [
            dark & margins.at_least(self.margin),
            dark.without(margins.at_least(opponents_least)),
        ]
    }
}

/// The dark points from which `lit` is visible in one direction. `dark` are those to
/// which a step in that direction may lead.
#[inline(always)]
fn spread<W: Word>(
    lit: Points<W>,
    dark: Points<W>,
    step: usize,
    length: usize,
    shift: impl Fn(W, usize) -> W,
) -> Points<W> {
    let (mut reached, mut free) = (lit.0, dark.0);
    let mut reach = 1;
    while reach < length {
        // Here `free` contains the points at the end of `reach` consecutive dark points.
        let by = step * reach;
        reached |= free & shift(reached, by);
        free &= shift(free, by);
        reach *= 2;
    }
    Points(reached) & dark
}
