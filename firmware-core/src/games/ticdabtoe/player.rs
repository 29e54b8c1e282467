//! The board's player of TicDabToe: it looks ahead, with fewer errors at higher
//! levels.

use super::TicDabToe;
use super::line::{DEEPEST, LinePositions, TicDabToeSearch};
use crate::game::Game;
use crate::grid::Grid;
use crate::minds::alphabeta::SearchGame;
use crate::minds::thinker::{Budget, ThinkingLevel, Thoughtful};
use crate::word::Word;

/// The search settings of levels 1 to 4.
pub const LEVELS: [ThinkingLevel; 4] = [
    ThinkingLevel {
        depth: 1,
        solve: 0,
        think_ms: 600,
        slip: 3_000,
    },
    ThinkingLevel {
        depth: 2,
        solve: 0,
        think_ms: 600,
        slip: 1_500,
    },
    ThinkingLevel {
        depth: 2,
        solve: 4,
        think_ms: 2_000,
        slip: 200,
    },
    ThinkingLevel {
        depth: DEEPEST as u8,
        solve: 8,
        think_ms: 2_800,
        slip: 0,
    },
];

impl<W: Word> Thoughtful<W> for TicDabToe<W> {
    type Trail = LinePositions;
    type Favourites = [u8; DEEPEST];

    fn line<'a>(
        &'a self,
        trail: &'a mut LinePositions,
        _grid: &'a Grid<W>,
    ) -> Option<impl SearchGame<W> + 'a> {
        Game::<W>::turn(self)?;
        Some(TicDabToeSearch::new(&self.position, trail))
    }

    fn levels(&self) -> &'static [ThinkingLevel; 4] {
        &LEVELS
    }

    /// A position costs about 4,500 instructions of a Cortex-M4.
    fn budget(_grid: &Grid<W>) -> Budget {
        Budget::of(6)
    }
}
