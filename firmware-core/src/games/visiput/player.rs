//! How the board evaluates positions of Visiput, and its levels.
//!
//! The value of a position consists of the points that a side would have if the game
//! ended now (those that are lit and those that it controls) and a little for each other
//! point that it sees better, because control may follow.

use protocol::Point;

use super::Visiput;
use super::sight::SightRules;
use crate::grid::Grid;
use crate::minds::alphabeta::{SearchGame, certain, guess};
use crate::minds::positions::{Ahead, Along, DEEPEST, Next, PositionKey, Positions};
use crate::minds::thinker::{Budget, ThinkingLevel, Thoughtful};
use crate::points::Points;
use crate::two_colours::{Bitboards, TwoColours};
use crate::word::Word;

/// The value of one more point at the end.
const POINT: i16 = 16;
/// The value, during a game, of a point that only one side may light. It is less than
/// that of a lit point, because control may be lost again.
const CONTROLLED: i32 = 13;
/// The value of one more line to a dark point: in modes where both sides may light a
/// point that they see equally often, and in the other modes. Found by playing different
/// weights against each other.
const LINE: [i32; 2] = [4, 1];

/// Levels 1-4, in every mode.
pub const LEVELS: [ThinkingLevel; 4] = [
    ThinkingLevel {
        depth: 1,
        solve: 1,
        think_ms: 1_000,
        slip: 60 * POINT.unsigned_abs(),
    },
    ThinkingLevel {
        depth: 1,
        solve: 2,
        think_ms: 1_500,
        slip: 9 * POINT.unsigned_abs(),
    },
    ThinkingLevel {
        depth: 2,
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

impl<W: Word> Bitboards<W> {
    /// The number of points by which the side to move leads.
    fn lead(self) -> i16 {
        self.own.len() as i16 - self.other.len() as i16
    }
}

impl<W: Word> PositionKey<W> for Bitboards<W> {
    fn is_sound(&self, grid: &Grid<W>) -> bool {
        TwoColours([self.own, self.other]).is_sound(grid)
    }
}

/// The gain of a side at the end of a game, from the points where each side may play.
fn given<W: Word>([own, other]: [Points<W>; 2]) -> i16 {
    own.without(other).len() as i16 - other.without(own).len() as i16
}

impl<W: Word> Ahead<W> for SightRules<W> {
    type Position = Bitboards<W>;

    fn next(&self, view: &Bitboards<W>) -> Next<W, Bitboards<W>> {
        let open = self.open_to(view.own, view.other);
        let [own, other] = open;
        if own ^ other == self.dark(view.own, view.other) || (own | other).is_empty() {
            Next::Over(certain(view.lead() + given(open), POINT))
        } else if own.is_empty() {
            Next::Passed(view.turned(), other)
        } else {
            Next::Moves(own)
        }
    }

    fn after(&self, view: &Bitboards<W>, point: Point) -> Bitboards<W> {
        let stone = Points::one(point);
        Bitboards {
            own: view.other.without(stone),
            other: view.own | stone,
        }
    }

    fn evaluate(&self, view: &Bitboards<W>) -> i16 {
        let dark = self.dark(view.own, view.other);
        let margins = self.margins(view.own, view.other);
        let open = self.open_by(&margins, dark);
        let [own, other] = open;
        if own ^ other == dark || (own | other).is_empty() {
            return certain(view.lead() + given(open), POINT);
        }
        let [wide, narrow] = LINE;
        let line = if self.margin <= 0 { wide } else { narrow };
        guess(
            i32::from(POINT) * i32::from(view.lead())
                + CONTROLLED * i32::from(given(open))
                + line * margins.sum(dark),
        )
    }

    fn moves_left(&self, view: &Bitboards<W>) -> usize {
        self.dark(view.own, view.other).len()
    }
}

impl<W: Word> Thoughtful<W> for Visiput<W> {
    type Trail = Positions<W, Bitboards<W>>;
    type Favourites = [u8; DEEPEST];

    fn line<'a>(
        &'a self,
        trail: &'a mut Positions<W, Bitboards<W>>,
        grid: &'a Grid<W>,
    ) -> Option<impl SearchGame<W> + 'a> {
        let [own, other] = self.stones.seen_by(self.turn?);
        Some(Along {
            ahead: SightRules::new(grid, self.rule().margin),
            from: Bitboards { own, other },
            positions: trail,
        })
    }

    fn levels(&self) -> &'static [ThinkingLevel; 4] {
        &LEVELS
    }

    fn budget(grid: &Grid<W>) -> Budget {
        Budget::of(match grid.sides().points() {
            ..=64 => 12,
            65..=128 => 4,
            _ => 1,
        })
    }
}
