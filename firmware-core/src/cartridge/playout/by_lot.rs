//! Draws a move by lot: moves are visited once, in batches where possible, with reservoir
//! sampling. The n-th visited move replaces the stored one with a probability of 1 in n.

use heapless::Vec;

use super::super::action::Draft;
use super::super::bytes::flag;
use super::super::kernels::{Batch, BatchVisitor, Walk};
use super::super::known::Single;
use super::super::machine::{Adapter, Flow, Machine, Registers, TIES, Tie};
use super::super::outlet::Outlet;
use super::play::Play;
use crate::rng::Rng;
use crate::word::Word;

/// The move that was picked.
enum Pick {
    /// No move has been picked yet.
    None,
    /// A single move of a batch, and the registers.
    Single(Single, Registers),
    /// The move that the machine has kept: its sites, and the number of its own actions.
    Kept([i16; 2], u16),
}

/// The result of drawing lots.
pub(super) enum PickResult {
    /// A legal move was drawn and played.
    Played,
    /// None of the drawn moves is legal. Nothing has changed.
    Refused,
    /// There is no move to draw, or a move has more ties than there is room for. Nothing
    /// has changed.
    Unfit,
}

/// Draws one of the visited moves, all with the same probability, including moves that
/// will turn out to be illegal.
struct MovePicker<'r> {
    rng: &'r mut Rng,
    /// The number of moves visited so far.
    many: u32,
    pick: Pick,
    /// The ties of a single move.
    ties: Vec<Tie, TIES>,
    /// True if a move has more ties than there is room for.
    lost: bool,
}

impl MovePicker<'_> {
    fn of(rng: &mut Rng) -> MovePicker<'_> {
        MovePicker {
            rng,
            many: 0,
            pick: Pick::None,
            ties: Vec::new(),
            lost: false,
        }
    }

    fn tie(&mut self, adapter: &Adapter<'_>) {
        match adapter.ties() {
            Some(ties) => self.ties = ties,
            None => self.lost = true,
        }
    }
}

impl<'g, W: Word> BatchVisitor<'g, W> for MovePicker<'_> {
    fn visit_batch(
        &mut self,
        machine: &mut Machine<'g, W>,
        batch: &Batch<'_, W>,
        adapter: &Adapter<'_>,
    ) -> Flow {
        let more = batch.len() as u32;
        self.many = self.many.saturating_add(more);
        let drawn = self.rng.below(self.many);
        if drawn < more
            && let Some(single) = batch.nth(machine, drawn as usize)
        {
            self.pick = Pick::Single(single, machine.context);
            self.tie(adapter);
        }
        Flow::Continue(())
    }

    fn visit_draft(&mut self, machine: &mut Machine<'g, W>, draft: Draft) -> Flow {
        self.visit_move(machine, draft, &Adapter::End)
    }

    fn visit_move(
        &mut self,
        machine: &mut Machine<'g, W>,
        draft: Draft,
        adapter: &Adapter<'_>,
    ) -> Flow {
        self.many = self.many.saturating_add(1);
        if self.rng.below(self.many) == 0 {
            machine.keep(draft);
            self.pick = Pick::Kept([draft.from, draft.to], draft.own - draft.start);
            self.tie(adapter);
        }
        Flow::Continue(())
    }
}

impl<W: Word> Machine<'_, W> {
    /// Draws among batches of moves, at most `draws` times.
    pub(super) fn play_by_lot(&mut self, play: &Play, rng: &mut Rng, draws: usize) -> PickResult {
        if self.game.is(flag::SIMULATION) {
            return PickResult::Unfit;
        }
        let no_repeat = self.no_repeat();
        for _ in 0..draws {
            self.context = Registers::NOTHING;
            self.actions.clear();
            let mut lot = MovePicker::of(rng);
            let ties = Adapter::Ties(play.ties());
            let _ = self.batches(play.node, None, &mut Walk::plain(&mut lot).through(&ties));
            let MovePicker {
                many,
                lost,
                pick,
                ties,
                ..
            } = lot;
            let swaps = self.may_swap() && rng.below(many + 1) == 0;
            if lost || self.gave_up() {
                return PickResult::Unfit;
            }
            if swaps {
                self.play_swap();
                return PickResult::Played;
            }
            let mut play = |machine: &mut Self, draft: Draft| machine.play_if_new(draft, no_repeat);
            let out = &mut Outlet {
                adapter: &Adapter::Ties(&ties),
                sink: &mut play,
            };
            let flow = match pick {
                Pick::None => return PickResult::Unfit,
                Pick::Kept(sites, own) => {
                    let draft = Draft {
                        from: sites[0],
                        to: sites[1],
                        start: 0,
                        own,
                    };
                    self.again(draft, out)
                }
                Pick::Single(single, context) => {
                    self.context = context;
                    self.make(single, out)
                }
            };
            if flow.is_break() {
                return PickResult::Played;
            }
        }
        PickResult::Refused
    }
}
