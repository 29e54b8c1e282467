//! Ghost (Maldoo manual, game 1): four points wander over the board, and the
//! players catch them.
//!
//! The ghost is a block of 2x2 points that moves one point at a time in any of eight
//! directions. A touch that hits it scores, and rings spread from it as a celebration. A
//! touch elsewhere puts an obstacle in its way (modes 0 and 1) and makes it slower.
//! `RULES.md` lists the decisions where the manual says nothing.
//!
//! Invariants: the ghost is completely on the board and covers no lit point; while it is
//! out, it can make a step; every touch that counts and every pass is one of the 32
//! turns; all other touches change nothing.

mod modes;
mod places;
mod player;
mod walk;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod matches;
#[cfg(test)]
mod tests;

use postcard::experimental::max_size::MaxSize;
use protocol::{Colour, Diagram, Outcome, Point, Side, Tick};
use serde::{Deserialize, Serialize};

use crate::game::{About, Canvas, Context, Game, Illegal, Rules, TimeOut, Touch, fits, rule_of};
use crate::grid::{Direction, Grid};
use crate::ground::Ground;
use crate::points::Points;
use crate::two_colours::TwoColours;
use crate::word::Word;

use modes::{Gain, MODES, Mode, Trace};
use places::{around, block, inner, places, with_a_step};
pub use player::GhostHand;
pub use walk::{SLOWER_LIMIT, SLOWER_PERCENT, STEP_MS};

/// The number of turns in a game, of both sides together (Maldoo manual, Ghost: it "stops
/// after 32").
pub const TURNS: u8 = 32;

/// The shortest side of a board on which the ghost can start away from every edge.
const MIN_SIDE: usize = 4;

/// How long touches are ignored after one that counted, in milliseconds. Such a touch
/// comes from the same hand, or from the other player, who cannot have seen the change of
/// turns yet.
const DEAF_MS: u64 = 100;

/// How long a miss of the board is shown if it lights nothing, in milliseconds; nobody
/// can see the board's finger.
const PRESS_MS: u64 = 500;

/// How long each picture of the pattern is shown, in milliseconds.
const RING_MS: u64 = 150;

/// The number of pictures of the pattern, which take 1.2 s together.
const RINGS: u8 = 8;

/// The distance between the rings of the pattern, in points.
const RING_GAP: u8 = 3;

/// The ghost while it walks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
struct GhostWalk {
    /// The upper left one of its four points.
    corner: Point,
    /// Its direction, as an index of [`Direction::ALL`].
    heading: u8,
    /// The time of its next step.
    steps_at: Tick,
    /// The time until which touches are ignored after a wrong one.
    deaf_until: Option<Tick>,
    /// The point that the board missed, while it is shown.
    pressed: Option<Press>,
}

/// A wrong touch of the board that leaves nothing on the board.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
struct Press {
    point: Point,
    /// The time until which it is shown.
    until: Tick,
}

/// The moving pattern after a catch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
struct Pattern {
    /// The point that was touched.
    centre: Point,
    /// The side that scored.
    side: Side,
    /// The index of the current picture, below [`RINGS`].
    ring: u8,
    /// The time of the next picture.
    next_at: Tick,
}

/// The phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
enum GhostPhase {
    /// The ghost walks over the board.
    Walk(GhostWalk),
    /// The ghost is away, and the pattern is drawn.
    Pattern(Pattern),
    /// The game has ended, with the upper left point of the ghost. `None` after a catch
    /// in the last turn, and while a game is being set up.
    Over(Option<Point>),
}

/// The state of a game of Ghost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Ghost<W: Word> {
    /// The index of the mode in [`MODES`].
    mode: u8,
    /// The side to move, or that would be to move if the game continued.
    turn: Side,
    /// The number of turns played, up to [`TURNS`].
    turns: u8,
    /// The number of wrong touches so far.
    wrong: u8,
    /// The score, `[green, red]`.
    score: [u8; 2],
    /// The points switched on by wrong touches of green and of red.
    lit: TwoColours<W>,
    phase: GhostPhase,
}

impl<W: Word> Ghost<W> {
    /// A game before its first turn, with these points lit and without a ghost; `None` if
    /// the mode does not exist or the board is too small.
    fn empty(mode: u8, turn: Side, lit: TwoColours<W>, grid: &Grid<W>) -> Option<Self> {
        fits(&MODES, mode, grid, MIN_SIDE).then_some(Ghost {
            mode,
            turn,
            turns: 0,
            wrong: 0,
            score: [0; 2],
            lit,
            phase: GhostPhase::Over(None),
        })
    }

    fn mode(&self) -> Mode {
        rule_of(&MODES, self.mode)
    }

    fn lit(&self) -> Points<W> {
        self.lit.lit()
    }

    /// The places where the ghost can be.
    fn places(&self, grid: &Grid<W>) -> Points<W> {
        places(grid.all().without(self.lit()), grid)
    }

    /// The gain of a touch while the ghost is at `corner`.
    fn gain(&self, point: Point, corner: Point, grid: &Grid<W>) -> Gain {
        let ghost = block(corner, grid);
        if ghost.has(point) {
            self.mode().on_ghost
        } else if grid.neighbours(ghost).has(point) {
            self.mode().near_ghost
        } else {
            Gain::Wrong
        }
    }

    /// The points that score for the player who touches them, if the ghost is at
    /// `corner`.
    fn targets(&self, corner: Point, grid: &Grid<W>) -> Points<W> {
        let ghost = block(corner, grid);
        let near = grid.neighbours(ghost);
        [
            (ghost, self.mode().on_ghost),
            (near, self.mode().near_ghost),
        ]
        .into_iter()
        .filter(|(_, gain)| *gain == Gain::Mine)
        .fold(Points::NONE, |targets, (points, _)| targets | points)
    }

    /// Ends one of the 32 turns. Returns true if it was the last one.
    fn end_turn(&mut self) -> bool {
        self.turn = self.turn.other();
        self.turns = self.turns.saturating_add(1);
        self.turns >= TURNS
    }

    fn score_for(&mut self, side: Side, point: Point, now: Tick) {
        if let Some(score) = self.score.get_mut(side.index()) {
            *score = score.saturating_add(1);
        }
        self.end_turn();
        let next_at = now.saturating_add(RING_MS);
        self.phase = GhostPhase::Pattern(Pattern {
            centre: point,
            side,
            ring: 0,
            next_at,
        });
    }

    fn miss(&mut self, point: Point, walk: GhostWalk, context: &Context<'_, W>) {
        if self.mode().trace == Trace::Light {
            self.lit[self.turn].insert(point);
        }
        self.wrong = self.wrong.saturating_add(1);
        let last = self.end_turn();
        let shut_in = self.steps(walk.corner, context.grid()).is_empty();
        self.phase = if last || shut_in {
            GhostPhase::Over(Some(walk.corner))
        } else {
            let deaf_until = Some(context.now.saturating_add(DEAF_MS));
            GhostPhase::Walk(GhostWalk { deaf_until, ..walk })
        };
    }
}

impl<W: Word> Rules<W> for Ghost<W> {
    const ABOUT: About<'static> = About {
        name: "Ghost",
        modes: MODES.len() as u8,
        time_out: TimeOut::Pass,
        illegal: Illegal::Sound,
        ..About::OF_MANUAL
    };
    type Player = GhostHand;

    /// Green begins; the ghost starts at a random place away from the edges.
    fn start(mode: u8, context: &mut Context<'_, W>) -> Option<Self> {
        let mut game = Ghost::empty(mode, Side::Green, TwoColours::NONE, context.grid())?;
        let middle = places(inner(context.grid()), context.grid());
        game.appear(&[middle], context).then_some(game)
    }

    /// Lights the green and red points. Four amber points in a block are the ghost;
    /// without them it appears at random. Other colours, points outside of the board,
    /// a ghost of a different shape, and a board without room for a ghost are
    /// refused. If the ghost cannot move, the game is over.
    fn diagram(mode: u8, diagram: &Diagram, context: &mut Context<'_, W>) -> Option<Self> {
        let mut dark = diagram.clone();
        let mut ghost = Points::NONE;
        for point in context.grid().sides().iter() {
            if diagram.points.get(point) == Colour::AMBER {
                ghost.insert(point);
                dark.points.set(point, Colour::OFF);
            }
        }
        let lit = TwoColours::of(&dark, context.ground)?;
        let mut game = Ghost::empty(mode, diagram.turn, lit, context.grid())?;
        let Some(corner) = ghost.first() else {
            let middle = places(inner(context.grid()), context.grid());
            return game
                .appear(&[middle, context.grid().all()], context)
                .then_some(game);
        };
        if ghost.len() != 4 || block(corner, context.grid()) != ghost {
            return None;
        }
        if game.steps(corner, context.grid()).is_empty() {
            game.phase = GhostPhase::Over(Some(corner));
        } else {
            game.walk(corner, context);
        }
        Some(game)
    }
}

impl<W: Word> Game<W> for Ghost<W> {
    fn about(&self) -> About<'_> {
        Self::ABOUT
    }

    /// It is nobody's turn while the pattern of the last turn is drawn.
    fn turn(&self) -> Option<Side> {
        let goes_on = self.outcome().is_none() && self.turns < TURNS;
        goes_on.then_some(self.turn)
    }

    /// All points that are not lit, and the lit points that score; none while the pattern
    /// is drawn, and for a moment after a wrong touch.
    fn legal(&self, ground: &Ground<W>) -> Points<W> {
        let grid = ground.grid();
        match self.phase {
            GhostPhase::Walk(GhostWalk {
                corner,
                deaf_until: None,
                ..
            }) => grid.all().without(self.lit()) | self.targets(corner, grid),
            _ => Points::NONE,
        }
    }

    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        let GhostPhase::Walk(walk) = self.phase else {
            return Touch::Ignored;
        };
        if !self.legal(context.ground).has(point) {
            return Touch::Ignored;
        }
        match self.gain(point, walk.corner, context.grid()) {
            Gain::Mine => self.score_for(self.turn, point, context.now),
            Gain::Theirs => self.score_for(self.turn.other(), point, context.now),
            Gain::Wrong => self.miss(point, walk, context),
        }
        Touch::Move(0)
    }

    /// Gives up the turn; not possible while the pattern is drawn.
    fn pass(&mut self, _context: &mut Context<'_, W>) -> bool {
        let GhostPhase::Walk(walk) = self.phase else {
            return false;
        };
        if self.end_turn() {
            self.phase = GhostPhase::Over(Some(walk.corner));
        }
        true
    }

    fn clock_runs(&self) -> bool {
        matches!(self.phase, GhostPhase::Walk(_))
    }

    fn turns_left(&self) -> Option<u16> {
        Some(u16::from(TURNS.saturating_sub(self.turns)))
    }

    /// Shows the point that the board touches, if nothing else would. After a catch there
    /// is nothing to show, because the ghost is gone.
    fn announce(&mut self, point: Point, context: &mut Context<'_, W>) {
        let is_dark = self.mode().trace == Trace::Dark;
        if let (GhostPhase::Walk(walk), true) = (&mut self.phase, is_dark) {
            let until = context.now.saturating_add(PRESS_MS);
            walk.pressed = Some(Press { point, until });
        }
    }

    fn wakes_at(&self) -> Option<Tick> {
        match self.phase {
            GhostPhase::Walk(walk) => {
                let seen_until = walk.pressed.map(|press| press.until);
                let others = [walk.deaf_until, seen_until].into_iter().flatten();
                Some(others.fold(walk.steps_at, Tick::min))
            }
            GhostPhase::Pattern(pattern) => Some(pattern.next_at),
            GhostPhase::Over(_) => None,
        }
    }

    fn wake(&mut self, context: &mut Context<'_, W>) {
        match self.phase {
            GhostPhase::Walk(walk) => {
                let deaf_until = walk.deaf_until.filter(|until| *until > context.now);
                let pressed = walk.pressed.filter(|press| press.until > context.now);
                let walk = GhostWalk {
                    deaf_until,
                    pressed,
                    ..walk
                };
                self.phase = GhostPhase::Walk(walk);
                if walk.steps_at <= context.now {
                    self.step(walk, context);
                }
            }
            GhostPhase::Pattern(pattern) if pattern.next_at <= context.now => {
                self.spread(pattern, context);
            }
            GhostPhase::Pattern(_) | GhostPhase::Over(_) => {}
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        matches!(self.phase, GhostPhase::Over(_))
            .then(|| Outcome::by_score(self.score.map(u16::from)))
    }

    /// The points that both sides have for catches.
    fn score(&self, _ground: &Ground<W>) -> [u32; 2] {
        self.score.map(u32::from)
    }

    /// Paints the ghost in the colour of the side to move, rings in the colour of the
    /// side that scored, and a miss of the board in amber. After the end the last picture
    /// stays.
    fn paint(&self, _now: Tick, canvas: &mut Canvas<'_, W>) {
        let grid = canvas.ground().grid();
        self.lit.paint(canvas);
        match self.phase {
            GhostPhase::Walk(GhostWalk {
                corner, pressed, ..
            }) => {
                let pressed = pressed.map(|press| press.point);
                canvas.fill(pressed.into_iter().collect(), Colour::AMBER);
                canvas.fill(block(corner, grid), self.turn.into());
            }
            GhostPhase::Over(Some(corner)) => canvas.fill(block(corner, grid), self.turn.into()),
            GhostPhase::Pattern(Pattern {
                centre, side, ring, ..
            }) => {
                let mut disc = Points::NONE;
                for radius in 0..=ring.min(RINGS) {
                    let circle = around(centre, radius, grid).without(disc);
                    if ring.abs_diff(radius) % RING_GAP == 0 {
                        canvas.fill(circle, side.into());
                    }
                    disc |= circle;
                }
            }
            GhostPhase::Over(None) => {}
        }
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let grid = ground.grid();
        let points = self
            .score
            .iter()
            .map(|score| u16::from(*score))
            .sum::<u16>();
        let counts = fits(&MODES, self.mode, grid, MIN_SIDE)
            && self.lit.is_sound(grid)
            && self.turns <= TURNS
            && points + u16::from(self.wrong) <= u16::from(self.turns);
        counts && self.phase_is_sound(grid)
    }
}

impl<W: Word> Ghost<W> {
    /// Checks the phase; called if everything else is sound.
    fn phase_is_sound(&self, grid: &Grid<W>) -> bool {
        let goes_on = self.turns < TURNS;
        let stands = |corner| self.places(grid).has(corner);
        match self.phase {
            GhostPhase::Walk(GhostWalk {
                corner,
                heading,
                pressed,
                ..
            }) => {
                goes_on
                    && pressed.is_none_or(|press| grid.sides().has(press.point))
                    && usize::from(heading) < Direction::ALL.len()
                    && stands(corner)
                    && !self.steps(corner, grid).is_empty()
            }
            GhostPhase::Pattern(Pattern { centre, ring, .. }) => {
                grid.sides().has(centre)
                    && ring < RINGS
                    && (!goes_on || !with_a_step(self.places(grid), grid).is_empty())
            }
            GhostPhase::Over(Some(corner)) => {
                stands(corner) && (!goes_on || self.steps(corner, grid).is_empty())
            }
            GhostPhase::Over(None) => !goes_on,
        }
    }
}
