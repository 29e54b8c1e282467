//! Plain moves: one kind of piece steps or slides to empty sites, and nothing else
//! is asked. That a node comes to that is found out once for each player; then
//! only sets are looked at.
//!
//! What always holds: a plain move is one that [`Machine::legal`] tells of, and
//! all of them are plain, as often.

use crate::points::Points;

use super::super::action::Action;
use super::super::bytes::flag;
use super::super::machine::{Machine, Tie};
use super::super::op::{NOTHING, Op};
use super::super::span::Span;
use super::fan::{Gait, Going};

/// How many nodes are known, for each player who moves.
pub(in crate::cartridge) const PLAINS: usize = 4;
/// The most that comes after a plain move.
const AFTERS: usize = 2;

/// What is known of a node.
#[derive(Clone, Copy, Debug)]
pub(in crate::cartridge) struct Plain {
    /// The node.
    node: u16,
    /// Who moves.
    mover: u8,
    /// What it comes to; `None` if its moves are not plain.
    moves: Option<PlainMoves>,
}

/// Plain moves.
#[derive(Clone, Copy, Debug)]
pub(in crate::cartridge) struct PlainMoves {
    /// Which kind of piece.
    what: u8,
    gait: Gait,
    ways: u32,
    /// What comes after each of them, the first one first; [`NOTHING`] for none.
    afters: [u16; AFTERS],
}

impl Plain {
    /// Nothing is known.
    pub(in crate::cartridge) const UNKNOWN: Plain = Plain {
        node: NOTHING,
        mover: 0,
        moves: None,
    };
}

impl<W: Span> Machine<'_, W> {
    /// What a node comes to, if its moves are plain.
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
        let operand = |place| self.operand(node, place);
        if self.game.is(SPECIAL)
            || self.op_at(node) != Some(Op::ForEachPiece)
            || self.op_at(operand(1)) != Some(Op::Mover)
            || operand(2) != NOTHING
            || operand(3) != NOTHING
        {
            return None;
        }
        // In the sight of a threat pieces may move otherwise.
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
        let mut leaf = moves(what)?;
        let mut afters = [NOTHING; AFTERS];
        while self.op_at(leaf) == Some(Op::Then) {
            if afters[AFTERS - 1] != NOTHING {
                return None;
            }
            afters.rotate_right(1);
            afters[0] = self.operand(leaf, 2);
            leaf = self.operand(leaf, 1);
        }
        let (gait, ways, empty, nothing): (_, _, _, &[u16]) = match self.op_at(leaf)? {
            Op::Step => (Gait::Step, 3, 4, &[2, 5]),
            Op::Slide => (Gait::Slide, 2, 5, &[3, 4, 6, 7, 8, 9, 10]),
            _ => return None,
        };
        let operand = |place| self.operand(leaf, place);
        let goes = operand(empty);
        let is_empty = match gait {
            Gait::Slide if goes == NOTHING => true,
            _ => self.is_where_empty(goes),
        };
        let choice = operand(ways);
        if self.op_at(operand(1)) != Some(Op::From)
            || self.op_at(choice) != Some(Op::Choice)
            || !is_empty
            || nothing.iter().any(|place| operand(*place) != NOTHING)
        {
            return None;
        }
        let ways = self.game.choice(self.operand(choice, 1), mover);
        let is_once = gait != Gait::Step || ways & self.shifts.twins == 0;
        is_once.then_some(PlainMoves {
            what,
            gait,
            ways,
            afters,
        })
    }

    /// The word at a place of the program.
    fn op_at(&self, at: u16) -> Option<Op> {
        (at != NOTHING).then(|| self.word(at)[0]).and_then(Op::of)
    }

    /// True if a condition is that no piece stands on the site that is gone to.
    fn is_where_empty(&self, truth: u16) -> bool {
        let is_noted = self.op_at(truth) == Some(Op::Everywhere);
        let truth = self.operand(truth, 2);
        is_noted
            && self.op_at(truth) == Some(Op::IsEmpty)
            && self.op_at(self.operand(truth, 1)) == Some(Op::To)
    }

    /// Who goes where.
    #[inline]
    fn plainly_going(&self, moves: PlainMoves) -> Going<W> {
        let pieces = self.state.kind(moves.what).unwrap_or(Points::NONE);
        Going {
            gait: moves.gait,
            pieces: pieces & self.board,
            open: self.board.without(self.state.occupied()),
            stop: Points::NONE,
        }
    }

    /// True if there is a plain move.
    pub(in crate::cartridge) fn can_move_plainly(&self, moves: PlainMoves) -> bool {
        let going = self.plainly_going(moves);
        self.fan(going, moves.ways, true).many > 0
    }

    /// Puts one of the plain moves into the buffer, and what comes after it, with
    /// `ties` last: from where and to where it leads; `None` if there is none.
    pub(in crate::cartridge) fn draw_plainly(
        &mut self,
        moves: PlainMoves,
        ties: &[Tie],
        rng: &mut crate::rng::Rng,
    ) -> Option<[i16; 2]> {
        let going = self.plainly_going(moves);
        let fan = self.fan(going, moves.ways, false);
        if fan.many == 0 {
            return None;
        }
        let drawn = rng.below(fan.many.into()) as usize;
        let single = self.nth_of_fan(NOTHING, &fan, drawn)?;
        let (from, to) = (single.from, single.to);
        self.push(Action::Move { from, to });
        for node in moves.afters {
            if node != NOTHING {
                self.push(Action::Then { node });
            }
        }
        self.push_ties(ties);
        Some([from.into(), to.into()])
    }
}
