//! Who plays red (Maldoo manual, Buttons, Level): a search with an eye on the
//! clock.
//!
//! A higher level looks further ahead, longer, and misjudges less. A tick looks
//! at a fixed number of positions, as many as the slowest board has time for,
//! so every machine comes to the same move at the same tick.
//!
//! What always holds: the answer comes [`EARLIEST_MS`] after the turn began at
//! the earliest, so that people see the board think, and before [`LATEST_MS`],
//! which the shortest Time allows.

use postcard::experimental::max_size::MaxSize;
use protocol::Tick;
use serde::{Deserialize, Serialize};

use super::Reversi;
use super::evaluate::{STONE, Terrain, weights};
use super::search::{DEEPEST, Search, Setting};
use crate::game::{Act, Context, Game, Player};
use crate::grid::Grid;
use crate::word::Word;

/// The board never answers before this.
pub const EARLIEST_MS: Tick = 400;
/// The board always answers before this. The shortest Time is 5,000 ms.
pub const LATEST_MS: Tick = 3_000;

/// How a level plays.
pub struct Level {
    /// How many stones it looks ahead.
    pub depth: u8,
    /// With so many empty points left it looks on to the end of the game.
    pub solve: u8,
    /// How long it thinks.
    pub think_ms: Tick,
    /// By how much it may mistake the value of a move.
    pub slip: u16,
}

const STONES: u16 = STONE.unsigned_abs();

/// Levels 1-4.
pub const LEVELS: [Level; 4] = [
    Level {
        depth: 1,
        solve: 0,
        think_ms: 300,
        slip: 24 * STONES,
    },
    Level {
        depth: 1,
        solve: 0,
        think_ms: 300,
        slip: 5 * STONES,
    },
    Level {
        depth: 2,
        solve: 3,
        think_ms: 300,
        slip: STONES,
    },
    Level {
        depth: DEEPEST as u8,
        solve: 8,
        think_ms: 2_800,
        slip: 0,
    },
];

/// The board's own player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Searcher<W: Word> {
    /// When its turn began; `None` before it was asked for the first time.
    began: Option<Tick>,
    /// When it wants to be asked again.
    wakes_at: Tick,
    /// True when it only waits until it may answer.
    decided: bool,
    search: Search<W>,
}

impl<W: Word> Default for Searcher<W> {
    fn default() -> Self {
        Searcher {
            began: None,
            wakes_at: 0,
            decided: false,
            search: Search::default(),
        }
    }
}

impl<W: Word> Searcher<W> {
    /// How many positions a tick pays for, at about 10,000 instructions of a
    /// Cortex-M3 each in the 128-bit word and 40,000 in the 256-bit one. It
    /// goes by the board and not by the word, so that an image that has only
    /// wider words comes to the same move.
    fn positions_per_tick(grid: &Grid<W>) -> u32 {
        match grid.layout().points() {
            ..=128 => 4,
            _ => 1,
        }
    }

    /// Thinks on for one tick, until there is nothing more to find.
    fn think(&mut self, game: &Reversi<W>, level: &Level, context: &mut Context<'_, W>) {
        let kernel = game.kernel(context.grid);
        let setting = Setting {
            kernel: &kernel,
            terrain: &Terrain::new(context.grid),
            weights: weights(game.mode),
            slip: level.slip,
        };
        let empty = context
            .grid
            .layout()
            .points()
            .saturating_sub(usize::from(game.count()[0]) + usize::from(game.count()[1]));
        let mut left = Self::positions_per_tick(context.grid);
        while left > 0 && !self.decided {
            if !self.search.is_under_way() {
                match next_depth(self.search.depth(), empty, level) {
                    Some(depth) => self.search.look(depth, &setting),
                    None => self.decided = true,
                }
            }
            left = self.search.run(left, &setting, context.rng);
        }
    }

    /// The best move so far, and any legal one if there is none.
    fn answer(&self, game: &Reversi<W>, context: &Context<'_, W>) -> Act {
        let legal = game.legal(context.grid);
        self.search
            .best()
            .filter(|point| legal.has(*point))
            .or(legal.first())
            .map_or(Act::Wait, Act::Touch)
    }
}

/// How far to look after having looked `depth` stones ahead, `None` if that
/// was enough.
fn next_depth(depth: u8, empty: usize, level: &Level) -> Option<u8> {
    let all = empty.min(DEEPEST) as u8;
    let solve = empty <= usize::from(level.solve);
    if depth >= all || (depth >= level.depth && !solve) {
        None
    } else if solve && depth >= level.depth.min(3) {
        Some(all)
    } else {
        Some(depth + 1)
    }
}

/// The level with this number; a number that is none is taken to the next.
fn level_of(number: u8) -> &'static Level {
    let [first, .., last] = &LEVELS;
    LEVELS
        .get(usize::from(number).wrapping_sub(1))
        .unwrap_or(if number == 0 { first } else { last })
}

impl<W: Word> Player<W, Reversi<W>> for Searcher<W> {
    fn wakes_at(&self) -> Tick {
        self.wakes_at
    }

    fn wake(&mut self, game: &Reversi<W>, level: u8, context: &mut Context<'_, W>) -> Act {
        let Some(side) = game.turn() else {
            return Act::Wait;
        };
        let now = context.now;
        let began = *self.began.get_or_insert_with(|| {
            self.search = Search::new(game.view(side));
            self.decided = game.legal(context.grid).len() == 1;
            now
        });
        let thought_ms = now.saturating_sub(began);
        let level = level_of(level);
        if thought_ms >= level.think_ms {
            self.decided = true;
        }
        if !self.decided {
            self.think(game, level, context);
        }
        if self.decided && thought_ms >= EARLIEST_MS {
            return self.answer(game, context);
        }
        self.wakes_at = match self.decided {
            true => began.saturating_add(EARLIEST_MS),
            false => now.saturating_add(1),
        };
        Act::Wait
    }

    fn hurry(&mut self, game: &Reversi<W>, _level: u8, context: &mut Context<'_, W>) -> Act {
        self.answer(game, context)
    }

    fn is_sound(&self, grid: &Grid<W>) -> bool {
        self.search.is_sound(grid)
    }
}
