//! Plain moves: pieces of one kind step, slide or hop to empty sites, without further
//! conditions. Each node is analysed once for each player; after that, the moves of a
//! plain node are computed from sets alone.
//!
//! Invariants: the plain moves of a node are exactly the moves of [`Machine::legal`],
//! with the same multiplicity.

use crate::points::Points;
use crate::word::Word;

use super::super::action::{Action, Draft};
use super::super::bytes::flag;
use super::super::known::{AFTERS, Gait, PLAINS, Plain, PlainMoves};
use super::super::machine::{Flow, Machine, Tie};
use super::super::op::{NOTHING, Op, slot};
use super::super::outlet::Outlet;
use super::fan::{FanCount, Going};
use super::gait::GaitOperands;

impl<W: Word> Machine<'_, W> {
    /// The plain moves of a node, if it has only such moves.
    pub(in crate::cartridge) fn plain(&mut self, node: u16) -> Option<PlainMoves> {
        let mover = self.state.mover;
        let slot = (usize::from(node) ^ usize::from(mover)) % PLAINS;
        if let Some(known) = self.plains.get(slot)
            && (known.node, known.mover) == (node, mover)
        {
            return known.moves;
        }
        let moves = self.plain_moves(node);
        if let Some(slot) = self.plains.get_mut(slot) {
            *slot = Plain { node, mover, moves };
        }
        moves
    }

    fn plain_moves(&mut self, node: u16) -> Option<PlainMoves> {
        const SPECIAL: u16 = flag::NO_REPEAT
            | flag::NO_REPEAT_SITUATION
            | flag::SIMULATION
            | flag::STACKS
            | flag::SWAP;
        let operand = |slot| self.operand(node, slot);
        if self.game.is(SPECIAL)
            || self.op_at(node) != Some(Op::ForEachPiece)
            || self.op_at(operand(slot::ForEachPiece::OWNER)) != Some(Op::Mover)
            || operand(slot::ForEachPiece::MOVES) != NOTHING
        {
            return None;
        }
        let (what, moves) = self.one_kind(node)?;
        let (leaf, afters) = self.before_thens(moves)?;
        let of = GaitOperands::of(self.op_at(leaf)?)?;
        let gait = of.gait;
        if gait == Gait::Hop && !self.is_plain_hop(leaf) {
            return None;
        }
        let operand = |slot| self.operand(leaf, slot);
        let (choice, open) = (operand(of.ways), operand(of.target));
        let is_empty = self.is_where_empty(open) || (gait == Gait::Slide && open == NOTHING);
        if self.op_at(operand(slot::Step::FROM)) != Some(Op::From)
            || self.op_at(choice) != Some(Op::Choice)
            || !is_empty
            || of.special.iter().any(|slot| operand(*slot) != NOTHING)
        {
            return None;
        }
        let ways = self
            .game
            .choice(self.operand(choice, slot::Choice::CHOICE), self.state.mover);
        if gait == Gait::Step && ways & self.shifts.twins != 0 {
            return None;
        }
        Some(PlainMoves {
            what,
            sites: self.operand(node, slot::ForEachPiece::SITES),
            gait,
            ways,
            leaf,
            stop: if gait == Gait::Hop {
                operand(slot::Hop::HURDLE)
            } else {
                NOTHING
            },
            has_effects: match gait {
                Gait::Step => operand(slot::Step::EFFECT) != NOTHING,
                Gait::Hop => true,
                Gait::Slide => false,
            },
            afters,
        })
    }

    /// The only kind of pieces that the mover has with moves, and these moves.
    fn one_kind(&self, node: u16) -> Option<(u8, u16)> {
        // A piece may have different moves for threats.
        let column = usize::from(self.word(node)[1] & 1);
        let mover = self.state.mover;
        let moves = |what: u8| self.game.piece(what).moves.get(column).copied();
        let all = (1..=u8::MAX).take(self.game.pieces().saturating_sub(1));
        let mut kinds = all
            .filter(|what| self.game.owner(*what) == mover)
            .filter(|what| moves(*what).is_some_and(|moves| moves != NOTHING));
        let (what, None) = (kinds.next()?, kinds.next()) else {
            return None;
        };
        self.state.kind(what)?;
        Some((what, moves(what)?))
    }

    /// The moves without their consequences, and these, if they are not too many.
    fn before_thens(&self, mut leaf: u16) -> Option<(u16, [u16; AFTERS])> {
        let mut afters = [NOTHING; AFTERS];
        while self.op_at(leaf) == Some(Op::Then) {
            if afters[AFTERS - 1] != NOTHING {
                return None;
            }
            afters.rotate_right(1);
            afters[0] = self.operand(leaf, slot::Then::THEN);
            leaf = self.operand(leaf, slot::Then::MOVES);
        }
        Some((leaf, afters))
    }

    /// The operation of a node.
    fn op_at(&self, at: u16) -> Option<Op> {
        (at != NOTHING).then(|| self.word(at)[0]).and_then(Op::of)
    }

    /// True if a condition only tests whether the target site is empty.
    fn is_where_empty(&self, truth: u16) -> bool {
        let is_noted = self.op_at(truth) == Some(Op::Everywhere);
        let truth = self.operand(truth, slot::Everywhere::CONDITION);
        is_noted
            && self.op_at(truth) == Some(Op::IsEmpty)
            && self.op_at(self.operand(truth, slot::IsEmpty::SITE)) == Some(Op::To)
    }

    /// The pieces and their possible targets as sets; `None` if sets cannot express them.
    #[inline]
    fn plainly_going(&mut self, moves: &PlainMoves) -> Option<Going<W>> {
        let mut pieces = self.state.kind(moves.what)? & self.board;
        if moves.sites != NOTHING {
            pieces &= self.sites(moves.sites);
        }
        let stop = match moves.stop {
            NOTHING => Points::NONE,
            stop => self.whole_set(stop)?,
        };
        Some(Going {
            gait: moves.gait,
            pieces,
            open: self.board.without(self.state.occupied()),
            stop,
        })
    }

    /// True if there is a plain move; `None` if sets cannot decide it.
    pub(in crate::cartridge) fn can_move_plainly(&mut self, moves: &PlainMoves) -> Option<bool> {
        let going = self.plainly_going(moves)?;
        Some(self.fan(going, moves.ways, FanCount::UntilOne).many > 0)
    }

    /// Plays a random plain move, followed by `ties`. Returns false, and does nothing, if
    /// there is no such move or sets cannot decide it.
    pub(in crate::cartridge) fn play_plainly(
        &mut self,
        moves: &PlainMoves,
        ties: &[Tie],
        rng: &mut crate::rng::Rng,
    ) -> bool {
        let Some(going) = self.plainly_going(moves) else {
            return false;
        };
        let fan = self.fan(going, moves.ways, FanCount::All);
        if fan.many == 0 {
            return false;
        }
        let drawn = rng.below(fan.many) as usize;
        let Some(single) = self.nth_of_fan(moves.leaf, &fan, drawn) else {
            return false;
        };
        self.state.mover_can_move();
        let mut after = |machine: &mut Self, draft: Draft| {
            for node in moves.afters {
                if node != NOTHING {
                    machine.push(Action::Then { node });
                }
            }
            machine.push_ties(ties);
            machine.play_draft(draft);
            Flow::Break(())
        };
        if moves.has_effects {
            return self.make(single, &mut Outlet::plain(&mut after)).is_break();
        }
        let (from, to) = (single.from, single.to);
        self.push(Action::Move { from, to });
        let draft = Draft {
            from: from.into(),
            to: to.into(),
            start: 0,
            own: 1,
        };
        after(self, draft).is_break()
    }
}
