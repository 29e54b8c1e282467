//! Nodes whose moves are those of other nodes: one node after another, under a condition,
//! or combined.

use super::super::action::{Action, Draft};
use super::super::machine::{Adapter, Flow, Machine};
use super::super::op::slot;
use super::super::outlet::Outlet;
use crate::word::Word;

impl<'g, W: Word> Machine<'g, W> {
    /// Visits the moves of all operands.
    pub(super) fn any_of(&mut self, at: u16, extra: u8, out: &mut Outlet<'_, 'g, W>) -> Flow {
        for slot in slot::Any::each(extra) {
            self.moves_of(at, slot, out)?;
        }
        Flow::Continue(())
    }

    /// Visits the moves of the first operand that has any.
    pub(super) fn foremost(&mut self, at: u16, extra: u8, out: &mut Outlet<'_, 'g, W>) -> Flow {
        for slot in slot::Foremost::each(extra) {
            let mut found = false;
            let node = self.operand(at, slot);
            let mut look = |machine: &mut Self, draft: Draft| {
                found = true;
                machine.pass_on(draft, out)
            };
            self.moves(node, &mut Outlet::plain(&mut look))?;
            if found {
                break;
            }
        }
        Flow::Continue(())
    }

    /// Visits the moves of `YES` if the condition holds, and of `NO` if it does not.
    pub(super) fn if_moves(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let place = if self.truth_of(at, slot::IfMoves::CONDITION) {
            slot::IfMoves::YES
        } else {
            slot::IfMoves::NO
        };
        match self.optional(at, place) {
            Some(node) => self.moves(node, out),
            None => Flow::Continue(()),
        }
    }

    /// Visits the moves if the condition holds.
    pub(super) fn applies(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let condition = self.optional(at, slot::Apply::CONDITION);
        match self.optional(at, slot::Apply::MOVES) {
            Some(node) if self.holds(condition) => self.moves(node, out),
            _ => Flow::Continue(()),
        }
    }

    /// Visits the moves, each followed by the effects of the second operand.
    pub(super) fn then(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let (moves, then) = (
            self.operand(at, slot::Then::MOVES),
            self.operand(at, slot::Then::THEN),
        );
        self.moves(moves, &mut out.through(&Adapter::Then(then, out.adapter)))
    }

    /// Visits the moves after which the condition holds.
    pub(super) fn afterwards(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let (moves, truth) = (
            self.operand(at, slot::Afterwards::MOVES),
            self.operand(at, slot::Afterwards::CONDITION),
        );
        self.moves(moves, &mut out.through(&Adapter::After(truth, out.adapter)))
    }

    /// Visits one move that has the effects of all moves of the operand.
    pub(super) fn together(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let start = self.here();
        let node = self.operand(at, slot::Together::MOVES);
        self.collect(node);
        if self.here() == start {
            return Flow::Continue(());
        }
        let first = self.actions.get(start).copied();
        let sites = first.map_or([-1; 2], Action::sites);
        let flow = self.emit(start, sites, out);
        self.actions.truncate(start);
        flow
    }

    /// Visits each move of one operand joined with each move of the other.
    pub(super) fn both(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let (one, other) = (
            self.operand(at, slot::Both::ONE),
            self.operand(at, slot::Both::OTHER),
        );
        let mut look = |machine: &mut Self, first: Draft| {
            let mut both = |machine: &mut Self, second: Draft| {
                let draft = Draft {
                    from: first.from,
                    to: first.to,
                    start: first.start,
                    own: second.own,
                };
                machine.pass_on(draft, out)
            };
            machine.moves(other, &mut Outlet::plain(&mut both))
        };
        self.moves(one, &mut Outlet::plain(&mut look))
    }
}
