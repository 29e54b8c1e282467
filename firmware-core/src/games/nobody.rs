//! A placeholder for the board's player in games that the board does not play. It is
//! never asked for a move.

use postcard::experimental::max_size::MaxSize;
use protocol::Tick;
use serde::{Deserialize, Serialize};

use crate::game::{BoardTurn, Context, Game, Player};
use crate::ground::Ground;
use crate::word::Word;

/// The absent player of a game that the board cannot play.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
pub struct Nobody {}

impl<W: Word, G: Game<W>> Player<W, G> for Nobody {
    fn wakes_at(&self) -> Tick {
        Tick::MAX
    }

    fn wake(&mut self, _game: &G, _level: u8, _context: &mut Context<'_, W>) -> BoardTurn {
        BoardTurn::Wait
    }

    fn is_sound(&self, _ground: &Ground<W>) -> bool {
        true
    }
}
