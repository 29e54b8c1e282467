//! Symmetry (Maldoo manual, game 4): a pattern is in the top lines, and a single player
//! touches the points that correspond to it before the time is over.
//!
//! `RULES.md` lists the decisions where the manual says nothing.
//!
//! Invariants: the pattern is in the top four lines, and the points to touch are in the
//! bottom four; a point is touched at most once, and becomes green if it is right and red
//! if it is wrong.

#[cfg(test)]
mod tests;

use postcard::experimental::max_size::MaxSize;
use protocol::{Clock, Colour, Diagram, Outcome, Point, Rhythm, Side, Tick};
use serde::{Deserialize, Serialize};

use crate::game::{About, Canvas, Context, Game, Illegal, Rules, TimeOut, Touch, stones};
use crate::games::nobody::Nobody;
use crate::grid::Grid;
use crate::ground::Ground;
use crate::points::Points;
use crate::word::Word;

/// The number of lines of the pattern (Maldoo manual, Symmetry: "the 'top' four lines").
pub const LINES: usize = 4;

/// How lines are mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lines {
    /// The first line is mapped to the last one of the board, and so on.
    Mirrored,
    /// The four lines are mapped to the bottom four in the same order, which is five
    /// lines down on a board of nine.
    Moved,
}

/// How places within a line are mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Places {
    /// A place stays where it is.
    Kept,
    /// The leftmost place is mapped to the rightmost one, and so on.
    Mirrored,
}

/// A mode of the manual.
#[derive(Clone, Copy, Debug)]
struct Mode {
    lines: Lines,
    places: Places,
    /// The number of points in the pattern.
    points: usize,
}

const fn mode(lines: Lines, places: Places, points: usize) -> Mode {
    Mode {
        lines,
        places,
        points,
    }
}

/// The number of points in the pattern in modes 0-3 (Maldoo manual, Symmetry, Modes: "16
/// vs. 12").
pub const FEW: usize = 12;
/// The number of points in the pattern in modes 4-7; see [`FEW`].
pub const MANY: usize = 16;

/// Maldoo manual, Symmetry, Modes. A rotation by half a turn is the combination of both
/// mirrors.
const MODES: [Mode; 8] = [
    mode(Lines::Mirrored, Places::Kept, FEW),
    mode(Lines::Moved, Places::Kept, FEW),
    mode(Lines::Mirrored, Places::Mirrored, FEW),
    mode(Lines::Moved, Places::Mirrored, FEW),
    mode(Lines::Mirrored, Places::Kept, MANY),
    mode(Lines::Moved, Places::Kept, MANY),
    mode(Lines::Mirrored, Places::Mirrored, MANY),
    mode(Lines::Moved, Places::Mirrored, MANY),
];

/// The time for a pattern of 12 points at Speed 0-9, in milliseconds; each setting is a
/// fifth shorter than the one before (`RULES.md`).
pub const TIME_MS: [u32; 10] = [
    91_500, 73_000, 58_500, 47_000, 37_500, 30_000, 24_000, 19_000, 15_500, 12_500,
];

/// How long the points that were not found in time blink before the end is signalled,
/// in ticks.
const MISSING_MS: Tick = 2_000;

/// The phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
enum SymmetryPhase {
    /// The player may touch points until this tick; the whole time was this many
    /// milliseconds.
    Press { until: Tick, time_ms: u32 },
    /// The time is up: the missing points blink until this tick.
    Missing { until: Tick },
    /// The game has ended.
    Over,
}

/// The state of a game of Symmetry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Symmetry<W: Word> {
    /// The index of the mode in [`MODES`].
    mode: u8,
    pattern: Points<W>,
    /// The points that the pattern is mapped to.
    targets: Points<W>,
    /// The targets that have been touched.
    correct: Points<W>,
    /// The other points that have been touched.
    wrong: Points<W>,
    phase: SymmetryPhase,
}

/// The top lines, or `None` if the board has no room for them and their image.
fn top<W: Word>(grid: &Grid<W>) -> Option<Points<W>> {
    let layout = grid.sides();
    let inside = |point: &Point| usize::from(layout.row(*point)) < LINES;
    (grid.rows() >= 2 * LINES).then(|| layout.iter().filter(inside).collect())
}

/// The point that a point of the top lines is mapped to.
fn image_of<W: Word>(point: Point, mode: Mode, grid: &Grid<W>) -> Option<Point> {
    let layout = grid.sides();
    let (column, row) = (layout.column(point), layout.row(point));
    let column = match mode.places {
        Places::Kept => column,
        Places::Mirrored => (layout.columns() - 1).checked_sub(column)?,
    };
    let row = match mode.lines {
        Lines::Mirrored => (layout.rows() - 1).checked_sub(row)?,
        Lines::Moved => layout.rows().checked_sub(LINES as u8)?.checked_add(row)?,
    };
    layout.at(column, row)
}

fn image<W: Word>(pattern: Points<W>, mode: Mode, grid: &Grid<W>) -> Points<W> {
    pattern
        .filter_map(|point| image_of(point, mode, grid))
        .collect()
}

impl<W: Word> Symmetry<W> {
    /// A game with this pattern, in which nothing has been touched yet.
    fn show(number: u8, mode: Mode, pattern: Points<W>, context: &Context<'_, W>) -> Symmetry<W> {
        let time_ms = TIME_MS
            .get(usize::from(context.speed))
            .unwrap_or(&TIME_MS[9]);
        // Larger patterns have the same time for each point.
        let time_ms = time_ms * mode.points as u32 / FEW as u32;
        Symmetry {
            mode: number,
            pattern,
            targets: image(pattern, mode, context.grid()),
            correct: Points::NONE,
            wrong: Points::NONE,
            phase: SymmetryPhase::Press {
                until: context.now.saturating_add(time_ms.into()),
                time_ms,
            },
        }
    }

    fn missing(&self) -> Points<W> {
        self.targets.without(self.correct)
    }
}

impl<W: Word> Rules<W> for Symmetry<W> {
    const ABOUT: About<'static> = About {
        name: "Symmetry",
        modes: MODES.len() as u8,
        time_out: TimeOut::None,
        illegal: Illegal::Sound,
        board_can_play: false,
        ..About::OF_MANUAL
    };
    type Player = Nobody;

    /// `None` on boards with fewer than eight lines, or with fewer points in four
    /// lines than the pattern has.
    fn start(number: u8, context: &mut Context<'_, W>) -> Option<Self> {
        let mode = *MODES.get(usize::from(number))?;
        let top = top(context.grid()).filter(|top| top.len() >= mode.points)?;
        let pattern = context.rng.choose(top, mode.points);
        Some(Symmetry::show(number, mode, pattern, context))
    }

    /// Green points in the top four lines are the pattern, which must not be empty. Green
    /// points below have already been found and must belong to its image; red points were
    /// wrong and must not.
    fn diagram(number: u8, diagram: &Diagram, context: &mut Context<'_, W>) -> Option<Self> {
        let mode = *MODES.get(usize::from(number))?;
        let [green, wrong] = stones(diagram, context.ground)?;
        let pattern = green & top(context.grid())?;
        let mut game = Symmetry::show(number, mode, pattern, context);
        game.correct = green.without(pattern);
        game.wrong = wrong;
        if game.missing().is_empty() {
            game.phase = SymmetryPhase::Over;
        }
        game.is_sound(context.ground).then_some(game)
    }
}

impl<W: Word> Game<W> for Symmetry<W> {
    fn about(&self) -> About<'_> {
        Self::ABOUT
    }

    /// The light of the only player is on while points can be touched.
    fn turn(&self) -> Option<Side> {
        matches!(self.phase, SymmetryPhase::Press { .. }).then_some(Side::Green)
    }

    /// Every point that is not lit.
    fn legal(&self, ground: &Ground<W>) -> Points<W> {
        let grid = ground.grid();
        let lit = self.pattern | self.correct | self.wrong;
        match self.phase {
            SymmetryPhase::Press { .. } => grid.all().without(lit),
            SymmetryPhase::Missing { .. } | SymmetryPhase::Over => Points::NONE,
        }
    }

    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        if !self.legal(context.ground).has(point) {
            return Touch::Ignored;
        }
        if self.targets.has(point) {
            self.correct.insert(point);
        } else {
            self.wrong.insert(point);
        }
        if self.missing().is_empty() {
            self.phase = SymmetryPhase::Over;
        }
        Touch::Move(0)
    }

    /// There is no other player to whom to pass.
    fn pass(&mut self, _context: &mut Context<'_, W>) -> bool {
        false
    }

    fn clock(&self, now: Tick) -> Option<Clock> {
        let SymmetryPhase::Press { until, time_ms } = self.phase else {
            return None;
        };
        Some(Clock {
            left_ms: u32::try_from(until.saturating_sub(now)).unwrap_or(u32::MAX),
            of_ms: time_ms,
            waits: false,
        })
    }

    fn to_find(&self) -> Option<u16> {
        Some(self.targets.len() as u16)
    }

    fn wakes_at(&self) -> Option<Tick> {
        match self.phase {
            SymmetryPhase::Press { until, .. } => Some(until),
            SymmetryPhase::Missing { until } => Some(until),
            SymmetryPhase::Over => None,
        }
    }

    fn wake(&mut self, context: &mut Context<'_, W>) {
        if self.wakes_at().is_none_or(|at| at > context.now) {
            return;
        }
        self.phase = match self.phase {
            SymmetryPhase::Press { .. } => SymmetryPhase::Missing {
                until: context.now.saturating_add(MISSING_MS),
            },
            SymmetryPhase::Missing { .. } | SymmetryPhase::Over => SymmetryPhase::Over,
        };
    }

    /// Green has won if all points were found in time.
    fn outcome(&self) -> Option<Outcome> {
        let winner = if self.missing().is_empty() {
            Side::Green
        } else {
            Side::Red
        };
        (self.phase == SymmetryPhase::Over).then_some(Outcome::Won(winner))
    }

    /// The numbers of correct and of wrong points.
    fn score(&self, _ground: &Ground<W>) -> [u32; 2] {
        [self.correct, self.wrong].map(|points| points.len() as u32)
    }

    /// Paints the pattern and correct points green, wrong points red, and points that
    /// were not found in time amber.
    fn paint(&self, _now: Tick, canvas: &mut Canvas<'_, W>) {
        canvas.fill(self.pattern | self.correct, Colour::GREEN);
        canvas.fill(self.wrong, Colour::RED);
        match self.phase {
            SymmetryPhase::Press { .. } => {}
            SymmetryPhase::Missing { until } => {
                canvas.fill(self.missing(), Colour::AMBER);
                let since = until.saturating_sub(MISSING_MS);
                canvas.blink(self.missing(), Rhythm::Medium, since);
            }
            SymmetryPhase::Over => canvas.fill(self.missing(), Colour::AMBER),
        }
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let grid = ground.grid();
        let (Some(mode), Some(top)) = (MODES.get(usize::from(self.mode)), top(grid)) else {
            return false;
        };
        let sets = !self.pattern.is_empty()
            && self.pattern.without(top).is_empty()
            && self.targets == image(self.pattern, *mode, grid)
            && self.correct.without(self.targets).is_empty()
            && self.wrong.without(grid.all()).is_empty()
            && !self.wrong.meets(self.pattern | self.targets);
        let phase = match self.phase {
            SymmetryPhase::Press { .. } => !self.missing().is_empty(),
            SymmetryPhase::Missing { .. } => !self.missing().is_empty(),
            SymmetryPhase::Over => true,
        };
        sets && phase
    }
}
