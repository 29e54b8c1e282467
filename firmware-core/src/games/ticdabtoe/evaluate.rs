//! The evaluation of a position of TicDabToe, without looking ahead.
//!
//! In each block, each side has a chance to win it, which depends on the lines that are
//! still open to it there. The value of a line of blocks is the product of its four
//! chances, and the value of a position is a side's share of the sum over all lines. If
//! one more mark wins the block to which the side to move is sent, that block counts as
//! won.

use postcard::experimental::max_size::MaxSize;
use protocol::{Point, Side};
use serde::{Deserialize, Serialize};

use super::position::{Position, block_of};
use super::squares::{LINES, PLACES, Squares, has_line, place, places};
use crate::minds::alphabeta::{certain, guess};

/// The value of a won game, in addition to [`CERTAIN`](crate::minds::alphabeta::CERTAIN).
pub const WON: i16 = 1_000;
/// The value of one more block in a drawn game.
pub const BLOCK: i16 = 100;
/// The value of owning all the value of lines of blocks.
pub const WHOLE: i32 = 8_000;
/// The value of one more block during the game.
const LEAD: i32 = 20;
/// The value of a line in a block for a side with 0, 1, 2 and 3 marks in it, if its
/// opponent has none.
const OPEN: [u32; 4] = [2, 5, 14, 40];
/// The weight of the outcome that nobody wins the block, relative to the open lines of
/// both sides.
const NOBODY: u32 = 100;
/// The chance to win a block that has been won.
const SURE: u32 = 255;
/// The chance to win a block that needs one more mark, if the side is to move there.
const AT_HAND: u8 = 180;
/// The remaining chance of the other side in that case.
const LEFT: u8 = 8;
/// The product of four chances is shifted right by this many bits, so that [`WHOLE`]
/// times the sum of all products does not overflow.
const LINE_SHIFT: u32 = 18;
/// The weight of the outcome that nobody makes a line of blocks, relative to those of
/// both sides.
const LEVELLER: i32 = 1_500;
/// The value of a free move.
const FREE: i32 = 300;

/// A position, and the chances of both sides in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub struct Evaluation {
    position: Position,
    /// For each block, the chances of green and red to win it, out of [`SURE`].
    chances: [[u8; 2]; PLACES],
    /// The blocks that green and red win with one more mark.
    ready: [Squares; 2],
}

/// The blocks of each line of blocks.
const BLOCK_LINES: [[usize; 4]; 10] = {
    let mut lines = [[0; 4]; 10];
    let mut line = 0;
    while line < LINES.len() {
        let (mut block, mut count) = (0, 0);
        while block < PLACES {
            if LINES[line] & 1 << block != 0 {
                lines[line][count] = block;
                count += 1;
            }
            block += 1;
        }
        line += 1;
    }
    lines
};

/// The chances of two sides with these marks to win a block in play, and whether they win
/// it with one more mark.
fn chances(marks: [Squares; 2]) -> ([u8; 2], [bool; 2]) {
    let (mut hopes, mut ready) = ([0; 2], [false; 2]);
    for line in LINES {
        let both = [marks[0] & line, marks[1] & line];
        for side in Side::BOTH {
            if both[side.other().index()] == 0 {
                let marks = both[side.index()].count_ones() as usize % OPEN.len();
                hopes[side.index()] += OPEN[marks];
                ready[side.index()] |= marks == OPEN.len() - 1;
            }
        }
    }
    let all = hopes[0] + hopes[1] + NOBODY;
    let chance = |side: usize| (SURE * hopes[side] / all) as u8;
    ([chance(0), chance(1)], ready)
}

impl Evaluation {
    /// The evaluation of a position.
    #[must_use]
    pub fn of(position: Position) -> Evaluation {
        let mut view = Evaluation {
            position,
            chances: [[0; 2]; PLACES],
            ready: [0; 2],
        };
        for block in 0..PLACES {
            view.look_at(block);
        }
        view
    }

    /// The position that is evaluated.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The blocks that a side wins with one more mark.
    #[must_use]
    pub fn ready(&self, side: Side) -> Squares {
        self.ready[side.index()]
    }

    /// The evaluation after a legal move.
    #[must_use]
    pub fn after(mut self, point: Point) -> Evaluation {
        self.position = self.position.after(point);
        self.look_at(block_of(point));
        self
    }

    /// Recomputes the chances of a block.
    fn look_at(&mut self, block: usize) {
        let bit = place(block);
        let (chances, ready) = if self.position.in_play() & bit != 0 {
            chances(self.position.marks(block))
        } else {
            let has_won = |side| self.position.won(side) & bit != 0;
            let chance = |side| if has_won(side) { SURE as u8 } else { 0 };
            ([chance(Side::Green), chance(Side::Red)], [false; 2])
        };
        self.chances[block % PLACES] = chances;
        for side in Side::BOTH {
            let blocks = &mut self.ready[side.index()];
            *blocks = *blocks & !bit | if ready[side.index()] { bit } else { 0 };
        }
    }

    /// The value of a finished game for the side that would be to move; `None` if the
    /// game is not over.
    #[must_use]
    pub fn end(&self) -> Option<i16> {
        let (mover, other) = (self.position.mover(), self.position.mover().other());
        if has_line(self.position.won(other)) {
            return Some(certain(-1, WON));
        }
        let won = |side| self.position.won(side).count_ones() as i16;
        let is_drawn = self.position.in_play() == 0;
        is_drawn.then(|| (won(mover) - won(other)) * BLOCK)
    }

    /// The value for the side to move.
    #[must_use]
    pub fn value(&self) -> i16 {
        if let Some(value) = self.end() {
            return value;
        }
        let mover = self.position.mover();
        let open = self.position.open_blocks();
        let ready = self.ready(mover) & open;
        let wins = |block| has_line(self.position.won(mover) | place(block));
        if places(ready).any(wins) {
            return certain(1, WON);
        }
        let best = places(ready).map(|block| self.having(mover, block).worth(mover));
        let worth = best.max().unwrap_or_else(|| self.worth(mover));
        let is_free = open & open.wrapping_sub(1) != 0;
        guess(worth + if is_free { FREE } else { 0 })
    }

    /// The evaluation as if this side were about to win the block.
    fn having(mut self, side: Side, block: usize) -> Evaluation {
        let chances = &mut self.chances[block % PLACES];
        *chances = chances.map(|chance| chance / LEFT);
        chances[side.index()] = AT_HAND;
        self
    }

    /// The value of the position for a side, independent of the side to move.
    fn worth(&self, side: Side) -> i32 {
        let [green, red] = self.lines();
        let won = |side| self.position.won(side).count_ones() as i32;
        let lead = won(Side::Green) - won(Side::Red);
        let worth = WHOLE * (green - red) / (green + red + LEVELLER) + LEAD * lead;
        match side {
            Side::Green => worth,
            Side::Red => -worth,
        }
    }

    /// The values of the lines of blocks for green and red.
    fn lines(&self) -> [i32; 2] {
        let mut worth = [0; 2];
        for line in BLOCK_LINES {
            let (mut green, mut red) = (1, 1);
            for block in line {
                let chances = self.chances[block % PLACES];
                green *= u32::from(chances[0]);
                red *= u32::from(chances[1]);
            }
            worth[0] += (green >> LINE_SHIFT) as i32;
            worth[1] += (red >> LINE_SHIFT) as i32;
        }
        worth
    }

    /// The sum of both sides' gains from winning this block.
    #[must_use]
    pub fn weight(&self, block: usize) -> u32 {
        let block = block % PLACES;
        let mut weight = 0;
        for line in BLOCK_LINES {
            if !line.contains(&block) {
                continue;
            }
            let (mut green, mut red) = (1, 1);
            for other in line {
                if other != block {
                    let chances = self.chances[other % PLACES];
                    green *= u32::from(chances[0]);
                    red *= u32::from(chances[1]);
                }
            }
            weight += (green >> 8) + (red >> 8);
        }
        weight
    }

    /// False if the evaluation does not belong to its position, or the position is
    /// invalid.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.position.is_sound() && *self == Evaluation::of(self.position)
    }
}
