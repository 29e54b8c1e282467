//! Draws one of the candidates that are not known yet, in one call or in several.
//!
//! Invariants: all candidates have the same probability, wherever the draw was
//! interrupted.

use postcard::experimental::max_size::MaxSize;
use protocol::Point;
use serde::{Deserialize, Serialize};

use crate::points::Points;
use crate::rng::Rng;
use crate::word::Wide;
use crate::word::Word;

use super::super::action::Draft;
use super::super::kernels::{Batch, BatchVisitor, Visit};
use super::super::known::Caught;
use super::super::machine::{Adapter, CONTINUE, Flow, Machine, first_bits};
use super::{MOST_DRAWN, Number, Numbers, PART, ends};

/// The progress of a draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub struct Draw {
    /// The number of the candidate from which the draw continues.
    pub at: Number,
    /// The number of candidates found so far.
    pub many: u32,
    /// The candidate drawn so far.
    pub number: Number,
}

/// Draws one of the candidates that are not known yet.
pub(super) struct CandidateDraw<'l> {
    pub numbers: Numbers,
    pub rng: &'l mut Rng,
    pub known: &'l [Number],
    pub wants: &'l dyn Fn([i16; 2]) -> bool,
    /// True if all moves are of interest.
    pub all: bool,
    /// The progress of earlier calls.
    pub before: Draw,
    /// The number of steps after which the walk stops.
    pub steps: u32,
    /// The candidate at which the walk stopped, if it did not finish.
    pub next: Option<Number>,
    pub many: u32,
    /// The candidate drawn so far.
    pub caught: Caught,
}

impl CandidateDraw<'_> {
    /// The places in a batch that may be drawn.
    fn places<W: Word>(
        &self,
        machine: &Machine<'_, W>,
        batch: &Batch<'_, W>,
        base: Number,
    ) -> Points<Wide> {
        let many = batch.len().min(MOST_DRAWN);
        let mut places = Points::<Wide>(first_bits(many));
        for number in self.known {
            let place = number.checked_sub(base);
            if let Some(place) = place.filter(|place| (*place as usize) < many) {
                places.remove(Point(place as u8));
            }
        }
        if !self.all {
            let mut all = batch.singles([!Points::NONE; 2]);
            while let Some((place, single)) = all.next(batch, machine) {
                if place < many && !(self.wants)(ends(machine, single)) {
                    places.remove(Point(place as u8));
                }
            }
        }
        places
    }
}

impl<'g, W: Word> BatchVisitor<'g, W> for CandidateDraw<'_> {
    fn visit_batch(
        &mut self,
        machine: &mut Machine<'g, W>,
        batch: &Batch<'_, W>,
        adapter: &Adapter<'_>,
    ) -> Flow {
        let base = self.numbers.count(batch.len());
        if base < self.before.at {
            return CONTINUE;
        }
        let any = self.all && self.known.is_empty();
        let places = (!any).then(|| self.places(machine, batch, base));
        let more = places.map_or(batch.len(), |places| places.len()) as u32;
        self.many = self.many.saturating_add(more);
        let drawn = self.rng.below(self.many);
        if drawn >= more {
            return CONTINUE;
        }
        let place = match places {
            Some(places) => places.nth(drawn as usize).map(Point::index),
            None => Some(drawn as usize),
        };
        if let Some(place) = place
            && let Some(single) = batch.nth(machine, place)
        {
            let number = base.saturating_add(place as u32);
            self.caught.single(number, single, machine.context, adapter);
        }
        CONTINUE
    }

    fn visit_draft(&mut self, machine: &mut Machine<'g, W>, draft: Draft) -> Flow {
        self.visit_move(machine, draft, &Adapter::End)
    }

    fn visit_move(
        &mut self,
        machine: &mut Machine<'g, W>,
        draft: Draft,
        adapter: &Adapter<'_>,
    ) -> Flow {
        let number = self.numbers.count(1);
        if number < self.before.at
            || self.known.contains(&number)
            || !(self.wants)([draft.from, draft.to])
        {
            return CONTINUE;
        }
        self.many = self.many.saturating_add(1);
        if self.rng.below(self.many) == 0 {
            self.caught.draft(number, machine, draft, adapter);
        }
        CONTINUE
    }

    fn enter(&mut self, machine: &mut Machine<'g, W>, _: Option<u8>) -> Visit {
        let Some(part) = self.numbers.begin() else {
            return Visit::Enter;
        };
        let first = self.before.at / PART;
        if part < first {
            self.numbers.skip_parts(1);
            return Visit::Skip;
        }
        if part > first && machine.steps_taken() >= self.steps {
            self.next = Some(part.saturating_mul(PART));
            return Visit::Stop;
        }
        self.numbers.enter();
        Visit::Enter
    }

    fn skip(&mut self) {
        self.numbers.count(0);
    }

    fn leave(&mut self) {
        self.numbers.leave();
    }
}
