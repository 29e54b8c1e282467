//! The board's player: a memory that keeps some of its points and loses them one by one,
//! and a hand that needs time.
//!
//! Invariants: the hand uses nothing that a person could not know. It has seen the
//! pattern once, and afterwards sees which points light up and which touches are misses.
//! What it remembers is determined by the game's own random number and the number of its
//! touches, so a board that is loaded while it thinks touches the same point.

use postcard::experimental::max_size::MaxSize;
use protocol::{Point, Tick};
use serde::{Deserialize, Serialize};

use super::{FindThem, FindThemPhase};
use crate::game::{BoardTurn, Context, Game, Player};
use crate::ground::Ground;
use crate::minds::at_level;
use crate::points::Points;
use crate::rng::Rng;
use crate::word::Word;

/// The quality of a player.
#[derive(Clone, Copy, Debug)]
struct Skill {
    /// The probability that it remembers a point of its colour when the pattern goes
    /// dark.
    keeps_percent: u32,
    /// By how much that probability falls with each touch.
    forgets_percent: u32,
    /// How often it touches a point that it does not remember.
    slips_percent: u32,
    /// The points among which it guesses.
    guess: Guess,
    /// The time from the start of the turn to the touch, uniformly distributed between
    /// these bounds.
    think_ms: [u32; 2],
}

/// The points among which the player guesses.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Guess {
    /// Any point that is dark.
    Blind,
    /// No point where the player itself has missed.
    NotTwice,
    /// Any dark point, but first those where the other player missed, which do not have
    /// that player's colour.
    AfterTheOther,
}

/// Levels 1-4. A person can remember about seven things.
const SKILLS: [Skill; 4] = [
    Skill {
        keeps_percent: 10,
        forgets_percent: 1,
        slips_percent: 25,
        guess: Guess::Blind,
        think_ms: [1500, 3500],
    },
    Skill {
        keeps_percent: 22,
        forgets_percent: 1,
        slips_percent: 15,
        guess: Guess::NotTwice,
        think_ms: [1200, 2800],
    },
    Skill {
        keeps_percent: 46,
        forgets_percent: 1,
        slips_percent: 10,
        guess: Guess::NotTwice,
        think_ms: [1000, 2200],
    },
    Skill {
        keeps_percent: 90,
        forgets_percent: 1,
        slips_percent: 2,
        guess: Guess::AfterTheOther,
        think_ms: [800, 1600],
    },
];

/// The board's player in one turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
pub struct FindThemPlayer {
    /// The time of the next wake.
    wakes_at: Tick,
    /// True once the player thinks; when that is over, it touches a point.
    thinks: bool,
}

/// The points that the player still remembers.
fn remembered<W: Word>(game: &FindThem<W>, skill: Skill) -> Points<W> {
    let own = game.turn.index();
    let presses = (game.found[own].len() + game.missed[own].len()) as u32;
    let forgotten = presses.saturating_mul(skill.forgets_percent);
    let keeps_percent = skill.keeps_percent.saturating_sub(forgotten);
    game.hidden[own]
        .filter(|point| {
            // Each point has a strength in memory; the weakest are forgotten first.
            let seed = (u64::from(game.memory) << 8) | u64::from(point.0);
            Rng::new(seed).percent(keeps_percent)
        })
        .collect()
}

/// The point that the player touches; `None` if there is none to touch.
fn choose<W: Word>(game: &FindThem<W>, level: u8, context: &mut Context<'_, W>) -> Option<Point> {
    let skill = *at_level(&SKILLS, level);
    let own = game.turn.index();
    let legal = game.legal(context.ground);
    if let Some(aim) = context.rng.pick(remembered(game, skill) & legal) {
        if !context.rng.percent(skill.slips_percent) {
            return Some(aim);
        }
        let beside = context.grid().neighbours(Points::one(aim)) & legal;
        return context.rng.pick(beside).or(Some(aim));
    }
    let fresh = legal.without(game.missed[own]);
    let safe = fresh & game.missed[1 - own];
    let choices = match skill.guess {
        Guess::Blind => [legal, legal],
        Guess::NotTwice => [fresh, legal],
        Guess::AfterTheOther => [safe, fresh],
    };
    choices
        .into_iter()
        .chain([legal])
        .find(|points| !points.is_empty())
        .and_then(|points| context.rng.pick(points))
}

impl<W: Word> Player<W, FindThem<W>> for FindThemPlayer {
    fn wakes_at(&self) -> Tick {
        self.wakes_at
    }

    fn wake(&mut self, game: &FindThem<W>, level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        if let FindThemPhase::Show { until } = game.phase {
            self.wakes_at = until.max(context.now.saturating_add(1));
            return BoardTurn::Wait;
        }
        if !self.thinks {
            let [least, most] = at_level(&SKILLS, level).think_ms;
            let think_ms = least.saturating_add(context.rng.below(most.saturating_sub(least)));
            self.thinks = true;
            self.wakes_at = context.now.saturating_add(u64::from(think_ms));
            return BoardTurn::Wait;
        }
        if self.wakes_at > context.now {
            return BoardTurn::Wait;
        }
        self.hurry(game, level, context)
    }

    /// Touches a point at once; gives up the turn if there is none to touch.
    fn hurry(&mut self, game: &FindThem<W>, level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        if game.phase != FindThemPhase::Find {
            return BoardTurn::Wait;
        }
        choose(game, level, context).map_or(BoardTurn::Pass, BoardTurn::Touch)
    }

    fn is_sound(&self, _ground: &Ground<W>) -> bool {
        true
    }
}
