//! What ended a game, for the words with which a host tells it.

use super::{PASSES, Written, machine};
use crate::cartridge::EndedBy;
use crate::ground::Ground;
use crate::word::Word;

/// What ended a layout's own game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenEnd {
    /// A rule of the end, given by its node in the program.
    Rule(u16),
    /// Everybody passed.
    Passes,
    /// Nobody can move.
    NoMoves,
    /// The game reached its largest number of turns.
    Turns,
    /// The game reached its largest number of moves.
    Moves,
    /// A move took more steps or room than every board has.
    GaveUp,
}

impl<W: Word> Written<W> {
    /// What ended the game; `None` while it goes on, or if the position after the end does
    /// not show it.
    #[must_use]
    pub fn ended(&self, ground: &Ground<W>) -> Option<WrittenEnd> {
        if self.stuck {
            return Some(match usize::from(self.passed) >= PASSES {
                true => WrittenEnd::NoMoves,
                false => WrittenEnd::GaveUp,
            });
        }
        if !self.state.over {
            return None;
        }
        match self.state.ended_by {
            EndedBy::Turns => return Some(WrittenEnd::Turns),
            EndedBy::Moves => return Some(WrittenEnd::Moves),
            EndedBy::Rules => {}
        }
        let game = ground.game()?;
        let mut machine = machine(&game, ground);
        machine.resume(&self.state, &self.known);
        machine.end_again().then(|| {
            let rule = machine.ended_at();
            rule.map_or(WrittenEnd::Passes, WrittenEnd::Rule)
        })
    }
}
