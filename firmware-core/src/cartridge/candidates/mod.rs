//! Moves by number, and an interruptible search among them.
//!
//! The candidates are all moves that a walk of batches visits, legal or not. The number
//! of a candidate consists of its part of the walk and its place in that part. Parts
//! without a move of interest are skipped, and the expensive conditions, those on the
//! position after a move, are only evaluated for candidates of interest. A search can
//! therefore stop anywhere and continue later, and a move with a known number is made
//! without generating any other.
//!
//! Invariants: the legal candidates are the moves that [`Machine::legal`] lists; in the
//! same position the same number means the same move.

use core::ops::ControlFlow;

use protocol::Point;

use crate::points::Points;
use crate::rng::Rng;
use crate::word::Word;

use super::action::{Action, Draft};
use super::bytes::{Cartridge, flag};
use super::kernels::{BatchVisitor, Walk};
pub use super::known::Number;
use super::known::{Caught, Single};
use super::machine::{CONTINUE, Machine, Registers};
use super::state::State;

mod caught;
mod draw;
mod first;
mod make;
mod seek;

use draw::CandidateDraw;
pub use draw::Draw;
use make::CandidateMaker;
use seek::Seeker;

/// The maximum number of candidates in a part.
const PART: Number = 1 << 16;
/// The number of the move that swaps the players' colours.
pub const SWAP: Number = Number::MAX - 1;
/// The number of the forced pass, which is the only move of a player without another one.
pub const FORCED: Number = Number::MAX;
/// The steps charged for making a move in order to test a condition after it. The
/// evaluation of the condition is charged in addition.
const STEPS_OF_A_TRIAL: u32 = 12;
/// The largest number of candidates of a batch among which one is drawn.
const MOST_DRAWN: usize = 256;

/// The criteria of a search among the moves.
pub trait Seek<W: Word> {
    /// True if a legal move between these two sites is of interest.
    fn wants(&self, ends: [i16; 2]) -> bool;
    /// The sites from which moves of interest may start. Moves without a start site
    /// are always considered.
    fn froms(&self) -> Points<W> {
        !Points::NONE
    }
    /// The sites at which moves of interest may end.
    fn tos(&self) -> Points<W> {
        !Points::NONE
    }
    /// True once the search needs no more moves.
    fn is_enough(&self) -> bool {
        false
    }
    /// Called for each move of interest, with its first action if that is known.
    fn found(&mut self, number: Number, ends: [i16; 2], first: Option<Action>);
    /// True if the move found last may be played next. It is then kept, so that it need
    /// not be searched for again.
    fn may_play(&self) -> bool {
        false
    }
    /// The start sites whose destinations the search needs, if it only needs
    /// destinations.
    fn asks_where(&self) -> Option<Points<W>> {
        None
    }
    /// Called with the destinations of legal moves from the sites of
    /// [`Seek::asks_where`].
    fn found_to(&mut self, sites: Points<W>) {
        let _ = sites;
    }
    /// Called with sites from which there are legal moves. Returns false if the moves
    /// should be reported one by one.
    fn found_from(&mut self, sites: Points<W>) -> bool {
        let _ = sites;
        false
    }
}

/// The part of the candidates that a search covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The number of the first candidate.
    pub from: Number,
    /// The number of steps after which the search stops.
    pub steps: u32,
    /// True if each candidate is tested for legality.
    pub asks: bool,
}

impl Stretch {
    /// All candidates, without testing their legality.
    pub const UNASKED: Stretch = Stretch {
        from: 0,
        steps: u32::MAX,
        asks: false,
    };
}

/// The result of drawing a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RandomChoice {
    /// There is no unknown candidate.
    None,
    /// A move was played.
    Played {
        /// The number of the move.
        number: Number,
        /// True if no other candidate was left.
        is_last: bool,
    },
    /// A candidate turned out not to be legal.
    Refused {
        /// The number of the candidate.
        number: Number,
        /// True if no other candidate was left.
        is_last: bool,
    },
    /// The draw has used up its steps and continues in the next call.
    GoesOn,
}

/// Whether a candidate has to be legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legality {
    /// It is tested, and only a legal candidate counts.
    Tested,
    /// Any candidate counts, without a test.
    Untested,
}

/// Assigns numbers to the candidates of a walk.
#[derive(Default)]
struct Numbers {
    /// The number of the next part.
    next: Number,
    place: Number,
    /// The number of parts that enclose the current one.
    deep: u8,
}

impl Numbers {
    /// Begins a part and returns its number, unless it is inside another part.
    fn begin(&mut self) -> Option<Number> {
        if self.deep > 0 {
            self.deep = self.deep.saturating_add(1);
            return None;
        }
        Some(self.next)
    }

    /// Records that the current part is visited, so that the next part gets the next
    /// number.
    fn enter(&mut self) {
        self.next = self.next.saturating_add(1);
        self.place = 0;
        self.deep = 1;
    }

    fn skip_parts(&mut self, many: usize) {
        self.next = self.next.saturating_add(many as u32);
    }

    /// True if the walk is between two parts.
    fn is_between(&self) -> bool {
        self.deep == 0
    }

    /// The piece whose part contains this number, if the next parts are one for each of
    /// these pieces; `None` inside a part.
    fn piece_of<W: Word>(&self, number: Number, pieces: Points<W>) -> Option<Option<Point>> {
        let before = (number / PART).checked_sub(self.next);
        let piece = before.and_then(|before| pieces.nth(before as usize));
        self.is_between().then_some(piece)
    }

    /// Skips the next part, unless it is inside another part.
    fn skip(&mut self) -> bool {
        let is_one = self.begin().is_some();
        match is_one {
            true => self.skip_parts(1),
            false => self.leave(),
        }
        is_one
    }

    fn leave(&mut self) {
        self.deep = self.deep.saturating_sub(1);
    }

    /// Counts `many` candidates and returns the number of the first. Outside of parts
    /// they form a part of their own.
    fn count(&mut self, many: usize) -> Number {
        if self.deep == 0 {
            self.enter();
            self.leave();
        }
        let first = (self.next - 1).saturating_mul(PART) + self.place;
        self.place = self.place.saturating_add(many as u32).min(PART - 1);
        first
    }
}

/// The start and end sites of a move of a batch.
fn ends<W: Word>(machine: &Machine<'_, W>, single: Single) -> [i16; 2] {
    let from = if machine.is_shot(single.node) {
        single.to
    } else {
        single.from
    };
    [from.into(), single.to.into()]
}

/// True if candidates are numbered consecutively, as the walk of all moves numbers them.
fn in_a_row(cartridge: &Cartridge<'_>) -> bool {
    cartridge.is(flag::SIMULATION | flag::CHANCE)
}

impl<'g, W: Word> Machine<'g, W> {
    /// Searches among the moves. If the search stopped early, returns the number at which
    /// to continue. Games with chance and games that run by themselves are searched in
    /// one call. The forced pass is not found.
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
        self.visit_all(&mut seeker);
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
            CONTINUE
        };
        let _ = self.legal(&mut look);
    }

    /// Visits all candidates, and restores what an interrupted walk leaves changed.
    fn visit_all(&mut self, visitor: &mut dyn BatchVisitor<'g, W>) {
        self.actions.clear();
        self.context = Registers::NOTHING;
        let epoch = self.state.epoch;
        let turn = (self.state.mover, self.state.next, self.state.previous);
        let play = self.game.phase(self.phase_of(self.state.mover), 0);
        let _ = self.batches(play, None, &mut Walk::plain(visitor));
        self.actions.clear();
        self.kept.clear();
        self.context = Registers::NOTHING;
        self.state.epoch = epoch;
        (self.state.mover, self.state.next, self.state.previous) = turn;
    }

    /// Records whether the player to move has a legal move.
    pub fn note_has_moves(&mut self, has_moves: bool) {
        let bit = 1 << (self.state.mover & 7);
        self.state.stuck = (self.state.stuck & !bit) | if has_moves { 0 } else { bit };
    }

    /// Makes the candidate with this number and calls a function for it. Returns false if
    /// there is no such candidate, or if legality is tested and the candidate is not
    /// legal.
    pub fn with_number(
        &mut self,
        number: Number,
        legality: Legality,
        what: &mut dyn FnMut(&mut Self, Draft),
    ) -> bool {
        if number >= SWAP {
            return self.with_action(number, what);
        }
        if in_a_row(self.game) {
            return self.with_number_in_a_row(number, what);
        }
        let asks = legality == Legality::Tested;
        let no_repeat = asks && self.no_repeat();
        let mut is_new = true;
        let mut look = |machine: &mut Self, draft: Draft| {
            is_new = !no_repeat || !machine.repeats(draft);
            if is_new {
                what(machine, draft);
            }
        };
        let mut maker = CandidateMaker {
            numbers: Numbers::default(),
            number,
            asks,
            what: &mut look,
            is_made: false,
        };
        self.visit_all(&mut maker);
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
            CONTINUE
        };
        let _ = self.legal(&mut look);
        is_made
    }

    /// Plays the move with this number; returns false if there is none.
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
        if !self.with_number(number, Legality::Untested, &mut keep) || self.gave_up() {
            return false;
        }
        self.note_has_moves(true);
        self.play_kept(sites, own, &[]);
        self.actions.clear();
        true
    }

    /// The stored candidate with this number, if it was found in this position.
    fn caught_of(&mut self, number: Number) -> Option<Caught> {
        let (epoch, caught) = self.caught.take()?;
        (epoch == self.state.epoch && caught.number == number).then_some(caught)
    }

    /// Plays a candidate that is known to be legal.
    fn play_caught(&mut self, caught: Caught) -> bool {
        self.actions.clear();
        let mut play = |machine: &mut Self, draft: Draft| machine.play_if_new(draft, false);
        let flow = self.make_caught(&caught.unasked(), &mut play);
        flow.is_break() && !self.gave_up()
    }

    /// Draws one of the moves that are of interest and not known yet, and plays it if it
    /// is legal. The draw stops after `steps`; `draw` stores its progress.
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
        let mut lot = CandidateDraw {
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
        self.visit_all(&mut lot);
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
        let is_last = many == 1;
        if swaps {
            self.play_number(SWAP);
            let number = SWAP;
            return RandomChoice::Played { number, is_last };
        }
        match self.play_drawn(&caught) {
            true => RandomChoice::Played { number, is_last },
            false => RandomChoice::Refused { number, is_last },
        }
    }

    /// Plays a candidate that was drawn; false if it is not legal.
    #[inline]
    fn play_drawn(&mut self, caught: &Caught) -> bool {
        if !caught.is_known() {
            // The stored form is incomplete, or from an earlier call: make the
            // candidate again.
            let number = caught.number;
            return self.with_number(number, Legality::Tested, &mut |_, _| {})
                && self.play_number(number);
        }
        let no_repeat = self.no_repeat();
        let mut play = |machine: &mut Self, draft: Draft| machine.play_if_new(draft, no_repeat);
        self.make_caught(caught, &mut play).is_break()
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
            CONTINUE
        };
        let _ = self.legal(&mut look);
        if many == 0 || !self.play_number(number) {
            return RandomChoice::None;
        }
        RandomChoice::Played {
            number,
            is_last: many == 1,
        }
    }

    /// A hash of the position after a move, to distinguish it from other positions.
    pub fn position_after(&mut self, number: Number) -> u64 {
        self.after(number, |state| {
            state.hash() ^ u64::from(state.next).rotate_left(60)
        })
    }

    /// The piece kind that is on a site after a move.
    pub fn what_after(&mut self, number: Number, site: u8) -> u8 {
        self.after(number, |state| state.what(site))
    }

    /// Reads a value from the position after a move, and takes the move back.
    fn after<T: Default>(&mut self, number: Number, see: impl Fn(&State<W>) -> T) -> T {
        let mut seen = T::default();
        self.with_number(number, Legality::Untested, &mut |machine, draft| {
            let before = machine.state;
            let keeps = core::mem::replace(&mut machine.keeps, false);
            machine.run(draft);
            seen = see(&machine.state);
            machine.keeps = keeps;
            machine.state = before;
        });
        seen
    }

    /// The start and end sites of a move.
    pub fn ends_of(&mut self, number: Number) -> Option<[i16; 2]> {
        let mut ends = None;
        self.with_number(number, Legality::Untested, &mut |_, draft| {
            ends = Some([draft.from, draft.to]);
        });
        ends
    }
}
