//! Reversi (Maldoo manual, 0. Reversi).
//!
//! Green and red take turns to place stones. A new stone catches the opponent's stones on
//! each straight line, without gaps, between itself and the nearest stone of its own
//! colour: they change to that colour. A side without a legal move is passed over. When
//! neither side has a move the game is over, and the side with more stones wins.
//!
//! | mode | the edge of the board | a stone may be placed on an empty point |
//! | --- | --- | --- |
//! | 0 | has no effect | where it catches |
//! | 1 | catches, too | where it catches |
//! | 2 | has no effect | next to a stone of either colour |
//! | 3 | catches, too | next to a stone of either colour |
//! | 4 | has no effect | anywhere |
//! | 5 | catches, too | anywhere |
//!
//! [`kernel`] finds moves and catches, [`player`] plays red with searches along a
//! [`mod@line`], and [`count`] counts and plays games for tests and benchmarks.
//!
//! Invariants: the side to move has a legal move; it is nobody's turn exactly when
//! neither side has one.

pub mod count;
pub mod evaluate;
pub mod kernel;
pub mod line;
pub mod player;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;

use postcard::experimental::max_size::MaxSize;
use protocol::{Diagram, Event, Outcome, Point, Side, Tick};
use serde::{Deserialize, Serialize};

use self::kernel::{Bitboards, EdgeRule, Kernel, LegalRule, Rule};
use crate::game::{About, Canvas, Context, Game, Illegal, Rules, TimeOut, Touch, fits, rule_of};
use crate::grid::Grid;
use crate::ground::Ground;
use crate::minds::thinker::ThinkerOf;
use crate::points::Points;
use crate::two_colours::TwoColours;
use crate::word::Word;

/// The modes of the manual, in order.
pub const MODES: [Rule; 6] = [
    Rule {
        edge: EdgeRule::Open,
        legal: LegalRule::Catch,
    },
    Rule {
        edge: EdgeRule::Catches,
        legal: LegalRule::Catch,
    },
    Rule {
        edge: EdgeRule::Open,
        legal: LegalRule::Neighbour,
    },
    Rule {
        edge: EdgeRule::Catches,
        legal: LegalRule::Neighbour,
    },
    Rule {
        edge: EdgeRule::Open,
        legal: LegalRule::Any,
    },
    Rule {
        edge: EdgeRule::Catches,
        legal: LegalRule::Any,
    },
];

/// The length of the shortest side on which the four stones of the start fit.
const SHORTEST_SIDE: usize = 2;

/// The state of a game of Reversi.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Reversi<W: Word> {
    /// The stones on the board.
    stones: TwoColours<W>,
    /// The side to move; `None` when the game is over.
    turn: Option<Side>,
    /// The index of the mode in [`MODES`].
    mode: u8,
}

impl<W: Word> Reversi<W> {
    /// The game with these stones. `turn` is to move or, if it has no move, its opponent.
    fn set_up(
        mode: u8,
        stones: TwoColours<W>,
        turn: Side,
        context: &mut Context<'_, W>,
    ) -> Option<Self> {
        if !fits(&MODES, mode, context.grid(), SHORTEST_SIDE) {
            return None;
        }
        let mut game = Reversi {
            stones,
            turn: None,
            mode,
        };
        game.give_turn(turn, context);
        Some(game)
    }

    /// The rules of the mode.
    fn rule(&self) -> Rule {
        rule_of(&MODES, self.mode)
    }

    /// The rules as masks of this board.
    #[must_use]
    pub fn kernel(&self, grid: &Grid<W>) -> Kernel<W> {
        Kernel::new(grid, self.rule())
    }

    /// The stones from this side's point of view.
    #[must_use]
    pub fn view(&self, side: Side) -> Bitboards<W> {
        let [own, other] = self.stones.seen_by(side);
        Bitboards { own, other }
    }

    /// The number of stones of green and red.
    fn count(&self) -> [u16; 2] {
        self.stones.count()
    }

    /// The side to move if it is the turn of `side`: that side, its opponent if it has no
    /// move, or `None` if neither has one.
    fn next_turn(&self, side: Side, kernel: &Kernel<W>) -> Option<Side> {
        [side, side.other()]
            .into_iter()
            .find(|side| !kernel.legal(self.view(*side)).is_empty())
    }

    /// Gives `side` the turn, passes it over, or ends the game.
    fn give_turn(&mut self, side: Side, context: &mut Context<'_, W>) {
        self.turn = self.next_turn(side, &self.kernel(context.grid()));
        if self.turn == Some(side.other()) {
            context.report(Event::Passed { side });
        }
    }
}

/// The stones at the start: two of each colour in a block of four, which has the centre
/// of the board inside it or at its lower right. The first player's stones are on the
/// diagonal that rises to the right.
fn start_stones<W: Word>(grid: &Grid<W>) -> TwoColours<W> {
    let layout = grid.sides();
    let column = (layout.columns() / 2).saturating_sub(1);
    let row = (layout.rows() / 2).saturating_sub(1);
    let pair = |left_row, right_row| {
        [(column, left_row), (column + 1, right_row)]
            .into_iter()
            .filter_map(|(column, row)| layout.at(column, row))
            .collect()
    };
    TwoColours([pair(row + 1, row), pair(row, row + 1)])
}

impl<W: Word> Rules<W> for Reversi<W> {
    const ABOUT: About<'static> = About {
        name: "Reversi",
        modes: MODES.len() as u8,
        time_out: TimeOut::RandomMove,
        illegal: Illegal::FlashLegal,
        ..About::OF_MANUAL
    };
    type Player = ThinkerOf<W, Self>;

    fn start(mode: u8, context: &mut Context<'_, W>) -> Option<Self> {
        Self::set_up(mode, start_stones(context.grid()), Side::Green, context)
    }

    fn diagram(mode: u8, diagram: &Diagram, context: &mut Context<'_, W>) -> Option<Self> {
        let stones = TwoColours::of(diagram, context.ground)?;
        Self::set_up(mode, stones, diagram.turn, context)
    }
}

impl<W: Word> Game<W> for Reversi<W> {
    fn about(&self) -> About<'_> {
        Self::ABOUT
    }

    fn turn(&self) -> Option<Side> {
        self.turn
    }

    fn legal(&self, ground: &Ground<W>) -> Points<W> {
        let grid = ground.grid();
        match self.turn {
            Some(side) => self.kernel(grid).legal(self.view(side)),
            None => Points::NONE,
        }
    }

    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        let Some(side) = self.turn else {
            return Touch::Ignored;
        };
        let kernel = self.kernel(context.grid());
        let view = self.view(side);
        if !kernel.legal(view).has(point) {
            return Touch::Illegal;
        }
        let stone = Points::one(point);
        let caught = kernel.caught(view, stone);
        let seen = view.after(stone, caught);
        self.stones = TwoColours::told_by(side.other(), seen.own, seen.other);
        self.give_turn(side.other(), context);
        Touch::Move(caught.len() as u16)
    }

    /// Passing is impossible: the game itself passes over a side without a move.
    fn pass(&mut self, _context: &mut Context<'_, W>) -> bool {
        false
    }

    fn outcome(&self) -> Option<Outcome> {
        self.turn.is_none().then(|| Outcome::by_score(self.count()))
    }

    fn score(&self, _ground: &Ground<W>) -> [u32; 2] {
        self.count().map(u32::from)
    }

    fn paint(&self, _now: Tick, canvas: &mut Canvas<'_, W>) {
        self.stones.paint(canvas);
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let grid = ground.grid();
        let first = self.turn.unwrap_or(Side::Green);
        fits(&MODES, self.mode, grid, SHORTEST_SIDE)
            && self.stones.is_sound(grid)
            && self.turn == self.next_turn(first, &self.kernel(grid))
    }
}
