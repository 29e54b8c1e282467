//! `depth5`: looks five moves ahead, like the winners of the course's contest.
//!
//! It is an alpha-beta search with a simple evaluation. A line in a block in which only
//! one side has marks is worth more, the more marks there are. Lines of blocks are valued
//! in the same way, where a block counts the more, the closer it is to being won. When
//! half of the fuel or time for a move is used up, it takes the best move of the previous
//! depth.

#![no_std]

#[path = "../../template/src/interface.rs"]
mod interface;

use interface::{Cell, State, block_of, cell_of, target_of};

/// Moves that it looks ahead.
const DEPTH: u32 = 5;
/// A value greater than any evaluation.
const WON: i32 = 1_000_000;
/// The value of a line in which one side has this many of the four places and the other
/// side none.
const LINE: [i32; 5] = [0, 1, 6, 30, 120];
/// The additional value of each block, beyond the lines that it is in.
const BLOCK: i32 = 120;
/// The four rows, four columns and both diagonals of a square of 16 places, as sets.
const LINES: [u16; 10] = [
    0x000F, 0x00F0, 0x0F00, 0xF000, 0x1111, 0x2222, 0x4444, 0x8888, 0x8421, 0x1248,
];
/// The places of each line.
const PLACES: [[usize; 4]; 10] = [
    [0, 1, 2, 3],
    [4, 5, 6, 7],
    [8, 9, 10, 11],
    [12, 13, 14, 15],
    [0, 4, 8, 12],
    [1, 5, 9, 13],
    [2, 6, 10, 14],
    [3, 7, 11, 15],
    [0, 5, 10, 15],
    [3, 6, 9, 12],
];
/// The number of nodes between two checks of fuel and time.
const NODES_A_LOOK: u32 = 64;

/// A position as sets of places. Within the search, the side to move is `side` and the
/// other one `1 - side`.
#[derive(Clone, Copy)]
struct Board {
    cells: [[u16; 2]; 16],
    won: [u16; 2],
    drawn: u16,
    /// The block in which the next mark must be made, if it is prescribed.
    target: Option<usize>,
    /// The value of each block to side 0.
    values: [i32; 16],
}

/// The search ran out of time.
struct Stopped;

struct Search {
    nodes: u32,
    fuel_at_end: i64,
    time_at_end_ms: i32,
}

fn has_line(set: u16) -> bool {
    LINES.iter().any(|line| set & line == *line)
}

/// The value of a square's lines for the side that has the first of these two sets.
fn lines_value(mine: u16, theirs: u16) -> i32 {
    let mut value = 0;
    for line in LINES {
        match (mine & line, theirs & line) {
            (own, 0) => value += LINE[own.count_ones() as usize],
            (0, other) => value -= LINE[other.count_ones() as usize],
            _ => {}
        }
    }
    value
}

impl Board {
    fn of(state: &State) -> Board {
        let mut board = Board {
            cells: [[0; 2]; 16],
            won: [0; 2],
            drawn: 0,
            target: None,
            values: [0; 16],
        };
        for cell in 0..=u8::MAX {
            let owner = state.cells[cell as usize];
            if owner != 0 {
                board.cells[block_of(cell)][owner as usize - 1] |= 1 << target_of(cell);
            }
        }
        for (block, standing) in state.blocks.iter().enumerate() {
            match standing {
                1 | 2 => board.won[*standing as usize - 1] |= 1 << block,
                3 => board.drawn |= 1 << block,
                _ => {}
            }
            board.appraise(block);
        }
        if state.last_row < 16 {
            board.target = Some(target_of(state.last_row * 16 + state.last_column));
        }
        board
    }

    fn in_play(&self) -> u16 {
        !(self.won[0] | self.won[1] | self.drawn)
    }

    fn open(&self) -> u16 {
        let in_play = self.in_play();
        match self.target {
            Some(block) if in_play >> block & 1 != 0 => 1 << block,
            _ => in_play,
        }
    }

    fn appraise(&mut self, block: usize) {
        let [mine, theirs] = self.cells[block];
        self.values[block] = lines_value(mine, theirs).clamp(1 - BLOCK, BLOCK - 1);
    }

    /// Makes a mark for this side; true if it wins the game.
    fn mark(&mut self, side: usize, block: usize, place: usize) -> bool {
        let bit = 1 << block;
        self.cells[block][side] |= 1 << place;
        self.target = Some(place);
        let [mine, theirs] = self.cells[block];
        if has_line(self.cells[block][side]) {
            self.won[side] |= bit;
            return has_line(self.won[side]);
        }
        if mine | theirs == u16::MAX {
            self.drawn |= bit;
        }
        self.appraise(block);
        false
    }

    /// The value of the board for side 0.
    fn value(&self) -> i32 {
        let mut value = 0;
        let in_play = self.in_play();
        for (line, blocks) in LINES.iter().zip(PLACES) {
            // A line is closed for a side if one of its blocks is lost to that side.
            let is_closed = [1, 0].map(|other: usize| (self.won[other] | self.drawn) & line != 0);
            if is_closed == [true; 2] {
                continue;
            }
            let mut nearly = [0; 2];
            for block in blocks.into_iter().filter(|block| in_play >> block & 1 != 0) {
                let own = self.values[block];
                nearly[0] += own.max(0);
                nearly[1] += (-own).max(0);
            }
            for (side, sign) in [1, -1].into_iter().enumerate() {
                if !is_closed[side] {
                    let won = (self.won[side] & line).count_ones();
                    let share = nearly[side] * (won as i32 + 1) / 4;
                    value += sign * (LINE[won as usize] * 10 + share);
                }
            }
        }
        let blocks = self.won[0].count_ones() as i32 - self.won[1].count_ones() as i32;
        value + blocks * BLOCK
    }
}

impl Search {
    /// The value of the board for the side to move, searched to this depth.
    fn value(
        &mut self,
        board: &Board,
        side: usize,
        depth: u32,
        mut alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_A_LOOK) && self.is_over() {
            return Err(Stopped);
        }
        let open = board.open();
        // If no block is in play, there is no line, and the side that has won more blocks
        // is ahead.
        if depth == 0 || open == 0 {
            return Ok(if side == 0 {
                board.value()
            } else {
                -board.value()
            });
        }
        for block in (0..16).filter(|block| open >> block & 1 != 0) {
            let [mine, theirs] = board.cells[block];
            for place in (0..16).filter(|place| (mine | theirs) >> place & 1 == 0) {
                let mut next = *board;
                let value = match next.mark(side, block, place) {
                    true => WON + depth as i32,
                    false => -self.value(&next, 1 - side, depth - 1, -beta, -alpha)?,
                };
                alpha = alpha.max(value);
                if alpha >= beta {
                    return Ok(alpha);
                }
            }
        }
        Ok(alpha)
    }

    #[cfg(target_arch = "wasm32")]
    fn is_over(&self) -> bool {
        use interface::game::{fuel_left, time_left_ms};
        fuel_left() < self.fuel_at_end || time_left_ms() < self.time_at_end_ms
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn is_over(&self) -> bool {
        false
    }

    /// The value of the best of these cells at this depth. Sorts the cells, the best
    /// first.
    fn best(&mut self, board: &Board, cells: &mut [Cell], depth: u32) -> Result<i32, Stopped> {
        let mut alpha = -2 * WON;
        for index in 0..cells.len() {
            let cell = cells[index];
            let mut next = *board;
            let value = match next.mark(0, block_of(cell), target_of(cell)) {
                true => WON + depth as i32,
                false => -self.value(&next, 1, depth - 1, -2 * WON, -alpha)?,
            };
            if value > alpha {
                alpha = value;
                cells[..=index].rotate_right(1);
            }
        }
        Ok(alpha)
    }
}

fn choose(state: &State) -> Cell {
    let board = Board::of(state);
    let mut cells = [0; 256];
    let mut count = 0;
    for cell in state.legal() {
        cells[count] = cell;
        count += 1;
    }
    // The first mark of the game: the middle of a middle block.
    if state.moves == 0 {
        return cell_of(5, 5);
    }
    #[cfg(target_arch = "wasm32")]
    let (fuel, time_ms) = (
        interface::game::fuel_left(),
        interface::game::time_left_ms(),
    );
    #[cfg(not(target_arch = "wasm32"))]
    let (fuel, time_ms) = (i64::MAX, i32::MAX);
    let mut search = Search {
        nodes: 0,
        fuel_at_end: fuel / 2,
        time_at_end_ms: time_ms / 2,
    };
    // Each depth begins with the best move of the previous one. If a depth is
    // interrupted, the first move in the order is used.
    for depth in 1..=DEPTH {
        match search.best(&board, &mut cells[..count], depth) {
            Ok(value) if value.abs() >= WON => break,
            Ok(_) => {}
            Err(Stopped) => break,
        }
    }
    cells[0]
}

interface::bot!(choose);
