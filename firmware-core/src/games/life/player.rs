//! The board's player: a quick or slow hand in the race, and a simulation of the board in
//! the war.
//!
//! In the race it touches one living point after another. Higher levels are faster, and
//! first try some points to find the one that leaves the fewest alive. In the war it
//! simulates the board without a touch and with several touches, and makes the best one
//! if that gains enough; otherwise it passes.
//!
//! Invariants: a call computes at most [`GENERATIONS_A_TICK`] generations.

use postcard::experimental::max_size::MaxSize;
use protocol::{Point, Side, Tick};
use serde::{Deserialize, Serialize};

use super::generation::hostile;
use super::race::Race;
use super::war::War;
use super::{Life, race};
use crate::game::{BoardTurn, Context, Player};
use crate::grid::Grid;
use crate::ground::Ground;
use crate::minds::at_level;
use crate::points::Points;
#[cfg(feature = "host")]
use crate::thought::{Thought, Worth};
use crate::word::Word;

/// The maximum number of generations that are computed in a call. On a Cortex-M3 each
/// takes 920 instructions on a 9x9 board.
pub(super) const GENERATIONS_A_TICK: u16 = 16;

/// The maximum on boards of more than 128 points, where each generation takes 2,670
/// instructions.
const GENERATIONS_A_TICK_IF_LARGE: u16 = 8;

/// The quality of a hand in the race.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quickness {
    /// The time between touches, uniformly distributed between these bounds, in
    /// milliseconds.
    press_ms: [u32; 2],
    /// The number of living points that it tries before it touches one.
    pub(super) tries: u8,
    /// The number of generations that it simulates after each trial.
    pub(super) depth: u8,
}

/// Levels 1-4. The first three are about as good as a child, an adult and a quick person
/// (`RULES.md`, Against people). `tries * depth` is at most [`GENERATIONS_A_TICK`].
pub(super) const RACE: [Quickness; 4] = [
    Quickness {
        press_ms: [1900, 3700],
        tries: 1,
        depth: 0,
    },
    Quickness {
        press_ms: [800, 1300],
        tries: 1,
        depth: 0,
    },
    Quickness {
        press_ms: [500, 900],
        tries: 2,
        depth: 1,
    },
    Quickness {
        press_ms: [180, 320],
        tries: 8,
        depth: 2,
    },
];

/// How far a player looks ahead in the war.
#[derive(Clone, Copy, Debug)]
struct Foresight {
    /// The number of touches that it tries.
    pub(super) tries: u8,
    /// The number of generations that it simulates after each trial.
    pub(super) depth: u8,
    /// The number of generations for which it waits for the other side to touch first, as
    /// long as it is not behind: the last touch counts most.
    patience: u16,
}

/// How far levels 1 to 4 look ahead in Life2.
const WAR: [Foresight; 4] = [
    Foresight {
        tries: 2,
        depth: 1,
        patience: 0,
    },
    Foresight {
        tries: 5,
        depth: 3,
        patience: 0,
    },
    Foresight {
        tries: 40,
        depth: 20,
        patience: 12,
    },
    Foresight {
        tries: 80,
        depth: 48,
        patience: 30,
    },
];

/// By how many points a touch must be better than none.
const GAIN: i16 = 3;

/// The value of a win, which is above any number of points; an earlier win is worth more.
const WIN: i16 = 1_000;

/// How long a player looks at the board before it starts to think, in milliseconds.
const WATCH_MS: Tick = 600;

/// A search for the best touch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
struct RaceSearch<W: Word> {
    /// The end of the generation that is examined.
    ends_at: Tick,
    /// The touch that is being tried; the first trial is without one.
    press: Option<Point>,
    /// The board of the current trial, and its number of generations.
    stones: [Points<W>; 2],
    steps: u8,
    /// The number of finished trials.
    trials: u8,
    /// The value without a touch.
    unpressed: i16,
    /// The best touch so far, and its value.
    best: Option<(Point, i16)>,
}

/// What the player is doing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
enum RaceMind<W: Word> {
    /// The turn has just begun.
    #[default]
    Fresh,
    /// The player moves a finger or looks at the board.
    Ready,
    /// The player searches for a move.
    Search(RaceSearch<W>),
}

/// The board's player in one turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct LifePlayer<W: Word> {
    wakes_at: Tick,
    mind: RaceMind<W>,
}

impl<W: Word> LifePlayer<W> {
    fn wait(&mut self, mind: RaceMind<W>, at: Tick, now: Tick) -> BoardTurn {
        self.mind = mind;
        self.wakes_at = at.max(now.saturating_add(1));
        BoardTurn::Wait
    }

    fn race(&mut self, race: &Race<W>, level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        let skill = *at_level(&RACE, level);
        let now = context.now;
        let race::RacePhase::Run { next_at } = race.phase else {
            return self.wait(RaceMind::Fresh, race.wakes_at().unwrap_or(Tick::MAX), now);
        };
        if self.mind != RaceMind::Ready {
            let [least, most] = skill.press_ms;
            let drawn_ms = least.saturating_add(context.rng.below(most.saturating_sub(least)));
            return self.wait(
                RaceMind::Ready,
                now.saturating_add(u64::from(drawn_ms)),
                now,
            );
        }
        if race.plays == 0 {
            return self.wait(RaceMind::Ready, next_at, now);
        }
        let grid = context.grid();
        let choice = (0..skill.tries)
            .filter_map(|_| context.rng.pick(race.cells.alive()))
            .min_by_key(|point| left_alive(race, *point, skill.depth, grid));
        self.wait(RaceMind::Fresh, now, now);
        choice.map_or(BoardTurn::Wait, BoardTurn::Touch)
    }

    fn war(&mut self, war: &War<W>, level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        let now = context.now;
        let Some(side) = war.turn() else {
            return self.wait(RaceMind::Fresh, Tick::MAX, now);
        };
        let search = match core::mem::take(&mut self.mind) {
            RaceMind::Fresh => {
                return self.wait(RaceMind::Ready, now.saturating_add(WATCH_MS), now);
            }
            RaceMind::Search(search) if search.ends_at == war.next_at => search,
            RaceMind::Ready | RaceMind::Search(_) => RaceSearch {
                ends_at: war.next_at,
                press: None,
                stones: war.stones,
                steps: 0,
                trials: 0,
                unpressed: 0,
                best: None,
            },
        };
        self.search(search, war, side, *at_level(&WAR, level), context)
    }

    fn search(
        &mut self,
        mut search: RaceSearch<W>,
        war: &War<W>,
        side: Side,
        skill: Foresight,
        context: &mut Context<'_, W>,
    ) -> BoardTurn {
        let generations = if context.grid().sides().points() > 128 {
            GENERATIONS_A_TICK_IF_LARGE
        } else {
            GENERATIONS_A_TICK
        };
        for _ in 0..generations {
            search.stones = hostile(search.stones, context.grid());
            search.steps = search.steps.saturating_add(1);
            let decided = search.stones.iter().any(|stones| stones.is_empty());
            if decided || search.steps >= skill.depth {
                search.judge(side);
                search.begin_trial(war, side, context);
            }
            if search.trials > skill.tries {
                return self.decide(&search, war, side, skill, context.now);
            }
        }
        let now = context.now;
        // On large and fast boards the generation may end earlier.
        if now.saturating_add(1) >= search.ends_at && search.trials > 0 {
            return self.decide(&search, war, side, skill, now);
        }
        self.wait(RaceMind::Search(search), now, now)
    }

    /// Touches a point, gives the turn away, or continues with the next generation.
    fn decide(
        &mut self,
        search: &RaceSearch<W>,
        war: &War<W>,
        side: Side,
        skill: Foresight,
        now: Tick,
    ) -> BoardTurn {
        let answered = war.plays[side.other().index()] > 0;
        let wins = search.unpressed >= WIN;
        let loses = search.unpressed <= -WIN;
        let best = search.best.filter(|(_, value)| {
            if !answered && !loses && skill.patience > 0 {
                // Nobody can answer any more: only a winning touch is good enough, and
                // the next generation may offer one.
                *value >= WIN
            } else {
                *value >= search.unpressed.saturating_add(GAIN)
            }
        });
        let waits = answered && search.unpressed >= 0 && war.quiet < skill.patience;
        match best {
            Some((point, _)) if !wins && !waits => BoardTurn::Touch(point),
            _ if answered => BoardTurn::Pass,
            _ => self.wait(RaceMind::Ready, search.ends_at, now),
        }
    }
}

impl<W: Word> RaceSearch<W> {
    /// Evaluates a trial that has ended.
    fn judge(&mut self, side: Side) {
        let count = |side: Side| self.stones[side.index()].len() as i16;
        let (own, other) = (count(side), count(side.other()));
        let quickness = i16::from(u8::MAX - self.steps);
        let value = match (own, other) {
            (0, 0) => 0,
            (_, 0) => WIN + quickness,
            (0, _) => -WIN - quickness,
            _ => own - other,
        };
        match self.press {
            None => self.unpressed = value,
            Some(point) if self.best.is_none_or(|(_, best)| value > best) => {
                self.best = Some((point, value));
            }
            Some(_) => {}
        }
        self.trials = self.trials.saturating_add(1);
    }

    /// Starts the next trial: a touch at or next to living points.
    fn begin_trial(&mut self, war: &War<W>, side: Side, context: &mut Context<'_, W>) {
        let stones = war.stones[0] | war.stones[1];
        let near = stones | context.grid().neighbours(stones);
        self.press = context.rng.pick(near);
        self.steps = 0;
        self.stones = match self.press {
            Some(point) => War::pressed(war.stones, side, point),
            None => war.stones,
        };
    }
}

/// The number of points alive `depth` generations after this touch.
fn left_alive<W: Word>(race: &Race<W>, point: Point, depth: u8, grid: &Grid<W>) -> usize {
    let mut cells = race.cells;
    cells.reverse(Points::one(point));
    for _ in 0..depth {
        cells = cells.next(grid);
    }
    cells.alive().len()
}

impl<W: Word> Player<W, Life<W>> for LifePlayer<W> {
    #[cfg(feature = "host")]
    fn thought(&self, _game: &Life<W>, _ground: &Ground<W>) -> Thought {
        let RaceMind::Search(search) = &self.mind else {
            return Thought::default();
        };
        Thought {
            best: search.best.map(|(point, _)| point),
            worth: search.best.map(|(_, worth)| Worth::Value(worth.into())),
            depth: search.steps,
            playouts: search.trials.into(),
            ..Thought::default()
        }
    }

    fn wakes_at(&self) -> Tick {
        self.wakes_at
    }

    fn wake(&mut self, game: &Life<W>, level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        match game {
            Life::Race(race) => self.race(race, level, context),
            Life::War(war) => self.war(war, level, context),
        }
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let grid = ground.grid();
        let RaceMind::Search(search) = &self.mind else {
            return true;
        };
        let pressed = search.best.iter().map(|(point, _)| *point);
        search
            .stones
            .iter()
            .all(|stones| stones.without(grid.all()).is_empty())
            && pressed
                .chain(search.press)
                .all(|point| grid.sides().has(point))
    }
}
