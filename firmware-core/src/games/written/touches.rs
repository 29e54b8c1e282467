//! Translates moves of the rules to touches of the board.
//!
//! Invariants: the touches of a move are its start and end points, each once; moves that
//! lead to the same position count as one.

use protocol::{Event, List, Point};

use super::picked::{Aside, OFFERS, Picked, Whole, touches};
use super::search::{Sieve, may_begin, may_lead};
use super::{Written, machine};
use crate::cartridge::candidates::{Legality, Number, Stretch};
use crate::cartridge::{LayoutGame, Machine};
use crate::game::{Context, Touch};
use crate::points::Points;
use crate::word::Word;

/// The result of a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TouchResult {
    /// The move with this number is made.
    Move(Number),
    /// The move needs more touches.
    More,
    /// There are several moves, one of which has to be chosen.
    Choose,
}

impl<W: Word> Written<W> {
    /// The moves with exactly these touches. Moves that lead to the same position count
    /// as one.
    fn whole(candidates: &Whole, machine: &mut Machine<'_, W>) -> Whole {
        let mut whole = Whole::default();
        if let [only] = candidates.as_slice() {
            // Only legal points can be touched, and this is the only possible move.
            let _ = whole.push(*only);
            return whole;
        }
        let mut positions: List<u64, OFFERS> = List::default();
        for number in candidates.iter() {
            if !machine.with_number(*number, Legality::Tested, &mut |_, _| {}) {
                continue;
            }
            let position = machine.position_after(*number);
            if !positions.contains(&position) {
                let _ = positions.push(position);
                let _ = whole.push(*number);
            }
        }
        whole
    }

    /// The moves with these touches, and possibly more.
    pub(super) fn sieve(
        picked: &Picked,
        machine: &mut Machine<'_, W>,
        game: &LayoutGame<'_>,
    ) -> (Whole, bool) {
        let mut sieve = Sieve {
            picked,
            game,
            ends: [may_begin(picked, game), may_lead(picked, game)],
            whole: Whole::default(),
            more: false,
            is_whole: false,
        };
        machine.seek(Stretch::UNASKED, &mut sieve);
        (sieve.whole, sieve.more)
    }

    /// The moves that consist of exactly the touches made.
    pub(super) fn offered(&self, machine: &mut Machine<'_, W>, game: &LayoutGame<'_>) -> Whole {
        let (candidates, _) = Self::sieve(&self.picked, machine, game);
        Self::whole(&candidates, machine)
    }

    /// Picks these points, and determines the result.
    fn pick(
        &mut self,
        picked: Picked,
        machine: &mut Machine<'_, W>,
        game: &LayoutGame<'_>,
    ) -> TouchResult {
        let (candidates, more) = Self::sieve(&picked, machine, game);
        self.picked = picked;
        self.offers.clear();
        self.looks = None;
        // Touching the same point again takes it back, or completes the move.
        let last = self.picked.last().copied();
        let own = last.map_or(Points::NONE, |last| game.column(last));
        self.next = own;
        if more {
            self.looks = Some(0);
            if candidates.is_empty() {
                return TouchResult::More;
            }
            self.continue_search(machine, game);
            if self.looks.is_some() || self.next != own {
                return TouchResult::More;
            }
        }
        self.decide(&candidates, machine, game)
    }

    /// Makes the only move, or offers several for choice.
    fn decide(
        &mut self,
        candidates: &Whole,
        machine: &mut Machine<'_, W>,
        game: &LayoutGame<'_>,
    ) -> TouchResult {
        let whole = Self::whole(candidates, machine);
        match whole.as_slice() {
            [] => TouchResult::More,
            [only] => TouchResult::Move(*only),
            _ => {
                self.choose(&whole, machine, game);
                TouchResult::Choose
            }
        }
    }

    /// Offers moves: the first one on its end point, the others on the following points,
    /// but not on their start point.
    fn choose(&mut self, whole: &Whole, machine: &mut Machine<'_, W>, game: &LayoutGame<'_>) {
        let points = game.len();
        let begin = self
            .picked
            .first()
            .filter(|_| self.picked.len() > 1)
            .copied();
        let Some(last) = self.picked.last().copied() else {
            return;
        };
        let mut places = (0..points)
            .map(|step| Point(((last.index() + step) % points) as u8))
            .filter(|point| Some(*point) != begin);
        self.looks = None;
        for number in whole.iter() {
            let Some(place) = places.next() else {
                break;
            };
            let what = machine.what_after(*number, game.site(last));
            let _ = self.offers.push((place, what));
        }
        self.next = self.offers.iter().map(|(point, _)| *point).collect();
    }

    /// Picks the same parts again in a game that was read from outside; false if that is
    /// impossible.
    pub(super) fn picks_again(
        &mut self,
        same: &Self,
        machine: &mut Machine<'_, W>,
        game: &LayoutGame<'_>,
    ) -> bool {
        let picked = same.picked.clone();
        let Some(first) = picked.first() else {
            return false;
        };
        if !self.firsts.has(*first) {
            return false;
        }
        if same.offers.is_empty() {
            return self.pick(picked, machine, game) == TouchResult::More;
        }
        self.picked = picked;
        let whole = self.offered(machine, game);
        self.choose(&whole, machine, game);
        true
    }

    /// Applies a touch of a legal point.
    #[inline(never)]
    pub(super) fn take(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        let ground = context.ground;
        let Some(game) = ground.game() else {
            return Touch::Ignored;
        };
        let mut machine = machine(&game, ground);
        machine.resume(&self.state, &self.known);
        self.since = context.now;
        self.spent = 0;
        let chosen = self.offers.iter().position(|(place, _)| *place == point);
        if let Some(chosen) = chosen {
            let whole = self.offered(&mut machine, &game);
            if let Some(number) = whole.get(chosen) {
                return self.finish(*number, &mut machine, &game);
            }
        }
        let point = game.lowest(point);
        let is_last = self.picked.last() == Some(&point);
        let goes_on = self.next.has(point) && !is_last && self.offers.is_empty();
        let step = if is_last {
            let (candidates, _) = Self::sieve(&self.picked, &mut machine, &game);
            match self.enough(&candidates, &mut machine, &game) {
                TouchResult::More => self.take_last_back(&mut machine, &game),
                step => step,
            }
        } else {
            let mut picked = match goes_on {
                true => self.picked.clone(),
                false => {
                    self.tell_put_down(context);
                    List::default()
                }
            };
            let _ = picked.push(point);
            self.pick(picked, &mut machine, &game)
        };
        match step {
            TouchResult::Move(number) => self.finish(number, &mut machine, &game),
            TouchResult::More | TouchResult::Choose => {
                if machine.gave_up() {
                    self.give_up();
                }
                Touch::Part
            }
        }
    }

    /// Completes the move if the touches form a legal one.
    fn enough(
        &mut self,
        candidates: &Whole,
        machine: &mut Machine<'_, W>,
        game: &LayoutGame<'_>,
    ) -> TouchResult {
        match candidates.as_slice() {
            [only] if !machine.with_number(*only, Legality::Tested, &mut |_, _| {}) => {
                TouchResult::More
            }
            _ => self.decide(candidates, machine, game),
        }
    }

    /// Takes back the last part of a move.
    fn take_last_back(
        &mut self,
        machine: &mut Machine<'_, W>,
        game: &LayoutGame<'_>,
    ) -> TouchResult {
        let mut picked = self.picked.clone();
        let _ = picked.pop();
        if !picked.is_empty() {
            return self.pick(picked, machine, game);
        }
        self.picked.clear();
        self.offers.clear();
        self.looks = None;
        self.next = self.firsts;
        TouchResult::More
    }

    /// Reports the release of the picked parts, the last one first.
    fn tell_put_down(&self, context: &mut Context<'_, W>) {
        let Some(side) = self.side(self.state.mover) else {
            return;
        };
        for point in self.picked.iter().rev().copied() {
            context.report(Event::Part { side, point });
        }
    }

    /// Makes the move with this number. The rules of the end are evaluated in the next
    /// tick.
    fn finish(
        &mut self,
        number: Number,
        machine: &mut Machine<'_, W>,
        game: &LayoutGame<'_>,
    ) -> Touch {
        let picked: Points<W> = self.picked.iter().copied().collect();
        machine.play_number(number);
        let changed = game.points(machine.state.changed(&self.state));
        self.passed = 0;
        self.take_over(machine, game);
        Touch::Move(changed.without(picked).len() as u16)
    }

    /// Makes the move with this number, which has no point.
    #[inline(never)]
    pub(super) fn play(&mut self, context: &mut Context<'_, W>, number: Number) {
        let ground = context.ground;
        let Some(game) = ground.game() else {
            return;
        };
        let mut machine = machine(&game, ground);
        machine.resume(&self.state, &self.known);
        self.spent = 0;
        self.finish(number, &mut machine, &game);
    }

    /// Makes the move of a pass; false if a pass has no effect.
    pub(super) fn step_aside(&mut self, context: &mut Context<'_, W>) -> bool {
        let (Aside::Does(number) | Aside::Swaps(number)) = self.aside else {
            return false;
        };
        self.play(context, number);
        true
    }

    /// The next touch of the move with this number; `None` if it is made by a pass.
    #[inline(never)]
    pub(super) fn touch_for(
        &self,
        number: Number,
        machine: &mut Machine<'_, W>,
        game: &LayoutGame<'_>,
    ) -> Option<Point> {
        let all = touches(machine.ends_of(number)?, game);
        if !self.offers.is_empty() {
            let position = machine.position_after(number);
            let whole = self.offered(machine, game);
            let mut same = whole.iter().zip(self.offers.iter());
            let offer = same.find(|(number, _)| machine.position_after(**number) == position);
            return offer.map(|(_, (point, _))| *point);
        }
        if !all.starts_with(&self.picked) {
            return all.first().copied();
        }
        all.get(self.picked.len()).or(self.picked.last()).copied()
    }

    /// True if a move between these sites starts with the picked parts.
    pub(super) fn goes_on_with(&self, ends: [i16; 2], game: &LayoutGame<'_>) -> bool {
        touches(ends, game).starts_with(&self.picked)
    }
}
