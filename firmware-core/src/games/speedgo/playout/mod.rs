//! Playouts: random games to their end, from which the board's player learns.
//!
//! The rules here work stone by stone instead of set by set: each group is a ring of
//! stones with a count of its liberties, which another stone changes in only four places.
//! It is the same game; a test plays both versions in parallel.
//!
//! A cell is a point of the board or of a frame around it. Each row has `columns + 1`
//! cells, so that the frame to the right of a row is also the one to the left of the
//! next. The number of cells in arrays is a power of two, and indices are used modulo it,
//! so no index can be out of bounds.

mod chains;
mod left;
mod shapes;
mod tactics;

use core::cell::Cell;

use protocol::{Point, Side};

pub use self::left::SuspendedPlayout;
pub use self::shapes::Around;
use super::stones::Stones;
use crate::grid::Grid;
use crate::points::Points;
use crate::rng::Rng;
use crate::word::Word;

/// The number of cells for boards of at most 64 points, and for the 9x9 board of the
/// manual.
pub const SMALL: usize = 128;
/// The number of cells for boards of at most 128 points.
pub const MEDIUM: usize = 256;
/// The number of cells for all boards.
pub const LARGE: usize = 512;

/// The maximum number of random moves in a game, for each point of the board. The few
/// longer games are counted in their position at that time.
pub const MOVES_PER_POINT: u16 = 3;

/// The denominator of the share of the board that [`PlayoutBoard::is_lopsided`] uses.
const LOPSIDED_PART: usize = 3;

const EMPTY: u8 = 2;
const FRAME: u8 = 3;
/// Stands for no cell; the first one belongs to the frame.
const NOWHERE: u16 = 0;

/// How the moves of a playout are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// All moves that do not fill an own eye, with equal probability.
    Light,
    /// First considers the last stone: captures it if possible, saves what it threatens,
    /// or makes a good shape next to it. If there is nothing to answer, as `Light`.
    Answering,
}

/// A board for fast play.
#[derive(Clone, Debug)]
pub struct PlayoutBoard<const CELLS: usize> {
    /// The contents of each cell: 0 green, 1 red, [`EMPTY`] or [`FRAME`].
    colour: [u8; CELLS],
    /// For a stone: the cell of the head of its group.
    head: [u16; CELLS],
    /// For a stone: the next stone in the ring of its group.
    next: [u16; CELLS],
    /// For a head: the number of pairs of a stone of the group and an empty neighbour; 0
    /// if and only if there is no liberty.
    liberties: [u16; CELLS],
    /// For a head: the number of stones in the group, at most 255. It is only used for
    /// speed: the smaller group is added to the larger one.
    size: [u8; CELLS],
    /// The empty cells, in any order.
    empty: [u16; CELLS],
    /// For an empty cell: its index in the list of empty cells.
    place: [u16; CELLS],
    /// The side that was the first to play here: 0 green, 1 red, or [`EMPTY`] for
    /// neither.
    first: [u8; CELLS],
    empties: usize,
    stride: usize,
    columns: usize,
    rows: usize,
    /// The number of stones on the board, `[green, red]`.
    stones: [u16; 2],
    turn: Side,
    ko: u16,
    last: u16,
    passes: u8,
    effort: Cell<u32>,
}

impl<const CELLS: usize> PlayoutBoard<CELLS> {
    /// The board with these stones, on which the first move may not be at `ko`. A board
    /// with more cells than `CELLS` is not supported.
    #[must_use]
    pub fn new<W: Word>(grid: &Grid<W>, stones: &Stones<W>, turn: Side, ko: Option<Point>) -> Self {
        let mut board = PlayoutBoard::blank(grid, turn);
        for row in 1..=grid.rows() {
            for column in 1..=grid.columns() {
                board.colour[(row * board.stride + column) % CELLS] = EMPTY;
            }
        }
        for side in Side::BOTH {
            stones.of(side).for_each(|point| {
                board.colour[board.cell(point) % CELLS] = side as u8;
            });
        }
        board.ko = board.cell_or_nowhere(ko);
        board.link(grid);
        board
    }

    /// An empty board. A separate function, because a returned value is copied: here,
    /// only zeros are copied.
    #[inline(always)]
    fn blank<W: Word>(grid: &Grid<W>, turn: Side) -> Self {
        PlayoutBoard {
            colour: [FRAME; CELLS],
            head: [NOWHERE; CELLS],
            next: [NOWHERE; CELLS],
            liberties: [0; CELLS],
            size: [0; CELLS],
            empty: [NOWHERE; CELLS],
            place: [0; CELLS],
            first: [EMPTY; CELLS],
            empties: 0,
            stride: grid.columns() + 1,
            columns: grid.columns(),
            rows: grid.rows(),
            stones: [0; 2],
            turn,
            ko: NOWHERE,
            last: NOWHERE,
            passes: 0,
            effort: Cell::new(0),
        }
    }

    /// The work done so far, in steps of up to 150 instructions of a Cortex-M3 in an
    /// image built for size. It limits what fits into a tick.
    #[must_use]
    pub fn effort(&self) -> u32 {
        self.effort.get()
    }

    /// Adds to the work done.
    #[inline(always)]
    pub fn charge(&self, steps: u32) {
        self.effort.set(self.effort.get().wrapping_add(steps));
    }

    /// Visits each point that was played, with its number and the side that was the first
    /// to play there.
    pub fn each_first<W: Word>(&self, grid: &Grid<W>, mut tell: impl FnMut(usize, Side)) {
        let mut index = 0;
        for row in 1..=grid.rows() {
            for column in 1..=grid.columns() {
                let first = self.first[(row * self.stride + column) % CELLS];
                if let Some(side) = Side::BOTH.get(usize::from(first)) {
                    tell(index, *side);
                }
                index += 1;
            }
        }
    }

    /// True if this side was the first to play on the point.
    #[must_use]
    pub fn was_first(&self, point: Point, side: Side) -> bool {
        self.first[self.cell(point) % CELLS] == side as u8
    }

    fn cell(&self, point: Point) -> usize {
        let (row, column) = (point.index() / self.columns, point.index() % self.columns);
        (row + 1) * self.stride + column + 1
    }

    fn point(&self, cell: u16) -> Point {
        let cell = usize::from(cell);
        let (row, column) = (cell / self.stride, cell % self.stride);
        Point((row.wrapping_sub(1) * self.columns + column.wrapping_sub(1)) as u8)
    }

    fn cell_or_nowhere(&self, point: Option<Point>) -> u16 {
        point.map_or(NOWHERE, |point| self.cell(point) as u16)
    }

    fn point_of(&self, cell: u16) -> Option<Point> {
        (cell != NOWHERE).then(|| self.point(cell))
    }

    /// The side whose turn it is.
    #[must_use]
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// The number of passes in a row.
    #[must_use]
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// The point where a stone may not be recaptured at once.
    #[must_use]
    pub fn ko(&self) -> Option<Point> {
        self.point_of(self.ko)
    }

    /// The last stone that was set.
    #[must_use]
    pub fn last(&self) -> Option<Point> {
        self.point_of(self.last)
    }

    /// The stones on the board.
    #[must_use]
    pub fn stones<W: Word>(&self, grid: &Grid<W>) -> Stones<W> {
        let mut stones = Stones::default();
        for point in grid.sides().iter() {
            let colour = self.colour_at(self.cell(point));
            if let Some(set) = stones.0.get_mut(usize::from(colour)) {
                set.insert(point);
            }
        }
        stones
    }

    #[inline(always)]
    fn colour_at(&self, cell: usize) -> u8 {
        self.colour[cell % CELLS]
    }

    #[inline(always)]
    fn head_at(&self, cell: usize) -> usize {
        usize::from(self.head[cell % CELLS])
    }

    #[inline(always)]
    fn near(&self, cell: usize) -> [usize; 4] {
        [
            cell.wrapping_sub(self.stride),
            cell.wrapping_sub(1),
            cell.wrapping_add(1),
            cell.wrapping_add(self.stride),
        ]
    }

    /// True if an empty cell is an eye of the side: its neighbours are own stones, and
    /// too few of its corners have stones of the other side to make it a false eye.
    #[inline(always)]
    fn is_eye(&self, cell: usize, side: Side) -> bool {
        let own = side as u8;
        let mut at_edge = 0;
        for &near in &self.near(cell) {
            match self.colour_at(near) {
                FRAME => at_edge = 1,
                colour if colour == own => {}
                _ => return false,
            }
        }
        let [up, .., down] = self.near(cell);
        let corners = [
            up.wrapping_sub(1),
            up.wrapping_add(1),
            down.wrapping_sub(1),
            down.wrapping_add(1),
        ];
        let mut theirs = 0;
        for &corner in &corners {
            theirs += usize::from(self.colour_at(corner) == own ^ 1);
        }
        theirs + at_edge < 2
    }

    /// True if a stone of the side on an empty cell would have no liberty.
    #[inline(always)]
    fn is_suicide(&self, cell: usize, side: Side) -> bool {
        let near = self.near(cell);
        for &near in &near {
            if self.colour_at(near) == EMPTY {
                return false;
            }
        }
        for &one in &near {
            let colour = self.colour_at(one);
            if colour == FRAME {
                continue;
            }
            let head = self.head_at(one);
            let liberties = usize::from(self.liberties[head % CELLS]);
            // The cell itself is a liberty of a group, once for each of the at most four
            // stones that touch it.
            let is_last = liberties <= near.len() && liberties == self.touching(near, head);
            // An own group must have another liberty, or a hostile group must have no
            // other.
            if is_last != (colour == side as u8) {
                return false;
            }
        }
        true
    }

    /// True if the side to move may place a stone on this empty cell.
    #[inline(always)]
    fn is_allowed(&self, cell: u16) -> bool {
        cell != self.ko && !self.is_suicide(usize::from(cell), self.turn)
    }

    /// True if the side to move may place a stone on this point.
    #[must_use]
    pub fn allows(&self, point: Point) -> bool {
        let cell = self.cell(point);
        self.colour_at(cell) == EMPTY && self.is_allowed(cell as u16)
    }

    /// True if a playout would place a stone of the side to move on this point.
    #[must_use]
    pub fn is_sensible(&self, point: Point) -> bool {
        self.allows(point) && !self.is_eye(self.cell(point), self.turn)
    }

    /// Places a stone of the side to move; the move must be legal.
    pub fn play(&mut self, point: Point) {
        let cell = self.cell(point) as u16;
        self.note(cell, self.turn);
        self.play_cell(cell);
    }

    /// Records which side is the first to play here.
    #[inline(always)]
    fn note(&mut self, cell: u16, side: Side) {
        let first = &mut self.first[usize::from(cell) % CELLS];
        if *first == EMPTY {
            *first = side as u8;
        }
    }

    #[inline(always)]
    fn play_cell(&mut self, cell: u16) {
        let side = self.turn;
        let (place, caught) = self.set(usize::from(cell), side);
        let at = usize::from(cell);
        let alone = self.size[at % CELLS] == 1 && self.head_at(at) == at;
        let one_liberty = alone && self.liberties[at % CELLS] == 1;
        self.ko = if caught == 1 && one_liberty {
            place
        } else {
            NOWHERE
        };
        self.last = cell;
        self.passes = 0;
        self.turn = side.other();
    }

    /// Passes the turn to the other side.
    pub fn pass(&mut self) {
        self.ko = NOWHERE;
        self.last = NOWHERE;
        self.passes += 1;
        self.turn = self.turn.other();
    }

    /// True after two passes in a row.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.passes >= 2
    }

    /// Makes a move; returns its point, or `None` after a pass.
    #[inline(always)]
    pub fn step(&mut self, style: Style, rng: &mut Rng) -> Option<Point> {
        self.step_on(style, rng).map(|cell| self.point(cell))
    }

    /// As [`PlayoutBoard::step`], for callers that do not need the point; this saves a
    /// division.
    #[inline(always)]
    pub fn advance(&mut self, style: Style, rng: &mut Rng) {
        self.step_on(style, rng);
    }

    #[inline(always)]
    fn step_on(&mut self, style: Style, rng: &mut Rng) -> Option<u16> {
        let side = self.turn;
        let cell = self.step_cell(style, rng);
        if cell == NOWHERE {
            return None;
        }
        self.note(cell, side);
        Some(cell)
    }

    #[inline(always)]
    fn step_cell(&mut self, style: Style, rng: &mut Rng) -> u16 {
        if style == Style::Answering {
            let urgent = self.answer(rng);
            let answer = if urgent == NOWHERE {
                self.shapely_answer(rng)
            } else {
                urgent
            };
            if answer != NOWHERE {
                self.play_cell(answer);
                return answer;
            }
        }
        let mut left = self.empties;
        while left > 0 {
            self.charge(1);
            let place = rng.below(left as u32) as usize;
            let cell = self.empty[place % CELLS];
            if !self.is_eye(usize::from(cell), self.turn) && self.is_allowed(cell) {
                self.play_cell(cell);
                return cell;
            }
            // Excluded from the draw: moved to the end, before those that are already
            // there.
            left -= 1;
            let other = self.empty[left % CELLS];
            self.empty[left % CELLS] = cell;
            self.empty[place % CELLS] = other;
            self.place[usize::from(cell) % CELLS] = left as u16;
            self.place[usize::from(other) % CELLS] = place as u16;
        }
        self.pass();
        NOWHERE
    }

    /// True if one side leads by more stones than a random game can make up for: more
    /// than a third of the board.
    #[must_use]
    pub fn is_lopsided(&self) -> bool {
        let points = usize::from(self.stones[0] + self.stones[1]) + self.empties;
        usize::from(self.stones[0].abs_diff(self.stones[1])) * LOPSIDED_PART > points
    }

    /// Plays to the end, with at most `max_moves` moves. Returns green's points minus
    /// red's.
    pub fn finish(&mut self, style: Style, max_moves: u16, rng: &mut Rng) -> i16 {
        for _ in 0..max_moves {
            self.step_cell(style, rng);
            if self.is_over() {
                break;
            }
        }
        self.lead()
    }

    /// Green's points minus red's: stones, and empty points whose neighbours have only
    /// one colour. This equals the area if no larger region is empty.
    #[must_use]
    pub fn lead(&self) -> i16 {
        let mut lead = i32::from(self.stones[0]) - i32::from(self.stones[1]);
        for cell in self.empty.iter().take(self.empties) {
            let mut seen = [false; 4];
            for &near in &self.near(usize::from(*cell)) {
                seen[usize::from(self.colour_at(near) & 3)] = true;
            }
            lead += i32::from(seen[0] && !seen[1]) - i32::from(seen[1] && !seen[0]);
        }
        lead as i16
    }

    /// The points without a stone.
    #[must_use]
    pub fn empty<W: Word>(&self) -> Points<W> {
        let cells = self.empty.iter().take(self.empties);
        cells.map(|cell| self.point(*cell)).collect()
    }
}
