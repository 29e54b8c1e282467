//! Why the rules refuse a touch, as far as only the machine can tell: the move would be
//! one, but the position after it is forbidden.

use protocol::Point;

use super::{Written, machine};
use crate::cartridge::candidates::Legality;
use crate::ground::Ground;
use crate::word::Word;

/// What forbids the position after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forbidden {
    /// A condition of the rules on that position, such as a king that stands in check.
    Condition,
    /// The position was there before, and none may come twice.
    Repeats,
}

impl<W: Word> Written<W> {
    /// What forbids all moves that go on from the picked parts with this point, which is
    /// not [legal](crate::game::Game::legal); `None` if there are no such moves.
    #[must_use]
    pub fn forbidden(&self, point: Point, ground: &Ground<W>) -> Option<Forbidden> {
        let is_asked = !self.is_over() && self.offers.is_empty() && self.looks.is_none();
        let game = ground.game().filter(|_| is_asked)?;
        let mut picked = self.picked.clone();
        picked.push(game.lowest(point)).ok()?;
        let mut machine = machine(&game, ground);
        machine.resume(&self.state, &self.known);
        let (whole, more) = Self::sieve(&picked, &mut machine, &game);
        if whole.is_empty() && !more {
            return None;
        }
        let all_repeat = machine.no_repeat()
            && whole.iter().all(|number| {
                let mut repeats = false;
                machine.with_number(*number, Legality::Untested, &mut |machine, draft| {
                    repeats = machine.repeats(draft);
                });
                repeats
            });
        Some(match all_repeat && !whole.is_empty() {
            true => Forbidden::Repeats,
            false => Forbidden::Condition,
        })
    }
}
