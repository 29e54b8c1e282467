//! How the board plays Ishido.

use postcard::experimental::max_size::MaxSize;
use protocol::Tick;
use serde::{Deserialize, Serialize};

use super::Ishido;
use crate::game::{Act, Context, Player};
use crate::ground::Ground;
use crate::minds::pace::{Due, Pace};
use crate::word::Word;

/// The board's player.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
pub struct Mind {
    pace: Pace,
}

impl<W: Word> Player<W, Ishido<W>> for Mind {
    fn wakes_at(&self) -> Tick {
        self.pace.wakes_at()
    }

    fn wake(&mut self, game: &Ishido<W>, _level: u8, context: &mut Context<'_, W>) -> Act {
        self.pace.begins(context.now);
        match self.pace.due(context.now, true, 0) {
            Due::Think | Due::Rest => Act::Wait,
            Due::Answer => game
                .best(context.grid().sides())
                .map_or(Act::Wait, Act::Touch),
        }
    }

    fn is_sound(&self, _ground: &Ground<W>) -> bool {
        true
    }
}
