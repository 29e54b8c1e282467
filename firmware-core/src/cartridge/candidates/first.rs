//! Finds out whether there is a legal move, over as many calls as needed.
//!
//! Whether a move ends the game may depend on whether a player can move. Most players
//! can, as the first candidate shows. For a player in check, however, every move may have
//! to be tried, which is too much for one call. The question is then left open, together
//! with the candidate at which it continues. The next call asks all questions again;
//! those that were answered before are answered at once by the same candidate.
//!
//! Invariants: the answers equal those of an uninterrupted search; each call tries at
//! least one more candidate, or finishes.

use super::super::action::Action;
use super::super::kernels::MoveFinder;
use super::super::known::{Asking, Caught};
use super::super::machine::Machine;
use super::seek::Seeker;
use super::{Number, Numbers, Seek, Stretch};
use crate::word::Word;

/// The number that stands for no candidate.
const NONE: Number = Number::MAX;

/// Searches for any move and stops at the first.
struct First(Option<Number>);

impl<W: Word> Seek<W> for First {
    fn wants(&self, _: [i16; 2]) -> bool {
        true
    }

    fn is_enough(&self) -> bool {
        self.0.is_some()
    }

    fn found(&mut self, number: Number, _: [i16; 2], _: Option<Action>) {
        self.0 = Some(number);
    }
}

impl<W: Word> Machine<'_, W> {
    /// True if a node has a legal move.
    pub(in crate::cartridge) fn can_move(&mut self, node: u16) -> bool {
        // A question inside a question is answered without interruption.
        let Some(mut asking) = self.asking.take() else {
            return self.finds_move(node, &mut MoveFinder { target: None });
        };
        let can_move = self.can_move_in_a_call(node, &mut asking);
        self.asking = Some(asking);
        can_move
    }

    /// As `can_move`, within the steps of this call.
    fn can_move_in_a_call(&mut self, node: u16, asking: &mut Asking) -> bool {
        if asking.is_left {
            return false;
        }
        let question = asking.many;
        asking.many += 1;
        let Some(from) = asking.from.get(question).copied() else {
            return self.finds_move(node, &mut MoveFinder { target: None });
        };
        if from == NONE {
            return false;
        }
        let mut first = First(None);
        let mut seeker = Seeker {
            numbers: Numbers::default(),
            stretch: Stretch {
                from,
                steps: asking.steps,
                asks: true,
            },
            seek: &mut first,
            no_repeat: false,
            trials: 0,
            next: None,
            caught: Caught::default(),
        };
        self.finds_move(node, &mut seeker);
        let next = seeker.next;
        asking.is_left = next.is_some();
        if let Some(place) = asking.from.get_mut(question) {
            *place = first.0.or(next).unwrap_or(NONE);
        }
        first.0.is_some()
    }
}
