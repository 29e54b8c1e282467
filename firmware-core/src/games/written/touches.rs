//! Moves of the rules as touches of the board.
//!
//! What always holds: the touches of a move are the points from which and to which
//! it goes, each once; moves that lead to the same position are one.

use core::ops::ControlFlow;

use postcard::experimental::max_size::MaxSize;
use protocol::{List, Point};
use serde::{Deserialize, Serialize};

use super::{Written, machine, tell};
use crate::cartridge::{Action, Draft, LayoutGame, Machine};
use crate::game::{Context, Touch};
use crate::ground::Ground;
use crate::points::Points;
use crate::word::Word;

/// The most moves with the same touches that are offered.
pub const OFFERS: usize = 24;

/// The points that were touched of a move.
pub type Picked = List<Point, 2>;

/// What the Pass button does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub enum Aside {
    /// Nothing.
    #[default]
    Nothing,
    /// The move of this number, which is one without a point.
    Does(u16),
    /// The same, and it exchanges the colours.
    Swaps(u16),
}

/// What becomes of a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// The move of this number.
    Move(u16),
    /// There is more to touch.
    More,
    /// Several moves, of which one has to be chosen.
    Choose,
}

/// The touches of a move.
fn touches(draft: Draft, game: &LayoutGame<'_>) -> Picked {
    let (from, to) = (game.point(draft.from), game.point(draft.to));
    from.into_iter()
        .chain(to.filter(|to| from != Some(*to)))
        .collect()
}

/// What was found of the moves that go on with some touches.
struct Found<W> {
    /// What is touched next.
    next: Points<W>,
    /// The moves that have no more touches, by number.
    whole: List<u16, OFFERS>,
}

impl<W: Word> Written<W> {
    /// Finds what may be touched first; false if all that can be done is to pass.
    pub(super) fn find(&mut self, machine: &mut Machine<'_, W>, game: &LayoutGame<'_>) -> bool {
        let mut firsts = Points::NONE;
        let (mut aside, mut forced) = (Aside::Nothing, false);
        let mut number = 0_u16;
        let mut look = |machine: &mut Machine<'_, W>, draft: Draft| {
            if let Some(first) = touches(draft, game).first() {
                firsts |= game.column(*first);
            } else {
                match machine.actions(draft).first() {
                    Some(Action::Swap) => aside = Aside::Swaps(number),
                    Some(Action::Pass { forced: true }) => forced = true,
                    _ if aside == Aside::Nothing => aside = Aside::Does(number),
                    _ => {}
                }
            }
            number = number.saturating_add(1);
            ControlFlow::Continue(())
        };
        if !machine.state.over {
            let _ = machine.legal(&mut look);
        }
        self.firsts = firsts;
        self.next = firsts;
        self.aside = aside;
        let is_alone = game.cartridge.players() < 2;
        if forced && is_alone {
            self.stuck = true;
        }
        !forced || machine.state.over || machine.gave_up() || is_alone
    }

    /// True if what may be touched is what the machine finds.
    #[inline(never)]
    pub(super) fn is_found(&self, game: &LayoutGame<'_>, ground: &Ground<W>) -> bool {
        let mut machine = machine(game, ground);
        machine.resume(&self.state, &self.known);
        let mut same = self.clone();
        let rests = same.find(&mut machine, game);
        same.stuck |= machine.gave_up();
        if !rests && !self.stuck {
            return false;
        }
        if !self.picked.is_empty() || !self.offers.is_empty() {
            let picked = self.picked.clone();
            let Some(last) = picked.last() else {
                return false;
            };
            if !self.firsts.has(*picked.first().unwrap_or(last)) {
                return false;
            }
            if self.offers.is_empty() {
                same.pick(picked, &mut machine, game);
            } else {
                let found = Self::beyond(&picked, &mut machine, game);
                same.choose(&found.whole, &mut machine, game);
            }
        }
        same.score = self.count(game);
        *self == same
    }

    /// The moves that go on with these touches.
    fn beyond(picked: &Picked, machine: &mut Machine<'_, W>, game: &LayoutGame<'_>) -> Found<W> {
        let mut found = Found {
            next: Points::NONE,
            whole: List::default(),
        };
        let mut results: List<u64, OFFERS> = List::default();
        let mut number = 0_u16;
        let mut look = |machine: &mut Machine<'_, W>, draft: Draft| {
            let all = touches(draft, game);
            if all.starts_with(picked) {
                match all.get(picked.len()) {
                    Some(next) => found.next |= game.column(*next),
                    None if !picked.is_empty() && !found.whole.is_full() => {
                        let result = machine.position_after(draft);
                        if !results.contains(&result) {
                            let _ = results.push(result);
                            let _ = found.whole.push(number);
                        }
                    }
                    None => {}
                }
            }
            number = number.saturating_add(1);
            ControlFlow::Continue(())
        };
        let _ = machine.legal(&mut look);
        found
    }

    /// Picks these points, and finds what comes of it.
    fn pick(
        &mut self,
        picked: Picked,
        machine: &mut Machine<'_, W>,
        game: &LayoutGame<'_>,
    ) -> Step {
        let found = Self::beyond(&picked, machine, game);
        self.picked = picked;
        self.offers.clear();
        let last = self.picked.last().copied();
        match (found.whole.as_slice(), found.next.is_empty()) {
            ([only], true) => return Step::Move(*only),
            ([], _) | (_, false) => {
                // The same point again takes it back, or says that it is enough.
                self.next = found.next | last.map_or(Points::NONE, |last| game.column(last));
                return Step::More;
            }
            _ => {}
        }
        self.choose(&found.whole, machine, game);
        Step::Choose
    }

    /// Offers moves: the first where it leads, the others on the points that
    /// follow, but not on the one where they begin.
    fn choose(
        &mut self,
        whole: &List<u16, OFFERS>,
        machine: &mut Machine<'_, W>,
        game: &LayoutGame<'_>,
    ) {
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
        for number in whole.iter() {
            let Some(place) = places.next() else {
                break;
            };
            let what = machine.what_after(*number, game.site(last));
            let _ = self.offers.push((place, what));
        }
        self.next = self.offers.iter().map(|(point, _)| *point).collect();
    }

    /// Does what a touch of a legal point does.
    #[inline(never)]
    pub(super) fn take(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        let ground = context.ground;
        let Some(game) = ground.game() else {
            return Touch::Ignored;
        };
        let mut machine = machine(&game, ground);
        machine.resume(&self.state, &self.known);
        self.since = context.now;
        let chosen = self.offers.iter().position(|(place, _)| *place == point);
        if !self.offers.is_empty() {
            let picked = self.picked.clone();
            let found = Self::beyond(&picked, &mut machine, &game);
            if let Some(number) = chosen.and_then(|index| found.whole.get(index)) {
                return self.finish(*number, &mut machine, &game, context);
            }
        }
        let point = game.lowest(point);
        let is_last = self.picked.last() == Some(&point);
        let goes_on = self.next.has(point) && !is_last && self.offers.is_empty();
        let step = if is_last {
            let found = Self::beyond(&self.picked.clone(), &mut machine, &game);
            match found.whole.as_slice() {
                [] => {
                    self.put_down(&mut machine, &game);
                    Step::More
                }
                [only] => Step::Move(*only),
                _ => {
                    self.choose(&found.whole, &mut machine, &game);
                    Step::Choose
                }
            }
        } else {
            let mut picked = if goes_on {
                self.picked.clone()
            } else {
                List::default()
            };
            let _ = picked.push(point);
            self.pick(picked, &mut machine, &game)
        };
        match step {
            Step::Move(number) => self.finish(number, &mut machine, &game, context),
            Step::More | Step::Choose => {
                self.stuck |= machine.gave_up();
                Touch::Part
            }
        }
    }

    /// Takes the parts of a move back.
    fn put_down(&mut self, machine: &mut Machine<'_, W>, game: &LayoutGame<'_>) {
        self.picked.clear();
        self.offers.clear();
        self.find(machine, game);
    }

    /// Makes the move of this number, and finds what comes after it.
    fn finish(
        &mut self,
        number: u16,
        machine: &mut Machine<'_, W>,
        game: &LayoutGame<'_>,
        context: &mut Context<'_, W>,
    ) -> Touch {
        let before = self.state.clone();
        let picked = self.picked.clone();
        machine.play_nth(number.into());
        let passed = self.settle(machine, game);
        tell::passed(&passed, context);
        let changed = (0..game.cartridge.board())
            .filter(|site| before.here(*site as u8) != self.state.here(*site as u8))
            .filter(|site| {
                let point = game.point(*site as i16);
                !picked.iter().any(|picked| point == Some(*picked))
            });
        Touch::Move(changed.count() as u16)
    }

    /// Makes the move of this number, of those that no point tells.
    #[inline(never)]
    pub(super) fn play(&mut self, context: &mut Context<'_, W>, number: u16) {
        let ground = context.ground;
        let Some(game) = ground.game() else {
            return;
        };
        let mut machine = machine(&game, ground);
        machine.resume(&self.state, &self.known);
        self.finish(number, &mut machine, &game, context);
    }

    /// Does what the Pass button does; false if that is nothing.
    pub(super) fn step_aside(&mut self, context: &mut Context<'_, W>) -> bool {
        let (Aside::Does(number) | Aside::Swaps(number)) = self.aside else {
            return false;
        };
        self.play(context, number);
        true
    }

    /// What is touched next to make the move of this number; `None` for the Pass
    /// button.
    #[inline(never)]
    pub(super) fn touch_for(
        &self,
        number: u16,
        machine: &mut Machine<'_, W>,
        game: &LayoutGame<'_>,
    ) -> Option<Point> {
        let mut all = Picked::default();
        let mut result = 0;
        let mut at = 0_u16;
        let mut look = |machine: &mut Machine<'_, W>, draft: Draft| {
            if at == number {
                all = touches(draft, game);
                result = machine.position_after(draft);
                return ControlFlow::Break(());
            }
            at = at.saturating_add(1);
            ControlFlow::Continue(())
        };
        let _ = machine.legal(&mut look);
        if !self.offers.is_empty() {
            let found = Self::beyond(&self.picked.clone(), machine, game);
            let mut same = found.whole.iter().zip(self.offers.iter());
            let offer = same.find(|(number, _)| machine.result_of(**number) == result);
            return offer.map(|(_, (point, _))| *point);
        }
        if !all.starts_with(&self.picked) {
            return all.first().copied();
        }
        all.get(self.picked.len()).or(self.picked.last()).copied()
    }

    /// True if the move begins with what was picked.
    pub(super) fn goes_on_with(&self, draft: Draft, game: &LayoutGame<'_>) -> bool {
        touches(draft, game).starts_with(&self.picked)
    }
}
