//! How the board evaluates positions of CountLines, and its levels.
//!
//! A place for a line that contains no stone of the opponent is worth more the more own
//! stones it contains.

use postcard::experimental::max_size::MaxSize;
use protocol::Point;
use serde::{Deserialize, Serialize};

use super::lines::{chances, completing, lines};
use super::{CountLines, End, Rule, open_to};
use crate::grid::Grid;
use crate::minds::alphabeta::{SearchGame, certain, guess};
use crate::minds::positions::{Ahead, Along, DEEPEST, Next, PositionKey, Positions};
use crate::minds::thinker::{Budget, ThinkingLevel, Thoughtful};
use crate::points::Points;
use crate::two_colours::TwoColours;
use crate::word::Word;

/// The value of one more line at the end.
const LINE: i16 = 64;

/// The values of possible lines with 1, 2, 3 and 4 own stones, for the side to move and
/// for its opponent. Found by playing different weights against each other.
const WORTH: [[i32; 4]; 2] = [[1, 6, 28, LINE as i32], [1, 6, 20, LINE as i32]];

/// Levels 1-4, in every mode.
pub const LEVELS: [ThinkingLevel; 4] = [
    ThinkingLevel {
        depth: 1,
        solve: 1,
        think_ms: 1_000,
        slip: 120,
    },
    ThinkingLevel {
        depth: 1,
        solve: 2,
        think_ms: 1_500,
        slip: 24,
    },
    ThinkingLevel {
        depth: 2,
        solve: 4,
        think_ms: 2_000,
        slip: 8,
    },
    ThinkingLevel {
        depth: 8,
        solve: 8,
        think_ms: 2_800,
        slip: 0,
    },
];

/// The stones from the point of view of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct LineStones<W> {
    own: Points<W>,
    other: Points<W>,
    /// The last stone of the side to move.
    own_last: Option<Point>,
    /// The last stone of its opponent.
    other_last: Option<Point>,
}

impl<W: Word> PositionKey<W> for LineStones<W> {
    fn is_sound(&self, grid: &Grid<W>) -> bool {
        let on_board = |last: Option<Point>| last.is_none_or(|point| grid.all().has(point));
        TwoColours([self.own, self.other]).is_sound(grid)
            && on_board(self.own_last)
            && on_board(self.other_last)
    }
}

/// The rules of a mode on a board.
#[derive(Clone, Copy, Debug)]
pub struct Lookout<W> {
    grid: Grid<W>,
    rule: Rule,
}

impl<W: Word> Lookout<W> {
    fn dark(&self, view: &LineStones<W>) -> Points<W> {
        self.grid.all().without(view.own | view.other)
    }

    fn lead(&self, view: &LineStones<W>) -> i16 {
        lines(view.own, &self.grid) as i16 - lines(view.other, &self.grid) as i16
    }
}

impl<W: Word> Ahead<W> for Lookout<W> {
    type Position = LineStones<W>;

    /// Leaves out the points far away from all stones, which do not matter yet.
    fn next(&self, view: &LineStones<W>) -> Next<W, LineStones<W>> {
        let dark = self.dark(view);
        let first_line = self.rule.end == End::FirstLine;
        if dark.is_empty() || (first_line && lines(view.other, &self.grid) > 0) {
            return Next::Over(certain(self.lead(view), LINE));
        }
        let open = open_to(dark, view.own_last, self.rule.close, &self.grid);
        let lit = view.own | view.other;
        let near = self.grid.neighbours(lit) | lit;
        let near = self.grid.neighbours(near) | near;
        Next::Moves(if open.meets(near) { open & near } else { open })
    }

    fn after(&self, view: &LineStones<W>, point: Point) -> LineStones<W> {
        let stone = Points::one(point);
        LineStones {
            own: view.other.without(stone),
            other: view.own | stone,
            own_last: view.other_last,
            other_last: Some(point),
        }
    }

    fn evaluate(&self, view: &LineStones<W>) -> i16 {
        let own = chances(view.own, view.other, &self.grid);
        let other = chances(view.other, view.own, &self.grid);
        let lines = own[3] as i16 - other[3] as i16;
        let first_line = self.rule.end == End::FirstLine;
        if self.dark(view).is_empty() || (first_line && lines != 0) {
            return certain(lines, LINE);
        }
        let weigh = |chances: [u16; 4], worth: [i32; 4]| -> i32 {
            chances
                .into_iter()
                .zip(worth)
                .map(|(count, each)| i32::from(count) * each)
                .sum()
        };
        let [to_move, to_wait] = WORTH;
        guess(weigh(own, to_move) - weigh(other, to_wait))
    }

    /// The moves that complete a line, or prevent the opponent from completing one.
    fn urgent(&self, view: &LineStones<W>, moves: Points<W>) -> Points<W> {
        completing(view.own, moves, &self.grid) | completing(view.other, moves, &self.grid)
    }

    fn moves_left(&self, view: &LineStones<W>) -> usize {
        self.dark(view).len()
    }
}

impl<W: Word> Thoughtful<W> for CountLines<W> {
    type Trail = Positions<W, LineStones<W>>;
    type Favourites = [u8; DEEPEST];

    fn line<'a>(
        &'a self,
        trail: &'a mut Positions<W, LineStones<W>>,
        grid: &'a Grid<W>,
    ) -> Option<impl SearchGame<W> + 'a> {
        let side = self.turn?;
        let [own, other] = self.stones.seen_by(side);
        let [own_last, other_last] = [side, side.other()].map(|side| self.last[side.index()]);
        Some(Along {
            ahead: Lookout {
                grid: *grid,
                rule: self.rule(),
            },
            from: LineStones {
                own,
                other,
                own_last,
                other_last,
            },
            positions: trail,
        })
    }

    fn levels(&self) -> &'static [ThinkingLevel; 4] {
        &LEVELS
    }

    fn budget(grid: &Grid<W>) -> Budget {
        Budget::of(match grid.sides().points() {
            ..=64 => 13,
            65..=128 => 6,
            _ => 2,
        })
    }
}
