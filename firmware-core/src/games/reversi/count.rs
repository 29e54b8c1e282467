//! Counting and playing whole games, for tests and benchmarks.

use protocol::Side;

use super::Reversi;
use super::kernel::{Bitboards, Kernel, LegalRule, POINTS};
use crate::grid::Grid;
use crate::points::Points;
use crate::rng::Rng;
use crate::word::Word;

impl<W: Word> Reversi<W> {
    /// The number of different sequences of `depth` moves from here.
    ///
    /// A pass counts as a move, and a game that ends earlier counts once. From the start
    /// on 8x8 in mode 0 the results are those of every Othello program: 4, 12, 56, 244,
    /// 1396, 8200, 55092, ...
    #[must_use]
    pub fn perft(&self, grid: &Grid<W>, depth: u8) -> u64 {
        match self.turn {
            Some(side) => perft(&self.kernel(grid), self.view(side), depth),
            None => 1,
        }
    }

    /// Plays random legal moves to the end of the game, all equally likely, and
    /// returns the number of stones of green and red.
    #[must_use]
    pub fn playout(&self, grid: &Grid<W>, rng: &mut Rng) -> [u16; 2] {
        let Some(mut side) = self.turn else {
            return self.count();
        };
        let kernel = self.kernel(grid);
        let mut view = self.view(side);
        // The number of sides in a row without a move.
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
pub fn perft<W: Word>(kernel: &Kernel<W>, view: Bitboards<W>, depth: u8) -> u64 {
    let mut walk = LineCount {
        kernel,
        lines: 0,
        caught: [Points::NONE; POINTS],
        own: [Points::NONE; TOGETHER],
        other: [Points::NONE; TOGETHER],
        waiting: 0,
    };
    walk.go(view, depth);
    walk.lines()
}

/// The number of positions before the last ply whose moves are counted together; a
/// processor can keep several of them in its registers.
const TOGETHER: usize = 64;

/// Visits all lines of moves and counts them.
struct LineCount<'k, W> {
    kernel: &'k Kernel<W>,
    lines: u64,
    /// The stones that are caught from each point of a position; empty between two
    /// positions.
    caught: [Points<W>; POINTS],
    /// The positions whose moves have not been counted yet: in each, the stones of the
    /// side to move, and those of its opponent.
    own: [Points<W>; TOGETHER],
    other: [Points<W>; TOGETHER],
    waiting: usize,
}

impl<W: Word> LineCount<'_, W> {
    fn go(&mut self, view: Bitboards<W>, depth: u8) {
        match depth {
            0 => self.lines += 1,
            1 => self.wait(view),
            2 => self.try_each(view),
            _ => {
                let legal = self.kernel.legal(view);
                if legal.is_empty() {
                    self.pass(view, depth);
                }
                for point in legal {
                    let stone = Points::one(point);
                    let after = view.after(stone, self.kernel.caught(view, stone));
                    self.go(after, depth - 1);
                }
            }
        }
    }

    /// Handles a position in which the side to move has no move: the other side moves, or
    /// the game is over.
    fn pass(&mut self, view: Bitboards<W>, depth: u8) {
        let turned = view.turned();
        match self.kernel.legal(turned).is_empty() {
            true => self.lines += 1,
            false => self.go(turned, depth - 1),
        }
    }

    /// Makes each move of a position, after which one ply is left.
    #[inline]
    fn try_each(&mut self, view: Bitboards<W>) {
        let catches = self.kernel.catches_each(view, &mut self.caught);
        let legal = match self.kernel.rule().legal {
            LegalRule::Catch => catches,
            _ => self.kernel.legal(view),
        };
        if legal.is_empty() {
            self.pass(view, 2);
        }
        for point in legal {
            let caught = core::mem::take(&mut self.caught[point.index() % POINTS]);
            self.wait(view.after(Points::one(point), caught));
        }
    }

    /// Stores a position, whose moves are counted together with those of others.
    #[inline(always)]
    fn wait(&mut self, view: Bitboards<W>) {
        let place = self.waiting % TOGETHER;
        (self.own[place], self.other[place]) = (view.own, view.other);
        self.waiting = place + 1;
        if self.waiting == TOGETHER {
            self.count_waiting();
        }
    }

    #[inline(never)]
    fn count_waiting(&mut self) {
        self.lines += self.kernel.replies(&self.own, &self.other);
        self.waiting = 0;
    }

    /// The number of all lines, including those of the positions that are still stored.
    fn lines(&self) -> u64 {
        let waiting = self.own.iter().zip(&self.other).take(self.waiting);
        let moves = waiting.map(|(own, other)| self.kernel.replies(&[*own], &[*other]));
        self.lines + moves.sum::<u64>()
    }
}
