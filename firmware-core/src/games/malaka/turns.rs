//! The legal steps: those that start a turn in which as many pips as possible are played.
//!
//! The places that a side can reach forwards do not change during its turn, because the
//! other side's blocks stay where they are. Jumps over a wall do change, since a piece
//! may pin, free or kill a single piece on its way. A double is therefore searched to its
//! end only if forward steps alone do not use it up, and in that case there are few of
//! them.

use core::ops::ControlFlow;

use heapless::Vec;

use super::dice::DOUBLE;
use super::pile::{MOST_PILES, Pile};
use super::position::Position;
use super::step::{Step, Steps};
use super::variant::MalakaPoint;

/// The steps of a turn.
pub type Turn = Vec<Step, { DOUBLE as usize }>;

/// The most piles of one side: each has as many pieces as the other.
const MOST_OWN_PILES: usize = MOST_PILES / 2;

/// The places from which the side to move may leave in this turn: those of its piles, and
/// those to which its steps can lead.
type Leavable = Vec<MalakaPoint, { MOST_OWN_PILES + DOUBLE as usize }>;

/// A position under examination, and the places from which the side to move may leave.
struct Examined {
    position: Position,
    own: Leavable,
}

/// The changes made by a step.
struct Undo {
    step: Step,
    from: Option<Pile>,
    to: Option<Pile>,
    /// True if the step ended on a place from which no piece could leave before.
    is_new: bool,
}

impl Examined {
    fn at(position: &Position) -> Examined {
        let side = position.turn();
        let own = position.piles().filter(|(_, pile)| pile.side == side);
        Examined {
            own: own.map(|(place, _)| place).take(MOST_OWN_PILES).collect(),
            position: position.clone(),
        }
    }

    /// The targets of a piece with these pips: forwards, and over a wall.
    fn targets(&self, from: MalakaPoint, pips: u8) -> [Option<MalakaPoint>; 2] {
        [self.ahead(from, pips), self.over(from, pips)]
    }

    /// The target of a piece that moves forwards.
    fn ahead(&self, from: MalakaPoint, pips: u8) -> Option<MalakaPoint> {
        let (variant, side) = (self.position.variant(), self.position.turn());
        let is_open = |place: &MalakaPoint| {
            let pile = self.position.pile(*place);
            pile.is_none_or(|pile| pile.side == side || !pile.is_block())
        };
        variant.forward(side, from, pips).filter(is_open)
    }

    /// The target of a piece that jumps over a wall.
    fn over(&self, from: MalakaPoint, pips: u8) -> Option<MalakaPoint> {
        let (variant, side) = (self.position.variant(), self.position.turn());
        let is_single = |place: &MalakaPoint| {
            let pile = self.position.pile(*place);
            pile.is_some_and(|pile| pile.side != side && !pile.is_block())
        };
        variant.over_wall(side, from, pips).filter(is_single)
    }

    /// True if a piece on this place may move by these pips now or after other steps of
    /// the turn, when a piece behind a wall is no longer pinned.
    fn may_go(&self, from: MalakaPoint, pips: u8) -> bool {
        let (variant, side) = (self.position.variant(), self.position.turn());
        let over = variant.over_wall(side, from, pips);
        let pile = over.and_then(|place| self.position.pile(place));
        let is_pinned = pile.is_some_and(|pile| pile.side == side && pile.pins);
        is_pinned || self.targets(from, pips) != [None; 2]
    }

    /// The steps with these pips.
    fn steps(&self, pips: u8) -> impl Iterator<Item = Step> + '_ {
        self.own().flat_map(move |from| {
            let targets = self.targets(from, pips).into_iter().flatten();
            targets.map(move |to| Step { from, to })
        })
    }

    /// The places where the side to move has pieces that are not pinned.
    fn own(&self) -> impl Iterator<Item = MalakaPoint> + '_ {
        let side = self.position.turn();
        let is_own = move |place: &MalakaPoint| {
            let pile = self.position.pile(*place);
            pile.is_some_and(|pile| pile.side == side)
        };
        self.own.iter().copied().filter(is_own)
    }

    fn take(&mut self, step: Step) -> Undo {
        let (from, to) = (self.position.pile(step.from), self.position.pile(step.to));
        self.position.move_piece(step);
        // There is room for as many places as a turn has steps.
        let is_new = !self.own.contains(&step.to) && self.own.push(step.to).is_ok();
        Undo {
            step,
            from,
            to,
            is_new,
        }
    }

    fn take_back(&mut self, undo: &Undo) {
        self.position.put(undo.step.from, undo.from);
        self.position.put(undo.step.to, undo.to);
        if undo.is_new {
            self.own.pop();
        }
    }

    /// The steps of two dice: those that play both, otherwise the larger one, otherwise
    /// the smaller one.
    fn of_two(&mut self, small: u8, large: u8) -> Steps {
        let mut both = Steps::new();
        for (pips, other) in [(small, large), (large, small)] {
            let steps: Steps = self.steps(pips).collect();
            for step in steps {
                let undo = self.take(step);
                let goes_on = self.steps(other).next().is_some();
                self.take_back(&undo);
                if goes_on {
                    let _ = both.push(step);
                }
            }
        }
        if both.is_empty() {
            both.extend(self.steps(large));
        }
        if both.is_empty() {
            both.extend(self.steps(small));
        }
        both
    }

    /// The steps of a double, or of what is left of one.
    fn of_alike(&mut self, pips: u8, left: u8) -> Steps {
        let able = core::mem::take(&mut self.own);
        let able = able.into_iter().filter(|from| self.may_go(*from, pips));
        self.own = able.collect();
        let steps: Steps = self.steps(pips).collect();
        let mut longest = Steps::new();
        let mut most = 0;
        // A step forwards uses up one die and does not make the others impossible.
        let is_filled = self.forwards(pips, left) >= left;
        for step in steps {
            let is_ahead = self.position.variant().walls_between(step.from, step.to) == 0;
            let more = if is_filled && is_ahead {
                left.saturating_sub(1)
            } else {
                let undo = self.take(step);
                let more = self.most(pips, left.saturating_sub(1));
                self.take_back(&undo);
                more
            };
            if more > most {
                longest.clear();
                most = more;
            }
            if more == most {
                let _ = longest.push(step);
            }
        }
        longest
    }

    /// The largest possible number of steps with these pips, at most `left`.
    fn most(&mut self, pips: u8, left: u8) -> u8 {
        if left == 0 || self.forwards(pips, left) >= left {
            return left;
        }
        let mut most = 0;
        let steps: Steps = self.steps(pips).collect();
        for step in steps {
            let undo = self.take(step);
            most = most.max(1 + self.most(pips, left - 1));
            self.take_back(&undo);
            if most == left {
                break;
            }
        }
        most
    }

    /// The number of possible steps forwards, at most `left`.
    fn forwards(&self, pips: u8, left: u8) -> u8 {
        let mut all = 0;
        for from in self.own() {
            let count = self.position.pile(from).map_or(0, |pile| pile.count);
            let mut at = Some(from);
            for _ in 0..left {
                at = at.and_then(|place| self.ahead(place, pips));
                if at.is_some() {
                    all += count.min(left);
                }
            }
            if all >= left {
                break;
            }
        }
        all
    }
}

impl Position {
    /// The legal steps, in order: those that start a turn in which as many pips as
    /// possible are played. None before a roll, after the end, and if the turn has to be
    /// passed.
    #[must_use]
    pub fn steps(&self) -> Steps {
        if self.winner().is_some() {
            return Steps::new();
        }
        let dice = self.dice();
        let mut different = dice.different();
        let mut look = Examined::at(self);
        let mut steps = match (different.next(), different.next()) {
            (Some(small), Some(large)) => look.of_two(small, large),
            (Some(pips), None) => look.of_alike(pips, dice.len()),
            _ => Steps::new(),
        };
        steps.sort_unstable();
        steps
    }

    /// Visits the turns that may be played with the dice, in order, each with the
    /// position to which it leads. In that position the other side is to move, or the
    /// game is won. Of turns that lead to the same position, only the first is visited.
    /// The visitor can stop the walk, which the result reports.
    ///
    /// If no step is possible, no turn is visited. This is for hosts, because a double
    /// may have thousands of turns.
    pub fn each_turn(
        &self,
        mut tell: impl FnMut(&[Step], &Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.tell_turns(self, &mut Turn::new(), &mut tell)
    }

    fn tell_turns(
        &self,
        begin: &Position,
        turn: &mut Turn,
        tell: &mut dyn FnMut(&[Step], &Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for step in self.steps() {
            let mut next = self.clone();
            next.take(step);
            let _ = turn.push(step);
            // An equivalent turn that comes earlier in the order has been visited
            // already.
            if !begin.comes_earlier_to(&next, turn, true) {
                let is_over = next.winner().is_some() || next.steps().is_empty();
                if is_over {
                    if next.winner().is_none() {
                        next.end_turn();
                    }
                    tell(turn, &next)?;
                } else {
                    next.tell_turns(begin, turn, tell)?;
                }
            }
            turn.pop();
        }
        ControlFlow::Continue(())
    }

    /// True if the same number of steps leads from here to the position `end` in a turn
    /// that comes earlier in the order. `is_same` is true if all steps so far are those
    /// of the given turn, whose remaining steps are `rest`.
    fn comes_earlier_to(&self, end: &Position, rest: &[Step], is_same: bool) -> bool {
        let Some((last, rest)) = rest.split_first() else {
            return !is_same && self.differences(end) == 0;
        };
        for step in self.steps() {
            if is_same && step > *last {
                break;
            }
            let mut next = self.clone();
            next.take(step);
            // A step changes two piles.
            let is_near = next.differences(end) <= 2 * rest.len();
            if is_near && next.comes_earlier_to(end, rest, is_same && step == *last) {
                return true;
            }
        }
        false
    }
}
