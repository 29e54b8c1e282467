//! TouchIt (Maldoo manual, game 3): a green and a red chain of points grow at the same
//! time, and the player who first touches the newest point of their own chain wins the
//! turn.
//!
//! `RULES.md` lists the decisions where the manual says nothing.
//!
//! Invariants: the two chains have no point in common and turn as the mode allows; only
//! their newest points count; a display ends with the first touch that counts, or when
//! its time is over; the fortieth display is the last, and its pattern is shown before
//! the end.

mod chain;
mod player;

#[cfg(test)]
mod tests;

use core::marker::PhantomData;

use postcard::experimental::max_size::MaxSize;
use protocol::{Diagram, Outcome, Point, Side, Tick};
use serde::{Deserialize, Serialize};

use crate::game::{About, Canvas, Context, Game, Illegal, Rules, TimeOut, Touch, rule_of, stones};
use crate::games::rings::Rings;
use crate::ground::Ground;
use crate::points::Points;
use crate::word::Word;

use chain::{Bend, Chain};

pub use player::TouchItHand;

/// The number of displays in a game (Maldoo manual, TouchIt: "ends after 40 turns").
pub const DISPLAYS: u8 = 40;

/// The possible directions of the third point relative to the first two (Maldoo
/// manual, TouchIt, Modes).
const MODES: [&[Bend]; 4] = [
    &[Bend::Straight],
    &[Bend::Right],
    &[Bend::Left],
    &[Bend::Straight, Bend::Right, Bend::Left],
];

/// The time between two points at Speed 0-9, in milliseconds; each setting is a fifth
/// shorter than the one before (`RULES.md`).
pub const GAP_MS: [u16; 10] = [1830, 1465, 1170, 940, 750, 600, 480, 385, 305, 245];

/// The dark time between two displays, in milliseconds: the minimum, and the largest
/// random addition.
const PAUSE_MS: [u32; 2] = [1_000, 1_000];

/// The phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
enum TouchItPhase {
    /// All points are dark until the next chains start.
    Pause { until: Tick },
    /// This many points of each chain are lit (1-3). At this time the next one lights up,
    /// or all go dark.
    Show { shown: u8, next_at: Tick },
    /// A player has won the turn.
    Won(Rings),
    /// The game has ended.
    Over,
}

/// The state of a game of TouchIt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct TouchIt<W: Word> {
    /// The index of the mode in [`MODES`].
    mode: u8,
    /// The number of displays that have ended, up to [`DISPLAYS`].
    displays: u8,
    /// The score, `[green, red]`.
    score: [u8; 2],
    /// The chains of the present display or of the next one, `[green, red]`.
    chains: [Chain; 2],
    /// The time between two points in this display, in milliseconds.
    gap_ms: u16,
    phase: TouchItPhase,
    word: PhantomData<W>,
}

/// The time between two points at this speed, in milliseconds.
fn gap_ms(speed: u8) -> u16 {
    GAP_MS.get(usize::from(speed)).copied().unwrap_or(GAP_MS[9])
}

impl<W: Word> TouchIt<W> {
    fn new(mode: u8, chains: [Chain; 2], phase: TouchItPhase, speed: u8) -> Self {
        TouchIt {
            mode,
            displays: 0,
            score: [0; 2],
            chains,
            gap_ms: gap_ms(speed),
            phase,
            word: PhantomData,
        }
    }

    /// The same game with the colours exchanged, with which the board's hand, which plays
    /// red, can play green.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        let mut game = self.clone();
        game.chains.reverse();
        game.score.reverse();
        game
    }

    fn turns(&self) -> &'static [Bend] {
        rule_of(&MODES, self.mode)
    }

    /// The newest points, `[green, red]`, during a display.
    fn newest(&self) -> Option<[Point; 2]> {
        let TouchItPhase::Show { shown, .. } = self.phase else {
            return None;
        };
        let last = usize::from(shown.clamp(1, 3)) - 1;
        Some(self.chains.map(|chain| chain.0[last]))
    }

    /// Ends a display and draws the chains of the next one. `phase` is the phase that
    /// follows: a pattern, a pause, or the end.
    fn end_display(&mut self, phase: TouchItPhase, context: &mut Context<'_, W>) {
        self.displays = self.displays.saturating_add(1);
        self.phase = phase;
        if let Some(chains) = chain::draw(self.turns(), context.grid(), context.rng) {
            self.chains = chains;
        }
    }

    /// The next phase after `displays` displays: a pause, or the end.
    fn after(displays: u8, context: &mut Context<'_, W>) -> TouchItPhase {
        if displays < DISPLAYS {
            TouchIt::pause(context)
        } else {
            TouchItPhase::Over
        }
    }

    fn pause(context: &mut Context<'_, W>) -> TouchItPhase {
        let [least, more] = PAUSE_MS;
        let pause_ms = u64::from(least) + u64::from(context.rng.below(more));
        TouchItPhase::Pause {
            until: context.now.saturating_add(pause_ms),
        }
    }

    /// The phase in which, from now on, this many points of each chain are lit.
    fn show(&self, shown: u8, now: Tick) -> TouchItPhase {
        TouchItPhase::Show {
            shown,
            next_at: now.saturating_add(u64::from(self.gap_ms)),
        }
    }
}

impl<W: Word> Rules<W> for TouchIt<W> {
    const ABOUT: About<'static> = About {
        name: "TouchIt",
        modes: MODES.len() as u8,
        time_out: TimeOut::None,
        illegal: Illegal::Sound,
        ..About::OF_MANUAL
    };
    type Player = TouchItHand;

    /// `None` if the board has no room for two chains.
    fn start(mode: u8, context: &mut Context<'_, W>) -> Option<Self> {
        let turns = MODES.get(usize::from(mode))?;
        let chains = chain::draw(turns, context.grid(), context.rng)?;
        let phase = TouchIt::pause(context);
        Some(TouchIt::new(mode, chains, phase, context.speed))
    }

    /// Three green and three red points are the chains of the first display, which starts
    /// at once. A chain that can be read in both directions starts at its upper or left
    /// end. Points that do not form a chain of the mode are refused.
    fn diagram(mode: u8, diagram: &Diagram, context: &mut Context<'_, W>) -> Option<Self> {
        let turns = MODES.get(usize::from(mode))?;
        let [green, red] = stones(diagram, context.ground)?;
        let green = chain::read(green, turns, context.grid())?;
        let red = chain::read(red, turns, context.grid())?;
        let mut game = TouchIt::new(mode, [green, red], TouchItPhase::Over, context.speed);
        game.phase = game.show(1, context.now);
        Some(game)
    }
}

impl<W: Word> Game<W> for TouchIt<W> {
    fn about(&self) -> About<'_> {
        Self::ABOUT
    }

    /// Both sides play at the same time.
    fn turn(&self) -> Option<Side> {
        None
    }

    /// The board cannot detect whose finger it is, so the colour of the point decides.
    fn side_of(&self, point: Point) -> Option<Side> {
        let newest = self.newest()?;
        Side::BOTH
            .into_iter()
            .find(|side| newest[side.index()] == point)
    }

    /// The newest point of each chain.
    fn legal(&self, _ground: &Ground<W>) -> Points<W> {
        let newest = self.newest();
        newest.into_iter().flatten().collect()
    }

    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        let Some(side) = self.side_of(point) else {
            return Touch::Ignored;
        };
        let score = &mut self.score[side.index()];
        *score = score.saturating_add(1);
        self.end_display(
            TouchItPhase::Won(Rings::begin(point, side, context.now)),
            context,
        );
        Touch::Move(0)
    }

    /// There is no turn to give away.
    fn pass(&mut self, _context: &mut Context<'_, W>) -> bool {
        false
    }

    fn turns_left(&self) -> Option<u16> {
        Some(u16::from(DISPLAYS.saturating_sub(self.displays)))
    }

    fn wakes_at(&self) -> Option<Tick> {
        match self.phase {
            TouchItPhase::Pause { until } => Some(until),
            TouchItPhase::Show { next_at, .. } => Some(next_at),
            TouchItPhase::Won(rings) => Some(rings.wakes_at()),
            TouchItPhase::Over => None,
        }
    }

    fn wake(&mut self, context: &mut Context<'_, W>) {
        if self.wakes_at().is_none_or(|at| at > context.now) {
            return;
        }
        match self.phase {
            TouchItPhase::Pause { .. } => {
                self.gap_ms = gap_ms(context.speed);
                self.phase = self.show(1, context.now);
            }
            TouchItPhase::Show { shown: 1, .. } => self.phase = self.show(2, context.now),
            TouchItPhase::Show { shown: 2, .. } => self.phase = self.show(3, context.now),
            TouchItPhase::Show { .. } => {
                let phase = TouchIt::after(self.displays.saturating_add(1), context);
                self.end_display(phase, context);
            }
            TouchItPhase::Won(rings) => {
                self.phase = match rings.next(context.now) {
                    Some(rings) => TouchItPhase::Won(rings),
                    None => TouchIt::after(self.displays, context),
                };
            }
            TouchItPhase::Over => {}
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.phase == TouchItPhase::Over).then(|| Outcome::by_score(self.score.map(u16::from)))
    }

    /// The number of displays that each side has won.
    fn score(&self, _ground: &Ground<W>) -> [u32; 2] {
        self.score.map(u32::from)
    }

    fn paint(&self, _now: Tick, canvas: &mut Canvas<'_, W>) {
        match self.phase {
            TouchItPhase::Show { shown, .. } => {
                for side in Side::BOTH {
                    let points = self.chains[side.index()].0;
                    let lit = points.into_iter().take(usize::from(shown)).collect();
                    canvas.fill(lit, side.into());
                }
            }
            TouchItPhase::Won(rings) => rings.paint(canvas),
            TouchItPhase::Pause { .. } | TouchItPhase::Over => {}
        }
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let grid = ground.grid();
        let Some(turns) = MODES.get(usize::from(self.mode)) else {
            return false;
        };
        let [green, red] = self.chains;
        let chains = green.fits(turns, grid)
            && red.fits(turns, grid)
            && !green.0.iter().any(|point| red.0.contains(point));
        let points = self
            .score
            .iter()
            .map(|score| u16::from(*score))
            .sum::<u16>();
        let counts = points <= u16::from(self.displays) && self.gap_ms > 0;
        let phase = match self.phase {
            TouchItPhase::Over => self.displays == DISPLAYS,
            TouchItPhase::Pause { .. } => self.displays < DISPLAYS,
            TouchItPhase::Show { shown, .. } => {
                self.displays < DISPLAYS && (1..=3).contains(&shown)
            }
            TouchItPhase::Won(rings) => self.displays <= DISPLAYS && rings.is_sound(grid),
        };
        chains && counts && phase
    }
}
