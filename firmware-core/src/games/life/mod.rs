//! Life (Maldoo manual, game 2): points live and die depending on the number of their
//! neighbours. There are two games: a race to kill all points ([`race`], mode 0) and a
//! war of two colours ([`war`], mode 1).
//!
//! `RULES.md` lists the decisions where the manual says nothing.
//!
//! Invariants: the neighbours of a point are the eight points around it; everything
//! beyond the edge is dead; a touch takes effect before the generation that follows it.

pub mod generation;
mod player;
pub mod race;
pub mod war;

#[cfg(test)]
mod tests;

use postcard::experimental::max_size::MaxSize;
use protocol::{Diagram, Outcome, Point, Side, Tick};
use serde::{Deserialize, Serialize};

use crate::game::{About, Canvas, Context, Game, Illegal, Rules, TimeOut, Touch, stones};
use crate::grid::Grid;
use crate::ground::Ground;
use crate::points::Points;
use crate::word::Word;

use race::Race;
use war::War;

pub use player::LifePlayer;

/// The length of a generation in milliseconds at Speed 0-9: 700 at 5 (Maldoo manual,
/// Life), each setting a fifth shorter than the one before (`RULES.md`).
pub const GENERATION_MS: [Tick; 10] = [2135, 1710, 1365, 1095, 875, 700, 560, 450, 360, 285];

/// The shortest side of a board; on narrower boards hardly anything survives.
const LEAST_SIDE: usize = 4;

fn generation_ms(speed: u8) -> Tick {
    let place = usize::from(speed);
    GENERATION_MS
        .get(place)
        .copied()
        .unwrap_or(GENERATION_MS[9])
}

/// The state of a game of Life.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub enum Life<W: Word> {
    /// A game of mode 0, Life1.
    Race(Race<W>),
    /// A game of mode 1, Life2.
    War(War<W>),
}

/// Calls the same method of either game.
macro_rules! either {
    ($life:expr, $game:ident => $what:expr) => {
        match $life {
            Life::Race($game) => $what,
            Life::War($game) => $what,
        }
    };
}

fn is_large_enough<W: Word>(grid: &Grid<W>) -> bool {
    grid.columns() >= LEAST_SIDE && grid.rows() >= LEAST_SIDE
}

impl<W: Word> Rules<W> for Life<W> {
    const ABOUT: About<'static> = About {
        name: "Life",
        modes: 2,
        time_out: TimeOut::Pass,
        illegal: Illegal::Sound,
        ..About::OF_MANUAL
    };
    type Player = LifePlayer<W>;

    fn start(mode: u8, context: &mut Context<'_, W>) -> Option<Self> {
        if !is_large_enough(context.grid()) {
            return None;
        }
        match mode {
            0 => Some(Life::Race(Race::start(context))),
            1 => Some(Life::War(War::start(context))),
            _ => None,
        }
    }

    /// In mode 0 the diagram is the pattern of the round, in the colour of the player to
    /// move; in mode 1 it contains the stones of both. Other colours, and a colour
    /// without a point, are refused.
    fn diagram(mode: u8, diagram: &Diagram, context: &mut Context<'_, W>) -> Option<Self> {
        let stones = stones(diagram, context.ground)?;
        if !is_large_enough(context.grid()) {
            return None;
        }
        let turn = diagram.turn;
        let [own, other] = [turn, turn.other()].map(|side| stones[side.index()]);
        match mode {
            0 if !own.is_empty() && other.is_empty() => {
                Some(Life::Race(Race::with(own, turn, context)))
            }
            1 if !own.is_empty() && !other.is_empty() => {
                Some(Life::War(War::with(stones, turn, context)))
            }
            _ => None,
        }
    }
}

impl<W: Word> Game<W> for Life<W> {
    fn about(&self) -> About<'_> {
        Self::ABOUT
    }

    fn turn(&self) -> Option<Side> {
        either!(self, game => game.turn())
    }

    fn legal(&self, ground: &Ground<W>) -> Points<W> {
        let grid = ground.grid();
        either!(self, game => game.legal(grid))
    }

    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        match self {
            Life::Race(race) => race.touch(point, context),
            Life::War(war) => war.touch(point, context.grid()),
        }
    }

    /// A turn of the race lasts until all points are dead; in the war it can be given
    /// away.
    fn pass(&mut self, _context: &mut Context<'_, W>) -> bool {
        match self {
            Life::Race(_) => false,
            Life::War(war) => war.pass(),
        }
    }

    /// Only the turns of the war have a fixed length.
    fn clock_runs(&self) -> bool {
        match self {
            Life::Race(_) => false,
            Life::War(war) => war.turn().is_some(),
        }
    }

    fn wakes_at(&self) -> Option<Tick> {
        either!(self, game => game.wakes_at())
    }

    fn wake(&mut self, context: &mut Context<'_, W>) {
        if self.wakes_at().is_some_and(|at| at <= context.now) {
            either!(self, game => game.wake(context));
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self {
            Life::Race(race) => race.outcome(),
            Life::War(war) => war.outcome,
        }
    }

    /// In mode 0 the numbers of generations of both players, in mode 1 their points.
    fn score(&self, _ground: &Ground<W>) -> [u32; 2] {
        let points = match self {
            Life::Race(race) => race.totals,
            Life::War(war) => war.score(),
        };
        points.map(u32::from)
    }

    fn paint(&self, _now: Tick, canvas: &mut Canvas<'_, W>) {
        either!(self, game => game.paint(canvas));
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let grid = ground.grid();
        either!(self, game => game.is_sound(grid))
    }
}
