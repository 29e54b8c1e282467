//! A candidate in the form in which a walk found it, so that it can be made after the
//! walk.
//!
//! Invariants: a candidate is only made in the position in which it was found.

use super::super::action::Draft;
use super::super::known::{Caught, KnownMove, Number, Single};
use super::super::machine::{Adapter, Flow, Machine, MoveVisitor, Registers, Tie};
use super::super::outlet::Outlet;
use crate::word::Word;

impl Caught {
    /// A candidate of which only the number is known.
    pub fn of(number: Number) -> Self {
        Caught {
            number,
            ..Caught::default()
        }
    }

    /// Stores a single move of a batch.
    pub fn single(
        &mut self,
        number: Number,
        single: Single,
        context: Registers,
        adapter: &Adapter<'_>,
    ) {
        self.tie(number, KnownMove::Single(single, context), adapter);
    }

    /// Stores a move whose actions lie in the machine's buffer.
    pub fn draft<W: Word>(
        &mut self,
        number: Number,
        machine: &mut Machine<'_, W>,
        draft: Draft,
        adapter: &Adapter<'_>,
    ) {
        machine.keep(draft);
        let kept = Draft {
            start: 0,
            own: draft.own - draft.start,
            ..draft
        };
        self.tie(number, KnownMove::Kept(kept), adapter);
    }

    fn tie(&mut self, number: Number, what: KnownMove, adapter: &Adapter<'_>) {
        *self = match adapter.ties() {
            Some(ties) => Caught { number, what, ties },
            None => Caught::of(number),
        };
    }

    /// True if the candidate can be made from what is stored.
    pub fn is_known(&self) -> bool {
        !matches!(self.what, KnownMove::Nothing)
    }

    /// The same candidate without the conditions that are tested after it.
    pub fn unasked(mut self) -> Self {
        self.ties.retain(|tie| matches!(tie, Tie::Then(_)));
        self
    }
}

impl<'g, W: Word> Machine<'g, W> {
    /// Makes the candidate and visits it if the conditions after it hold.
    pub(super) fn make_caught(
        &mut self,
        caught: &Caught,
        sink: &mut MoveVisitor<'_, 'g, W>,
    ) -> Flow {
        let adapter = &Adapter::Ties(&caught.ties);
        let out = &mut Outlet { adapter, sink };
        let flow = match caught.what {
            KnownMove::Nothing => super::CONTINUE,
            KnownMove::Single(single, context) => {
                self.context = context;
                self.make(single, out)
            }
            KnownMove::Kept(draft) => self.again(draft, out),
        };
        self.actions.clear();
        flow
    }
}
