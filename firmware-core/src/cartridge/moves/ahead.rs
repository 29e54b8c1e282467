//! Moves restricted to those that capture the most, or that continue the longest.

use super::super::action::{Action, Draft};
use super::super::machine::{Flow, Machine};
use super::super::op::slot;
use super::super::outlet::Outlet;
use crate::word::Word;

impl<'g, W: Word> Machine<'g, W> {
    /// The number of pieces that a move and its consequences capture.
    fn taken(&mut self, draft: Draft) -> i32 {
        let actions = self.actions(draft);
        if actions
            .iter()
            .any(|action| matches!(action, Action::Then { .. }))
        {
            return self.taken_after(draft);
        }
        let is_taken =
            |action: &&Action| matches!(action, Action::Remove { .. } | Action::RemoveLater { .. });
        actions.iter().filter(is_taken).count() as i32
    }

    /// As `taken`, but found by playing the move.
    fn taken_after(&mut self, draft: Draft) -> i32 {
        let (before, context) = (self.state, self.context);
        let keeps = core::mem::replace(&mut self.keeps, false);
        let known = core::mem::replace(&mut self.taken, 0);
        self.run(draft);
        let taken = core::mem::replace(&mut self.taken, known);
        self.keeps = keeps;
        self.context = context;
        self.state = before;
        taken.into()
    }

    pub(super) fn most_taken(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let node = self.operand(at, slot::MostTaken::MOVES);
        self.greatest(node, Self::taken, out)
    }

    /// Visits the moves for which this measure is the greatest.
    fn greatest(
        &mut self,
        node: u16,
        measure: fn(&mut Self, Draft) -> i32,
        out: &mut Outlet<'_, 'g, W>,
    ) -> Flow {
        let mut most = 0;
        let mut look = |machine: &mut Self, draft: Draft| {
            most = most.max(measure(machine, draft));
            Flow::Continue(())
        };
        let _ = self.moves(node, &mut Outlet::plain(&mut look));
        let mut choose = |machine: &mut Self, draft: Draft| {
            if measure(machine, draft) == most {
                machine.pass_on(draft, out)
            } else {
                Flow::Continue(())
            }
        };
        self.moves(node, &mut Outlet::plain(&mut choose))
    }

    /// Visits the moves with which the turn can become the longest.
    pub(super) fn longest(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let node = self.operand(at, slot::Longest::MOVES);
        if self.ahead > 0 {
            // Inside a look-ahead all moves are tried, so the restriction changes
            // nothing.
            return self.moves(node, out);
        }
        self.greatest(node, Self::length_of_turn, out)
    }

    /// The largest number of moves in a turn that starts with this move.
    fn length_of_turn(&mut self, draft: Draft) -> i32 {
        if self.ahead >= self.most_ahead {
            return 0;
        }
        let before = self.state;
        let (context, known) = (self.context, self.history.len());
        let keeps = core::mem::replace(&mut self.keeps, false);
        self.ahead += 1;
        self.play_draft(draft);
        let mut most = 0;
        if !self.state.over && self.state.previous == self.state.mover {
            let mut look = |machine: &mut Self, draft: Draft| {
                most = most.max(machine.length_of_turn(draft));
                Flow::Continue(())
            };
            let _ = self.legal(&mut look);
        }
        self.ahead -= 1;
        self.keeps = keeps;
        self.history.truncate(known);
        self.context = context;
        self.state = before;
        most + 1
    }
}
