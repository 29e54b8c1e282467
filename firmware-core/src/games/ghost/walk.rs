//! How the ghost walks, and appears again after a catch.

use protocol::Point;

use super::places::{around, places, with_a_step};
use super::{Ghost, GhostPhase, GhostWalk, Pattern, RING_MS, RINGS, TURNS};
use crate::game::Context;
use crate::grid::{Direction, Grid};
use crate::points::Points;
use crate::word::Word;

/// The time between two steps at Speed 0-9, in milliseconds; each setting is a quarter
/// faster than the one before (`RULES.md`).
pub const STEP_MS: [u64; 10] = [1525, 1220, 975, 780, 625, 500, 400, 320, 255, 205];

/// By how much of its initial step time a wrong touch slows down the ghost, in percent.
pub const SLOWER_PERCENT: u64 = 10;

/// The number of wrong touches after which the ghost does not get any slower: three times
/// the initial step time.
pub const SLOWER_LIMIT: u8 = 20;

/// The probability that the ghost changes direction at a step, in percent.
const TURN_PERCENT: u32 = 20;

impl<W: Word> Ghost<W> {
    /// The places where the ghost can be after a step from `corner`.
    pub(super) fn steps(&self, corner: Point, grid: &Grid<W>) -> Points<W> {
        grid.neighbours(Points::one(corner) & grid.all()) & self.places(grid)
    }

    /// The step time at the ghost's present speed, in milliseconds.
    pub(super) fn step_ms(&self, speed: u8) -> u64 {
        let first = STEP_MS.get(usize::from(speed)).unwrap_or(&STEP_MS[9]);
        let slower = SLOWER_PERCENT * u64::from(self.wrong.min(SLOWER_LIMIT));
        first * (100 + slower) / 100
    }

    /// Places the ghost at a random place in the first of these sets in which it can
    /// move; `false` if there is none.
    pub(super) fn appear(&mut self, choices: &[Points<W>], context: &mut Context<'_, W>) -> bool {
        let able = with_a_step(self.places(context.grid()), context.grid());
        let corner = choices
            .iter()
            .map(|choice| *choice & able)
            .find(|choice| !choice.is_empty())
            .and_then(|choice| context.rng.pick(choice));
        match corner {
            Some(corner) => self.walk(corner, context),
            None => self.phase = GhostPhase::Over(None),
        }
        corner.is_some()
    }

    /// Places the ghost here, with a random direction.
    pub(super) fn walk(&mut self, corner: Point, context: &mut Context<'_, W>) {
        let heading = context.rng.below(Direction::ALL.len() as u32) as u8;
        let steps_at = context.now.saturating_add(self.step_ms(context.speed));
        self.phase = GhostPhase::Walk(GhostWalk {
            corner,
            heading,
            steps_at,
            deaf_until: None,
            pressed: None,
        });
    }

    /// Makes one step of the ghost: mostly straight ahead, but sometimes, and whenever it
    /// is blocked, in another direction.
    pub(super) fn step(&mut self, walk: GhostWalk, context: &mut Context<'_, W>) {
        let grid = context.grid();
        let here = Points::one(walk.corner);
        let steps = self.steps(walk.corner, grid);
        let onward = Direction::ALL
            .get(usize::from(walk.heading))
            .map_or(Points::NONE, |direction| {
                grid.shift(here, *direction) & steps
            });
        let aside = steps.without(onward);
        let turns = context.rng.percent(TURN_PERCENT);
        let choice = if onward.is_empty() || (turns && !aside.is_empty()) {
            aside
        } else {
            onward
        };
        let Some(corner) = context.rng.pick(choice) else {
            self.phase = GhostPhase::Over(Some(walk.corner));
            return;
        };
        let heading = Direction::ALL
            .into_iter()
            .position(|direction| grid.shift(here, direction).has(corner))
            .unwrap_or(0) as u8;
        let steps_at = context.now.saturating_add(self.step_ms(context.speed));
        self.phase = GhostPhase::Walk(GhostWalk {
            corner,
            heading,
            steps_at,
            ..walk
        });
    }

    /// Shows the next picture of the pattern, or places the ghost again, away from where
    /// it was caught. After the last turn it is not placed again.
    pub(super) fn spread(&mut self, pattern: Pattern, context: &mut Context<'_, W>) {
        let ring = pattern.ring.saturating_add(1);
        if ring < RINGS {
            let next_at = context.now.saturating_add(RING_MS);
            self.phase = GhostPhase::Pattern(Pattern {
                ring,
                next_at,
                ..pattern
            });
            return;
        }
        if self.turns >= TURNS {
            self.phase = GhostPhase::Over(None);
            return;
        }
        let everywhere = context.grid().all();
        let away = everywhere.without(around(pattern.centre, 2, context.grid()));
        let away = places(away, context.grid());
        self.appear(&[away, everywhere], context);
    }
}
