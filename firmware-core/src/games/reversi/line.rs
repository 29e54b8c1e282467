//! The line of moves that a search of Reversi tries: the moves in each position, and
//! their order.
//!
//! Corners are tried early, and so are killer moves, which refuted a line elsewhere.
//! Moves that give up a corner are tried late.

use postcard::experimental::max_size::MaxSize;
use protocol::{List, Point};
use serde::{Deserialize, Serialize};

use super::evaluate::{Terrain, Weights, evaluate, result};
use super::kernel::{Bitboards, Kernel};
use crate::grid::Grid;
use crate::minds::alphabeta::{SearchGame, Then};
use crate::minds::thinker::Trail;
use crate::points::Points;
use crate::two_colours::TwoColours;
use crate::word::Word;

/// The maximum depth of the search, in stones.
pub const DEEPEST: usize = 12;

/// The stored data of a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Views<W: Word> {
    /// The position at the end of the line from the point of view of the side to move;
    /// `None` before the first one.
    here: Option<Bitboards<W>>,
    /// The positions before each move of the line.
    before: List<Bitboards<W>, DEEPEST>,
    /// The killer moves of the side that began and of its opponent.
    refutations: [Points<W>; 2],
}

impl<W: Word> Default for Views<W> {
    fn default() -> Self {
        Views {
            here: None,
            before: List::new(),
            refutations: [Points::NONE; 2],
        }
    }
}

impl<W: Word> Trail<W> for Views<W> {
    fn is_sound(&self, levels: usize, grid: &Grid<W>) -> bool {
        let fits = |view: &Bitboards<W>| TwoColours([view.own, view.other]).is_sound(grid);
        (levels == 0 || (self.here.is_some() && self.before.len() + 1 == levels))
            && self.here.iter().chain(self.before.iter()).all(fits)
    }
}

/// A line of moves that starts at a position.
pub struct ReversiSearch<'a, W: Word> {
    /// The rules by which moves are generated.
    pub kernel: Kernel<W>,
    /// The special points of the board.
    pub terrain: Terrain<W>,
    /// The weights of the evaluation.
    pub weights: &'a Weights,
    /// The position at the root of the search.
    pub from: Bitboards<W>,
    /// The positions of the line so far.
    pub views: &'a mut Views<W>,
}

impl<W: Word> ReversiSearch<'_, W> {
    fn here(&self) -> Bitboards<W> {
        self.views.here.unwrap_or(self.from)
    }

    /// The killer moves of the side to move.
    fn refutations(&mut self) -> &mut Points<W> {
        let [of_first, of_second] = &mut self.views.refutations;
        match self.views.before.len() % 2 {
            0 => of_first,
            _ => of_second,
        }
    }

    fn go_on(&mut self, here: Bitboards<W>, to: Bitboards<W>) {
        // There is room for as many positions as a search has levels.
        let _ = self.views.before.push(here);
        self.views.here = Some(to);
    }
}

impl<W: Word> SearchGame<W> for ReversiSearch<'_, W> {
    fn moves_left(&self) -> usize {
        self.kernel.empty(self.from).len()
    }

    fn begin(&mut self) -> Points<W> {
        self.views.here = Some(self.from);
        self.views.before.clear();
        self.kernel.legal(self.from)
    }

    #[inline]
    fn go(&mut self, point: Point, is_last: bool) -> Then<W> {
        let stone = Points::one(point);
        let here = self.here();
        let after = here.after(stone, self.kernel.caught(here, stone));
        if is_last {
            let value = evaluate(&self.kernel, &self.terrain, self.weights, after);
            return Then::Worth(value);
        }
        let replies = self.kernel.legal(after);
        if !replies.is_empty() {
            self.go_on(here, after);
            return Then::Moves(replies);
        }
        let turned = after.turned();
        let more = self.kernel.legal(turned);
        if more.is_empty() {
            return Then::Worth(result(after));
        }
        self.go_on(here, turned);
        Then::Again(more)
    }

    fn back(&mut self) {
        if let Some(before) = self.views.before.pop() {
            self.views.here = Some(before);
        }
    }

    fn first(&self, untried: Points<W>) -> Points<W> {
        let level = self.views.before.len();
        if level == 0 {
            return untried;
        }
        let refutations = self.views.refutations[level % 2];
        [self.terrain.corners, refutations, self.terrain.open]
            .into_iter()
            .map(|points| untried & points)
            .find(|points| !points.is_empty())
            .unwrap_or(untried)
    }

    fn refuted(&mut self, by: Point) {
        self.refutations().insert(by);
    }
}
