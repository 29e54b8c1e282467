//! Draws one legal move uniformly at random, without listing them all.
//!
//! Most moves put a piece on one site of a set, and are chosen by counting the set. Other
//! moves are visited once, and drawn by lot.

use super::action::{Action, Draft};
use super::bytes::flag;
use super::machine::{Flow, Machine, Registers, Tie};
use super::outlet::Outlet;
use crate::rng::Rng;
use crate::word::Word;

mod by_count;
mod by_lot;
mod play;

use by_lot::PickResult;
use play::Play;

/// The number of draws that are tried before all moves are examined.
const DRAWS: usize = 12;

impl<'g, W: Word> Machine<'g, W> {
    /// Plays a random legal move; false once the game is over, or the machine has
    /// given up.
    pub fn play_random(&mut self, rng: &mut Rng) -> bool {
        match self.try_random(rng, DRAWS) {
            None => {
                self.play_by_walk(rng);
                self.actions.clear();
                true
            }
            Some(is_played) => is_played,
        }
    }

    /// As `play_random`, if one of `draws` random moves is legal. If none is, nothing
    /// changes and the result is `None`.
    pub fn try_random(&mut self, rng: &mut Rng, draws: usize) -> Option<bool> {
        let Some(play) = self.next_play() else {
            return Some(false);
        };
        if !self.play_by_count(&play, rng) {
            match self.play_by_lot(&play, rng, draws) {
                PickResult::Played => {}
                PickResult::Refused => {
                    self.actions.clear();
                    return None;
                }
                PickResult::Unfit => self.play_by_walk(rng),
            }
        }
        self.actions.clear();
        Some(true)
    }

    /// Plays a random legal move if it can be chosen by counting, from sets alone, or in
    /// a game that runs by itself. If it cannot, nothing changes and the result is
    /// `None`.
    pub fn play_counted(&mut self, rng: &mut Rng) -> Option<bool> {
        let Some(play) = self.next_play() else {
            return Some(false);
        };
        let is_played = if self.game.is(flag::SIMULATION | flag::CHANCE) {
            self.play_by_walk(rng);
            true
        } else {
            self.play_by_count(&play, rng)
        };
        self.actions.clear();
        is_played.then_some(true)
    }

    /// The next node to be played; `None` once the game is over, or the machine has
    /// given up.
    fn next_play(&mut self) -> Option<Play> {
        self.fuel_again();
        if self.state.over || self.gave_up() {
            return None;
        }
        self.actions.clear();
        self.context = Registers::NOTHING;
        Some(self.play_now())
    }

    /// Stores the actions of a move for later.
    pub(super) fn keep(&mut self, draft: Draft) {
        self.chosen.clear();
        let actions = self.actions.get(usize::from(draft.start)..);
        let _ = self.chosen.extend_from_slice(actions.unwrap_or(&[]));
    }

    /// Plays the stored move.
    pub(super) fn play_kept(&mut self, sites: [i16; 2], own: u16, ties: &[Tie]) {
        self.actions.clear();
        let _ = self.actions.extend_from_slice(&self.chosen);
        self.push_ties(ties);
        self.play_buffer(sites, own);
    }

    /// Appends the ties of the chosen move to the buffer.
    #[inline]
    pub(super) fn push_ties(&mut self, ties: &[Tie]) {
        for tie in ties {
            if let Tie::Then(node) = *tie {
                self.push(Action::Then { node });
            }
        }
    }

    fn play_buffer(&mut self, [from, to]: [i16; 2], own: u16) {
        self.play_draft(Draft {
            from,
            to,
            start: 0,
            own,
        });
    }

    /// Visits the stored move.
    pub(super) fn again(&mut self, draft: Draft, out: &mut Outlet<'_, 'g, W>) -> Flow {
        self.actions.clear();
        let _ = self.actions.extend_from_slice(&self.chosen);
        self.pass_on(draft, out)
    }

    /// Plays a move, unless it would repeat a position and repetition is not allowed.
    pub(super) fn play_if_new(&mut self, draft: Draft, no_repeat: bool) -> Flow {
        if no_repeat && self.repeats(draft) {
            return Flow::Continue(());
        }
        self.state.mover_can_move();
        self.play_draft(draft);
        Flow::Break(())
    }

    fn play_swap(&mut self) {
        self.push(Action::Swap);
        self.push(Action::SetNext {
            player: self.state.mover,
        });
        self.play_buffer([-1; 2], 2);
    }

    /// Walks through all moves and keeps a random one.
    fn play_by_walk(&mut self, rng: &mut Rng) {
        let mut told = 0;
        let mut kept = [-1; 2];
        let mut own = 0;
        self.chosen.clear();
        let mut keep = |machine: &mut Self, draft: Draft| {
            told += 1;
            if rng.below(told) == 0 {
                kept = [draft.from, draft.to];
                own = draft.own - draft.start;
                machine.keep(draft);
            }
            Flow::Continue(())
        };
        let _ = self.legal(&mut keep);
        if told > 0 {
            self.play_kept(kept, own, &[]);
        }
    }
}
