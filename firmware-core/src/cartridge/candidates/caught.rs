//! A candidate as a walk came by it, made once the walk is over.
//!
//! Invariants: it is made in the position in which it was come by.

use super::super::action::Draft;
use super::super::known::{Caught, Number, Single, What};
use super::super::machine::{Adapter, Flow, Machine, Registers, Sink, Tie};
use super::super::span::Span;

impl Caught {
    /// One of which only the number is known.
    pub fn of(number: Number) -> Self {
        Caught {
            number,
            ..Caught::default()
        }
    }

    /// Takes one of a batch.
    pub fn single(
        &mut self,
        number: Number,
        single: Single,
        context: Registers,
        adapter: &Adapter<'_>,
    ) {
        self.tie(number, What::Single(single, context), adapter);
    }

    /// Takes one whose actions lie in the buffer of the machine.
    pub fn draft<W: Span>(
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
        self.tie(number, What::Kept(kept), adapter);
    }

    fn tie(&mut self, number: Number, what: What, adapter: &Adapter<'_>) {
        *self = match adapter.ties() {
            Some(ties) => Caught { number, what, ties },
            None => Caught::of(number),
        };
    }

    /// True if it can be made.
    pub fn is_known(&self) -> bool {
        !matches!(self.what, What::Nothing)
    }

    /// The same, less what is asked after it.
    pub fn unasked(mut self) -> Self {
        self.ties.retain(|tie| matches!(tie, Tie::Then(_)));
        self
    }
}

impl<'g, W: Span> Machine<'g, W> {
    /// Makes it, and tells of it if what is asked after it holds.
    pub(super) fn make_caught(&mut self, caught: &Caught, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let adapter = Adapter::Ties(&caught.ties);
        let flow = match caught.what {
            What::Nothing => super::ON,
            What::Single(single, context) => {
                self.context = context;
                self.make(single, &adapter, sink)
            }
            What::Kept(draft) => self.again(draft, &adapter, sink),
        };
        self.actions.clear();
        flow
    }
}
