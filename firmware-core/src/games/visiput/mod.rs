//! Visiput (Maldoo manual, 8. Visiput).
//!
//! Green and red take turns to light dark points. A player sees a point along each of its
//! eight lines on which the first lit point has the player's colour. The points that a
//! player may light depend on how much better the player sees them than the opponent:
//!
//! | modes | own lines less the opponent's |
//! | --- | --- |
//! | 0, 1 | 0 or more |
//! | 2, 3 | 1 or more |
//! | 4, 5 | 2 or more |
//! | 6, 7 | -1 or more |
//!
//! The odd modes start with random points, the even ones always with the same points. A
//! point that only one player may light is controlled by that player. The game is over
//! when all dark points are controlled, or when nobody can move; the controlled points
//! then light up and count. The player with more points wins.
//!
//! [`sight`] finds the points where each side may play, [`player`] plays red.
//!
//! Invariants: the side to move has a legal move; a lit point never changes; points are
//! only given at the end, and the lit points determine which ones.

pub mod player;
pub mod sight;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;

use postcard::experimental::max_size::MaxSize;
use protocol::{Diagram, Event, GridSize, Outcome, Point, Side, Tick};
use serde::{Deserialize, Serialize};

use self::sight::SightRules;
use crate::game::{About, Canvas, Context, Game, Illegal, Rules, TimeOut, Touch, fits, rule_of};
use crate::grid::Grid;
use crate::ground::Ground;
use crate::minds::thinker::ThinkerOf;
use crate::points::Points;
use crate::rng::Rng;
use crate::scatter::scatter;
use crate::two_colours::TwoColours;
use crate::word::Word;

/// The points that are lit at the start of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstPosition {
    /// The same points in every game.
    Standard,
    /// The same number of points of each colour, at random places.
    Random,
}

/// The differences between modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// How the first stones are placed.
    pub start: FirstPosition,
    /// A player may light a point that they see along at least this many more lines than
    /// the opponent.
    pub margin: i8,
}

const fn rule(start: FirstPosition, margin: i8) -> Rule {
    Rule { start, margin }
}

/// The modes of the manual, in order.
pub const MODES: [Rule; 8] = [
    rule(FirstPosition::Standard, 0),
    rule(FirstPosition::Random, 0),
    rule(FirstPosition::Standard, 1),
    rule(FirstPosition::Random, 1),
    rule(FirstPosition::Standard, 2),
    rule(FirstPosition::Random, 2),
    rule(FirstPosition::Standard, -1),
    rule(FirstPosition::Random, -1),
];

/// The length of the shortest side on which the standard start fits.
pub const SHORTEST_SIDE: usize = 8;

/// The points of the standard start: columns and rows from each corner.
const FROM_CORNER: [(u8, u8); 2] = [(2, 3), (3, 1)];

/// The number of points of each colour in a random start, which is that of the standard
/// start.
const RANDOM_EACH: usize = 4;

/// The number of attempts to draw a random start in which both sides can move, before the
/// standard start is used. This only limits the work: nearly every attempt succeeds.
const RANDOM_TRIES: u32 = 8;

/// The state of a game of Visiput.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Visiput<W: Word> {
    /// The points lit at the start and by touches.
    stones: TwoColours<W>,
    /// The points that are given at the end; empty before that.
    given: TwoColours<W>,
    /// The side to move; `None` when the game is over.
    turn: Option<Side>,
    /// The index of the mode in [`MODES`].
    mode: u8,
}

impl<W: Word> Visiput<W> {
    /// The game with these points lit. `turn` is to move or, if it has no move, its
    /// opponent.
    fn set_up(
        mode: u8,
        stones: TwoColours<W>,
        turn: Side,
        context: &mut Context<'_, W>,
    ) -> Option<Self> {
        if !fits(&MODES, mode, context.grid(), SHORTEST_SIDE) {
            return None;
        }
        let mut game = Visiput {
            stones,
            given: TwoColours::NONE,
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

    /// The points where green and red may play, regardless of the turn.
    fn open_to(&self, grid: &Grid<W>) -> [Points<W>; 2] {
        let [green, red] = self.stones.0;
        SightRules::new(grid, self.rule().margin).open_to(green, red)
    }

    /// The points that belong to green and red.
    fn owned(&self) -> TwoColours<W> {
        TwoColours(Side::BOTH.map(|side| self.stones[side] | self.given[side]))
    }

    /// The points that are given to green and red at the end: those that only that side
    /// may light.
    fn due(&self, grid: &Grid<W>) -> TwoColours<W> {
        if self.turn.is_some() {
            return TwoColours::NONE;
        }
        let [green, red] = self.open_to(grid);
        TwoColours([green.without(red), red.without(green)])
    }

    /// The side to move if it is the turn of `side`; `None` if the game is over.
    fn next_turn(&self, side: Side, grid: &Grid<W>) -> Option<Side> {
        let open = self.open_to(grid);
        if open[0] ^ open[1] == self.stones.dark(grid) {
            return None;
        }
        [side, side.other()]
            .into_iter()
            .find(|side| !open[side.index()].is_empty())
    }

    /// Gives `side` the turn, passes it over, or ends the game.
    fn give_turn(&mut self, side: Side, context: &mut Context<'_, W>) {
        self.turn = self.next_turn(side, context.grid());
        self.given = self.due(context.grid());
        if self.turn == Some(side.other()) {
            context.report(Event::Passed { side });
        }
    }
}

/// The points lit in the even modes: two near each corner, green at the top
/// left and the bottom right, red at the other two.
///
/// Each mirror image of the board exchanges the colours, so neither colour is favoured,
/// and in every mode both sides have moves.
fn standard<W: Word>(grid: &Grid<W>) -> TwoColours<W> {
    let sides = grid.sides();
    let lit = |corners: [Corner; 2]| {
        let points = corners
            .into_iter()
            .flat_map(|corner| FROM_CORNER.map(|(column, row)| corner.point(sides, column, row)));
        points.flatten().collect()
    };
    TwoColours([
        lit([Corner::TopLeft, Corner::BottomRight]),
        lit([Corner::TopRight, Corner::BottomLeft]),
    ])
}

/// A corner of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Corner {
    TopLeft,
    TopRight,
    BottomLeft,
    BottomRight,
}

impl Corner {
    /// The point that is this many columns and rows away from the corner.
    fn point(self, sides: GridSize, columns: u8, rows: u8) -> Option<Point> {
        let right = sides.columns().saturating_sub(1);
        let bottom = sides.rows().saturating_sub(1);
        let column = match self {
            Corner::TopLeft | Corner::BottomLeft => columns,
            Corner::TopRight | Corner::BottomRight => right.saturating_sub(columns),
        };
        let row = match self {
            Corner::TopLeft | Corner::TopRight => rows,
            Corner::BottomLeft | Corner::BottomRight => bottom.saturating_sub(rows),
        };
        sides.at(column, row)
    }
}

/// Random points, such that both sides can move and the game continues.
fn random<W: Word>(mode: u8, grid: &Grid<W>, rng: &mut Rng) -> TwoColours<W> {
    let drawn = (0..RANDOM_TRIES).find_map(|_| {
        let stones = TwoColours(scatter(grid, RANDOM_EACH, rng));
        let game = Visiput {
            stones,
            given: TwoColours::NONE,
            turn: None,
            mode,
        };
        let goes_on = |side| game.next_turn(side, grid) == Some(side);
        Side::BOTH.into_iter().all(goes_on).then_some(stones)
    });
    drawn.unwrap_or_else(|| standard(grid))
}

impl<W: Word> Rules<W> for Visiput<W> {
    const ABOUT: About<'static> = About {
        name: "Visiput",
        modes: MODES.len() as u8,
        time_out: TimeOut::Pass,
        illegal: Illegal::FlashLegal,
        ..About::OF_MANUAL
    };
    type Player = ThinkerOf<W, Self>;

    fn start(mode: u8, context: &mut Context<'_, W>) -> Option<Self> {
        if !fits(&MODES, mode, context.grid(), SHORTEST_SIDE) {
            return None;
        }
        let stones = match rule_of(&MODES, mode).start {
            FirstPosition::Standard => standard(context.grid()),
            FirstPosition::Random => random(mode, context.grid(), context.rng),
        };
        Self::set_up(mode, stones, Side::Green, context)
    }

    fn diagram(mode: u8, diagram: &Diagram, context: &mut Context<'_, W>) -> Option<Self> {
        let stones = TwoColours::of(diagram, context.ground)?;
        Self::set_up(mode, stones, diagram.turn, context)
    }
}

impl<W: Word> Game<W> for Visiput<W> {
    fn about(&self) -> About<'_> {
        Self::ABOUT
    }

    fn turn(&self) -> Option<Side> {
        self.turn
    }

    fn legal(&self, ground: &Ground<W>) -> Points<W> {
        let grid = ground.grid();
        self.turn
            .map_or(Points::NONE, |side| self.open_to(grid)[side.index()])
    }

    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        let Some(side) = self.turn else {
            return Touch::Ignored;
        };
        if !self.legal(context.ground).has(point) {
            return Touch::Illegal;
        }
        self.stones[side].insert(point);
        self.give_turn(side.other(), context);
        Touch::Move(self.given.lit().len() as u16)
    }

    /// Gives up the turn, which returns if the opponent has no move.
    fn pass(&mut self, context: &mut Context<'_, W>) -> bool {
        let Some(side) = self.turn else {
            return false;
        };
        self.give_turn(side.other(), context);
        true
    }

    fn outcome(&self) -> Option<Outcome> {
        self.turn
            .is_none()
            .then(|| Outcome::by_score(self.owned().count()))
    }

    fn score(&self, _ground: &Ground<W>) -> [u32; 2] {
        self.owned().count().map(u32::from)
    }

    fn paint(&self, _now: Tick, canvas: &mut Canvas<'_, W>) {
        self.owned().paint(canvas);
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let grid = ground.grid();
        fits(&MODES, self.mode, grid, SHORTEST_SIDE)
            && self.stones.is_sound(grid)
            && self.turn == self.next_turn(self.turn.unwrap_or(Side::Green), grid)
            && self.given == self.due(grid)
    }
}
