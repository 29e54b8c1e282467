//! Who plays red. (Its search comes next.)

use postcard::experimental::max_size::MaxSize;
use protocol::Tick;
use serde::{Deserialize, Serialize};

use super::Reversi;
use crate::game::{Act, Context, Game, Player};
use crate::grid::Grid;
use crate::points::Points;
use crate::word::Word;

/// A search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Searcher<W: Word> {
    tried: Points<W>,
}

impl<W: Word> Player<W, Reversi<W>> for Searcher<W> {
    fn wakes_at(&self) -> Tick {
        0
    }
    fn wake(&mut self, game: &Reversi<W>, _level: u8, context: &mut Context<'_, W>) -> Act {
        context
            .rng
            .pick(game.legal(context.grid))
            .map_or(Act::Wait, Act::Touch)
    }
    fn is_sound(&self, grid: &Grid<W>) -> bool {
        self.tried.without(grid.all()).is_empty()
    }
}
