//! Counting and playing whole games, for tests and benchmarks.

use protocol::Side;

use super::Reversi;
use super::kernel::{Kernel, View};
use crate::grid::Grid;
use crate::points::Points;
use crate::rng::Rng;
use crate::word::Word;

impl<W: Word> Reversi<W> {
    /// The number of different sequences of `depth` moves from here.
    ///
    /// A pass counts as a move, and a game that ends earlier counts once. From
    /// the start on 8x8 in mode 0 the numbers are those that every Othello
    /// program finds: 4, 12, 56, 244, 1396, 8200, 55092, ...
    #[must_use]
    pub fn perft(&self, grid: &Grid<W>, depth: u8) -> u64 {
        match self.turn {
            Some(side) => perft(&self.kernel(grid), self.view(side), depth),
            None => 1,
        }
    }

    /// Plays the game to its end by random legal moves, all equally likely, and
    /// returns how many stones green and red have then.
    #[must_use]
    pub fn playout(&self, grid: &Grid<W>, rng: &mut Rng) -> [u16; 2] {
        let Some(mut side) = self.turn else {
            return self.count();
        };
        let kernel = self.kernel(grid);
        let mut view = self.view(side);
        // How many sides in a row had no move.
        let mut passes = 0;
        while passes < 2 {
            if let Some(point) = rng.pick(kernel.legal(view)) {
                let stone = Points::one(point);
                view = view.after(stone, kernel.caught(view, stone));
                passes = 0;
            } else {
                view = view.turned();
                passes += 1;
            }
            side = side.other();
        }
        let count = [view.own.len() as u16, view.other.len() as u16];
        match side {
            Side::Green => count,
            Side::Red => [count[1], count[0]],
        }
    }
}

/// [`Reversi::perft`] for the side to move of a view, which may have no move.
#[must_use]
pub fn perft<W: Word>(kernel: &Kernel<W>, view: View<W>, depth: u8) -> u64 {
    if depth == 0 {
        return 1;
    }
    let legal = kernel.legal(view);
    if legal.is_empty() {
        let turned = view.turned();
        return if kernel.legal(turned).is_empty() {
            1
        } else {
            perft(kernel, turned, depth - 1)
        };
    }
    if depth == 1 {
        return legal.len() as u64;
    }
    legal
        .map(|point| {
            let stone = Points::one(point);
            let after = view.after(stone, kernel.caught(view, stone));
            perft(kernel, after, depth - 1)
        })
        .sum()
}
