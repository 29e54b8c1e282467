//! Who plays red.

use postcard::experimental::max_size::MaxSize;
use protocol::Tick;
use serde::{Deserialize, Serialize};

use super::SpeedGo;
use crate::game::{Act, Context, Game, Player};
use crate::grid::Grid;
use crate::word::Word;

/// A hand that plays anywhere.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
pub struct Hand {}

impl<W: Word> Player<W, SpeedGo<W>> for Hand {
    fn wakes_at(&self) -> Tick {
        0
    }
    fn wake(&mut self, game: &SpeedGo<W>, _level: u8, context: &mut Context<'_, W>) -> Act {
        let legal = game.legal(context.grid);
        context.rng.pick(legal).map_or(Act::Pass, Act::Touch)
    }
    fn is_sound(&self, _grid: &Grid<W>) -> bool {
        true
    }
}
