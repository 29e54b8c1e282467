//! The effects of touches, and which of them are legal, for whole sets of points.
//!
//! The points that a touch affects are at fixed distances from it: two away in each of
//! eight directions, a chess knight's move away, or a long knight's. They are found for
//! any number of touches at once by shifting a set of points.
//!
//! Invariants: all effects of a touch are determined in the position before it; no point
//! is in both sets; no point leaves the board.

use postcard::experimental::max_size::MaxSize;
use protocol::{Point, Side};
use serde::{Deserialize, Serialize};

use super::{Clearing, Task};
use crate::grid::{Direction, Grid};
use crate::points::Points;
use crate::word::Word;

/// The effect of a touch of the clearing game on a point that it hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The point goes dark.
    GoesOff,
    /// The point changes to the other side's colour.
    ChangesColour,
}

/// The lit points from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct FillItView<W> {
    /// The points of the side to move.
    pub own: Points<W>,
    /// The points of the opponent.
    pub other: Points<W>,
    /// True if the next move of the side to move is spared, because the opponent missed a
    /// turn in the filling game.
    pub own_spared: bool,
    /// True if the opponent's next move is spared.
    pub other_spared: bool,
    /// The side that moves next.
    pub side: Side,
}

impl<W: Word> Default for FillItView<W> {
    fn default() -> Self {
        FillItView {
            own: Points::NONE,
            other: Points::NONE,
            own_spared: false,
            other_spared: false,
            side: Side::Green,
        }
    }
}

impl<W: Word> FillItView<W> {
    /// The same position from the point of view of the opponent, who is then to move.
    #[must_use]
    pub fn turned(self) -> Self {
        FillItView {
            own: self.other,
            other: self.own,
            own_spared: self.other_spared,
            other_spared: self.own_spared,
            side: self.side.other(),
        }
    }

    /// The number of points by which the side to move leads.
    #[must_use]
    pub fn lead(self) -> i16 {
        self.own.len() as i16 - self.other.len() as i16
    }
}

/// The rules of a mode on a board.
#[derive(Clone, Copy, Debug)]
pub struct Moves<W> {
    grid: Grid<W>,
    task: Task,
}

/// A set moved by a number of steps in a direction, and in the opposite one.
fn both_ways<W: Word>(
    set: Points<W>,
    steps: usize,
    [there, back]: [Direction; 2],
    grid: &Grid<W>,
) -> Points<W> {
    let go = |direction| (0..steps).fold(set, |set, _| grid.shift(set, direction));
    go(there) | go(back)
}

const ROWS: [Direction; 2] = [Direction::East, Direction::West];
const COLUMNS: [Direction; 2] = [Direction::North, Direction::South];

/// The points that are `one` steps along one axis and `other` steps along the other axis
/// away from a point of the set.
fn jumps<W: Word>(set: Points<W>, one: usize, other: usize, grid: &Grid<W>) -> Points<W> {
    let flat = both_ways(both_ways(set, other, ROWS, grid), one, COLUMNS, grid);
    let steep = both_ways(both_ways(set, one, ROWS, grid), other, COLUMNS, grid);
    flat | steep
}

/// The points two away from a point of the set in one of the eight directions.
#[must_use]
pub fn two_away<W: Word>(set: Points<W>, grid: &Grid<W>) -> Points<W> {
    let beside = both_ways(set, 2, ROWS, grid);
    beside | both_ways(set | beside, 2, COLUMNS, grid)
}

/// The points a chess knight's move away from a point of the set.
#[must_use]
pub fn knight<W: Word>(set: Points<W>, grid: &Grid<W>) -> Points<W> {
    jumps(set, 1, 2, grid)
}

/// The points a long knight's move away from a point of the set: three steps along one
/// axis and two along the other.
#[must_use]
pub fn long_knight<W: Word>(set: Points<W>, grid: &Grid<W>) -> Points<W> {
    jumps(set, 2, 3, grid)
}

impl<W: Word> Moves<W> {
    /// The rules of a mode on a board.
    #[must_use]
    pub fn new(grid: &Grid<W>, task: Task) -> Self {
        Moves { grid: *grid, task }
    }

    /// The grid of the board.
    #[must_use]
    pub fn grid(&self) -> &Grid<W> {
        &self.grid
    }

    /// The task, which determines the game that is played.
    #[must_use]
    pub fn task(&self) -> Task {
        self.task
    }

    /// The points without a light.
    #[must_use]
    pub fn dark(&self, view: &FillItView<W>) -> Points<W> {
        self.grid.all().without(view.own | view.other)
    }

    /// The points that the side to move may touch.
    #[must_use]
    pub fn legal(&self, view: &FillItView<W>) -> Points<W> {
        match self.task {
            Task::Fill => self.dark(view),
            Task::Clear(Clearing {
                must_go_off: false, ..
            }) => self.grid.all(),
            Task::Clear(clearing) => {
                let mut legal = Points::NONE;
                if clearing.knight == Fate::GoesOff {
                    legal |= knight(view.other, &self.grid);
                }
                if clearing.long_knight == Fate::GoesOff {
                    legal |= long_knight(view.own, &self.grid);
                }
                legal
            }
        }
    }

    /// The touches that are worth trying: in the clearing game, those that affect a point
    /// of the opponent.
    #[must_use]
    pub fn useful(&self, view: &FillItView<W>) -> Points<W> {
        match self.task {
            Task::Fill => self.grid.all(),
            Task::Clear(_) => knight(view.other, &self.grid),
        }
    }

    /// The position after a touch of this point, from the point of view of the opponent.
    #[must_use]
    pub fn after(&self, view: &FillItView<W>, point: Point) -> FillItView<W> {
        let touched = Points::one(point);
        let (own, other) = match self.task {
            Task::Fill => self.fill(view, touched),
            Task::Clear(clearing) => self.clear(view, touched, clearing),
        };
        FillItView {
            own,
            other,
            own_spared: false,
            ..*view
        }
        .turned()
    }

    /// The own points and the opponent's after a touch in the filling game.
    fn fill(&self, view: &FillItView<W>, touched: Points<W>) -> (Points<W>, Points<W>) {
        let gained = touched | two_away(touched, &self.grid);
        let lost = match view.own_spared {
            true => Points::NONE,
            false => view.own & self.grid.neighbours(touched),
        };
        (
            view.own.without(lost) | gained,
            view.other.without(gained) | lost,
        )
    }

    /// As `fill`, in the clearing game.
    fn clear(
        &self,
        view: &FillItView<W>,
        touched: Points<W>,
        clearing: Clearing,
    ) -> (Points<W>, Points<W>) {
        let hit = view.other & knight(touched, &self.grid);
        let spent = view.own & long_knight(touched, &self.grid);
        let changed = |points, fate| match fate {
            Fate::GoesOff => Points::NONE,
            Fate::ChangesColour => points,
        };
        let own = view.own.without(spent) | changed(hit, clearing.knight);
        let other = view.other.without(hit) | changed(spent, clearing.long_knight);
        (own, other)
    }

    /// True if the game is over after a turn of `side`: the board is full, or red has
    /// moved and one colour has no points.
    #[must_use]
    pub fn is_over_after(&self, side: Side, view: &FillItView<W>) -> bool {
        match self.task {
            Task::Fill => self.dark(view).is_empty(),
            Task::Clear(_) => side == Side::Red && (view.own.is_empty() || view.other.is_empty()),
        }
    }

    /// The position in which the next move is made, starting from one in which
    /// `view.side` is to move. It is the same position if that side has a move, otherwise
    /// the one with the sides exchanged. `None` if the game is over.
    #[must_use]
    pub fn settled(&self, view: &FillItView<W>) -> Option<FillItView<W>> {
        let mut view = *view;
        for _ in Side::BOTH {
            if self.is_over_after(view.side.other(), &view) {
                return None;
            }
            if !self.legal(&view).is_empty() {
                return Some(view);
            }
            view = view.turned();
        }
        None
    }
}
