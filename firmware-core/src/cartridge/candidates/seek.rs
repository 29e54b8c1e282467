//! Searches the candidates for moves that meet a condition.

use core::ops::ControlFlow;

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::super::action::Draft;
use super::super::kernels::{Batch, BatchVisitor, Visit};
use super::super::known::Caught;
use super::super::machine::{Adapter, CONTINUE, Flow, Machine};
use super::super::outlet::Outlet;
use super::{Number, Numbers, PART, STEPS_OF_A_TRIAL, Seek, Stretch, ends};

/// Visits candidates and passes on those of interest.
pub(super) struct Seeker<'s, W: Word> {
    pub numbers: Numbers,
    pub stretch: Stretch,
    pub seek: &'s mut dyn Seek<W>,
    /// True if no position may occur twice.
    pub no_repeat: bool,
    pub trials: u32,
    /// The candidate at which the walk stopped, if it did not finish.
    pub next: Option<Number>,
    /// The last candidate that may be played.
    pub caught: Caught,
}

impl<W: Word> Seeker<'_, W> {
    fn is_spent(&self, machine: &Machine<'_, W>) -> bool {
        let trials = self.trials.saturating_mul(STEPS_OF_A_TRIAL);
        machine.steps_taken().saturating_add(trials) >= self.stretch.steps
    }

    fn asks(&self, adapter: &Adapter<'_>) -> bool {
        self.stretch.asks && (self.no_repeat || adapter.asks())
    }

    /// Starts the trial of a candidate; the returned visitor stops the walk if the
    /// candidate is legal.
    fn trial<'g>(&mut self) -> impl FnMut(&mut Machine<'g, W>, Draft) -> Flow + use<'g, W> {
        self.trials += 1;
        let no_repeat = self.no_repeat;
        move |machine, draft| match no_repeat && machine.repeats(draft) {
            true => CONTINUE,
            false => ControlFlow::Break(()),
        }
    }

    /// Reports all moves of a batch at once; returns false if the search does not
    /// accept that.
    fn found_all<'g>(
        &mut self,
        machine: &Machine<'g, W>,
        batch: &Batch<'_, W>,
        is_shot: bool,
    ) -> bool {
        if let Some(froms) = self.seek.asks_where() {
            if !is_shot {
                self.seek.found_to(batch.tos(froms, machine));
            }
            return true;
        }
        self.seek.found_from(match is_shot {
            true => batch.tos(!Points::NONE, machine),
            false => batch.froms(machine),
        })
    }

    /// True if the search stops before this candidate: its steps are used up, and it
    /// has examined at least one.
    fn stops(&mut self, machine: &Machine<'_, W>, number: Number) -> bool {
        let looked = self.trials > 0 || number / PART > self.stretch.from / PART;
        let stops = looked && self.is_spent(machine);
        if stops {
            self.next = Some(number);
        }
        stops
    }
}

impl<'g, W: Word> BatchVisitor<'g, W> for Seeker<'_, W> {
    fn visit_batch(
        &mut self,
        machine: &mut Machine<'g, W>,
        batch: &Batch<'_, W>,
        adapter: &Adapter<'_>,
    ) -> Flow {
        let base = self.numbers.count(batch.len());
        let end = base.saturating_add(batch.len() as u32);
        if end <= self.stretch.from {
            return CONTINUE;
        }
        // A shot starts at its target site.
        let is_shot = machine.is_shot(batch.node);
        let (froms, tos) = (self.seek.froms(), self.seek.tos());
        if !is_shot && !batch.may_begin(froms) {
            return CONTINUE;
        }
        let asks = self.asks(adapter);
        if !asks && self.stretch.from <= base && self.found_all(machine, batch, is_shot) {
            return CONTINUE;
        }
        let mut singles = match is_shot {
            true => batch.singles([!Points::NONE, froms & tos]),
            false => batch.singles([froms, tos]),
        };
        while let Some((place, single)) = singles.next(batch, machine) {
            let number = base.saturating_add(place as u32);
            let ends = ends(machine, single);
            if number < self.stretch.from || !self.seek.wants(ends) {
                continue;
            }
            if asks {
                if self.stops(machine, number) {
                    return ControlFlow::Break(());
                }
                let sink = &mut self.trial();
                if machine
                    .make(single, &mut Outlet { adapter, sink })
                    .is_continue()
                {
                    continue;
                }
            }
            self.seek.found(number, ends, None);
            if self.seek.may_play() {
                self.caught.single(number, single, machine.context, adapter);
            }
            if self.seek.is_enough() {
                return ControlFlow::Break(());
            }
            if !is_shot {
                singles.only_to(self.seek.tos());
            }
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
        let ends = [draft.from, draft.to];
        if number < self.stretch.from || !self.seek.wants(ends) {
            return CONTINUE;
        }
        let first = machine.actions(draft).first().copied();
        if self.asks(adapter) {
            if self.stops(machine, number) {
                return ControlFlow::Break(());
            }
            let sink = &mut self.trial();
            if machine
                .pass_on(draft, &mut Outlet { adapter, sink })
                .is_continue()
            {
                return CONTINUE;
            }
        }
        self.seek.found(number, ends, first);
        if self.seek.may_play() {
            self.caught.draft(number, machine, draft, adapter);
        }
        match self.seek.is_enough() {
            true => ControlFlow::Break(()),
            false => CONTINUE,
        }
    }

    fn needs_start(&self) -> bool {
        self.numbers.is_between()
    }

    fn enter(&mut self, machine: &mut Machine<'g, W>, piece: Option<u8>) -> Visit {
        let Some(part) = self.numbers.begin() else {
            return Visit::Enter;
        };
        let is_wanted = piece.is_none_or(|piece| self.seek.froms().has(Point(piece)));
        if part < self.stretch.from / PART || !is_wanted {
            self.numbers.skip_parts(1);
            return Visit::Skip;
        }
        if self.stops(machine, part.saturating_mul(PART)) {
            return Visit::Stop;
        }
        self.numbers.enter();
        Visit::Enter
    }

    fn only_of(&self, pieces: Points<W>) -> Option<Option<Point>> {
        let some = pieces & self.seek.froms();
        (self.numbers.is_between() && some.len() <= 1).then(|| some.first())
    }

    fn skip_parts(&mut self, many: usize) {
        self.numbers.skip_parts(many);
    }

    fn leave(&mut self) {
        self.numbers.leave();
    }

    fn aims(&self) -> Option<Points<W>> {
        let tos = self.numbers.is_between().then(|| self.seek.tos());
        tos.filter(|tos| *tos != !Points::NONE)
    }

    fn is_unwanted(&self, pieces: Points<W>) -> bool {
        self.numbers.is_between() && !pieces.meets(self.seek.froms())
    }

    fn skip(&mut self) {
        self.numbers.count(0);
    }

    fn may_skip(&mut self) -> bool {
        self.numbers.skip()
    }
}
