//! The moves that a program finds.
//!
//! The visitor is called with each move while its actions are in the buffer, and may stop
//! the walk at any time. Counting, choosing and listing moves are therefore the same
//! walk, and none of them needs a list.
//!
//! This file dispatches on the kind of a node; each kind has a file of its own.

use super::action::{Action, Draft};
use super::machine::{Adapter, Flow, Machine, ON, Sink};
use super::op::{Op, OperandSlot};
use super::span::Span;

mod add;
mod after;
mod ahead;
mod carry;
mod combine;
mod each;
mod effect;
mod hop;
mod point;
mod slide;
mod step;

pub(super) use hop::{HopEffects, Hurdle};

/// The sites between which a piece moves.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    pub from: u8,
    pub to: u8,
}

impl<'g, W: Span> Machine<'g, W> {
    /// Visits each move of a node.
    pub(super) fn moves(
        &mut self,
        at: u16,
        adapter: &Adapter<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let (op, x) = self.node(at);
        match op {
            Op::Add => self.adds(at, x, adapter, sink),
            Op::FromTo => self.carries(at, x, adapter, sink),
            Op::Step => self.steps(at, adapter, sink),
            Op::Slide => self.slides(at, adapter, sink),
            Op::Hop => self.hops(at, adapter, sink),
            Op::Leap => self.leaps(at, adapter, sink),
            Op::Shoot => self.shoots(at, adapter, sink),
            Op::Remove => self.removes(at, x, adapter, sink),
            Op::Select => self.selects(at, adapter, sink),
            Op::ForEachPiece => self.for_each_piece(at, x, adapter, sink),
            Op::ForEachSite => self.for_each_site(at, adapter, sink),
            Op::ForEachPlayer => self.for_each_player(at, adapter, sink),
            Op::ForEachValue => self.for_each_value(at, adapter, sink),
            Op::ForEachWay => self.for_each_way(at, adapter, sink),
            Op::Any => self.any_of(at, x, adapter, sink),
            Op::IfMoves => self.if_moves(at, adapter, sink),
            Op::Apply => self.applies(at, adapter, sink),
            Op::Then => self.then(at, adapter, sink),
            Op::Foremost => self.foremost(at, x, adapter, sink),
            Op::Afterwards => self.afterwards(at, adapter, sink),
            Op::Do => self.one_after_the_other(at, adapter, sink),
            Op::MostTaken => self.most_taken(at, adapter, sink),
            Op::Longest => self.longest(at, adapter, sink),
            Op::Together => self.together(at, adapter, sink),
            Op::Both => self.both(at, adapter, sink),
            Op::Custodial => self.custodial(at, adapter, sink),
            Op::Surround => self.surround(at, adapter, sink),
            Op::Enclose => self.enclose(at, adapter, sink),
            Op::Intervene => self.intervene(at, adapter, sink),
            Op::Directional => self.directional(at, adapter, sink),
            Op::Scatter => self.scatter(at, adapter, sink),
            Op::Sow => self.sows(at, x, adapter, sink),
            Op::Forget => self.forgets(at, adapter, sink),
            _ => self.simple(op, at, x, adapter, sink),
        }
    }

    #[inline]
    pub(super) fn moves_of(
        &mut self,
        at: u16,
        place: OperandSlot,
        adapter: &Adapter<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let node = self.operand(at, place);
        self.moves(node, adapter, sink)
    }

    /// Visits a move that consists of one action.
    pub(super) fn one(
        &mut self,
        action: Action,
        adapter: &Adapter<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let start = self.here();
        self.push(action);
        let flow = self.emit(start, action.sites(), adapter, sink);
        self.actions.truncate(start);
        flow
    }

    /// Appends the effects of a node to the buffer.
    pub(super) fn collect(&mut self, at: u16) {
        let base = self.kept.len();
        let mut keep = |machine: &mut Self, draft: Draft| {
            let from = usize::from(draft.start);
            for index in from..machine.here() {
                if let Some(action) = machine.actions.get(index).copied()
                    && machine.kept.push(action).is_err()
                {
                    machine.give_up();
                }
            }
            Flow::Continue(())
        };
        let _ = self.moves(at, &Adapter::End, &mut keep);
        for index in base..self.kept.len() {
            if let Some(action) = self.kept.get(index).copied() {
                self.push(action);
            }
        }
        self.kept.truncate(base);
    }

    /// Inserts the effects of a node into the buffer before `start`.
    pub(super) fn put_before(&mut self, start: usize, at: Option<u16>) {
        let Some(at) = at else { return };
        let mark = self.here();
        self.collect(at);
        let more = self.here() - mark;
        if let Some(actions) = self.actions.get_mut(start..) {
            actions.rotate_right(more);
        }
    }

    /// The site of the board that an operand names.
    pub(super) fn board_site(&mut self, at: u16, place: OperandSlot) -> Option<u8> {
        let site = self.site_of(at, place)?;
        (usize::from(site) < self.game.board()).then_some(site)
    }
}
