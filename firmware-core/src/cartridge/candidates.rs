//! Moves by number, and a search among them that can be cut.
//!
//! The candidates are all that a walk of batches visits, legal or not. Each has a
//! number: its part of the walk, and its place in that part. A part that is not wanted
//! is skipped unseen, and the expensive questions, those asked after a move, are asked
//! only of the candidates that are wanted. So a search can stop anywhere and continue
//! later, and a move of a known number is made without any other.
//!
//! Invariants: the candidates that are legal are the moves that
//! [`Machine::legal`] tells of; in one position the same number is the same move.

use core::ops::ControlFlow;

use protocol::Point;

use crate::points::Points;
use crate::rng::Rng;

use super::action::{Action, Draft};
use super::bytes::{Cartridge, flag};
use super::kernels::Hear;
pub use super::known::Number;
use super::known::{Caught, Single};
use super::machine::{Adapter, Machine, ON, Registers};
use super::span::Span;
use super::state::State;

mod caught;
mod draw;
mod first;
mod make;
mod seek;

pub use draw::Draw;
use draw::Lot;
use make::Maker;
use seek::Seeker;

/// The numbers of a part.
const PART: Number = 1 << 16;
/// The number of the move that exchanges the players' colours.
pub const SWAP: Number = Number::MAX - 1;
/// The pass of a player who can do nothing else.
pub const FORCED: Number = Number::MAX;
/// What it costs, in steps, to make a move in order to ask something after it, besides
/// the question itself.
const STEPS_OF_A_TRIAL: u32 = 12;
/// The candidates of a batch among which one is drawn.
const MOST_DRAWN: usize = 256;

/// A search among the moves.
pub trait Seek<W: Span> {
    /// True if a move from a site to another is of interest, if it is legal.
    fn wants(&self, ends: [i16; 2]) -> bool;
    /// The sites from which moves may be of interest, those that begin nowhere apart.
    fn froms(&self) -> Points<W> {
        !Points::NONE
    }
    /// The sites to which moves of interest may lead.
    fn tos(&self) -> Points<W> {
        !Points::NONE
    }
    /// True once nothing more is of interest.
    fn is_enough(&self) -> bool {
        false
    }
    /// There is such a move; the first thing that it does, if it is known.
    fn found(&mut self, number: Number, ends: [i16; 2], first: Option<Action>);
    /// True if the move that was found last may be played next: then it is not searched
    /// for again.
    fn may_play(&self) -> bool {
        false
    }
    /// The sites of which only the destinations of moves matter, if that is all the
    /// search asks.
    fn asks_where(&self) -> Option<Points<W>> {
        None
    }
    /// Legal moves from [`Seek::asks_where`] lead to these sites.
    fn found_to(&mut self, sites: Points<W>) {
        let _ = sites;
    }
    /// There are legal moves from these sites. False if they should be told of one
    /// by one.
    fn found_from(&mut self, sites: Points<W>) -> bool {
        let _ = sites;
        false
    }
}

/// How far a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The number with which it begins.
    pub from: Number,
    /// The steps after which it stops.
    pub steps: u32,
    /// False if it is of no matter whether a move is legal.
    pub asks: bool,
}

impl Stretch {
    /// All candidates, legal or not.
    pub const UNASKED: Stretch = Stretch {
        from: 0,
        steps: u32::MAX,
        asks: false,
    };
}

/// The result of drawing a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RandomChoice {
    /// There is none that is not known.
    None,
    /// It was played; true if it was the only one.
    Played(Number, bool),
    /// It is not legal; true if it was the only one.
    Refused(Number, bool),
    /// It took steps enough: it goes on in another call.
    GoesOn,
}

/// Numbers what is heard of.
#[derive(Default)]
struct Numbers {
    /// The part after the one that is heard.
    next: Number,
    place: Number,
    /// How many parts enclose the current one.
    deep: u8,
}

impl Numbers {
    /// A part begins; its number, if it is not within another.
    fn begin(&mut self) -> Option<Number> {
        if self.deep > 0 {
            self.deep = self.deep.saturating_add(1);
            return None;
        }
        Some(self.next)
    }

    /// The current part is visited, so the next one gets the next number.
    fn hear(&mut self) {
        self.next = self.next.saturating_add(1);
        self.place = 0;
        self.deep = 1;
    }

    fn leave_out(&mut self, many: usize) {
        self.next = self.next.saturating_add(many as u32);
    }

    /// True if no part is heard.
    fn is_between(&self) -> bool {
        self.deep == 0
    }

    /// The piece of whose part a number is, if the parts that follow are one for each of
    /// these; `None` within a part.
    fn piece_of<W: Span>(&self, number: Number, pieces: Points<W>) -> Option<Option<Point>> {
        let before = (number / PART).checked_sub(self.next);
        let piece = before.and_then(|before| pieces.nth(before as usize));
        self.is_between().then_some(piece)
    }

    /// Leaves out the part that would begin, if it is not within another.
    fn pass_over(&mut self) -> bool {
        let is_one = self.begin().is_some();
        match is_one {
            true => self.leave_out(1),
            false => self.end(),
        }
        is_one
    }

    fn end(&mut self) {
        self.deep = self.deep.saturating_sub(1);
    }

    /// Counts `many` candidates and returns the number of the first. Alone they are a
    /// part.
    fn count(&mut self, many: usize) -> Number {
        if self.deep == 0 {
            self.hear();
            self.end();
        }
        let first = (self.next - 1).saturating_mul(PART) + self.place;
        self.place = self.place.saturating_add(many as u32).min(PART - 1);
        first
    }
}

/// What a batch's moves are from and to.
fn ends<W: Span>(machine: &Machine<'_, W>, single: Single) -> [i16; 2] {
    let from = if machine.is_shot(single.node) {
        single.to
    } else {
        single.from
    };
    [from.into(), single.to.into()]
}

/// Counts what it hears of by numbers in a row, as the walk of all moves does.
fn in_a_row(cartridge: &Cartridge<'_>) -> bool {
    cartridge.is(flag::SIMULATION | flag::CHANCE)
}

impl<'g, W: Span> Machine<'g, W> {
    /// Searches among the moves; the number to go on with, if it stopped before it
    /// was through. A game with chance, and one that plays by itself, is searched
    /// through at once. What a player without any other move does is not found.
    pub fn seek(&mut self, stretch: Stretch, seek: &mut dyn Seek<W>) -> Option<Number> {
        if self.state.over {
            return None;
        }
        self.fuel_again();
        if in_a_row(self.game) {
            self.seek_in_a_row(seek);
            return None;
        }
        let epoch = self.state.epoch;
        let mut seeker = Seeker {
            numbers: Numbers::default(),
            stretch,
            seek,
            no_repeat: self.no_repeat(),
            trials: 0,
            next: None,
            caught: Caught::default(),
        };
        self.hear_all(&mut seeker);
        let next = seeker.next;
        self.caught = seeker.caught.is_known().then_some((epoch, seeker.caught));
        if next.is_none() && self.may_swap() && seek.wants([-1; 2]) {
            seek.found(SWAP, [-1; 2], Some(Action::Swap));
        }
        next
    }

    fn seek_in_a_row(&mut self, seek: &mut dyn Seek<W>) {
        let mut number = 0;
        let mut look = |machine: &mut Self, draft: Draft| {
            let (ends, first) = ([draft.from, draft.to], machine.actions(draft).first());
            let is_forced = matches!(first, Some(Action::Pass { forced: true }));
            if !is_forced && seek.wants(ends) {
                seek.found(number, ends, first.copied());
            }
            number += 1;
            ON
        };
        let _ = self.legal(&mut look);
    }

    /// Walks through all candidates; what a walk leaves about that was cut is put
    /// back.
    fn hear_all(&mut self, hear: &mut dyn Hear<'g, W>) {
        self.actions.clear();
        self.context = Registers::NOTHING;
        let epoch = self.state.epoch;
        let turn = (self.state.mover, self.state.next, self.state.previous);
        let play = self.game.phase(self.phase_of(self.state.mover), 0);
        let _ = self.batches(play, None, &Adapter::End, hear);
        self.actions.clear();
        self.kept.clear();
        self.context = Registers::NOTHING;
        self.state.epoch = epoch;
        (self.state.mover, self.state.next, self.state.previous) = turn;
    }

    /// Notes whether the player to move can do something.
    pub fn can_do(&mut self, something: bool) {
        let bit = 1 << (self.state.mover & 7);
        self.state.stuck = (self.state.stuck & !bit) | if something { 0 } else { bit };
    }

    /// Makes the candidate of a number, and lets something be done with it; false if
    /// there is none, or if it is asked for and not legal.
    pub fn with_number(
        &mut self,
        number: Number,
        asks: bool,
        what: &mut dyn FnMut(&mut Self, Draft),
    ) -> bool {
        if number >= SWAP {
            return self.with_action(number, what);
        }
        if in_a_row(self.game) {
            return self.with_number_in_a_row(number, what);
        }
        let no_repeat = asks && self.no_repeat();
        let mut is_new = true;
        let mut look = |machine: &mut Self, draft: Draft| {
            is_new = !no_repeat || !machine.repeats(draft);
            if is_new {
                what(machine, draft);
            }
        };
        let mut maker = Maker {
            numbers: Numbers::default(),
            number,
            asks,
            what: &mut look,
            is_made: false,
        };
        self.hear_all(&mut maker);
        maker.is_made && is_new
    }

    fn with_action(&mut self, number: Number, what: &mut dyn FnMut(&mut Self, Draft)) -> bool {
        self.actions.clear();
        if number == SWAP {
            self.push(Action::Swap);
            self.push(Action::SetNext {
                player: self.state.mover,
            });
        } else {
            self.push(Action::Pass { forced: true });
        }
        let draft = Draft {
            from: -1,
            to: -1,
            start: 0,
            own: self.here() as u16,
        };
        what(self, draft);
        self.actions.clear();
        true
    }

    fn with_number_in_a_row(
        &mut self,
        number: Number,
        what: &mut dyn FnMut(&mut Self, Draft),
    ) -> bool {
        let (mut left, mut is_made) = (number, false);
        let mut look = |machine: &mut Self, draft: Draft| {
            if left == 0 {
                is_made = true;
                what(machine, draft);
                return ControlFlow::Break(());
            }
            left -= 1;
            ON
        };
        let _ = self.legal(&mut look);
        is_made
    }

    /// Plays the move of a number; false if there is none.
    pub fn play_number(&mut self, number: Number) -> bool {
        self.fuel_again();
        if let Some(caught) = self.caught_of(number) {
            return self.play_caught(caught);
        }
        let mut sites = [-1; 2];
        let mut own = 0;
        let mut keep = |machine: &mut Self, draft: Draft| {
            sites = [draft.from, draft.to];
            own = draft.own - draft.start;
            machine.keep(draft);
        };
        if !self.with_number(number, false, &mut keep) || self.gave_up() {
            return false;
        }
        self.can_do(true);
        self.play_kept(sites, own, &[]);
        self.actions.clear();
        true
    }

    /// The candidate of a number, if it was caught in this position.
    fn caught_of(&mut self, number: Number) -> Option<Caught> {
        let (epoch, caught) = self.caught.take()?;
        (epoch == self.state.epoch && caught.number == number).then_some(caught)
    }

    /// Plays what is known to be legal.
    fn play_caught(&mut self, caught: Caught) -> bool {
        self.actions.clear();
        let mut play = |machine: &mut Self, draft: Draft| machine.play_if_new(draft, false);
        let flow = self.make_caught(&caught.unasked(), &mut play);
        flow.is_break() && !self.gave_up()
    }

    /// Draws one of the moves that are not known and are of interest, and plays it if
    /// it is legal. It stops after `steps`, and `draw` records how far it got.
    pub fn play_unknown(
        &mut self,
        draw: &mut Draw,
        steps: u32,
        known: &[Number],
        wants: Option<&dyn Fn([i16; 2]) -> bool>,
        rng: &mut Rng,
    ) -> RandomChoice {
        self.fuel_again();
        if in_a_row(self.game) {
            return self.play_unknown_in_a_row(known, wants, rng);
        }
        let before = core::mem::take(draw);
        let mut lot = Lot {
            numbers: Numbers::default(),
            rng,
            known,
            wants: wants.unwrap_or(&|_| true),
            all: wants.is_none(),
            before,
            steps,
            next: None,
            many: before.many,
            caught: Caught::of(before.number),
        };
        self.hear_all(&mut lot);
        if let Some(at) = lot.next {
            let (many, number) = (lot.many, lot.caught.number);
            *draw = Draw { at, many, number };
            return RandomChoice::GoesOn;
        }
        let may_swap = self.may_swap() && !known.contains(&SWAP) && (lot.wants)([-1; 2]);
        let many = lot.many + u32::from(may_swap);
        let swaps = may_swap && lot.rng.below(many) == 0;
        let caught = lot.caught;
        let number = caught.number;
        if many == 0 || self.gave_up() {
            return RandomChoice::None;
        }
        if swaps {
            self.play_number(SWAP);
            return RandomChoice::Played(SWAP, many == 1);
        }
        if !caught.is_known() {
            // More is done with it than there is room for, or it was drawn in an
            // earlier call: it is made once more.
            return match self.with_number(number, true, &mut |_, _| {}) {
                true if self.play_number(number) => RandomChoice::Played(number, many == 1),
                _ => RandomChoice::Refused(number, many == 1),
            };
        }
        let no_repeat = self.no_repeat();
        let mut play = |machine: &mut Self, draft: Draft| machine.play_if_new(draft, no_repeat);
        let is_played = self.make_caught(&caught, &mut play).is_break();
        if is_played {
            RandomChoice::Played(number, many == 1)
        } else {
            RandomChoice::Refused(number, many == 1)
        }
    }

    fn play_unknown_in_a_row(
        &mut self,
        known: &[Number],
        wants: Option<&dyn Fn([i16; 2]) -> bool>,
        rng: &mut Rng,
    ) -> RandomChoice {
        let (mut many, mut number, mut at) = (0, 0, 0);
        let mut look = |_: &mut Self, draft: Draft| {
            let is_wanted = wants.is_none_or(|wants| wants([draft.from, draft.to]));
            if is_wanted && !known.contains(&at) {
                many += 1;
                if rng.below(many) == 0 {
                    number = at;
                }
            }
            at += 1;
            ON
        };
        let _ = self.legal(&mut look);
        if many == 0 || !self.play_number(number) {
            return RandomChoice::None;
        }
        RandomChoice::Played(number, many == 1)
    }

    /// A number of the position that a move leads to, which tells it from others.
    pub fn position_after(&mut self, number: Number) -> u64 {
        self.after(number, |state| {
            state.hash() ^ u64::from(state.next).rotate_left(60)
        })
    }

    /// What stands on a site after a move.
    pub fn what_after(&mut self, number: Number, site: u8) -> u8 {
        self.after(number, |state| state.what(site))
    }

    /// What is seen of the position that a move leads to; the move is taken back.
    fn after<T: Default>(&mut self, number: Number, see: impl Fn(&State<W>) -> T) -> T {
        let mut seen = T::default();
        self.with_number(number, false, &mut |machine, draft| {
            let before = machine.state;
            let keeps = core::mem::replace(&mut machine.keeps, false);
            machine.run(draft);
            seen = see(&machine.state);
            machine.keeps = keeps;
            machine.state = before;
        });
        seen
    }

    /// From where to where a move goes.
    pub fn ends_of(&mut self, number: Number) -> Option<[i16; 2]> {
        let mut ends = None;
        self.with_number(number, false, &mut |_, draft| {
            ends = Some([draft.from, draft.to]);
        });
        ends
    }
}
