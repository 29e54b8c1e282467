//! The hand with which the board plays red: it looks, aims and touches like a person,
//! better or worse depending on the level.
//!
//! A turn has three stages: wait until the ghost is out, notice it, then look and move
//! the finger there. Levels differ in the time between the look and the touch (during
//! which the ghost moves on), in how often the finger slips, and in whether the hand aims
//! at where the ghost will be.
//!
//! Invariants: the hand knows no more than a player can see on the board and feel in its
//! rhythm, so it does not know in which direction the ghost will turn. It only touches
//! points that count.

use postcard::experimental::max_size::MaxSize;
use protocol::{Point, Tick};
use serde::{Deserialize, Serialize};

use super::{Direction, Ghost, GhostPhase, GhostWalk};
use crate::game::{BoardTurn, Context, Game, Player};
use crate::grid::Grid;
use crate::ground::Ground;
use crate::minds::at_level;
use crate::points::Points;
use crate::rng::Rng;
use crate::word::Word;

/// The quality of a hand. Times are uniformly distributed between their bounds.
#[derive(Clone, Copy, Debug)]
struct Skill {
    /// The time from the ghost's appearance, or the start of the turn, to the look.
    notice_ms: [u32; 2],
    /// The time from the look to the touch. A person takes 300-700 ms to choose among
    /// several places, and less with practice.
    reaction_ms: [u32; 2],
    /// The probability that the finger lands beside its target, in percent.
    slip_percent: u32,
    /// The probability that it aims at where the ghost is going instead of where it was
    /// seen, in percent.
    foresees_percent: u32,
}

/// The skills of levels 1 to 4.
const SKILLS: [Skill; 4] = [
    Skill {
        notice_ms: [500, 1200],
        reaction_ms: [650, 1100],
        slip_percent: 42,
        foresees_percent: 0,
    },
    Skill {
        notice_ms: [400, 900],
        reaction_ms: [320, 540],
        slip_percent: 26,
        foresees_percent: 65,
    },
    Skill {
        notice_ms: [300, 700],
        reaction_ms: [200, 340],
        slip_percent: 13,
        foresees_percent: 90,
    },
    Skill {
        notice_ms: [200, 500],
        reaction_ms: [100, 180],
        slip_percent: 0,
        foresees_percent: 100,
    },
];

/// The maximum number of steps that a hand looks ahead.
const FORESIGHT: u64 = 4;

/// What the simulated hand is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
enum HandStage {
    /// The hand waits for the ghost.
    #[default]
    Wait,
    /// The ghost is out, and the hand has not looked yet.
    Notice,
    /// The finger is on its way to this point.
    Press(Point),
}

/// The hand in one turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
pub struct GhostHand {
    wakes_at: Tick,
    stage: HandStage,
    /// Its random numbers, from the first look on.
    rng: Option<Rng>,
}

impl GhostHand {
    fn below(&mut self, ends: [u32; 2]) -> u64 {
        let [least, most] = ends;
        let spread = most.saturating_sub(least).saturating_add(1);
        let drawn = self.rng.as_mut().map_or(0, |rng| rng.below(spread));
        u64::from(least) + u64::from(drawn)
    }

    fn pick<W: Word>(&mut self, points: Points<W>) -> Option<Point> {
        self.rng.as_mut().and_then(|rng| rng.pick(points))
    }

    fn percent(&mut self, chance_percent: u32) -> bool {
        self.rng
            .as_mut()
            .is_some_and(|rng| rng.percent(chance_percent))
    }

    fn go_on(&mut self, stage: HandStage, at: Tick) -> BoardTurn {
        self.stage = stage;
        self.wakes_at = at;
        BoardTurn::Wait
    }

    /// Looks, and starts to move the finger.
    fn notice<W: Word>(
        &mut self,
        game: &Ghost<W>,
        walk: GhostWalk,
        skill: Skill,
        context: &Context<'_, W>,
    ) -> BoardTurn {
        let reaction_ms = self.below(skill.reaction_ms).max(1);
        let presses_at = context.now.saturating_add(reaction_ms);
        let foresees = self.percent(skill.foresees_percent);
        let targets = if foresees {
            game.targets_at(presses_at, context.speed, context.grid())
        } else {
            game.targets(walk.corner, context.grid())
        };
        let legal = game.legal(context.ground);
        let aim = self.pick(targets & legal);
        let slips = self.percent(skill.slip_percent);
        let beside = match aim {
            Some(aim) if slips => self.pick(context.grid().neighbours(Points::one(aim)) & legal),
            _ => None,
        };
        match beside.or(aim) {
            Some(point) => self.go_on(HandStage::Press(point), presses_at),
            None => self.go_on(HandStage::Wait, presses_at),
        }
    }
}

impl<W: Word> Ghost<W> {
    /// The points that will score at this time for the side to move, as far as is known
    /// if the ghost goes straight ahead. If there are any that also score when it steps
    /// early, only these. None while the ghost is away.
    #[must_use]
    pub fn targets_at(&self, at: Tick, speed: u8, grid: &Grid<W>) -> Points<W> {
        let GhostPhase::Walk(walk) = self.phase else {
            return Points::NONE;
        };
        let places = self.places(grid);
        let mut steps = match at.checked_sub(walk.steps_at) {
            Some(late_ms) => 1 + late_ms / self.step_ms(speed).max(1),
            None => 0,
        }
        .min(FORESIGHT);
        let mut corner = walk.corner;
        let mut targets = self.targets(corner, grid);
        while steps > 0 {
            let onward = Direction::ALL
                .get(usize::from(walk.heading))
                .and_then(|direction| {
                    (grid.shift(Points::one(corner), *direction) & places).first()
                });
            let Some(next) = onward else { break };
            corner = next;
            let there = self.targets(corner, grid);
            targets = if targets.meets(there) {
                targets & there
            } else {
                there
            };
            steps -= 1;
        }
        targets
    }
}

impl<W: Word> Player<W, Ghost<W>> for GhostHand {
    fn wakes_at(&self) -> Tick {
        self.wakes_at
    }

    fn wake(&mut self, game: &Ghost<W>, level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        let skill = *at_level(&SKILLS, level);
        self.rng.get_or_insert_with(|| context.rng.split());
        let next_tick = context.now.saturating_add(1);
        let legal = game.legal(context.ground);
        let GhostPhase::Walk(walk) = game.phase else {
            let at = game.wakes_at().unwrap_or(next_tick);
            return self.go_on(HandStage::Wait, at.max(next_tick));
        };
        if legal.is_empty() {
            let at = game.wakes_at().unwrap_or(next_tick);
            return self.go_on(HandStage::Wait, at.max(next_tick));
        }
        match self.stage {
            HandStage::Wait => {
                let notice_ms = self.below(skill.notice_ms).max(1);
                self.go_on(HandStage::Notice, context.now.saturating_add(notice_ms))
            }
            HandStage::Notice => self.notice(game, walk, skill, context),
            HandStage::Press(point) => {
                self.go_on(HandStage::Wait, next_tick);
                if legal.has(point) {
                    BoardTurn::Touch(point)
                } else {
                    BoardTurn::Wait
                }
            }
        }
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let grid = ground.grid();
        match self.stage {
            HandStage::Press(point) => self.rng.is_some() && grid.sides().has(point),
            HandStage::Wait | HandStage::Notice => true,
        }
    }
}
