//! CountLines (Maldoo manual, 5. CountLines).
//!
//! Green and red take turns to place stones on dark points. Each straight line of four
//! stones of one colour, including diagonals, is a point for its player. Lines may
//! overlap: five in a row are two lines, six are three.
//!
//! Players may not place a stone within three points of their own previous one, unless
//! they would have no move then.
//!
//! | mode | the game ends | a stone that is too close |
//! | --- | --- | --- |
//! | 0 | when the board is full | forbidden |
//! | 1 | with the first line | forbidden |
//! | 2 | when the board is full | allowed |
//! | 3 | with the first line | forbidden |
//! | 4 | when the board is full | allowed |
//!
//! The player with more lines wins. [`lines()`] counts lines, [`player`] plays red.
//!
//! Invariants: the side to move has a legal point; stones never change; it is nobody's
//! turn exactly when the game is over.

pub mod lines;
pub mod player;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;

use postcard::experimental::max_size::MaxSize;
use protocol::{Diagram, Outcome, Point, Side, Tick};
use serde::{Deserialize, Serialize};

use self::lines::lines;
use crate::game::{About, Canvas, Context, Game, Illegal, Rules, TimeOut, Touch, rule_of};
use crate::grid::Grid;
use crate::ground::Ground;
use crate::minds::thinker::ThinkerOf;
use crate::points::Points;
use crate::two_colours::TwoColours;
use crate::word::Word;

/// The number of stones in a row that make a line.
pub const LINE: usize = 4;

/// The condition that ends a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The game ends when the board is full.
    FullBoard,
    /// The game ends with the first line, or when the board is full.
    FirstLine,
}

/// Whether players may place a stone close to their own previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    /// No: it must be at least three points away.
    Forbidden,
    /// A stone may be placed anywhere.
    Allowed,
}

/// The differences between modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The condition that ends a game.
    pub end: End,
    /// Whether stones may be set close together.
    pub close: Close,
}

/// The modes of the manual, in order: "in modes 1 and 3 the game stops", "in modes 2 and
/// 4 the restriction is removed". Taken literally, mode 3 is the same as 1, and 4 the
/// same as 2.
pub const MODES: [Rule; 5] = [
    Rule {
        end: End::FullBoard,
        close: Close::Forbidden,
    },
    Rule {
        end: End::FirstLine,
        close: Close::Forbidden,
    },
    Rule {
        end: End::FullBoard,
        close: Close::Allowed,
    },
    Rule {
        end: End::FirstLine,
        close: Close::Forbidden,
    },
    Rule {
        end: End::FullBoard,
        close: Close::Allowed,
    },
];

/// The state of a game of CountLines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct CountLines<W: Word> {
    /// The stones on the board.
    stones: TwoColours<W>,
    /// The last stone of green and of red, if any.
    last: [Option<Point>; 2],
    /// The number of lines of green and red.
    lines: [u16; 2],
    /// The side to move; `None` when the game is over.
    turn: Option<Side>,
    /// The index of the mode in [`MODES`].
    mode: u8,
}

/// The points at which a stone would be too close to this one: less than three points
/// away in a straight line, which on a grid is the block of 5x5 around it.
fn too_close<W: Word>(last: Option<Point>, grid: &Grid<W>) -> Points<W> {
    // A point that was read from outside may be off the board.
    let Some(last) = last.filter(|point| grid.sides().has(*point)) else {
        return Points::NONE;
    };
    let stone = Points::one(last);
    let near = stone | grid.neighbours(stone);
    near | grid.neighbours(near)
}

/// The points where a side with the previous stone `last` may play: the dark points that
/// are not too close to it or, if there are none, all dark points.
fn open_to<W: Word>(
    dark: Points<W>,
    last: Option<Point>,
    close: Close,
    grid: &Grid<W>,
) -> Points<W> {
    let far = match close {
        Close::Forbidden => dark.without(too_close(last, grid)),
        Close::Allowed => dark,
    };
    if far.is_empty() { dark } else { far }
}

impl<W: Word> CountLines<W> {
    fn set_up(
        mode: u8,
        stones: TwoColours<W>,
        turn: Side,
        context: &mut Context<'_, W>,
    ) -> Option<Self> {
        if !fits(mode, context.grid()) {
            return None;
        }
        let mut game = CountLines {
            stones,
            last: [None; 2],
            lines: [0; 2],
            turn: None,
            mode,
        };
        game.lines = game.count(context.grid());
        game.turn = game.next_turn(turn, context.grid());
        Some(game)
    }

    /// The rules of the mode.
    fn rule(&self) -> Rule {
        rule_of(&MODES, self.mode)
    }

    fn count(&self, grid: &Grid<W>) -> [u16; 2] {
        self.stones.0.map(|stones| lines(stones, grid))
    }

    /// The side to move if it is the turn of `side`; `None` if the game is over.
    fn next_turn(&self, side: Side, grid: &Grid<W>) -> Option<Side> {
        let decided = self.rule().end == End::FirstLine && self.lines != [0, 0];
        (!decided && !self.stones.dark(grid).is_empty()).then_some(side)
    }
}

/// True if the mode exists and the board has room for a line.
fn fits<W: Word>(mode: u8, grid: &Grid<W>) -> bool {
    usize::from(mode) < MODES.len() && (grid.columns() >= LINE || grid.rows() >= LINE)
}

impl<W: Word> Rules<W> for CountLines<W> {
    const ABOUT: About<'static> = About {
        name: "CountLines",
        modes: MODES.len() as u8,
        time_out: TimeOut::Pass,
        illegal: Illegal::FlashLegal,
        ..About::OF_MANUAL
    };
    type Player = ThinkerOf<W, Self>;

    fn start(mode: u8, context: &mut Context<'_, W>) -> Option<Self> {
        Self::set_up(mode, TwoColours::NONE, Side::Green, context)
    }

    /// Sets up the stones as if no player had placed them: the next stone of each side
    /// may be placed anywhere.
    fn diagram(mode: u8, diagram: &Diagram, context: &mut Context<'_, W>) -> Option<Self> {
        let stones = TwoColours::of(diagram, context.ground)?;
        Self::set_up(mode, stones, diagram.turn, context)
    }
}

impl<W: Word> Game<W> for CountLines<W> {
    fn about(&self) -> About<'_> {
        Self::ABOUT
    }

    fn turn(&self) -> Option<Side> {
        self.turn
    }

    fn legal(&self, ground: &Ground<W>) -> Points<W> {
        let grid = ground.grid();
        self.turn.map_or(Points::NONE, |side| {
            open_to(
                self.stones.dark(grid),
                self.last[side.index()],
                self.rule().close,
                grid,
            )
        })
    }

    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        let Some(side) = self.turn else {
            return Touch::Ignored;
        };
        if !self.legal(context.ground).has(point) {
            return Touch::Illegal;
        }
        self.stones[side].insert(point);
        self.last[side.index()] = Some(point);
        self.lines = self.count(context.grid());
        self.turn = self.next_turn(side.other(), context.grid());
        Touch::Move(0)
    }

    /// Passes the turn. The next stone must still keep its distance from the previous
    /// one.
    fn pass(&mut self, _context: &mut Context<'_, W>) -> bool {
        self.turn = self.turn.map(Side::other);
        self.turn.is_some()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.turn.is_none().then(|| Outcome::by_score(self.lines))
    }

    fn score(&self, _ground: &Ground<W>) -> [u32; 2] {
        self.lines.map(u32::from)
    }

    fn paint(&self, _now: Tick, canvas: &mut Canvas<'_, W>) {
        self.stones.paint(canvas);
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let grid = ground.grid();
        let is_own = |side: Side| {
            let stone = self.last[side.index()];
            stone.is_none_or(|stone| self.stones[side].has(stone))
        };
        fits(self.mode, grid)
            && self.stones.is_sound(grid)
            && Side::BOTH.into_iter().all(is_own)
            && self.lines == self.count(grid)
            && self.turn == self.next_turn(self.turn.unwrap_or(Side::Green), grid)
    }
}
