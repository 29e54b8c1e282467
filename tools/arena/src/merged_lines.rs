//! Counts lines of Reversi by merging those that reach the same position.
//!
//! Many lines lead to the same position, and more to one of its mirror images. So the
//! positions after each ply are collected, one for all that are equal under the
//! symmetries of the board, each with the number of lines that lead to it. From each of
//! them, the last plies are walked by the core's own kernel.
//!
//! Invariants: the count is exact. A position and its mirror images have the same number
//! of continuations, because the rules do not distinguish left from right.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash};

use firmware_core::games::reversi::Reversi;
use firmware_core::games::reversi::count::perft;
use firmware_core::games::reversi::kernel::{Bitboards, Kernel};
use firmware_core::{Game, Grid, Points, Word};
use fnv::FnvHasher;
use protocol::{Layout, Point};

/// The number of plies that are walked from each position. A larger number means fewer
/// positions to store, and longer walks.
const WALKED: u8 = 2;

/// The largest number of symmetries, that of a square.
const SYMMETRIES: usize = 8;

/// The symmetries of a board, the identity first: for each point, its images.
struct Symmetries<W>(Vec<[Points<W>; SYMMETRIES]>);

impl<W: Word> Symmetries<W> {
    /// The eight symmetries of a square; for any other board, its four symmetries, each
    /// twice.
    fn of(layout: Layout) -> Symmetries<W> {
        let [columns, rows] = [layout.columns(), layout.rows()].map(usize::from);
        let image = |point: Point, symmetry: usize| {
            let (mut column, mut row) = (point.index() % columns, point.index() / columns);
            if symmetry & 1 != 0 {
                column = columns - 1 - column;
            }
            if symmetry & 2 != 0 {
                row = rows - 1 - row;
            }
            if symmetry & 4 != 0 && columns == rows {
                (column, row) = (row, column);
            }
            Points::one(Point((row * columns + column) as u8))
        };
        let images = |point| std::array::from_fn(|symmetry| image(point, symmetry));
        Symmetries(layout.iter().map(images).collect())
    }

    fn images(&self, of: Points<W>) -> [Points<W>; SYMMETRIES] {
        let mut images = [Points::NONE; SYMMETRIES];
        of.for_each(|point| {
            for (image, to) in images.iter_mut().zip(self.0[point.index()]) {
                *image |= to;
            }
        });
        images
    }

    /// The image that represents all images of this position.
    fn representative(&self, view: Bitboards<W>) -> Bitboards<W> {
        let [own, other] = [view.own, view.other].map(|points| self.images(points));
        let images = own.into_iter().zip(other);
        images.fold(view, |least, (own, other)| {
            let is_less = match own == least.own {
                true => comes_before(other, least.other),
                false => comes_before(own, least.own),
            };
            if is_less {
                Bitboards { own, other }
            } else {
                least
            }
        })
    }
}

/// Orders sets: true if the first point in which the two differ is in `one`.
fn comes_before<W: Word>(one: Points<W>, other: Points<W>) -> bool {
    (one ^ other).first().is_some_and(|point| one.has(point))
}

/// Positions from the point of view of the side to move, with the number of lines that
/// lead to each.
type Positions<W> = HashMap<(W, W), u64, BuildHasherDefault<FnvHasher>>;

/// All lines of a game up to the current ply.
pub struct MergedLines<W: Word> {
    kernel: Kernel<W>,
    symmetries: Symmetries<W>,
    positions: Positions<W>,
    /// The number of lines that ended at an earlier ply.
    ended: u64,
    /// The current ply.
    plies: u8,
}

impl<W: Word + Hash> MergedLines<W> {
    /// The single line of length 0 that begins at this position.
    pub fn from(game: &Reversi<W>, grid: &Grid<W>) -> MergedLines<W> {
        let mut lines = MergedLines {
            kernel: game.kernel(grid),
            symmetries: Symmetries::of(grid.layout()),
            positions: Positions::default(),
            ended: 0,
            plies: 0,
        };
        match game.turn() {
            Some(side) => lines.lead_to(game.view(side), 1),
            None => lines.ended = 1,
        }
        lines
    }

    /// The number of lines after this many plies, the same as [`Reversi::perft`] counts.
    /// `plies` must not decrease from call to call.
    pub fn count(&mut self, plies: u8) -> u64 {
        while self.plies + WALKED < plies {
            self.go_on();
        }
        let walk = |(&(own, other), lines): (&(W, W), &u64)| {
            let [own, other] = [own, other].map(Points);
            lines * perft(&self.kernel, Bitboards { own, other }, plies - self.plies)
        };
        self.ended + self.positions.iter().map(walk).sum::<u64>()
    }

    fn lead_to(&mut self, view: Bitboards<W>, lines: u64) {
        let view = self.symmetries.representative(view);
        *self
            .positions
            .entry((view.own.0, view.other.0))
            .or_default() += lines;
    }

    /// Extends all lines by one ply.
    fn go_on(&mut self) {
        self.plies += 1;
        for ((own, other), lines) in std::mem::take(&mut self.positions) {
            let [own, other] = [own, other].map(Points);
            let view = Bitboards { own, other };
            let legal = self.kernel.legal(view);
            legal.for_each(|point| {
                let stone = Points::one(point);
                let caught = self.kernel.caught(view, stone);
                self.lead_to(view.after(stone, caught), lines);
            });
            if legal.is_empty() {
                let turned = view.turned();
                match self.kernel.legal(turned).is_empty() {
                    true => self.ended += lines,
                    false => self.lead_to(turned, lines),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use firmware_core::Wide;

    use super::*;
    use crate::perft::start;

    /// The numbers on which all Othello programs agree, from depth 1 on.
    const OTHELLO: [u64; 11] = [
        4,
        12,
        56,
        244,
        1_396,
        8_200,
        55_092,
        390_216,
        3_005_288,
        24_571_284,
        212_258_800,
    ];

    #[test]
    fn merged_lines_give_the_known_othello_numbers() {
        let (grid, game) = start::<u64>(Layout::grid(8, 8).unwrap()).unwrap();
        let mut lines = MergedLines::from(&game, &grid);
        for (plies, leaves) in (1..).zip(OTHELLO) {
            assert_eq!(lines.count(plies), leaves, "{plies} plies");
        }
    }

    #[test]
    fn merged_lines_equal_perft_on_any_board() {
        fn check<W: Word + Hash>(columns: u8, rows: u8, plies: u8) {
            let (grid, game) = start::<W>(Layout::grid(columns, rows).unwrap()).unwrap();
            let mut lines = MergedLines::from(&game, &grid);
            for plies in 0..=plies {
                let walked = game.perft(&grid, plies);
                assert_eq!(
                    lines.count(plies),
                    walked,
                    "{columns}x{rows}, {plies} plies"
                );
            }
        }
        // To the end of the game, including passes and boards that do not fill up.
        check::<u64>(4, 4, 14);
        check::<u64>(2, 5, 8);
        check::<u64>(5, 4, 9);
        check::<u128>(9, 9, 6);
        check::<Wide>(12, 13, 5);
    }

    #[test]
    fn all_images_of_a_position_share_a_representative() {
        for (columns, rows) in [(8, 8), (7, 5)] {
            let layout = Layout::grid(columns, rows).unwrap();
            let symmetries = Symmetries::<u64>::of(layout);
            let view = Bitboards {
                own: [0, 9, 10].map(Point).into_iter().collect(),
                other: [3, 17].map(Point).into_iter().collect(),
            };
            let one = symmetries.representative(view);
            let images = symmetries.images(view.own);
            let all = images.into_iter().zip(symmetries.images(view.other));
            let mut distinct = std::collections::HashSet::new();
            for (own, other) in all {
                distinct.insert(own);
                assert_eq!(symmetries.representative(Bitboards { own, other }), one);
            }
            let expected = if columns == rows { 8 } else { 4 };
            assert_eq!(distinct.len(), expected);
        }
    }
}
