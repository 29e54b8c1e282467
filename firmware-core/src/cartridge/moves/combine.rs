//! Nodes whose moves are those of other nodes: one node after another, under a condition,
//! or combined.

use super::super::action::{Action, Draft};
use super::super::machine::{Adapter, Flow, Machine, Sink};
use super::super::op::place;
use super::super::span::Span;

impl<'g, W: Span> Machine<'g, W> {
    /// Visits the moves of all operands.
    pub(super) fn any_of(
        &mut self,
        at: u16,
        x: u8,
        adapter: &Adapter<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        for place in place::Any::each(x) {
            self.moves_of(at, place, adapter, sink)?;
        }
        Flow::Continue(())
    }

    /// Visits the moves of the first operand that has any.
    pub(super) fn foremost(
        &mut self,
        at: u16,
        x: u8,
        adapter: &Adapter<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        for place in place::Foremost::each(x) {
            let mut found = false;
            let node = self.operand(at, place);
            let mut look = |machine: &mut Self, draft: Draft| {
                found = true;
                machine.pass_on(draft, adapter, sink)
            };
            self.moves(node, &Adapter::End, &mut look)?;
            if found {
                break;
            }
        }
        Flow::Continue(())
    }

    /// Visits the moves of `YES` if the condition holds, and of `NO` if it does not.
    pub(super) fn if_moves(
        &mut self,
        at: u16,
        adapter: &Adapter<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let place = if self.truth_of(at, place::IfMoves::CONDITION) {
            place::IfMoves::YES
        } else {
            place::IfMoves::NO
        };
        match self.optional(at, place) {
            Some(node) => self.moves(node, adapter, sink),
            None => Flow::Continue(()),
        }
    }

    /// Visits the moves if the condition holds.
    pub(super) fn applies(
        &mut self,
        at: u16,
        adapter: &Adapter<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let condition = self.optional(at, place::Apply::CONDITION);
        match self.optional(at, place::Apply::MOVES) {
            Some(node) if self.holds(condition) => self.moves(node, adapter, sink),
            _ => Flow::Continue(()),
        }
    }

    /// Visits the moves, each followed by the effects of the second operand.
    pub(super) fn then(
        &mut self,
        at: u16,
        adapter: &Adapter<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let (moves, then) = (
            self.operand(at, place::Then::MOVES),
            self.operand(at, place::Then::THEN),
        );
        self.moves(moves, &Adapter::Then(then, adapter), sink)
    }

    /// Visits the moves after which the condition holds.
    pub(super) fn afterwards(
        &mut self,
        at: u16,
        adapter: &Adapter<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let (moves, truth) = (
            self.operand(at, place::Afterwards::MOVES),
            self.operand(at, place::Afterwards::CONDITION),
        );
        self.moves(moves, &Adapter::After(truth, adapter), sink)
    }

    /// Visits one move that has the effects of all moves of the operand.
    pub(super) fn together(
        &mut self,
        at: u16,
        adapter: &Adapter<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let start = self.here();
        let node = self.operand(at, place::Together::MOVES);
        self.collect(node);
        if self.here() == start {
            return Flow::Continue(());
        }
        let first = self.actions.get(start).copied();
        let sites = first.map_or([-1; 2], Action::sites);
        let flow = self.emit(start, sites, adapter, sink);
        self.actions.truncate(start);
        flow
    }

    /// Visits each move of one operand joined with each move of the other.
    pub(super) fn both(
        &mut self,
        at: u16,
        adapter: &Adapter<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let (one, other) = (
            self.operand(at, place::Both::ONE),
            self.operand(at, place::Both::OTHER),
        );
        let mut look = |machine: &mut Self, first: Draft| {
            let mut both = |machine: &mut Self, second: Draft| {
                let draft = Draft {
                    from: first.from,
                    to: first.to,
                    start: first.start,
                    own: second.own,
                };
                machine.pass_on(draft, adapter, sink)
            };
            machine.moves(other, &Adapter::End, &mut both)
        };
        self.moves(one, &Adapter::End, &mut look)
    }
}
