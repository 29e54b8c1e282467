//! The evaluation and the levels of the board's player of FillIt.
//!
//! The number of points decides both games. In the filling game some points are less safe
//! than others: those next to a dark point, which their owner gives away by playing
//! there, and those two away from one, which the opponent takes by playing there.

use protocol::Point;

use super::moves::{FillItView, Moves, two_away};
use super::{FillIt, Task};
use crate::grid::Grid;
use crate::minds::alphabeta::{SearchGame, certain, guess};
use crate::minds::positions::{Ahead, Along, DEEPEST, Next, PositionKey, Positions};
use crate::minds::thinker::{Budget, ThinkingLevel, Thoughtful};
use crate::points::Points;
use crate::two_colours::TwoColours;
use crate::word::Word;

/// The value of one more point at the end.
const POINT: i16 = 16;
/// In the filling game, how much less a point is worth that is two away from a dark one.
const AT_RISK: i32 = 8;
/// In the filling game, how much less a point is worth that is next to a dark one.
const IN_THE_WAY: i32 = 3;

/// Levels 1-4 of the filling game. One touch changes so many points that looking a single
/// move ahead is hardly better than random play.
pub const FILLING: [ThinkingLevel; 4] = [
    ThinkingLevel {
        depth: 1,
        solve: 1,
        think_ms: 1_000,
        slip: 20 * POINT.unsigned_abs(),
    },
    ThinkingLevel {
        depth: 2,
        solve: 2,
        think_ms: 1_500,
        slip: 10 * POINT.unsigned_abs(),
    },
    ThinkingLevel {
        depth: 3,
        solve: 4,
        think_ms: 2_000,
        slip: 4 * POINT.unsigned_abs(),
    },
    ThinkingLevel {
        depth: 8,
        solve: 8,
        think_ms: 2_800,
        slip: 0,
    },
];

/// Levels 1-4 of the clearing game.
pub const CLEARING: [ThinkingLevel; 4] = [
    ThinkingLevel {
        depth: 1,
        solve: 1,
        think_ms: 1_000,
        slip: 16 * POINT.unsigned_abs(),
    },
    ThinkingLevel {
        depth: 1,
        solve: 2,
        think_ms: 1_500,
        slip: 6 * POINT.unsigned_abs(),
    },
    ThinkingLevel {
        depth: 2,
        solve: 4,
        think_ms: 2_000,
        slip: 3 * POINT.unsigned_abs(),
    },
    ThinkingLevel {
        depth: 8,
        solve: 8,
        think_ms: 2_800,
        slip: 0,
    },
];

impl<W: Word> PositionKey<W> for FillItView<W> {
    fn is_sound(&self, grid: &Grid<W>) -> bool {
        TwoColours([self.own, self.other]).is_sound(grid)
    }
}

impl<W: Word> Moves<W> {
    fn moves_worth_a_look(&self, view: &FillItView<W>) -> Points<W> {
        let legal = self.legal(view);
        let useful = self.useful(view);
        // The board never makes a touch without effect, so a game against it also ends in
        // mode 2.
        if legal.meets(useful) {
            legal & useful
        } else {
            legal
        }
    }
}

impl<W: Word> Ahead<W> for Moves<W> {
    type Position = FillItView<W>;

    fn next(&self, view: &FillItView<W>) -> Next<W, FillItView<W>> {
        let is_over = self.is_over_after(view.side.other(), view);
        let moves = self.moves_worth_a_look(view);
        if !is_over && !moves.is_empty() {
            return Next::Moves(moves);
        }
        match self.settled(view) {
            None => Next::Over(certain(view.lead(), POINT)),
            Some(next) => Next::Passed(next, self.moves_worth_a_look(&next)),
        }
    }

    fn after(&self, view: &FillItView<W>, point: Point) -> FillItView<W> {
        Moves::after(self, view, point)
    }

    fn evaluate(&self, view: &FillItView<W>) -> i16 {
        if self.is_over_after(view.side.other(), view) {
            return certain(view.lead(), POINT);
        }
        let points = i32::from(POINT) * i32::from(view.lead());
        match self.task() {
            Task::Clear(_) => guess(points),
            Task::Fill => {
                let dark = self.dark(view);
                let difference = |points: Points<W>| {
                    (view.own & points).len() as i32 - (view.other & points).len() as i32
                };
                let at_risk = AT_RISK * difference(two_away(dark, self.grid()));
                let in_the_way = IN_THE_WAY * difference(self.grid().neighbours(dark));
                guess(points - at_risk - in_the_way)
            }
        }
    }

    /// In the clearing game each useful move puts out a point or changes its colour.
    fn moves_left(&self, view: &FillItView<W>) -> usize {
        match self.task() {
            Task::Fill => self.dark(view).len(),
            Task::Clear(_) => (view.own | view.other).len(),
        }
    }
}

impl<W: Word> Thoughtful<W> for FillIt<W> {
    type Trail = Positions<W, FillItView<W>>;
    type Favourites = [u8; DEEPEST];

    fn line<'a>(
        &'a self,
        trail: &'a mut Positions<W, FillItView<W>>,
        grid: &'a Grid<W>,
    ) -> Option<impl SearchGame<W> + 'a> {
        Some(Along {
            ahead: self.moves(grid),
            from: self.view(self.turn?),
            positions: trail,
        })
    }

    fn levels(&self) -> &'static [ThinkingLevel; 4] {
        match self.rule().task {
            Task::Fill => &FILLING,
            Task::Clear(_) => &CLEARING,
        }
    }

    fn budget(grid: &Grid<W>) -> Budget {
        Budget::of(match grid.sides().points() {
            ..=64 => 16,
            65..=128 => 9,
            _ => 3,
        })
    }
}
