//! The moves that a program finds.
//!
//! The caller is handed each move while its actions are in the buffer, and may stop the
//! walk at any time. Counting moves, choosing one and listing them all are therefore
//! the same walk, and none needs a list.
//!
//! This file dispatches on the kind of a node; each kind has a file of its own.

use super::action::{Action, Draft};
use super::machine::{Adapter, Flow, Machine, ON, Sink};
use super::op::{Op, OperandSlot, place};
use super::span::Span;

mod add;
mod after;
mod ahead;
mod carry;
mod each;
mod effect;
mod hop;
mod point;
mod slide;
mod step;

/// The most numbers of a loop over a range.
const MOST_VALUES: i32 = 256;

impl<'g, W: Span> Machine<'g, W> {
    /// Tells of each move of a node.
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
            Op::ForEachPlayer => {
                let saved = self.context.player;
                for player in 1..=self.game.players() {
                    self.context.player = player.into();
                    self.moves_of(at, place::ForEachPlayer::MOVES, adapter, sink)?;
                }
                self.context.player = saved;
                Flow::Continue(())
            }
            Op::ForEachValue => {
                let (first, last) = (
                    self.number_of(at, place::ForEachValue::FIRST),
                    self.number_of(at, place::ForEachValue::LAST),
                );
                let last = last.min(first.saturating_add(MOST_VALUES));
                let saved = self.context.value;
                for value in first..=last {
                    self.context.value = value as i16;
                    self.moves_of(at, place::ForEachValue::MOVES, adapter, sink)?;
                }
                self.context.value = saved;
                Flow::Continue(())
            }
            Op::ForEachWay => self.for_each_way(at, adapter, sink),
            Op::Any => {
                for place in place::Any::each(x) {
                    self.moves_of(at, place, adapter, sink)?;
                }
                Flow::Continue(())
            }
            Op::IfMoves => {
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
            Op::Apply => {
                let condition = self.optional(at, place::Apply::CONDITION);
                match self.optional(at, place::Apply::MOVES) {
                    Some(node) if self.holds(condition) => self.moves(node, adapter, sink),
                    _ => Flow::Continue(()),
                }
            }
            Op::Then => {
                let (moves, then) = (
                    self.operand(at, place::Then::MOVES),
                    self.operand(at, place::Then::THEN),
                );
                self.moves(moves, &Adapter::Then(then, adapter), sink)
            }
            Op::Foremost => {
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
            Op::Afterwards => {
                let (moves, truth) = (
                    self.operand(at, place::Afterwards::MOVES),
                    self.operand(at, place::Afterwards::CONDITION),
                );
                self.moves(moves, &Adapter::After(truth, adapter), sink)
            }
            Op::Do => self.one_after_the_other(at, adapter, sink),
            Op::MostTaken => self.most_taken(at, adapter, sink),
            Op::Longest => self.longest(at, adapter, sink),
            Op::Together => {
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
            Op::Both => {
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

    /// A move of one action, told of.
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

    /// The effects of a node, put into the buffer one after the other.
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

    /// The effects of a node, put before what lies in the buffer from `start` on.
    pub(super) fn put_before(&mut self, start: usize, at: Option<u16>) {
        let Some(at) = at else { return };
        let mark = self.here();
        self.collect(at);
        let more = self.here() - mark;
        if let Some(actions) = self.actions.get_mut(start..) {
            actions.rotate_right(more);
        }
    }

    /// The site of the board that the first operand names.
    pub(super) fn board_site(&mut self, at: u16, place: OperandSlot) -> Option<u8> {
        let site = self.site_of(at, place)?;
        (usize::from(site) < self.game.board()).then_some(site)
    }
}
