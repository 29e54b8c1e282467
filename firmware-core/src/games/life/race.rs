//! Life1 (Maldoo manual, Life, mode 0): the players take turns to kill the same pattern,
//! and the generations that they need are added up.
//!
//! Invariants: during a turn some point is alive; both players of a round get the same
//! pattern; no player has more than [`MOST_GENERATIONS`].

use postcard::experimental::max_size::MaxSize;
use protocol::{Outcome, Point, Side, Tick};
use serde::{Deserialize, Serialize};

use super::generation::Aged;
use super::{LEAST_SIDE, generation_ms};
use crate::game::{Canvas, Context, Touch};
use crate::grid::Grid;
use crate::points::Points;
use crate::word::Word;

/// The number of plays in a generation (Maldoo manual, Life).
pub const PLAYS: u8 = 3;

/// The game ends after a red turn once a player has more generations than this
/// (Maldoo manual, Life).
pub const RACE_GENERATIONS: u16 = 100;

/// The number of generations without a touch after which a turn ends, because nobody is
/// there.
pub const DESERTED_GENERATIONS: u16 = 100;

/// A turn ends when the player has this many generations, the largest number that the
/// display can show.
pub const MOST_GENERATIONS: u16 = 999;

/// At the start of a turn, one in this many points is alive.
pub const SPARSENESS: usize = 3;

/// The duration of the dark pause before a turn, in milliseconds.
pub(super) const PAUSE_MS: Tick = 1_500;

/// The phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
pub(super) enum RacePhase {
    /// The pattern lives; the generation ends at this time.
    Run { next_at: Tick },
    /// All points are dark until the next turn begins.
    Pause { until: Tick },
    /// The game has ended.
    Over,
}

/// The state of a game of Life1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Race<W: Word> {
    pub(super) turn: Side,
    /// The pattern with which the turns of this round begin.
    pub(super) pattern: Points<W>,
    pub(super) cells: Aged<W>,
    /// The number of plays left in this generation.
    pub(super) plays: u8,
    /// The number of generations since the last touch in this turn.
    pub(super) idle: u16,
    /// The number of generations so far, `[green, red]`.
    pub(super) totals: [u16; 2],
    pub(super) phase: RacePhase,
}

fn draw_pattern<W: Word>(context: &mut Context<'_, W>) -> Points<W> {
    let all = context.grid().all();
    context.rng.choose(all, all.len() / SPARSENESS)
}

impl<W: Word> Race<W> {
    pub(super) fn start(context: &mut Context<'_, W>) -> Self {
        let pattern = draw_pattern(context);
        Race::with(pattern, Side::Green, context)
    }

    /// A turn of this side with this pattern, which is alive.
    pub(super) fn with(pattern: Points<W>, turn: Side, context: &Context<'_, W>) -> Self {
        let mut race = Race {
            turn,
            pattern,
            cells: Aged::new(pattern),
            plays: PLAYS,
            idle: 0,
            totals: [0; 2],
            phase: RacePhase::Over,
        };
        race.run(context);
        race
    }

    /// Starts a generation with its plays.
    fn run(&mut self, context: &Context<'_, W>) {
        self.plays = PLAYS;
        self.phase = RacePhase::Run {
            next_at: context.now.saturating_add(generation_ms(context.speed)),
        };
    }

    /// Ends the turn: the turn of the other player follows, or the end.
    fn end_turn(&mut self, context: &mut Context<'_, W>) {
        self.cells = Aged::new(Points::NONE);
        self.idle = 0;
        let raced = self.totals.iter().any(|total| *total > RACE_GENERATIONS);
        if self.turn == Side::Red && raced {
            self.phase = RacePhase::Over;
            return;
        }
        if self.turn == Side::Red {
            self.pattern = draw_pattern(context);
        }
        self.turn = self.turn.other();
        self.phase = RacePhase::Pause {
            until: context.now.saturating_add(PAUSE_MS),
        };
    }

    pub(super) fn turn(&self) -> Option<Side> {
        (self.phase != RacePhase::Over).then_some(self.turn)
    }

    pub(super) fn legal(&self, grid: &Grid<W>) -> Points<W> {
        match self.phase {
            RacePhase::Run { .. } if self.plays > 0 => grid.all(),
            _ => Points::NONE,
        }
    }

    /// "When the player presses a point, it reverses its status" (Maldoo manual, Life).
    /// The turn is over when no point is alive.
    pub(super) fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        if !self.legal(context.grid()).has(point) {
            return Touch::Ignored;
        }
        self.cells.reverse(Points::one(point));
        self.plays = self.plays.saturating_sub(1);
        self.idle = 0;
        if self.cells.alive().is_empty() {
            self.end_turn(context);
        }
        Touch::Move(0)
    }

    pub(super) fn wakes_at(&self) -> Option<Tick> {
        match self.phase {
            RacePhase::Run { next_at } => Some(next_at),
            RacePhase::Pause { until } => Some(until),
            RacePhase::Over => None,
        }
    }

    pub(super) fn wake(&mut self, context: &mut Context<'_, W>) {
        match self.phase {
            RacePhase::Run { .. } => self.pass_generation(context),
            RacePhase::Pause { .. } => {
                self.cells = Aged::new(self.pattern);
                self.run(context);
            }
            RacePhase::Over => {}
        }
    }

    fn pass_generation(&mut self, context: &mut Context<'_, W>) {
        self.cells = self.cells.next(context.grid());
        self.idle = self.idle.saturating_add(1);
        let total = &mut self.totals[self.turn.index()];
        *total = total.saturating_add(1);
        if self.cells.alive().is_empty()
            || self.idle >= DESERTED_GENERATIONS
            || *total >= MOST_GENERATIONS
        {
            self.end_turn(context);
        } else {
            self.run(context);
        }
    }

    /// "The player with less generation wins" (Maldoo manual, Life).
    pub(super) fn outcome(&self) -> Option<Outcome> {
        let [green, red] = self.totals;
        (self.phase == RacePhase::Over).then(|| Outcome::by_score([red, green]))
    }

    pub(super) fn paint(&self, canvas: &mut Canvas<'_, W>) {
        canvas.fill(self.cells.alive(), self.turn.into());
    }

    pub(super) fn is_sound(&self, grid: &Grid<W>) -> bool {
        let alive = !self.cells.alive().is_empty();
        let raced = self.totals.iter().any(|total| *total > RACE_GENERATIONS);
        let phase = match self.phase {
            RacePhase::Run { .. } => alive,
            RacePhase::Pause { .. } => !alive,
            RacePhase::Over => !alive && self.turn == Side::Red && raced,
        };
        grid.columns() >= LEAST_SIDE
            && grid.rows() >= LEAST_SIDE
            && self.cells.is_sound(grid)
            && !self.pattern.is_empty()
            && self.pattern.without(grid.all()).is_empty()
            && self.plays <= PLAYS
            && self.idle < DESERTED_GENERATIONS
            && self.totals.iter().all(|total| *total <= MOST_GENERATIONS)
            && phase
    }
}
