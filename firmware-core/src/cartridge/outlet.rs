//! The way of a move out of the machine: through an adapter, into a sink.

use super::action::{Action, Draft};
use super::machine::{Adapter, Flow, Machine, MoveVisitor, Tie};
use crate::word::Word;

/// Where the moves of a node go.
pub struct Outlet<'o, 'g, W: Word> {
    /// What is applied to each move.
    pub adapter: &'o Adapter<'o>,
    /// What receives the moves that the adapter does not drop.
    pub sink: &'o mut MoveVisitor<'o, 'g, W>,
}

impl<'o, 'g, W: Word> Outlet<'o, 'g, W> {
    /// An outlet into this sink, without an adapter.
    pub fn plain(sink: &'o mut MoveVisitor<'o, 'g, W>) -> Self {
        let adapter = &Adapter::End;
        Outlet { adapter, sink }
    }

    /// The same sink, through another adapter.
    pub fn through<'s>(&'s mut self, adapter: &'s Adapter<'s>) -> Outlet<'s, 'g, W> {
        let sink = &mut *self.sink;
        Outlet { adapter, sink }
    }
}

impl<'g, W: Word> Machine<'g, W> {
    /// Visits a move whose own actions are in the buffer from `start` on.
    pub(super) fn emit(
        &mut self,
        start: usize,
        sites: [i16; 2],
        out: &mut Outlet<'_, 'g, W>,
    ) -> Flow {
        let own = self.here() as u16;
        let draft = Draft {
            from: sites[0],
            to: sites[1],
            start: start as u16,
            own,
        };
        self.pass_on(draft, out)
    }

    /// Visits a move as `emit` does if it has own actions, and takes them from the buffer.
    pub(super) fn emit_any(
        &mut self,
        start: usize,
        sites: [i16; 2],
        out: &mut Outlet<'_, 'g, W>,
    ) -> Flow {
        let flow = if self.here() > start {
            self.emit(start, sites, out)
        } else {
            Flow::Continue(())
        };
        self.actions.truncate(start);
        flow
    }

    /// Visits a move after applying the adapter.
    pub(super) fn pass_on(&mut self, draft: Draft, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let mark = self.here();
        self.tried = None;
        let flow = if self.is_tied(draft, out.adapter) {
            (out.sink)(self, draft)
        } else {
            Flow::Continue(())
        };
        self.actions.truncate(mark);
        flow
    }

    /// Applies the adapter to a move; false if the move is dropped.
    fn is_tied(&mut self, draft: Draft, adapter: &Adapter<'_>) -> bool {
        let mut adapter = adapter;
        loop {
            match adapter {
                Adapter::End => return true,
                Adapter::Then(node, up) => {
                    self.push(Action::Then { node: *node });
                    adapter = up;
                }
                Adapter::After(truth, up) => {
                    if !self.is_true_after(draft, *truth) {
                        return false;
                    }
                    adapter = up;
                }
                Adapter::Ties(ties) => {
                    return ties.iter().all(|tie| match *tie {
                        Tie::Then(node) => {
                            self.push(Action::Then { node });
                            true
                        }
                        Tie::After(truth) => self.is_true_after(draft, truth),
                    });
                }
            }
        }
    }
}
