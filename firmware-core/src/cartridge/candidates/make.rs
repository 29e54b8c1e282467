//! Makes the candidate of one number without making any other.

use core::ops::ControlFlow;

use heapless::Vec;
use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::super::action::Draft;
use super::super::kernels::{Batch, BatchVisitor, Visit};
use super::super::machine::{Adapter, CONTINUE, Flow, Machine, TIES, Tie};
use super::super::outlet::Outlet;
use super::{Number, Numbers, PART};

/// Makes the candidate of one number.
pub(super) struct CandidateMaker<'m, 'g, W: Word> {
    pub numbers: Numbers,
    pub number: Number,
    /// True if the candidate is tested for legality.
    pub asks: bool,
    pub what: &'m mut dyn FnMut(&mut Machine<'g, W>, Draft),
    pub is_made: bool,
}

/// The ties of a move without the conditions tested after it.
fn thens(adapter: &Adapter<'_>) -> Option<Vec<Tie, TIES>> {
    let mut ties = adapter.ties()?;
    ties.retain(|tie| matches!(tie, Tie::Then(_)));
    Some(ties)
}

impl<'g, W: Word> CandidateMaker<'_, 'g, W> {
    /// Makes the candidate, which `make` passes to its outlet, and ends the visit.
    /// Conditions are only tested after it if the candidate is tested for legality.
    fn make(
        &mut self,
        adapter: &Adapter<'_>,
        make: impl FnOnce(&mut Outlet<'_, 'g, W>) -> Flow,
    ) -> Flow {
        let ties = thens(adapter).filter(|_| !self.asks);
        let sink = &mut |machine: &mut Machine<'g, W>, draft: Draft| {
            self.is_made = true;
            (self.what)(machine, draft);
            CONTINUE
        };
        let ties = ties.as_deref().map(Adapter::Ties);
        let adapter = ties.as_ref().unwrap_or(adapter);
        let _ = make(&mut Outlet { adapter, sink });
        ControlFlow::Break(())
    }
}

impl<'g, W: Word> BatchVisitor<'g, W> for CandidateMaker<'_, 'g, W> {
    fn visit_batch(
        &mut self,
        machine: &mut Machine<'g, W>,
        batch: &Batch<'_, W>,
        adapter: &Adapter<'_>,
    ) -> Flow {
        let base = self.numbers.count(batch.len());
        let place = self.number.checked_sub(base);
        let place = place.filter(|place| (*place as usize) < batch.len());
        let single = place.and_then(|place| batch.nth(machine, place as usize));
        let Some(single) = single else {
            return CONTINUE;
        };
        self.make(adapter, |out| machine.make(single, out))
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
        if self.numbers.count(1) != self.number {
            return CONTINUE;
        }
        self.make(adapter, |out| machine.pass_on(draft, out))
    }

    fn needs_start(&self) -> bool {
        self.numbers.is_between()
    }

    fn enter(&mut self, _: &mut Machine<'g, W>, _: Option<u8>) -> Visit {
        let Some(part) = self.numbers.begin() else {
            return Visit::Enter;
        };
        if part != self.number / PART {
            self.numbers.skip_parts(1);
            return Visit::Skip;
        }
        self.numbers.enter();
        Visit::Enter
    }

    fn is_unwanted(&self, _: Points<W>) -> bool {
        self.numbers.is_between() && self.number / PART != self.numbers.next
    }

    fn skip(&mut self) {
        self.numbers.count(0);
    }

    fn only_of(&self, pieces: Points<W>) -> Option<Option<Point>> {
        self.numbers.piece_of(self.number, pieces)
    }

    fn skip_parts(&mut self, many: usize) {
        self.numbers.skip_parts(many);
    }

    fn leave(&mut self) {
        self.numbers.leave();
    }
}
