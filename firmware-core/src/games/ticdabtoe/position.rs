//! The rules of TicDabToe without a board: the marks, the side to move, and where it may
//! make a mark.
//!
//! A [`Position`] is a small value that can be copied, so a search or a contest needs
//! nothing else of the game:
//!
//! ```
//! use firmware_core::games::ticdabtoe::Position;
//!
//! let mut position = Position::start();
//! while let Some(point) = position.legal().next() {
//!     position = position.play(point)?;
//! }
//! assert!(position.outcome().is_some());
//! # Ok::<(), firmware_core::games::ticdabtoe::IllegalMark>(())
//! ```
//!
//! Invariants: the state of each block (won, drawn or in play) agrees with its marks;
//! nobody marks a block that is not in play; the game is over when a side has a line of
//! blocks, or no block is in play.

use postcard::experimental::max_size::MaxSize;
use protocol::{GridSize, Outcome, Point, Side};
use serde::{Deserialize, Serialize};

use super::squares::{ALL, PLACES, SIDE, Squares, common, has_line, place, places};

/// The number of columns, and of rows, of the board.
pub const BOARD_SIDE: u8 = 16;

const _: () = assert!(BOARD_SIDE as usize == SIDE * SIDE && BOARD_SIDE <= GridSize::MAX);

/// The points of the winner. In a draw each side has as many points as blocks.
pub const POINTS_OF_A_WIN: u16 = 16;

/// The length in bytes of a position in its own form: the side to move, the last move,
/// and the marks.
pub const BYTES: usize = 2 + PLACES * 4;

/// The bit of the first byte, in that form, that is set if there was a last move.
const HAS_LAST: u8 = 2;

/// The state of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// The block is neither won nor full.
    InPlay,
    /// This side made a line in the block, which is closed.
    Won(Side),
    /// The block is full, and nobody made a line in it.
    Drawn,
}

/// Why a mark is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMark {
    /// The game is over.
    Over,
    /// The cell is in a block that is not open to the player.
    Closed,
    /// The cell has a mark.
    Taken,
}

/// A position: 16 blocks of 16 cells, the side to move, and the last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub struct Position {
    /// For each block, the cells of green and of red.
    marks: [[Squares; 2]; PLACES],
    /// The blocks that green and red have won.
    won: [Squares; 2],
    /// The full blocks that nobody won.
    drawn: Squares,
    /// The side to move, or that would be to move if the game were not over.
    mover: Side,
    /// The last move; if there is none, the next move is free.
    last: Option<Point>,
}

/// The number of the block that contains a point.
#[must_use]
pub const fn block_of(point: Point) -> usize {
    let index = point.index();
    index / 64 * SIDE + index / SIDE % SIDE
}

/// The number of a point's cell within its block, which is also the number of the block
/// in which the opponent has to answer.
#[must_use]
pub const fn cell_of(point: Point) -> usize {
    let index = point.index();
    index / 16 % SIDE * SIDE + index % SIDE
}

/// The point of a cell of a block.
#[inline]
#[must_use]
pub const fn point_of(block: usize, cell: usize) -> Point {
    let row = block / SIDE % SIDE * SIDE + cell / SIDE % SIDE;
    let column = block % SIDE * SIDE + cell % SIDE;
    Point((row * BOARD_SIDE as usize + column) as u8)
}

impl Position {
    /// The empty board with green, the side of `x`, to move: any cell is legal.
    #[must_use]
    pub const fn start() -> Position {
        Position::start_of(Side::Green)
    }

    /// The empty board with this side to move.
    #[must_use]
    pub const fn start_of(first: Side) -> Position {
        Position {
            marks: [[0; 2]; PLACES],
            won: [0; 2],
            drawn: 0,
            mover: first,
            last: None,
        }
    }

    /// The position with these marks of green and red in each block; `None` if it cannot
    /// come from play. Without a last move, the next move is free.
    #[must_use]
    pub fn of(marks: [[Squares; 2]; PLACES], mover: Side, last: Option<Point>) -> Option<Position> {
        let mut position = Position {
            marks,
            mover,
            last,
            ..Position::start()
        };
        for block in 0..PLACES {
            position.settle(block);
        }
        position.is_sound().then_some(position)
    }

    /// The side to move; `None` when the game is over.
    #[must_use]
    pub fn turn(&self) -> Option<Side> {
        self.outcome().is_none().then_some(self.mover)
    }

    /// The side to move, or that would be to move if the game were not over.
    #[inline]
    #[must_use]
    pub fn mover(&self) -> Side {
        self.mover
    }

    /// The last move, if there was one.
    #[must_use]
    pub fn last(&self) -> Option<Point> {
        self.last
    }

    /// The cells of green and of red in a block, 0..16.
    #[must_use]
    pub fn marks(&self, block: usize) -> [Squares; 2] {
        self.marks[block % PLACES]
    }

    /// The side whose mark is on a point.
    #[must_use]
    pub fn mark_at(&self, point: Point) -> Option<Side> {
        let (marks, cell) = (self.marks(block_of(point)), place(cell_of(point)));
        let has = |side: &Side| marks[side.index()] & cell != 0;
        Side::BOTH.into_iter().find(has)
    }

    /// The state of a block, 0..16.
    #[must_use]
    pub fn block(&self, block: usize) -> Block {
        let block = place(block);
        let winner = |side: &Side| self.won(*side) & block != 0;
        match Side::BOTH.into_iter().find(winner) {
            Some(side) => Block::Won(side),
            None if self.drawn & block != 0 => Block::Drawn,
            None => Block::InPlay,
        }
    }

    /// The states of all blocks, row by row from the top.
    #[must_use]
    pub fn blocks(&self) -> [Block; PLACES] {
        core::array::from_fn(|block| self.block(block))
    }

    /// The blocks that a side has won.
    #[inline]
    #[must_use]
    pub fn won(&self, side: Side) -> Squares {
        self.won[side.index()]
    }

    /// The blocks that are full and that nobody has won.
    #[must_use]
    pub fn drawn(&self) -> Squares {
        self.drawn
    }

    /// The blocks that are neither won nor full.
    #[inline]
    #[must_use]
    pub fn in_play(&self) -> Squares {
        !(self.won[0] | self.won[1] | self.drawn)
    }

    /// The block in which the side to move must play; `None` if the move is free or the
    /// game is over.
    #[must_use]
    pub fn open_block(&self) -> Option<usize> {
        let block = cell_of(self.last?);
        let is_bound = self.in_play() & place(block) != 0 && self.outcome().is_none();
        is_bound.then_some(block)
    }

    /// The blocks in which the side to move may play: one, or all that are in play; none
    /// when the game is over.
    #[must_use]
    pub fn open_blocks(&self) -> Squares {
        match self.open_block() {
            Some(block) => place(block),
            None if self.outcome().is_none() => self.in_play(),
            None => 0,
        }
    }

    /// The cells of a block that have no mark.
    #[must_use]
    pub fn free(&self, block: usize) -> Squares {
        let [green, red] = self.marks(block);
        !(green | red)
    }

    /// The legal points of the side to move, block by block.
    pub fn legal(&self) -> impl Iterator<Item = Point> + use<> {
        let position = *self;
        places(self.open_blocks()).flat_map(move |block| {
            places(position.free(block)).map(move |cell| point_of(block, cell))
        })
    }

    /// Checks that the side to move may play here.
    ///
    /// # Errors
    /// The reason why it may not.
    pub fn allows(&self, point: Point) -> Result<(), IllegalMark> {
        let block = block_of(point);
        if self.outcome().is_some() {
            Err(IllegalMark::Over)
        } else if self.open_blocks() & place(block) == 0 {
            Err(IllegalMark::Closed)
        } else if self.free(block) & place(cell_of(point)) == 0 {
            Err(IllegalMark::Taken)
        } else {
            Ok(())
        }
    }

    /// The position after a move.
    ///
    /// # Errors
    /// The reason why the side to move may not play here.
    pub fn play(self, point: Point) -> Result<Position, IllegalMark> {
        self.allows(point)?;
        Ok(self.after(point))
    }

    /// The position after a legal move; for other moves the result is not a valid
    /// position.
    #[must_use]
    pub fn after(mut self, point: Point) -> Position {
        let block = block_of(point);
        self.marks[block % PLACES][self.mover.index()] |= place(cell_of(point));
        self.settle(block);
        self.mover = self.mover.other();
        self.last = Some(point);
        self
    }

    /// The outcome, once the game is over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let winner = Side::BOTH
            .into_iter()
            .find(|side| has_line(self.won(*side)));
        match winner {
            Some(side) => Some(Outcome::Won(side)),
            None if self.in_play() == 0 => Some(Outcome::Draw),
            None => None,
        }
    }

    /// The points of both sides, `[green, red]`: once a side has won, 16 for the winner
    /// and none for the loser; until then, and in a drawn game, the number of blocks of
    /// each side.
    #[must_use]
    pub fn points(&self) -> [u16; 2] {
        match self.outcome() {
            Some(Outcome::Won(side)) => points_of_a_win(side),
            _ => self.won.map(|won| won.count_ones() as u16),
        }
    }

    /// The position as bytes, in the game's own form.
    #[must_use]
    pub fn bytes(&self) -> [u8; BYTES] {
        let has_last = if self.last.is_some() { HAS_LAST } else { 0 };
        let mut bytes = [0; BYTES];
        let (head, cells) = bytes.split_at_mut(2);
        head.copy_from_slice(&[
            self.mover.index() as u8 | has_last,
            self.last.map_or(0, |last| last.0),
        ]);
        let words = self.marks.iter().flatten();
        for (bytes, word) in cells.chunks_exact_mut(2).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// Reads a position that [`Position::bytes`] wrote; `None` if the bytes are not a
    /// valid position.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Option<Position> {
        let (&[head, last], cells) = bytes.split_first_chunk()?;
        let mover = *Side::BOTH.get(usize::from(head & !HAS_LAST))?;
        let has_last = head & HAS_LAST != 0;
        if cells.len() != BYTES - 2 || (!has_last && last != 0) {
            return None;
        }
        let mut marks = [[0; 2]; PLACES];
        for (word, bytes) in marks.iter_mut().flatten().zip(cells.chunks_exact(2)) {
            *word = Squares::from_le_bytes(bytes.try_into().ok()?);
        }
        Position::of(marks, mover, has_last.then_some(Point(last)))
    }

    /// False for a position that cannot come from play, whatever position the game
    /// started from.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let mut settled = *self;
        (settled.won, settled.drawn) = ([0; 2], 0);
        for block in 0..PLACES {
            settled.settle(block);
        }
        let marks_are_sound = self.marks.iter().all(|marks| ends_with_a_line(*marks));
        settled == *self
            && marks_are_sound
            && ends_with_a_line(self.won)
            && self.last.is_none_or(|last| self.may_be_last(last))
    }

    /// True if this may have been the last move, made by the opponent of the side to
    /// move.
    fn may_be_last(&self, last: Point) -> bool {
        let side = self.mover.other();
        let (block, cell) = (block_of(last), place(cell_of(last)));
        let marks = self.marks(block)[side.index()];
        let is_in_time = match self.block(block) {
            Block::Won(winner) => winner == side && common(marks) & cell != 0,
            Block::InPlay | Block::Drawn => true,
        };
        let ends_it = match self.outcome() {
            Some(Outcome::Won(winner)) => {
                winner == side && common(self.won(side)) & place(block) != 0
            }
            Some(Outcome::Draw) | None => true,
        };
        marks & cell != 0 && is_in_time && ends_it
    }

    /// Updates the state of a block that may have been won or filled.
    fn settle(&mut self, block: usize) {
        let [green, red] = self.marks(block);
        let place = place(block);
        if has_line(green) {
            self.won[0] |= place;
        } else if has_line(red) {
            self.won[1] |= place;
        } else if green | red == ALL {
            self.drawn |= place;
        }
    }
}

/// The points of a game that this side has won, `[green, red]`.
#[must_use]
pub const fn points_of_a_win(winner: Side) -> [u16; 2] {
    match winner {
        Side::Green => [POINTS_OF_A_WIN, 0],
        Side::Red => [0, POINTS_OF_A_WIN],
    }
}

/// True if two sides can have these places in a square in which the first line ends play:
/// no place belongs to both, at most one side has lines, and these lines have a place in
/// common.
fn ends_with_a_line([green, red]: [Squares; 2]) -> bool {
    let one_has_lines = !(has_line(green) && has_line(red));
    green & red == 0 && one_has_lines && common(green) != 0 && common(red) != 0
}
