//! A playout from the point of view of the [tree](crate::minds::tree): which moves look
//! good at once, and the value of a finished game.

use protocol::{Point, Side};

use super::playout::{Around, PlayoutBoard};
use crate::grid::Grid;
use crate::minds::arena::WHOLE;
use crate::minds::tree::Rollout;
use crate::points::Points;
use crate::word::Word;

/// The smallest value of a won game, out of [`WHOLE`]; each [`MARGIN_POINTS`] points of
/// lead add one. A safe lead is better than a narrow one, but winning matters most.
const WIN: i16 = 12;
/// The number of points of lead that add one to the value; see [`WIN`].
const MARGIN_POINTS: i16 = 4;

/// A playout on its board.
pub struct InTheHead<'a, W, const CELLS: usize> {
    board: &'a mut PlayoutBoard<CELLS>,
    grid: &'a Grid<W>,
    sees_urgent: bool,
}

impl<'a, W, const CELLS: usize> InTheHead<'a, W, CELLS> {
    /// A playout on this board; `sees_urgent` decides whether captures and rescues are
    /// considered first.
    pub fn new(board: &'a mut PlayoutBoard<CELLS>, grid: &'a Grid<W>, sees_urgent: bool) -> Self {
        InTheHead {
            board,
            grid,
            sees_urgent,
        }
    }
}

/// The value of a finished game for green, by its lead in points.
fn worth_to_green(lead: i16) -> u16 {
    let margin = (lead.abs() / MARGIN_POINTS).min(WHOLE as i16 - WIN);
    let worth = match lead.signum() {
        0 => WHOLE as i16 / 2,
        1 => WIN + margin,
        _ => WHOLE as i16 - WIN - margin,
    };
    worth as u16
}

/// A bonus that is added to the liking of a point before the move has been tried (a win
/// rate of 1 is 65,536).
fn urgency<const CELLS: usize>(board: &PlayoutBoard<CELLS>, point: Point) -> i32 {
    const TAKES: i32 = 20_000;
    const SAVES: i32 = 14_000;
    const IN_VAIN: i32 = -20_000;
    const SHAPE: i32 = 6_000;
    const ANSWER: i32 = 3_000;
    /// The bonus for a point without stones around it, by its distance from the edge:
    /// there is little to gain at the edge of an open board.
    const OPEN: [i32; 2] = [-10_000, -3_300];
    let around = board.around(point);
    if around == Around::Nothing {
        return OPEN.get(board.height(point)).copied().unwrap_or(0);
    }
    let (takes, saves) = board.urgency(point);
    if takes > 0 {
        TAKES
    } else if saves {
        SAVES
    } else if board.is_in_vain(point) {
        IN_VAIN
    } else {
        let shape = if around == Around::Shape { SHAPE } else { 0 };
        let answer = if board.is_by_last(point) { ANSWER } else { 0 };
        shape + answer
    }
}

impl<W: Word, const CELLS: usize> Rollout<W> for InTheHead<'_, W, CELLS> {
    fn turn(&self) -> Side {
        self.board.turn()
    }

    fn open(&self) -> Points<W> {
        self.board.empty()
    }

    fn allows(&self, point: Point) -> bool {
        self.board.allows(point)
    }

    fn is_sensible(&self, point: Point) -> bool {
        self.board.is_sensible(point)
    }

    fn promise(&self, point: Point) -> i32 {
        if self.sees_urgent {
            urgency(self.board, point)
        } else {
            0
        }
    }

    fn play(&mut self, point: Point) {
        self.board.play(point);
    }

    fn effort(&self) -> u32 {
        self.board.effort()
    }

    fn charge(&self, steps: u32) {
        self.board.charge(steps);
    }

    fn worth(&self, side: Side) -> u16 {
        match (side, worth_to_green(self.board.lead())) {
            (Side::Green, worth) => worth,
            (Side::Red, worth) => WHOLE - worth,
        }
    }

    fn was_first(&self, point: Point, side: Side) -> bool {
        self.board.was_first(point, side)
    }

    fn each_first(&self, tell: &mut dyn FnMut(usize, Side)) {
        self.board.each_first(self.grid, tell);
    }
}
