//! Conditions on the position after a move, and moves that follow it.

use super::super::action::Draft;
use super::super::machine::{Adapter, Flow, Machine};
use super::super::op::slot;
use super::super::outlet::Outlet;
use crate::word::Word;

impl<'g, W: Word> Machine<'g, W> {
    /// Carries out the first operand and visits the moves of the second. The actions of
    /// the first precede each of these moves.
    pub(super) fn one_after_the_other(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let (first, second) = (
            self.operand(at, slot::Do::FIRST),
            self.operand(at, slot::Do::SECOND),
        );
        let truth = self.optional(at, slot::Do::CONDITION);
        let start = self.here();
        self.collect(first);
        let end = self.here();
        let before = self.state;
        let keeps = core::mem::replace(&mut self.keeps, false);
        self.carry_out(start, end);
        self.keeps = keeps;
        let after = self.state;
        let mut look = |machine: &mut Self, draft: Draft| {
            let whole = Draft {
                start: start as u16,
                ..draft
            };
            machine.state = before;
            let flow = match truth {
                Some(truth) => {
                    machine.pass_on(whole, &mut out.through(&Adapter::After(truth, out.adapter)))
                }
                None => machine.pass_on(whole, out),
            };
            machine.state = after;
            flow
        };
        let flow = self.moves(second, &mut Outlet::plain(&mut look));
        self.state = before;
        self.actions.truncate(start);
        flow
    }

    /// True if a condition holds after a move.
    pub(in crate::cartridge) fn is_true_after(&mut self, draft: Draft, truth: u16) -> bool {
        let before = self.state;
        let context = self.context;
        let keeps = core::mem::replace(&mut self.keeps, false);
        let end = self.here();
        self.run(draft);
        let position = self.no_repeat().then(|| self.position());
        self.state.last_after = self.state.last_place;
        if self.state.mover == self.state.next {
            self.state.next = self.state.previous;
        }
        let holds = self.truth(truth);
        self.keeps = keeps;
        self.context = context;
        self.state = before;
        self.tried = position.map(|position| (end, position));
        holds
    }
}
