//! FindThem (Maldoo manual, game 7): a pattern of both colours is shown and goes dark,
//! and the players look for the points of their own colour.
//!
//! `RULES.md` lists the decisions where the manual says nothing.
//!
//! Invariants: both colours have at least as many hidden points as must be found; every
//! lit point was found by the side of its colour; at most one point is silent, and only
//! in the turn after the touch that made it silent.

mod player;

#[cfg(test)]
mod tests;

use postcard::experimental::max_size::MaxSize;
use protocol::{Colour, Diagram, Outcome, Point, Rhythm, Side, Tick};
use serde::{Deserialize, Serialize};

use crate::game::{About, Canvas, Context, FLASH_MS, Game, Illegal, Rules, TimeOut, Touch, stones};
use crate::ground::Ground;
use crate::points::Points;
use crate::word::Word;

pub use player::FindThemPlayer;

/// A mode of the manual.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// The number of points of each colour in the pattern.
    pub shown: usize,
    /// The number of points of their own colour that players must find.
    pub needed: usize,
}

/// The modes of the manual (Maldoo manual, "FindThem", Modes).
pub const MODES: [Mode; 4] = [
    Mode {
        shown: 24,
        needed: 9,
    },
    Mode {
        shown: 30,
        needed: 15,
    },
    Mode {
        shown: 15,
        needed: 9,
    },
    Mode {
        shown: 21,
        needed: 15,
    },
];

/// How long the pattern is shown at Speed 0-9, in milliseconds; each setting is a fifth
/// shorter than the one before (`RULES.md`).
pub const SHOW_MS: [Tick; 10] = [
    30_500, 24_400, 19_500, 15_600, 12_500, 10_000, 8_000, 6_400, 5_100, 4_100,
];

/// The phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
enum FindThemPhase {
    /// The pattern is shown until this moment.
    Show { until: Tick },
    /// The players look for their points.
    Find,
    /// The game has ended.
    Over,
}

/// The point that the board touches, while it flashes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
struct Flash {
    point: Point,
    until: Tick,
}

/// The state of a game of FindThem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct FindThem<W: Word> {
    /// The index of the mode in [`MODES`].
    mode: u8,
    /// The side to move, or that would be to move if the game continued.
    turn: Side,
    /// The hidden pattern, `[green, red]`.
    hidden: [Points<W>; 2],
    /// The points of the pattern that have been found.
    found: [Points<W>; 2],
    /// The misses of green and of red, which a person could remember.
    missed: [Points<W>; 2],
    /// The point that was missed in the previous turn.
    silent: Option<Point>,
    phase: FindThemPhase,
    flash: Option<Flash>,
    /// Determines what the board's player remembers of this pattern.
    memory: u32,
}

impl<W: Word> FindThem<W> {
    /// A game whose pattern is about to be shown; `None` if the mode does not exist, or
    /// the pattern has too few points.
    fn show(
        mode: u8,
        turn: Side,
        hidden: [Points<W>; 2],
        context: &mut Context<'_, W>,
    ) -> Option<Self> {
        let needed = MODES.get(usize::from(mode))?.needed;
        if hidden.iter().any(|points| points.len() < needed) {
            return None;
        }
        let show_ms = SHOW_MS
            .get(usize::from(context.speed))
            .unwrap_or(&SHOW_MS[9]);
        Some(FindThem {
            mode,
            turn,
            hidden,
            found: [Points::NONE; 2],
            missed: [Points::NONE; 2],
            silent: None,
            phase: FindThemPhase::Show {
                until: context.now.saturating_add(*show_ms),
            },
            flash: None,
            memory: context.rng.next(),
        })
    }

    fn needed(&self) -> usize {
        // Neither `is_sound` nor `show` accepts any other mode.
        MODES
            .get(usize::from(self.mode))
            .map_or(usize::MAX, |mode| mode.needed)
    }

    /// True if this side has found all the points that it needs.
    fn is_done(&self, side: Side) -> bool {
        self.found[side.index()].len() >= self.needed()
    }

    fn silent(&self) -> Points<W> {
        self.silent.map_or(Points::NONE, Points::one)
    }

    fn lit(&self) -> Points<W> {
        self.found[0] | self.found[1]
    }

    /// Ends the turn; the given point is silent in the next one. After red's turn the
    /// game may be over.
    fn end_turn(&mut self, silent: Option<Point>) {
        self.silent = silent;
        self.turn = self.turn.other();
        if self.turn == Side::Green && Side::BOTH.iter().any(|side| self.is_done(*side)) {
            self.phase = FindThemPhase::Over;
            self.silent = None;
            self.flash = None;
        }
    }
}

impl<W: Word> Rules<W> for FindThem<W> {
    const ABOUT: About<'static> = About {
        name: "FindThem",
        modes: MODES.len() as u8,
        time_out: TimeOut::Pass,
        illegal: Illegal::Sound,
        ..About::OF_MANUAL
    };
    type Player = FindThemPlayer;

    /// Draws as many random points as the mode requires. `None` if the board is too
    /// small for the pattern.
    fn start(mode: u8, context: &mut Context<'_, W>) -> Option<Self> {
        let shown = MODES.get(usize::from(mode))?.shown;
        let all = context.grid().all();
        if all.len() < 2 * shown {
            return None;
        }
        let pattern = context.rng.choose(all, 2 * shown);
        let green = context.rng.choose(pattern, shown);
        let hidden = [green, pattern.without(green)];
        FindThem::show(mode, Side::Green, hidden, context)
    }

    /// Shows this pattern as at the start. It may have any size in which both sides can
    /// find as many points as the mode requires. Other colours are refused.
    fn diagram(mode: u8, diagram: &Diagram, context: &mut Context<'_, W>) -> Option<Self> {
        let hidden = stones(diagram, context.ground)?;
        FindThem::show(mode, diagram.turn, hidden, context)
    }
}

impl<W: Word> Game<W> for FindThem<W> {
    fn about(&self) -> About<'_> {
        Self::ABOUT
    }

    fn turn(&self) -> Option<Side> {
        (self.phase != FindThemPhase::Over).then_some(self.turn)
    }

    /// All dark points except the silent one, once the pattern is hidden.
    fn legal(&self, ground: &Ground<W>) -> Points<W> {
        let grid = ground.grid();
        match self.phase {
            FindThemPhase::Find => grid.all().without(self.lit() | self.silent()),
            FindThemPhase::Show { .. } | FindThemPhase::Over => Points::NONE,
        }
    }

    /// A point of the player's colour is found and stays lit; any other point is silent
    /// in the next turn.
    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        if !self.legal(context.ground).has(point) {
            return Touch::Ignored;
        }
        let own = self.turn.index();
        if self.hidden[own].has(point) {
            self.found[own].insert(point);
            self.end_turn(None);
        } else {
            self.missed[own].insert(point);
            self.end_turn(Some(point));
        }
        Touch::Move(0)
    }

    /// Gives up the turn; not possible while the pattern is shown.
    fn pass(&mut self, _context: &mut Context<'_, W>) -> bool {
        let allowed = self.phase == FindThemPhase::Find;
        if allowed {
            self.end_turn(None);
        }
        allowed
    }

    /// No clock runs while the pattern is shown.
    fn clock_runs(&self) -> bool {
        self.phase == FindThemPhase::Find
    }

    /// "When playing against the board, the board flashes the point it
    /// 'presses'" (Maldoo manual, FindThem).
    fn announce(&mut self, point: Point, context: &mut Context<'_, W>) {
        if self.phase == FindThemPhase::Find && context.grid().sides().has(point) {
            self.flash = Some(Flash {
                point,
                until: context.now.saturating_add(FLASH_MS),
            });
        }
    }

    fn wakes_at(&self) -> Option<Tick> {
        match self.phase {
            FindThemPhase::Show { until } => Some(until),
            FindThemPhase::Find => self.flash.map(|flash| flash.until),
            FindThemPhase::Over => None,
        }
    }

    fn wake(&mut self, context: &mut Context<'_, W>) {
        if matches!(self.phase, FindThemPhase::Show { until } if until <= context.now) {
            self.phase = FindThemPhase::Find;
        }
        self.flash.take_if(|flash| flash.until <= context.now);
    }

    /// "The player with 9 points wins, unless both players reached 9 points in
    /// the same move" (Maldoo manual, FindThem).
    fn outcome(&self) -> Option<Outcome> {
        let done = Side::BOTH.map(|side| u16::from(self.is_done(side)));
        (self.phase == FindThemPhase::Over).then(|| Outcome::by_score(done))
    }

    /// The number of points that each side has found.
    fn score(&self, _ground: &Ground<W>) -> [u32; 2] {
        self.found.map(|points| points.len() as u32)
    }

    /// Paints the pattern while it is shown and at the end, and the points that were
    /// found at other times. A point that the board touches flashes in amber, whatever
    /// its colour.
    fn paint(&self, _now: Tick, canvas: &mut Canvas<'_, W>) {
        let lit = match self.phase {
            FindThemPhase::Show { .. } | FindThemPhase::Over => self.hidden,
            FindThemPhase::Find => self.found,
        };
        for side in Side::BOTH {
            canvas.fill(lit[side.index()], side.into());
        }
        if let Some(flash) = self.flash {
            let point = Points::one(flash.point);
            canvas.fill(point, Colour::AMBER);
            canvas.blink(point, Rhythm::Fast, flash.until.saturating_sub(FLASH_MS));
        }
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let grid = ground.grid();
        let [green, red] = self.hidden;
        let [green_missed, red_missed] = self.missed;
        let on_board = |points: Points<W>| points.without(grid.all()).is_empty();
        let sets = on_board(green | red | green_missed | red_missed)
            && !green.meets(red | green_missed)
            && !red.meets(red_missed)
            && self.found[0].without(green).is_empty()
            && self.found[1].without(red).is_empty();
        let needed = self.needed();
        let counts = usize::from(self.mode) < MODES.len()
            && self.hidden.iter().all(|points| points.len() >= needed)
            && self.found.iter().all(|points| points.len() <= needed);
        let silent = self
            .silent
            .is_none_or(|point| grid.sides().has(point) && !self.lit().has(point));
        let flash = self.flash.is_none_or(|flash| grid.sides().has(flash.point));
        let done = Side::BOTH.map(|side| self.is_done(side));
        let phase = match self.phase {
            FindThemPhase::Show { .. } => self.lit().is_empty() && self.flash.is_none(),
            FindThemPhase::Find => !done[1] && (!done[0] || self.turn == Side::Red),
            FindThemPhase::Over => done[0] || done[1],
        };
        sets && counts && silent && flash && phase
    }
}
