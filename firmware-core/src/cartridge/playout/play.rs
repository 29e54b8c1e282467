//! What a machine plays next, before a move of it is drawn.

use super::super::machine::{Machine, Tie};
use super::super::op::{NOTHING, Op, slot};
use crate::word::Word;

/// The maximum number of consequences of a move that is chosen by counting.
const AFTERS: usize = 4;

/// The node to be played, and the ties of its moves.
pub(in crate::cartridge) struct Play {
    /// A node that is neither a choice between nodes nor one that adds consequences.
    pub(in crate::cartridge) node: u16,
    /// The ties of each move; the last `many` are in use.
    ties: [Tie; AFTERS],
    /// The number of ties in use.
    many: usize,
}

impl Play {
    fn of(node: u16) -> Play {
        Play {
            node,
            ties: [Tie::Then(NOTHING); AFTERS],
            many: 0,
        }
    }

    /// The ties of each move, in order.
    #[inline]
    pub(in crate::cartridge) fn ties(&self) -> &[Tie] {
        self.ties.get(AFTERS - self.many..).unwrap_or(&[])
    }
}

impl<W: Word> Machine<'_, W> {
    /// The node to be played, after evaluating everything that is the same for all
    /// moves.
    pub(in crate::cartridge) fn play_now(&mut self) -> Play {
        let all = self.game.phase(self.phase_of(self.state.mover), 0);
        let mut play = Play::of(all);
        loop {
            let (op, _) = self.node(play.node);
            let next = if op == Op::IfMoves {
                let place = if self.truth_of(play.node, slot::IfMoves::CONDITION) {
                    slot::IfMoves::YES
                } else {
                    slot::IfMoves::NO
                };
                self.optional(play.node, place)
            } else if op == Op::Then {
                let then = self.operand(play.node, slot::Then::THEN);
                let place = AFTERS.checked_sub(play.many + 1);
                place.and_then(|place| play.ties.get_mut(place)).map(|tie| {
                    *tie = Tie::Then(then);
                    play.many += 1;
                    self.operand(play.node, slot::Then::MOVES)
                })
            } else {
                return play;
            };
            match next {
                Some(next) => play.node = next,
                None => return Play::of(all),
            }
        }
    }
}
