//! TicDabToe: Ultimate Tic-Tac-Toe of four by four, as played in a contest of programs at
//! IIIT Hyderabad in 2017 (github.com/FleetAdmiral/TicDabToe; its simulator decides where
//! its text leaves something open).
//!
//! The board consists of sixteen blocks of sixteen cells. Green and red take turns to
//! mark a cell. The place of a mark in its block determines the block in which the other
//! side has to answer. A line of four in a block wins the block, which is then closed; a
//! line of four blocks wins the game. A side that is sent to a block that is won or full
//! may move in any other block.
//!
//! The winner of a game gets 16 points and the loser none; in a draw each side gets as
//! many points as it has blocks. A side whose time runs out has lost.
//!
//! | mode | who begins |
//! | --- | --- |
//! | 0 | green |
//! | 1 | green or red, by chance |
//!
//! [`Position`] contains the rules without a board, and [`squares`] what a block and the
//! board have in common. [`player`] plays red: it searches along a [`mod@line`] and
//! judges positions with [`evaluate`].
//!
//! Invariants: the board has 16x16 points; the side to move has a legal cell; it is
//! nobody's turn exactly when the game is over.

pub mod evaluate;
pub mod line;
pub mod player;
pub mod position;
pub mod squares;

#[cfg(test)]
mod matches;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;

use core::marker::PhantomData;

use postcard::experimental::max_size::MaxSize;
use protocol::{Colour, Diagram, GridSize, Outcome, Point, Rhythm, Side, Tick};
use serde::{Deserialize, Serialize};

use crate::game::{About, Canvas, Context, Game, Illegal, Rules, TimeOut, Touch, rule_of, stones};
use crate::ground::Ground;
use crate::minds::thinker::ThinkerOf;
use crate::points::Points;
use crate::word::Word;

use position::BOARD_SIDE;
pub use position::{
    BYTES, Block, IllegalMark, POINTS_OF_A_WIN, Position, block_of, cell_of, point_of,
    points_of_a_win,
};
use squares::{ALL, PLACES, SIDE, Squares, lines_in, place, places};

/// The side that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// Green always begins.
    Green,
    /// A random choice decides who begins.
    Chance,
}

/// The side that begins, for each mode.
pub const MODES: [First; 2] = [First::Green, First::Chance];

/// The colours of empty cells in a block that is in play but not open, and in one that is
/// open, each for both shades. The shades alternate like on a chessboard, so that the
/// blocks are visible.
const GROUND: [[Colour; 2]; 2] = [
    [Colour::OFF, Colour::new(11)],
    [Colour::new(14), Colour::WHITE],
];
/// The colour of all cells in a drawn block.
const DRAWN: Colour = Colour::AMBER;
/// The rhythm of the last mark.
const LAST: Rhythm = Rhythm::Wink;
/// The rhythm of the line of blocks that won the game.
const LINE: Rhythm = Rhythm::Slow;

/// The size of the board.
const SIDES: GridSize = match GridSize::new(BOARD_SIDE, BOARD_SIDE) {
    Ok(sides) => sides,
    Err(_) => GridSize::MALDOO,
};

/// The state of a game of TicDabToe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound = "")]
pub struct TicDabToe<W: Word> {
    position: Position,
    /// True if the time of the side to move is over, so that it has lost.
    is_late: bool,
    /// The index of the mode in [`MODES`].
    mode: u8,
    /// The word of the sets of points.
    word: PhantomData<W>,
}

/// The size of the board, the same in all modes.
#[must_use]
pub fn made_for(_mode: u8) -> GridSize {
    SIDES
}

/// The points of these cells of a block.
fn points_of<W: Word>(block: usize, cells: Squares) -> Points<W> {
    let one_by_one =
        |cells: Squares| -> Points<W> { places(cells).map(|cell| point_of(block, cell)).collect() };
    // In a wide word, setting a bit costs about as much as doubling all of them.
    if cells.count_ones() as usize <= PLACES / 2 {
        return one_by_one(cells);
    }
    let first = W::bit(point_of(block, 0).index());
    let pair = first | first.up_short(1);
    let row = pair | pair.up_short(2);
    let rows = row | row.up_short(BOARD_SIDE.into());
    let all = rows | rows.up(2 * usize::from(BOARD_SIDE));
    Points(all).without(one_by_one(!cells))
}

/// The shade of a block, 0 or 1; neighbouring blocks have different shades.
fn shade(block: usize) -> usize {
    (block / SIDE + block) % 2
}

impl<W: Word> TicDabToe<W> {
    fn set_up(mode: u8, position: Position, ground: &Ground<W>) -> Option<Self> {
        let game = TicDabToe {
            position,
            is_late: false,
            mode,
            word: PhantomData,
        };
        game.is_sound(ground).then_some(game)
    }

    /// The marks on the board, the side to move, and where it may move.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The side that has lost because its time ran out.
    #[must_use]
    pub fn late(&self) -> Option<Side> {
        self.is_late.then_some(self.position.mover())
    }

    /// The cells that show the colour of this side without blinking: its marks in blocks
    /// that are in play, and its blocks.
    fn shown_as(&self, side: Side) -> Points<W> {
        (0..PLACES).fold(Points::NONE, |all, block| {
            let cells = match self.position.block(block) {
                Block::InPlay => self.position.marks(block)[side.index()],
                Block::Won(winner) if winner == side => ALL,
                Block::Won(_) | Block::Drawn => 0,
            };
            all | points_of(block, cells)
        })
    }

    /// The blocks of the lines that won the game.
    fn winning_blocks(&self) -> Squares {
        let won = Side::BOTH.map(|side| lines_in(self.position.won(side)).fold(0, |a, b| a | b));
        won[0] | won[1]
    }
}

impl<W: Word> Rules<W> for TicDabToe<W> {
    const ABOUT: About<'static> = About {
        name: "TicDabToe",
        modes: MODES.len() as u8,
        time_out: TimeOut::Pass,
        illegal: Illegal::FlashLegal,
        board_can_play: true,
        any_layout: false,
        keeps_best: 0,
        made_for,
    };
    type Player = ThinkerOf<W, Self>;

    fn start(mode: u8, context: &mut Context<'_, W>) -> Option<Self> {
        let game = Self::set_up(mode, Position::start(), context.ground)?;
        let first = match rule_of(&MODES, mode) {
            First::Green => Side::Green,
            First::Chance => Side::BOTH[usize::from(context.rng.below(2) == 1)],
        };
        Some(TicDabToe {
            position: Position::start_of(first),
            ..game
        })
    }

    /// Sets up the marks as if nobody had moved, so that the next move is free.
    fn diagram(mode: u8, diagram: &Diagram, context: &mut Context<'_, W>) -> Option<Self> {
        let [green, red] = stones(diagram, context.ground)?;
        let mut marks = [[0; 2]; PLACES];
        for (index, points) in [green, red].into_iter().enumerate() {
            points.for_each(|point| marks[block_of(point)][index] |= place(cell_of(point)));
        }
        let position = Position::of(marks, diagram.turn, None)?;
        Self::set_up(mode, position, context.ground)
    }

    fn own_position(mode: u8, bytes: &[u8], context: &mut Context<'_, W>) -> Option<Self> {
        Self::set_up(mode, Position::of_bytes(bytes)?, context.ground)
    }
}

impl<W: Word> Game<W> for TicDabToe<W> {
    fn about(&self) -> About<'_> {
        Self::ABOUT
    }

    fn turn(&self) -> Option<Side> {
        self.position.turn().filter(|_| !self.is_late)
    }

    fn legal(&self, _ground: &Ground<W>) -> Points<W> {
        if self.is_late {
            return Points::NONE;
        }
        places(self.position.open_blocks()).fold(Points::NONE, |all, block| {
            all | points_of(block, self.position.free(block))
        })
    }

    fn touch(&mut self, point: Point, _context: &mut Context<'_, W>) -> Touch {
        if self.turn().is_none() {
            return Touch::Ignored;
        }
        match self.position.play(point) {
            Ok(position) => {
                self.position = position;
                Touch::Move(0)
            }
            Err(_) => Touch::Illegal,
        }
    }

    /// There is always a move, and a side that does not make one has lost.
    fn pass(&mut self, _context: &mut Context<'_, W>) -> bool {
        false
    }

    /// "Exceeds time limit": the side loses the game.
    fn time_out(&mut self, _context: &mut Context<'_, W>) {
        self.is_late = self.turn().is_some();
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.late() {
            Some(side) => Some(Outcome::Won(side.other())),
            None => self.position.outcome(),
        }
    }

    fn score(&self, _ground: &Ground<W>) -> [u32; 2] {
        let points = match self.late() {
            Some(side) => points_of_a_win(side.other()),
            None => self.position.points(),
        };
        points.map(u32::from)
    }

    fn paint(&self, _now: Tick, canvas: &mut Canvas<'_, W>) {
        let open = match self.turn() {
            Some(_) => self.position.open_blocks(),
            None => 0,
        };
        let mut grounds = [[Points::NONE; 2]; 2];
        for block in places(self.position.in_play()) {
            let is_open = usize::from(open & place(block) != 0);
            grounds[is_open][shade(block)] |= points_of(block, self.position.free(block));
        }
        for (points, colours) in grounds.iter().zip(GROUND) {
            canvas.fill(points[0], colours[0]);
            canvas.fill(points[1], colours[1]);
        }
        for side in Side::BOTH {
            canvas.fill(self.shown_as(side), side.into());
        }
        let drawn = places(self.position.drawn());
        let drawn = drawn.fold(Points::NONE, |all, block| all | points_of(block, ALL));
        canvas.fill(drawn, DRAWN);
        // The beat starts with the game, so that it continues from move to move.
        if let Some(last) = self.position.last() {
            canvas.blink(Points::one(last), LAST, 0);
        }
        for block in places(self.winning_blocks()) {
            canvas.blink(points_of(block, ALL), LINE, 0);
        }
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        usize::from(self.mode) < MODES.len()
            && ground.drawing().is_none()
            && ground.grid().sides() == SIDES
            && self.position.is_sound()
            && (!self.is_late || self.position.outcome().is_none())
    }
}
