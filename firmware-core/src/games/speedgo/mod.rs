//! SpeedGo (Maldoo manual, SpeedGo): Go with area scoring.
//!
//! [`stones`] finds groups and captures ([`groups`] all of them at once), [`area`]
//! counts, and [`start`] draws the first position. This module contains the turns, the
//! positions that may not be repeated, and the end. [`player`] plays red with the random
//! games of [`playout`]. `RULES.md` lists the decisions where the manual leaves something
//! open.
//!
//! Invariants: every group has a liberty; no move repeats one of the last
//! [`REMEMBERED`] positions; the game ends after at most [`TURNS_PER_POINT`] turns
//! for each point.

pub mod area;
pub mod groups;
pub mod player;
pub mod playout;
mod rollout;
pub mod start;
pub mod stones;

use postcard::experimental::max_size::MaxSize;
use protocol::{Diagram, Event, Outcome, Point, Side, Tick};
use serde::{Deserialize, Serialize};

use self::player::Sampler;
use self::stones::Stones;
use crate::game::{self, About, Canvas, Context, Game, Illegal, Rules, TimeOut, Touch};
use crate::grid::Grid;
use crate::ground::Ground;
use crate::points::Points;
use crate::word::Word;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod matches;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;

/// The number of stones of each colour at the start, for each mode (Maldoo manual,
/// SpeedGo, modes).
pub const STONES_OF_MODE: [usize; 3] = [18, 0, 9];

/// The number of stored positions that may not be repeated, including the present one.
/// The rule of the manual (ko) needs one. The others prevent longer cycles (two or three
/// kos, two stones for one), which in practice are at most eight moves long.
pub const REMEMBERED: usize = 12;

/// The number of turns, for each point of the board, after which the game ends and is
/// counted in its present position. No game is therefore endless, even in a cycle longer
/// than the stored positions.
pub const TURNS_PER_POINT: usize = 8;

/// The number of passes in a row that end the game; only those count that agree to the
/// end.
const PASSES_TO_END: u8 = 2;

/// The state of a game of Go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct SpeedGo<W: Word> {
    /// The current position, then the earlier ones, the newest first; at the start
    /// all are equal.
    positions: [Stones<W>; REMEMBERED],
    turn: Side,
    /// The number of passes in a row that agree to the end.
    passes: u8,
    /// The number of stones and passes since the start.
    turns: u16,
    outcome: Option<Outcome>,
}

impl<W: Word> SpeedGo<W> {
    /// A game that starts with these stones.
    fn begin(stones: Stones<W>, turn: Side, context: &mut Context<'_, W>) -> Self {
        let mut game = SpeedGo {
            positions: [stones; REMEMBERED],
            turn,
            passes: 0,
            turns: 0,
            outcome: None,
        };
        game.settle(context);
        game
    }

    /// The stones on the board.
    #[must_use]
    pub fn stones(&self) -> &Stones<W> {
        &self.positions[0]
    }

    /// The point where the side to move could immediately recapture the stone that has
    /// just captured one, if there is such a point.
    #[must_use]
    pub fn ko(&self, grid: &Grid<W>) -> Option<Point> {
        let [now, before, ..] = &self.positions;
        let lost = before.of(self.turn).without(now.of(self.turn));
        let ko = lost.first().filter(|_| lost.len() == 1)?;
        let (next, _) = now.place(grid, self.turn, ko)?;
        (next == *before).then_some(ko)
    }

    /// The stones after a move, or `None` if it is illegal.
    fn after(&self, grid: &Grid<W>, point: Point) -> Option<(Stones<W>, Points<W>)> {
        let next = self.stones().place(grid, self.turn, point)?;
        (!self.positions.contains(&next.0)).then_some(next)
    }

    /// The points where the side to move may place a stone.
    fn moves(&self, grid: &Grid<W>) -> Points<W> {
        let moves = self.stones().moves(grid, self.turn);
        // A stone is added to its side and removes no stone of it. It can therefore only
        // lead to an earlier position that differs by just this stone of the side.
        let own = self.stones().of(self.turn);
        let came = self
            .positions
            .iter()
            .map(|old| old.of(self.turn))
            .filter(|old| own.without(*old).is_empty())
            .map(|old| old.without(own))
            .filter(|added| added.len() == 1)
            .fold(Points::NONE, |came, added| came | added);
        let again = (moves & came).filter(|point| self.after(grid, *point).is_none());
        moves.without(again.collect())
    }

    /// Starts the turn of the other side.
    fn next_turn(&mut self) {
        self.turn = self.turn.other();
        self.turns = self.turns.saturating_add(1);
    }

    fn end(&mut self, grid: &Grid<W>) {
        self.outcome = Some(Outcome::by_score(self.count(grid)));
    }

    /// Ends the game if it is over, and passes for a side without a move.
    fn settle(&mut self, context: &mut Context<'_, W>) {
        let grid = context.grid();
        loop {
            if self.is_over(grid) {
                self.end(grid);
                return;
            }
            if !self.moves(grid).is_empty() {
                return;
            }
            context.report(Event::Passed { side: self.turn });
            self.passes += 1;
            self.turns = self.turns.saturating_add(1);
            self.turn = self.turn.other();
        }
    }

    /// True if the game ends now because of passes or its length.
    fn is_over(&self, grid: &Grid<W>) -> bool {
        self.passes >= PASSES_TO_END
            || usize::from(self.turns) >= TURNS_PER_POINT * grid.sides().points()
    }

    fn count(&self, grid: &Grid<W>) -> [u16; 2] {
        area::count(grid, self.stones())
    }
}

/// True if the board is too narrow for captures in all directions.
fn is_too_narrow<W: Word>(grid: &Grid<W>) -> bool {
    grid.columns() < 2 || grid.rows() < 2
}

impl<W: Word> Rules<W> for SpeedGo<W> {
    const ABOUT: About<'static> = About {
        name: "SpeedGo",
        modes: STONES_OF_MODE.len() as u8,
        time_out: TimeOut::Pass,
        illegal: Illegal::Sound,
        ..About::OF_MANUAL
    };
    type Player = Sampler<W>;

    fn start(mode: u8, context: &mut Context<'_, W>) -> Option<Self> {
        let stones_each = *STONES_OF_MODE.get(usize::from(mode))?;
        let stones = start::scatter(context.grid(), stones_each, context.rng)?;
        Some(SpeedGo::begin(stones, Side::Green, context))
    }

    fn diagram(mode: u8, diagram: &Diagram, context: &mut Context<'_, W>) -> Option<Self> {
        if is_too_narrow(context.grid()) || mode >= Self::ABOUT.modes {
            return None;
        }
        let stones = Stones(game::stones(diagram, context.ground)?);
        stones
            .is_sound(context.grid())
            .then(|| SpeedGo::begin(stones, diagram.turn, context))
    }
}

impl<W: Word> Game<W> for SpeedGo<W> {
    fn about(&self) -> About<'_> {
        Self::ABOUT
    }

    fn turn(&self) -> Option<Side> {
        self.outcome.is_none().then_some(self.turn)
    }

    fn legal(&self, ground: &Ground<W>) -> Points<W> {
        let grid = ground.grid();
        if self.outcome.is_some() {
            return Points::NONE;
        }
        self.moves(grid)
    }

    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        if self.outcome.is_some() {
            return Touch::Ignored;
        }
        let Some((next, caught)) = self.after(context.grid(), point) else {
            return Touch::Illegal;
        };
        self.positions.copy_within(..REMEMBERED - 1, 1);
        self.positions[0] = next;
        self.passes = 0;
        self.next_turn();
        // Only a stone can settle the board.
        if area::is_clear(context.grid(), self.stones()) {
            self.end(context.grid());
        } else {
            self.settle(context);
        }
        Touch::Move(caught.len() as u16)
    }

    fn pass(&mut self, context: &mut Context<'_, W>) -> bool {
        if self.outcome.is_some() {
            return false;
        }
        self.passes += 1;
        self.next_turn();
        self.settle(context);
        true
    }

    /// Passes. The pass only agrees to the end in a position in which people would agree:
    /// a player who looked away for a turn has not given up.
    fn time_out(&mut self, context: &mut Context<'_, W>) {
        if self.outcome.is_some() {
            return;
        }
        if area::is_divided(context.grid(), self.stones()) {
            self.passes += 1;
        } else {
            self.passes = 0;
        }
        self.next_turn();
        self.settle(context);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The area. While the game runs, a side that is alone on the board does not surround
    /// anything yet.
    fn score(&self, ground: &Ground<W>) -> [u32; 2] {
        let grid = ground.grid();
        let stones = self.stones().0.map(|own| own.len() as u32);
        if self.outcome.is_none() && stones.contains(&0) {
            return stones;
        }
        self.count(grid).map(u32::from)
    }

    fn paint(&self, _now: Tick, canvas: &mut Canvas<'_, W>) {
        for side in Side::BOTH {
            canvas.fill(self.stones().of(side), side.into());
        }
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let grid = ground.grid();
        let possible = !is_too_narrow(grid)
            && self.positions.iter().all(|stones| stones.is_sound(grid))
            && self.passes <= PASSES_TO_END
            && u16::from(self.passes) <= self.turns;
        if !possible {
            return false;
        }
        match self.outcome {
            None => !self.is_over(grid) && !self.moves(grid).is_empty(),
            Some(outcome) => {
                let by_a_stone = self.passes == 0 && area::is_clear(grid, self.stones());
                (self.is_over(grid) || by_a_stone) && outcome == Outcome::by_score(self.count(grid))
            }
        }
    }
}
