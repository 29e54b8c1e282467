//! Counts the legal moves of a position.

use super::action::Draft;
use super::bytes::flag;
use super::kernels::{Batch, BatchVisitor, Walk};
use super::machine::{Adapter, Flow, Machine, Registers};
use super::outlet::Outlet;
use crate::word::Word;

/// Counts the moves that it visits.
struct Count(usize);

impl<'g, W: Word> BatchVisitor<'g, W> for Count {
    fn visit_batch(
        &mut self,
        machine: &mut Machine<'g, W>,
        batch: &Batch<'_, W>,
        adapter: &Adapter<'_>,
    ) -> Flow {
        if !adapter.asks() {
            self.0 += batch.len();
            return Flow::Continue(());
        }
        for n in 0..batch.len() {
            let Some(single) = batch.nth(machine, n) else {
                break;
            };
            let sink = &mut |_: &mut Machine<'g, W>, _: Draft| {
                self.0 += 1;
                Flow::Continue(())
            };
            machine.make(single, &mut Outlet { adapter, sink })?;
        }
        Flow::Continue(())
    }

    fn visit_draft(&mut self, _: &mut Machine<'g, W>, _: Draft) -> Flow {
        self.0 += 1;
        Flow::Continue(())
    }
}

impl<W: Word> Machine<'_, W> {
    /// The number of legal moves: as many as [`Machine::legal`] visits.
    pub fn count(&mut self) -> usize {
        const SPECIAL: u16 = flag::NO_REPEAT | flag::NO_REPEAT_SITUATION | flag::SIMULATION;
        if self.state.over {
            return 0;
        }
        let mut count = Count(0);
        if self.game.is(SPECIAL) {
            let mut look = |_: &mut Self, _: Draft| {
                count.0 += 1;
                Flow::Continue(())
            };
            let _ = self.legal(&mut look);
            return count.0;
        }
        self.context = Registers::NOTHING;
        let play = self.game.phase(self.phase_of(self.state.mover), 0);
        let _ = self.batches(play, None, &mut Walk::plain(&mut count));
        // A player without any other move passes.
        (count.0 + usize::from(self.may_swap())).max(1)
    }
}
