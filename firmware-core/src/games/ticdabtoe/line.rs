//! The line of moves of a TicDabToe search. It stores each position of the line with the
//! moves that are worth trying, the best first.
//!
//! If the side to move is sent to a block, these are all free cells of the block. A free
//! move is only considered in a few blocks, and there only in the best cells.

use core::marker::PhantomData;

use postcard::experimental::max_size::MaxSize;
use protocol::{List, Point};
use serde::{Deserialize, Serialize};

use super::evaluate::Evaluation;
use super::position::{Position, point_of};
use super::squares::{LINES, PLACES, Squares, place, places};
use crate::grid::Grid;
use crate::minds::alphabeta::{SearchGame, Then};
use crate::minds::thinker::Trail;
use crate::points::Points;
use crate::word::Word;

/// The maximum depth of the search, in moves.
pub const DEEPEST: usize = 10;
/// The maximum number of moves that are considered in a position.
const MOST_MOVES: usize = 24;
/// The maximum number of blocks in which a free move is considered.
const MOST_BLOCKS: usize = 3;

/// The number of best root moves that are tried in random order.
const ALIKE: usize = 3;

/// The rating of a move that wins its block.
const WINS: i16 = 1_000;
/// The rating of a move that prevents the opponent from winning a block.
const SAVES: i16 = 200;
/// The rating of a move that sends the opponent to a block that it can win.
const GIVES: i16 = -400;
/// The rating of a move that gives the opponent a free move.
const FREES: i16 = -300;
/// The bonus for a line through the cell in which the side has 0, 1, 2 or 3 marks and its
/// opponent none.
const OPEN: [i16; 4] = [2, 6, 20, WINS];
/// The bonus for a line in which the opponent has 0, 1, 2 or 3 marks and the side none.
const SHUT: [i16; 4] = [1, 4, 14, SAVES];

/// A position of a line, and its moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
struct LinePosition {
    view: Evaluation,
    /// The numbers of the points of the moves, the best first.
    moves: List<u8, MOST_MOVES>,
    /// The moves that have been tried, one bit each.
    tried: u32,
}

/// The positions of a line, including the first one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
pub struct LinePositions(List<LinePosition, DEEPEST>);

impl<W: Word> Trail<W> for LinePositions {
    fn is_sound(&self, levels: usize, _grid: &Grid<W>) -> bool {
        self.0.len() == levels && self.0.iter().all(LinePosition::is_sound)
    }
}

impl LinePosition {
    fn of(view: Evaluation) -> LinePosition {
        let mut moves = List::new();
        for point in best_moves(&view) {
            let _ = moves.push(point);
        }
        LinePosition {
            view,
            moves,
            tried: 0,
        }
    }

    fn points<W: Word>(&self) -> Points<W> {
        self.moves.iter().map(|point| Point(*point)).collect()
    }

    fn is_sound(&self) -> bool {
        let fresh = LinePosition::of(self.view);
        let tried = self.tried >> self.moves.len().min(31);
        self.view.is_sound() && self.moves == fresh.moves && tried == 0
    }
}

/// A line of moves that starts at a position.
pub struct TicDabToeSearch<'a, W> {
    from: &'a Position,
    stages: &'a mut LinePositions,
    word: PhantomData<W>,
}

impl<'a, W: Word> TicDabToeSearch<'a, W> {
    /// The line that starts at this position, with the moves made so far.
    pub fn new(from: &'a Position, stages: &'a mut LinePositions) -> Self {
        TicDabToeSearch {
            from,
            stages,
            word: PhantomData,
        }
    }

    fn push(&mut self, view: Evaluation) -> Points<W> {
        let stage = LinePosition::of(view);
        let moves = stage.points();
        // There is room for as many positions as a search has levels.
        let _ = self.stages.0.push(stage);
        moves
    }
}

impl<W: Word> SearchGame<W> for TicDabToeSearch<'_, W> {
    fn moves_left(&self) -> usize {
        let cells = places(self.from.in_play()).map(|block| self.from.free(block).count_ones());
        cells.sum::<u32>() as usize
    }

    fn begin(&mut self) -> Points<W> {
        self.stages.0.clear();
        match self.from.outcome() {
            Some(_) => Points::NONE,
            None => self.push(Evaluation::of(*self.from)),
        }
    }

    fn go(&mut self, point: Point, is_last: bool) -> Then<W> {
        let Some(stage) = self.stages.0.last_mut() else {
            return Then::Worth(0);
        };
        let number = stage.moves.iter().position(|tried| *tried == point.0);
        stage.tried |= number.map_or(0, |number| 1 << (number % 32));
        let after = stage.view.after(point);
        if is_last {
            return Then::Worth(after.value());
        }
        match after.end() {
            Some(value) => Then::Worth(value),
            None => Then::Moves(self.push(after)),
        }
    }

    fn back(&mut self) {
        self.stages.0.pop();
    }

    fn first(&self, untried: Points<W>) -> Points<W> {
        // At the root, any of the best moves may come first.
        let alike = match self.stages.0.len() {
            1 => ALIKE,
            _ => 1,
        };
        let best = self.stages.0.last().map_or(Points::NONE, |stage| {
            let moves = (0..32).zip(stage.moves.iter());
            let rest = moves.filter(|(number, _)| stage.tried & 1 << number == 0);
            rest.take(alike).map(|(_, point)| Point(*point)).collect()
        });
        let best = best & untried;
        if best.is_empty() { untried } else { best }
    }
}

/// The moves of a position that are worth trying, the best first.
fn best_moves(view: &Evaluation) -> impl Iterator<Item = u8> + use<> {
    let mut best = Best::default();
    let open = view.position().open_blocks();
    for block in places(open_to_look(view, open)) {
        look_into(view, block, &mut best);
    }
    best.0.into_iter().map(|(_, point)| point)
}

/// The open blocks in which a free move is considered.
fn open_to_look(view: &Evaluation, open: Squares) -> Squares {
    if open.count_ones() as usize <= MOST_BLOCKS {
        return open;
    }
    let mover = view.position().mover();
    // A block that is won at once comes before one that the other side would win.
    let at_hand = |block: usize| {
        let is_ready = |side| u32::from(view.ready(side) & place(block) != 0);
        2 * is_ready(mover) + is_ready(mover.other())
    };
    let mut rest = open;
    let mut chosen = 0;
    for _ in 0..MOST_BLOCKS {
        let heaviest = places(rest).max_by_key(|block| (at_hand(*block), view.weight(*block)));
        let heaviest = heaviest.map_or(0, place);
        rest &= !heaviest;
        chosen |= heaviest;
    }
    chosen
}

/// Moves with their ratings, the best first.
#[derive(Default)]
struct Best(heapless::Vec<(i16, u8), MOST_MOVES>);

impl Best {
    fn add(&mut self, promise: i16, point: Point) {
        let after = self.0.iter().rposition(|(other, _)| *other >= promise);
        let at = after.map_or(0, |after| after + 1);
        if self.0.is_full() && at < MOST_MOVES {
            self.0.pop();
        }
        let _ = self.0.insert(at, (promise, point.0));
    }
}

/// Adds the free cells of a block.
fn look_into(view: &Evaluation, block: usize, best: &mut Best) {
    let position = view.position();
    let mover = position.mover();
    let marks = position.marks(block);
    let (own, other) = (marks[mover.index()], marks[mover.other().index()]);
    let mut promises = [0; PLACES];
    for line in LINES {
        let open = match (own & line, other & line) {
            (own, 0) => OPEN[own.count_ones() as usize % OPEN.len()],
            (0, other) => SHUT[other.count_ones() as usize % SHUT.len()],
            _ => continue,
        };
        for cell in places(line) {
            promises[cell] += open;
        }
    }
    let in_play = position.in_play();
    let given = view.ready(mover.other()) & in_play;
    for cell in places(position.free(block)) {
        let opened = place(cell);
        let loses = if given & opened != 0 {
            GIVES
        } else if in_play & opened == 0 {
            FREES
        } else {
            0
        };
        best.add(promises[cell] + loses, point_of(block, cell));
    }
}
