//! The board's player of Malaka.
//!
//! It examines its turns two steps at a time: all of a turn with two dice, or half of a
//! double. Levels differ in how much of a position they consider and in the error of
//! their evaluation. Level 4 also considers, for the best few turns, the other side's
//! answer to each roll.
//!
//! Invariants: a call either finds the steps of one position, or evaluates [`LOOKS`]
//! positions; the answer is a legal touch.

use postcard::experimental::max_size::MaxSize;
use protocol::{List, Side, Tick};
use serde::{Deserialize, Serialize};

use super::dice::Dice;
use super::evaluate::{EvaluationScope, evaluate};
use super::position::Position;
use super::step::{MOST_STEPS, Step};
use super::{Malaka, point_of};
use crate::game::{BoardTurn, Context, Game, Player};
use crate::ground::Ground;
use crate::minds::at_level;
use crate::minds::pace::{Due, ThinkingTime};
use crate::word::Word;

/// The number of positions that a call evaluates.
pub const LOOKS: usize = 1;
/// The number of turns for which level 4 considers the other side's answers.
pub const ASKED: usize = 8;
/// The pause before each touch except the first, so that people can follow, in ticks.
pub const TOUCH_MS: Tick = 200;

/// The settings of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MalakaLevel {
    /// How much of a position the level considers.
    pub sight: EvaluationScope,
    /// The largest error of its evaluation of a turn; 8 is the value of one point of the
    /// way.
    pub slip: u32,
    /// The number of turns for which it considers the other side's answers.
    pub asked: usize,
    /// How long it thinks about two steps, in ticks.
    pub think_ms: Tick,
}

/// The settings of levels 1 to 4.
pub const LEVELS: [MalakaLevel; 4] = [
    MalakaLevel {
        sight: EvaluationScope::Way,
        slip: 1_000,
        asked: 0,
        think_ms: 1_200,
    },
    MalakaLevel {
        sight: EvaluationScope::Pins,
        slip: 400,
        asked: 0,
        think_ms: 1_200,
    },
    MalakaLevel {
        sight: EvaluationScope::Dangers,
        slip: 200,
        asked: 0,
        think_ms: 1_400,
    },
    MalakaLevel {
        sight: EvaluationScope::Dangers,
        slip: 0,
        asked: ASKED,
        think_ms: 1_400,
    },
];

/// One or two steps, and their value for the side that takes them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
struct Choice {
    steps: List<Step, 2>,
    worth: i32,
}

/// The stage of the thinking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
enum ThinkingStage {
    /// The position has not been examined yet.
    #[default]
    Begin,
    /// The first step with this index is to be evaluated.
    First(u8),
    /// The second steps after this first step are to be found.
    Then(u8),
    /// A second step is to be evaluated, after a first one.
    Second {
        /// The index of the first step.
        first: u8,
        /// The index of the second step.
        second: u8,
    },
    /// The steps of the other side's answer are to be found.
    Reply {
        /// The number of the choice that it answers.
        choice: u8,
        /// The number of the roll that it answers with.
        roll: u8,
    },
    /// A step is to be evaluated as a part of such an answer.
    Answer {
        /// The number of the choice.
        choice: u8,
        /// The number of the roll.
        roll: u8,
        /// The index of the step.
        step: u8,
    },
    /// The thinking is done, and the best choice is the first one.
    Done,
}

/// The board's own player of Malaka.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
pub struct MalakaPlayer {
    pace: ThinkingTime,
    stage: ThinkingStage,
    /// The time of the next touch, once the player carries out its decision.
    touches_at: Option<Tick>,
    /// The steps of the decision that have not been made yet.
    plan: List<Step, 2>,
    /// The first steps, and the second steps that are examined after them.
    first: List<Step, MOST_STEPS>,
    next: List<Step, MOST_STEPS>,
    /// The best choices, the best one first.
    best: List<Choice, ASKED>,
    /// For the current choice: the sum of its values after the answers so far, and the
    /// steps of the current answer.
    sum: i32,
    answer: List<Step, 4>,
    /// The best step so far in the current answer.
    found: Option<(Step, i32)>,
}

/// The data that a slice of thinking works on.
struct TurnThought<'a> {
    root: &'a Position,
    side: Side,
    level: &'a MalakaLevel,
}

impl MalakaPlayer {
    /// Thinks for one slice.
    fn think(&mut self, thought: &TurnThought<'_>, slip: &mut dyn FnMut() -> i32) {
        match self.stage {
            ThinkingStage::Begin => {
                self.first = thought.root.steps().into_iter().collect();
                self.stage = ThinkingStage::First(0);
            }
            ThinkingStage::First(first) => self.look_at_first(thought, first, slip),
            ThinkingStage::Then(first) => self.find_second(thought, first, slip),
            ThinkingStage::Second { first, second } => {
                self.evaluate_second(thought, first, second, slip)
            }
            ThinkingStage::Reply { choice, roll } => self.find_answer(thought, choice, roll),
            ThinkingStage::Answer { choice, roll, step } => {
                self.look_at_answers(thought, choice, roll, step)
            }
            ThinkingStage::Done => {}
        }
    }

    /// Evaluates a first step. A winning one ends the game, whatever could follow.
    fn look_at_first(
        &mut self,
        thought: &TurnThought<'_>,
        first: u8,
        slip: &mut dyn FnMut() -> i32,
    ) {
        let Some(step) = self.first.get(usize::from(first)).copied() else {
            self.stage = self.after_all(thought);
            return;
        };
        let mut position = thought.root.clone();
        position.look_ahead(step);
        let worth = evaluate(&position, thought.side, thought.level.sight);
        if position.dice().is_empty() || worth.abs() >= super::evaluate::WON {
            self.choose(&[step], worth + slip(), thought.level);
            self.stage = ThinkingStage::First(first.saturating_add(1));
        } else {
            // The value if no other step follows.
            self.sum = worth;
            self.stage = ThinkingStage::Then(first);
        }
    }

    fn find_second(&mut self, thought: &TurnThought<'_>, first: u8, slip: &mut dyn FnMut() -> i32) {
        let Some(step) = self.first.get(usize::from(first)).copied() else {
            self.stage = self.after_all(thought);
            return;
        };
        let mut position = thought.root.clone();
        position.look_ahead(step);
        self.next = position.steps().into_iter().collect();
        if self.next.is_empty() {
            self.choose(&[step], self.sum.saturating_add(slip()), thought.level);
            self.stage = ThinkingStage::First(first.saturating_add(1));
        } else {
            self.stage = ThinkingStage::Second { first, second: 0 };
        }
    }

    fn evaluate_second(
        &mut self,
        thought: &TurnThought<'_>,
        first: u8,
        second: u8,
        slip: &mut dyn FnMut() -> i32,
    ) {
        let begun = self.first.get(usize::from(first)).copied();
        let Some(begun) = begun else {
            self.stage = self.after_all(thought);
            return;
        };
        let mut position = thought.root.clone();
        position.look_ahead(begun);
        let from = usize::from(second);
        for place in from..from + LOOKS {
            let Some(step) = self.next.get(place).copied() else {
                self.stage = ThinkingStage::First(first.saturating_add(1));
                return;
            };
            let mut end = position.clone();
            end.look_ahead(step);
            let worth = evaluate(&end, thought.side, thought.level.sight);
            self.choose(&[begun, step], worth + slip(), thought.level);
        }
        let second = second.saturating_add(LOOKS as u8);
        self.stage = ThinkingStage::Second { first, second };
    }

    /// Adds a choice to the best ones. Of choices that lead to the same position, only
    /// the first is kept.
    fn choose(&mut self, steps: &[Step], worth: i32, level: &MalakaLevel) {
        let room = level.asked.max(1);
        let is_same = |choice: &Choice| {
            let other: &[Step] = &choice.steps;
            matches!((steps, other), ([a, b], [c, d]) if a == d && b == c)
        };
        if self.best.iter().any(is_same) {
            return;
        }
        let place = self.best.iter().position(|choice| worth > choice.worth);
        let place = place.unwrap_or(self.best.len());
        if place >= room {
            return;
        }
        self.best.truncate(room - 1);
        let choice = Choice {
            steps: steps.iter().copied().collect(),
            worth,
        };
        // There is room for one more.
        let _ = self.best.insert(place, choice);
    }

    /// Called when all turns have been evaluated: continues with the answers, or decides.
    fn after_all(&mut self, thought: &TurnThought<'_>) -> ThinkingStage {
        let is_sure = self
            .best
            .first()
            .is_some_and(|best| best.worth.abs() >= super::evaluate::WON);
        let dice = thought.root.dice().len();
        let ends_turn = dice <= 2;
        let asks = thought.level.asked > 0 && self.best.len() > 1 && ends_turn && !is_sure;
        self.sum = 0;
        self.answer.clear();
        if asks {
            ThinkingStage::Reply { choice: 0, roll: 0 }
        } else {
            ThinkingStage::Done
        }
    }

    /// The position after a choice, a roll and the answer so far.
    fn answered(&self, thought: &TurnThought<'_>, choice: u8, roll: u8) -> Option<Position> {
        let choice = self.best.get(usize::from(choice))?;
        let (dice, _) = roll_of(roll, thought.root.variant().die_sides())?;
        let mut position = thought.root.clone();
        for step in choice.steps.iter() {
            position.look_ahead(*step);
        }
        position.look_at_reply(dice);
        for step in self.answer.iter() {
            position.look_ahead(*step);
        }
        Some(position)
    }

    /// Finds the steps of an answer, or notices that it is complete.
    fn find_answer(&mut self, thought: &TurnThought<'_>, choice: u8, roll: u8) {
        let Some(position) = self.answered(thought, choice, roll) else {
            self.stage = ThinkingStage::Done;
            return;
        };
        let sight = thought.level.sight;
        let worth = || evaluate(&position, thought.side.other(), sight);
        let is_begun = self.answer.is_empty();
        let steps = position.steps();
        if !steps.is_empty() && self.answer.len() < 4 {
            self.next = steps.into_iter().collect();
            self.found = None;
            self.stage = ThinkingStage::Answer {
                choice,
                roll,
                step: 0,
            };
            return;
        }
        let last = match self.found.filter(|_| !is_begun) {
            Some((_, worth)) => worth,
            None => worth(),
        };
        self.finish_answer(thought, choice, roll, last);
    }

    fn look_at_answers(&mut self, thought: &TurnThought<'_>, choice: u8, roll: u8, from: u8) {
        let Some(position) = self.answered(thought, choice, roll) else {
            self.stage = ThinkingStage::Done;
            return;
        };
        let from = usize::from(from);
        for place in from..from + LOOKS {
            let Some(step) = self.next.get(place).copied() else {
                self.answer_goes_on(thought, choice, roll);
                return;
            };
            let mut end = position.clone();
            end.look_ahead(step);
            let worth = evaluate(&end, thought.side.other(), thought.level.sight);
            if self.found.is_none_or(|(_, most)| worth > most) {
                self.found = Some((step, worth));
            }
        }
        let step = (from + LOOKS) as u8;
        self.stage = ThinkingStage::Answer { choice, roll, step };
    }

    /// Called when all steps of an answer have been evaluated: takes the best one.
    fn answer_goes_on(&mut self, thought: &TurnThought<'_>, choice: u8, roll: u8) {
        match self.found {
            Some((step, worth)) if worth.abs() < super::evaluate::WON => {
                // A turn has no more steps than there is room for.
                let _ = self.answer.push(step);
                self.stage = ThinkingStage::Reply { choice, roll };
            }
            Some((_, worth)) => self.finish_answer(thought, choice, roll, worth),
            None => self.stage = ThinkingStage::Done,
        }
    }

    /// Called when the value of the answer to a roll is known: continues with the next
    /// roll, or the next choice.
    fn finish_answer(&mut self, thought: &TurnThought<'_>, choice: u8, roll: u8, worth: i32) {
        let sides = thought.root.variant().die_sides();
        let chance = roll_of(roll, sides).map_or(0, |(_, chance)| chance);
        self.sum = self.sum.saturating_sub(worth.saturating_mul(chance));
        self.answer.clear();
        self.found = None;
        let roll = roll.saturating_add(1);
        if roll_of(roll, sides).is_some() {
            self.stage = ThinkingStage::Reply { choice, roll };
            return;
        }
        let all = i32::from(sides) * i32::from(sides);
        let place = usize::from(choice);
        let mean = self.sum / all;
        self.sum = 0;
        if let Some(asked) = self.best.get_mut(place) {
            asked.worth = mean;
        }
        // The best of the choices whose answers were considered becomes the first one.
        if let [first, ..] = &**self.best
            && place > 0
            && mean > first.worth
        {
            self.best.swap(0, place);
        }
        self.stage = match place + 1 < self.best.len() {
            true => ThinkingStage::Reply {
                choice: choice.saturating_add(1),
                roll: 0,
            },
            false => ThinkingStage::Done,
        };
    }

    /// The next touch of the decision; `None` if it is not legal, or the decision has
    /// been carried out.
    fn touch<W: Word>(&mut self, game: &Malaka<W>, ground: &Ground<W>) -> Option<BoardTurn> {
        let step = *self.plan.first()?;
        let open = game.legal(ground);
        let touch = |place| point_of(place, ground).filter(|point| open.has(*point));
        match game.picked() {
            None => touch(step.from).map(BoardTurn::Touch),
            Some(picked) if picked == step.from => {
                let to = touch(step.to)?;
                self.plan.remove(0);
                Some(BoardTurn::Touch(to))
            }
            // Another player had picked up a different pile.
            Some(picked) => touch(picked).map(BoardTurn::Touch),
        }
    }

    /// Decides on the best choice so far.
    fn decide(&mut self) {
        if let Some(best) = self.best.first() {
            self.plan = best.steps.clone();
        }
        let pace = self.pace.clone();
        *self = MalakaPlayer {
            pace,
            plan: core::mem::take(&mut self.plan),
            touches_at: self.touches_at,
            ..MalakaPlayer::default()
        };
    }

    /// Any legal touch.
    fn any<W: Word>(game: &Malaka<W>, ground: &Ground<W>) -> BoardTurn {
        game.legal(ground)
            .first()
            .map_or(BoardTurn::Wait, BoardTurn::Touch)
    }
}

/// The roll with this number, and how many throws of the dice give it.
fn roll_of(number: u8, sides: u8) -> Option<(Dice, i32)> {
    let mut left = number;
    for one in 1..=sides {
        let count = sides - one + 1;
        if left < count {
            let other = one + left;
            return Some((Dice::two(one, other), if one == other { 1 } else { 2 }));
        }
        left -= count;
    }
    None
}

impl<W: Word> Player<W, Malaka<W>> for MalakaPlayer {
    fn wakes_at(&self) -> Tick {
        self.touches_at.unwrap_or(self.pace.wakes_at())
    }

    fn wake(&mut self, game: &Malaka<W>, level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        let now = context.now;
        if game.turn().is_none() || game.is_passing() {
            // The game continues without a touch.
            self.touches_at = Some(game.wakes_at().unwrap_or(Tick::MAX).max(now + 1));
            return BoardTurn::Wait;
        }
        if self.touches_at.is_some_and(|at| at > now) {
            return BoardTurn::Wait;
        }
        if !self.plan.is_empty() {
            if let Some(act) = self.touch(game, context.ground) {
                self.touches_at = Some(now.saturating_add(TOUCH_MS));
                return act;
            }
            self.plan.clear();
        }
        self.touches_at = None;
        let level = at_level(&LEVELS, level);
        let thought = TurnThought {
            root: game.position(),
            side: game.position().turn(),
            level,
        };
        self.pace.begins(now);
        let knows = self.stage == ThinkingStage::Done;
        match self.pace.due(now, knows, level.think_ms) {
            Due::Think => {
                let rng = &mut *context.rng;
                self.think(&thought, &mut || rng.below(level.slip) as i32);
                BoardTurn::Wait
            }
            Due::Rest => BoardTurn::Wait,
            Due::Answer => {
                self.decide();
                // The next two steps of a double get a thinking time of their own.
                self.pace = ThinkingTime::default();
                self.touches_at = Some(now.saturating_add(TOUCH_MS));
                let act = self.touch(game, context.ground);
                act.unwrap_or_else(|| MalakaPlayer::any(game, context.ground))
            }
        }
    }

    fn hurry(&mut self, game: &Malaka<W>, _level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        if game.turn().is_none() || game.is_passing() {
            return BoardTurn::Wait;
        }
        if self.plan.is_empty() {
            self.decide();
        }
        let act = self.touch(game, context.ground);
        if act.is_none() {
            self.plan.clear();
        }
        act.unwrap_or_else(|| MalakaPlayer::any(game, context.ground))
    }

    /// Every stored step is looked up and checked before it is made.
    fn is_sound(&self, _ground: &Ground<W>) -> bool {
        true
    }
}
