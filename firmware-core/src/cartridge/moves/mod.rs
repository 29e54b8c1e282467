//! The moves that a program finds.
//!
//! The visitor is called with each move while its actions are in the buffer, and may stop
//! the walk at any time. Counting, choosing and listing moves are therefore the same
//! walk, and none of them needs a list.
//!
//! This file dispatches on the kind of a node; each kind has a file of its own.

use super::action::{Action, Draft};
use super::machine::{CONTINUE, Flow, Machine};
use super::op::{Op, OperandSlot};
use super::outlet::Outlet;
use crate::word::Word;

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

impl<'g, W: Word> Machine<'g, W> {
    /// Visits each move of a node.
    pub(super) fn moves(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let (op, extra) = self.node(at);
        match op {
            Op::Add => self.adds(at, extra, out),
            Op::FromTo => self.carries(at, extra, out),
            Op::Step => self.steps(at, out),
            Op::Slide => self.slides(at, out),
            Op::Hop => self.hops(at, out),
            Op::Leap => self.leaps(at, out),
            Op::Shoot => self.shoots(at, out),
            Op::Remove => self.removes(at, extra, out),
            Op::Select => self.selects(at, out),
            Op::ForEachPiece => self.for_each_piece(at, extra, out),
            Op::ForEachSite => self.for_each_site(at, out),
            Op::ForEachPlayer => self.for_each_player(at, out),
            Op::ForEachValue => self.for_each_value(at, out),
            Op::ForEachWay => self.for_each_way(at, out),
            Op::Any => self.any_of(at, extra, out),
            Op::IfMoves => self.if_moves(at, out),
            Op::Apply => self.applies(at, out),
            Op::Then => self.then(at, out),
            Op::Foremost => self.foremost(at, extra, out),
            Op::Afterwards => self.afterwards(at, out),
            Op::Do => self.one_after_the_other(at, out),
            Op::MostTaken => self.most_taken(at, out),
            Op::Longest => self.longest(at, out),
            Op::Together => self.together(at, out),
            Op::Both => self.both(at, out),
            Op::Custodial => self.custodial(at, out),
            Op::Surround => self.surround(at, out),
            Op::Enclose => self.enclose(at, out),
            Op::Intervene => self.intervene(at, out),
            Op::Directional => self.directional(at, out),
            Op::Scatter => self.scatter(at, out),
            Op::Sow => self.sows(at, extra, out),
            Op::Forget => self.forgets(at, out),
            _ => self.simple(op, at, extra, out),
        }
    }

    #[inline]
    pub(super) fn moves_of(
        &mut self,
        at: u16,
        place: OperandSlot,
        out: &mut Outlet<'_, 'g, W>,
    ) -> Flow {
        let node = self.operand(at, place);
        self.moves(node, out)
    }

    /// Visits a move that consists of one action.
    pub(super) fn one(&mut self, action: Action, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let start = self.here();
        self.push(action);
        let flow = self.emit(start, action.sites(), out);
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
        let _ = self.moves(at, &mut Outlet::plain(&mut keep));
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
