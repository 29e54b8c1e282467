//! Finds the legal touches, over as many ticks as necessary.
//!
//! After a move it is nobody's turn until the rules of the end have been evaluated and
//! all possible starts of the next move have been found. In most games each takes one
//! tick. The continuations of a picked point are found in the same way, and those already
//! found may be touched meanwhile. The work of a call is limited by its number of steps,
//! at least one, so the search stops at the same place on every machine.
//!
//! Invariants: the results so far equal those of a new search that has reached the same
//! place.

use protocol::{Event, Point, Side};

use super::picked::{Aside, Picked, Whole, touches};
use super::{FUEL, PASSES, Written, machine, steps_of_a_call, steps_of_an_end};
use crate::cartridge::candidates::{FORCED, Number, Seek, Stretch};
use crate::cartridge::machine::first_bits;
use crate::cartridge::{Action, LayoutGame, Machine, Unended};
use crate::game::Context;
use crate::ground::Ground;
use crate::points::Points;
use crate::word::Word;

/// A search for the possible starts of a move.
struct Firsts<'f, 'g, W> {
    game: &'f LayoutGame<'g>,
    firsts: Points<W>,
    /// The sites of the points in `firsts`.
    sites: Points<W>,
    aside: Aside,
}

impl<W: Word> Seek<W> for Firsts<'_, '_, W> {
    fn froms(&self) -> Points<W> {
        !self.sites
    }

    fn wants(&self, ends: [i16; 2]) -> bool {
        match touches(ends, self.game).first() {
            Some(first) => !self.firsts.has(*first),
            None => true,
        }
    }

    fn found(&mut self, number: Number, ends: [i16; 2], first: Option<Action>) {
        match (touches(ends, self.game).first(), first) {
            (Some(first), _) => {
                self.firsts |= self.game.column(*first);
                self.sites.insert(Point(self.game.site(*first)));
            }
            (None, Some(Action::Swap)) => self.aside = Aside::Swaps(number),
            _ if self.aside == Aside::Nothing => self.aside = Aside::Does(number),
            _ => {}
        }
    }

    fn found_from(&mut self, sites: Points<W>) -> bool {
        let points = self.game.points(sites);
        let all = points.len() == sites.len();
        if all {
            self.firsts |= match self.game.levels() {
                1 => points,
                _ => points.fold(Points::NONE, |all, point| all | self.game.column(point)),
            };
            self.sites |= sites;
        }
        all
    }
}

/// A search for the possible continuations of the picked parts.
struct Nexts<'f, 'g, W> {
    game: &'f LayoutGame<'g>,
    picked: &'f Picked,
    /// The points where moves with these touches may start.
    froms: Points<W>,
    next: Points<W>,
}

/// The sites from which moves with these touches may start: the site of the first touch,
/// and those that are not points.
pub(super) fn may_begin<W: Word>(picked: &Picked, game: &LayoutGame<'_>) -> Points<W> {
    let board = Points(first_bits(game.cartridge.board()));
    let first = picked.first().map(|first| Point(game.site(*first)));
    first.map_or(Points::NONE, Points::one) | !board
}

/// The sites to which moves with these touches may lead.
pub(super) fn may_lead<W: Word>(picked: &Picked, game: &LayoutGame<'_>) -> Points<W> {
    match picked.as_slice() {
        [_, second] if game.levels() == 1 => Points::one(Point(game.site(*second))),
        _ => !Points::NONE,
    }
}

impl<W: Word> Seek<W> for Nexts<'_, '_, W> {
    fn froms(&self) -> Points<W> {
        self.froms
    }

    fn asks_where(&self) -> Option<Points<W>> {
        match self.picked.as_slice() {
            [only] if self.game.levels() == 1 => Some(Points::one(Point(self.game.site(*only)))),
            _ => None,
        }
    }

    fn found_to(&mut self, sites: Points<W>) {
        let begin: Points<W> = self.picked.iter().copied().collect();
        self.next |= self.game.points(sites).without(begin);
    }

    fn wants(&self, ends: [i16; 2]) -> bool {
        let all = touches(ends, self.game);
        all.starts_with(self.picked)
            && all
                .get(self.picked.len())
                .is_some_and(|next| !self.next.has(*next))
    }

    fn found(&mut self, _: Number, ends: [i16; 2], _: Option<Action>) {
        if let Some(next) = touches(ends, self.game).get(self.picked.len()) {
            self.next |= self.game.column(*next);
        }
    }
}

/// A search for the moves with these touches, legal or not.
pub(super) struct Sieve<'f, 'g, W> {
    pub picked: &'f Picked,
    pub game: &'f LayoutGame<'g>,
    /// The points where such moves may start, and where they may end.
    pub ends: [Points<W>; 2],
    /// The moves that are complete.
    pub whole: Whole,
    /// True if some of the moves have further touches.
    pub more: bool,
    /// True if the last move found is complete.
    pub is_whole: bool,
}

impl<W: Word> Seek<W> for Sieve<'_, '_, W> {
    fn froms(&self) -> Points<W> {
        self.ends[0]
    }

    fn tos(&self) -> Points<W> {
        self.ends[1]
    }

    fn wants(&self, ends: [i16; 2]) -> bool {
        touches(ends, self.game).starts_with(self.picked)
    }

    fn may_play(&self) -> bool {
        self.is_whole
    }

    fn found(&mut self, number: Number, ends: [i16; 2], _: Option<Action>) {
        self.is_whole = touches(ends, self.game).len() == self.picked.len();
        if self.is_whole {
            let _ = self.whole.push(number);
        } else if !self.more {
            self.more = true;
            // Another move with further touches is of no interest.
            self.ends[1] &= self.ends[0];
        }
    }
}

impl<W: Word> Written<W> {
    /// True while it is nobody's turn, because the possible starts of a move are not
    /// known yet.
    pub(super) fn is_between_moves(&self) -> bool {
        self.looks.is_some() && self.picked.is_empty()
    }

    /// Takes over the state of a machine. The search for legal touches starts in the next
    /// tick.
    pub(super) fn take_over(&mut self, machine: &Machine<'_, W>, game: &LayoutGame<'_>) {
        self.picked.clear();
        self.offers.clear();
        self.firsts = Points::NONE;
        self.next = Points::NONE;
        self.aside = Aside::Nothing;
        self.stuck |= machine.gave_up();
        machine.leave(&mut self.state);
        // Cleared in place: a new list would be copied as a whole, however short it is.
        self.known.clear();
        let _ = self.known.extend_from_slice(machine.history());
        self.score = self.count(game);
        self.looks = (!self.state.over && !self.stuck).then_some(0);
    }

    /// Evaluates whether the last move ended the game, and then continues the search for
    /// legal touches; a player who can only pass is passed over.
    #[inline(never)]
    pub(super) fn look_on(&mut self, context: &mut Context<'_, W>) {
        let ground = context.ground;
        let Some(game) = ground.game() else {
            return;
        };
        let mut machine = machine(&game, ground);
        machine.resume(&self.state, &self.known);
        if self.state.unended != Unended::Nothing {
            self.ration(&mut machine);
            let is_ended = machine.end_move(steps_of_an_end::<W>());
            self.spend(&machine);
            if is_ended {
                self.take_over(&machine, &game);
            } else {
                machine.leave(&mut self.state);
            }
        } else if self.continue_search(&mut machine, &game) {
            self.pass_over(&mut machine, &game, context);
        }
    }

    /// Limits a machine to the steps that are left for one touch, so that many short
    /// calls together take no longer than a long one may.
    fn ration(&self, machine: &mut Machine<'_, W>) {
        if !machine.gave_up() {
            machine.refuel(FUEL.saturating_sub(self.spent));
        }
    }

    fn spend(&mut self, machine: &Machine<'_, W>) {
        self.spent = self.spent.saturating_add(machine.steps_taken());
    }

    fn pass_over(
        &mut self,
        machine: &mut Machine<'_, W>,
        game: &LayoutGame<'_>,
        context: &mut Context<'_, W>,
    ) {
        if usize::from(self.passed) >= PASSES {
            self.give_up();
            return;
        }
        let side = self.side(self.state.mover).unwrap_or(Side::Green);
        context.report(Event::Passed { side });
        machine.play_number(FORCED);
        self.passed += 1;
        self.take_over(machine, game);
    }

    /// Ends the search: the game cannot continue, and nothing may be touched.
    pub(super) fn give_up(&mut self) {
        self.stuck = true;
        self.picked.clear();
        self.offers.clear();
        self.looks = None;
        self.firsts = Points::NONE;
        self.next = Points::NONE;
        self.aside = Aside::Nothing;
    }

    /// Continues the search for one call; true if the player to move can only pass.
    pub(super) fn continue_search(
        &mut self,
        machine: &mut Machine<'_, W>,
        game: &LayoutGame<'_>,
    ) -> bool {
        let Some(from) = self.looks else { return false };
        machine.forget();
        self.ration(machine);
        let stretch = Stretch {
            from,
            steps: steps_of_a_call::<W>(),
            asks: true,
        };
        if self.picked.is_empty() {
            let mut firsts = Firsts {
                game,
                firsts: self.firsts,
                sites: game.sites(self.firsts),
                aside: self.aside,
            };
            self.looks = machine.seek(stretch, &mut firsts);
            (self.firsts, self.next) = (firsts.firsts, firsts.firsts);
            self.aside = firsts.aside;
        } else {
            let mut nexts = Nexts {
                game,
                picked: &self.picked,
                froms: may_begin(&self.picked, game),
                next: self.next,
            };
            self.looks = machine.seek(stretch, &mut nexts);
            self.next = nexts.next;
        }
        self.spend(machine);
        if machine.gave_up() {
            self.give_up();
            return false;
        }
        if self.looks.is_some() || !self.picked.is_empty() {
            return false;
        }
        let can_do = !self.firsts.is_empty() || self.aside != Aside::Nothing;
        machine.note_has_moves(can_do);
        machine.leave(&mut self.state);
        if !can_do && game.cartridge.players() < 2 {
            if !self.state.over {
                self.give_up();
            }
            return false;
        }
        !can_do && !self.state.over
    }

    /// True if the legal touches are those that a machine finds.
    #[inline(never)]
    pub(super) fn is_found(&self, game: &LayoutGame<'_>, ground: &Ground<W>) -> bool {
        let mut machine = machine(game, ground);
        machine.resume(&self.state, &self.known);
        let mut same = self.clone();
        same.take_over(&machine, game);
        same.stuck = self.stuck;
        same.spent = 0;
        let mut can_only_pass = false;
        while same.looks.is_some() && (same.looks != self.looks || !self.picked.is_empty()) {
            can_only_pass = same.continue_search(&mut machine, game);
        }
        if can_only_pass && !self.stuck {
            return false;
        }
        if !self.picked.is_empty() {
            same.spent = 0;
            if !same.picks_again(self, &mut machine, game) {
                return false;
            }
            while same.looks.is_some() && same.looks != self.looks {
                same.continue_search(&mut machine, game);
            }
        }
        // Random draws during the search are not repeated.
        same.state = self.state;
        same.spent = self.spent;
        *self == same
    }
}
