//! The line of a search in a game with small positions: each position of the line is
//! stored, so that no move has to be taken back.

use core::fmt::Debug;

use postcard::experimental::max_size::MaxSize;
use protocol::{List, Point};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::alphabeta::{SearchGame, Then};
use super::thinker::Trail;
use crate::grid::Grid;
use crate::points::Points;
use crate::word::Word;

/// The deepest search in such a game, in moves.
pub const DEEPEST: usize = 8;

/// The part of a game's state that matters to a search, from the point of view of the
/// side to move.
pub trait PositionKey<W: Word>:
    Copy + Debug + PartialEq + Serialize + DeserializeOwned + MaxSize
{
    /// False for a position that cannot come from play on this grid; for positions that
    /// were read from outside.
    fn is_sound(&self, grid: &Grid<W>) -> bool;
}

/// The continuation of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next<W, P> {
    /// The side to move has these moves; at least one.
    Moves(Points<W>),
    /// The side to move has no move. Its opponent is to move, in this position as the
    /// opponent sees it, and has these moves.
    Passed(P, Points<W>),
    /// The game is over and has this value for the side that would be to move: beyond
    /// [`CERTAIN`](super::alphabeta::CERTAIN) if that side has won or lost.
    Over(i16),
}

/// The rules of a mode on a board, in the form that a search needs.
pub trait Ahead<W: Word> {
    /// The type of position that is searched.
    type Position: PositionKey<W>;

    /// The continuation of a position. A game with many moves may omit those that are not
    /// worth searching.
    fn next(&self, position: &Self::Position) -> Next<W, Self::Position>;

    /// The position after a move, as seen by the opponent.
    fn after(&self, position: &Self::Position, point: Point) -> Self::Position;

    /// The value of the position for the side to move, without looking ahead; beyond
    /// [`CERTAIN`](super::alphabeta::CERTAIN) if the game is over.
    fn evaluate(&self, position: &Self::Position) -> i16;

    /// Those of `moves` that should be tried first. None by default.
    fn urgent(&self, position: &Self::Position, moves: Points<W>) -> Points<W> {
        let _ = (position, moves);
        Points::NONE
    }

    /// The maximum number of moves left in the game.
    fn moves_left(&self, position: &Self::Position) -> usize;
}

/// A position of a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(
    serialize = "W: Word, P: PositionKey<W>",
    deserialize = "W: Word, P: PositionKey<W>"
))]
struct KeptPosition<W: Word, P> {
    position: P,
    /// The moves that are tried first.
    urgent: Points<W>,
}

/// The positions of a line, including the first one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(
    serialize = "W: Word, P: PositionKey<W>",
    deserialize = "W: Word, P: PositionKey<W>"
))]
pub struct Positions<W: Word, P>(List<KeptPosition<W, P>, DEEPEST>);

impl<W: Word, P> Default for Positions<W, P> {
    fn default() -> Self {
        Positions(List::new())
    }
}

impl<W: Word, P: PositionKey<W>> Trail<W> for Positions<W, P> {
    fn is_sound(&self, levels: usize, grid: &Grid<W>) -> bool {
        self.0.len() == levels
            && self.0.iter().all(|stage| {
                stage.position.is_sound(grid) && stage.urgent.without(grid.all()).is_empty()
            })
    }
}

/// The line of moves from a position on.
pub struct Along<'a, W: Word, A: Ahead<W>> {
    /// The rules by which moves are made.
    pub ahead: A,
    /// The position at the root of the search.
    pub from: A::Position,
    /// The positions of the line so far.
    pub positions: &'a mut Positions<W, A::Position>,
}

impl<W: Word, A: Ahead<W>> Along<'_, W, A> {
    fn push(&mut self, position: A::Position, moves: Points<W>) {
        let urgent = self.ahead.urgent(&position, moves);
        // There is room for as many positions as a search has levels.
        let _ = self.positions.0.push(KeptPosition { position, urgent });
    }
}

impl<W: Word, A: Ahead<W>> SearchGame<W> for Along<'_, W, A> {
    fn moves_left(&self) -> usize {
        self.ahead.moves_left(&self.from)
    }

    fn begin(&mut self) -> Points<W> {
        self.positions.0.clear();
        let Next::Moves(moves) = self.ahead.next(&self.from) else {
            return Points::NONE;
        };
        self.push(self.from, moves);
        moves
    }

    #[inline]
    fn go(&mut self, point: Point, is_last: bool) -> Then<W> {
        let last = self.positions.0.last();
        let after = last.map_or(self.from, |stage| self.ahead.after(&stage.position, point));
        if is_last {
            return Then::Worth(self.ahead.evaluate(&after));
        }
        match self.ahead.next(&after) {
            Next::Moves(moves) => {
                self.push(after, moves);
                Then::Moves(moves)
            }
            Next::Passed(turned, moves) => {
                self.push(turned, moves);
                Then::Again(moves)
            }
            Next::Over(value) => Then::Worth(value),
        }
    }

    fn back(&mut self) {
        self.positions.0.pop();
    }

    fn first(&self, untried: Points<W>) -> Points<W> {
        let urgent = self.positions.0.last().map(|stage| stage.urgent & untried);
        urgent
            .filter(|urgent| !urgent.is_empty())
            .unwrap_or(untried)
    }
}
