//! The board's player of Reversi: it looks ahead a few moves, and near the end of a game
//! to the last one.

use super::Reversi;
use super::evaluate::{STONE, Terrain, weights};
use super::line::{DEEPEST, ReversiSearch, Views};
use crate::grid::Grid;
use crate::minds::alphabeta::SearchGame;
use crate::minds::thinker::{Budget, ThinkingLevel, Thoughtful};
use crate::word::Word;

const STONES: u16 = STONE.unsigned_abs();

/// The search settings of levels 1 to 4.
pub const LEVELS: [ThinkingLevel; 4] = [
    ThinkingLevel {
        depth: 1,
        solve: 0,
        think_ms: 300,
        slip: 24 * STONES,
    },
    ThinkingLevel {
        depth: 1,
        solve: 0,
        think_ms: 300,
        slip: 5 * STONES,
    },
    ThinkingLevel {
        depth: 2,
        solve: 3,
        think_ms: 300,
        slip: STONES,
    },
    ThinkingLevel {
        depth: DEEPEST as u8,
        solve: 8,
        think_ms: 2_800,
        slip: 0,
    },
];

impl<W: Word> Thoughtful<W> for Reversi<W> {
    type Trail = Views<W>;
    type Favourites = [u8; DEEPEST];

    /// Never reached: a won game is played on for more stones.
    const SURE: i16 = i16::MAX;
    const LEAP: Option<u8> = Some(3);

    fn line<'a>(
        &'a self,
        trail: &'a mut Views<W>,
        grid: &'a Grid<W>,
    ) -> Option<impl SearchGame<W> + 'a> {
        Some(ReversiSearch {
            kernel: self.kernel(grid),
            terrain: Terrain::new(grid),
            weights: weights(self.mode),
            from: self.view(self.turn?),
            views: trail,
        })
    }

    fn levels(&self) -> &'static [ThinkingLevel; 4] {
        &LEVELS
    }

    /// A position costs about 10,000 instructions of a Cortex-M3 with the 128-bit word,
    /// and 40,000 with the 256-bit word.
    fn budget(grid: &Grid<W>) -> Budget {
        let tick = match grid.sides().points() {
            ..=128 => 4,
            _ => 1,
        };
        Budget {
            tick,
            begin: tick,
            look: 0,
        }
    }
}
