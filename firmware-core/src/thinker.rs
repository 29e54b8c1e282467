//! Who plays red in the games that are won by looking ahead (Maldoo manual,
//! Buttons, Level): a [search](crate::search) with an eye on the clock.
//!
//! A higher level looks further ahead, longer, and makes fewer mistakes. Every
//! call looks at a fixed number of positions, so a tick costs the smallest
//! board no more than it has, and every machine comes to the same move.
//!
//! What always holds: the answer comes [`EARLIEST_MS`] after the turn began at
//! the earliest, so that people see the board think, and at most
//! [`LATEST_MS`] after it, which the shortest Time allows.

use postcard::experimental::max_size::MaxSize;
use protocol::Tick;
use serde::{Deserialize, Serialize};

use crate::game::{Act, Context, Game, Player};
use crate::grid::Grid;
use crate::search::{Ahead, DEEPEST, Search, Seen};
use crate::word::Word;

/// The board never answers before this.
pub const EARLIEST_MS: Tick = 400;
/// The board always answers by then. The shortest Time is 5,000 ms.
pub const LATEST_MS: Tick = 3_000;

/// How a level plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// How many moves it looks ahead.
    pub depth: u8,
    /// With at most so many moves left it looks on to the end of the game.
    pub solve: u8,
    /// How long it thinks, at most [`LATEST_MS`].
    pub think_ms: Tick,
    /// By how much it may mistake the value of a move, in the units of
    /// [`Ahead::evaluate`].
    pub slip: u16,
}

/// A game that a [`Thinker`] can play.
pub trait Thoughtful<W: Word>: Game<W> {
    /// The game as its search sees it.
    type Ahead: Ahead<W>;

    /// The rules of this game's mode on this board.
    fn ahead(&self, grid: &Grid<W>) -> Self::Ahead;

    /// The state as the side to move sees it; `None` when the game is over.
    fn seen(&self) -> Option<<Self::Ahead as Ahead<W>>::Position>;

    /// Levels 1-4 of this game's mode.
    fn levels(&self) -> &'static [Level; 4];

    /// How many positions a tick pays for: so many that no tick takes more than
    /// 50,000 instructions of a Cortex-M3 (measured in QEMU, built for size).
    /// At least 1.
    fn positions_per_tick(grid: &Grid<W>) -> u32;
}

/// The board's own player. `P` is the position that its game's search sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word, P: Seen<W>", deserialize = "W: Word, P: Seen<W>"))]
pub struct Thinker<W: Word, P> {
    /// When its turn began; `None` before it was asked for the first time.
    began: Option<Tick>,
    /// When it wants to be asked again.
    wakes_at: Tick,
    /// True when it only waits until it may answer.
    decided: bool,
    search: Search<W, P>,
}

impl<W: Word, P> Default for Thinker<W, P> {
    fn default() -> Self {
        Thinker {
            began: None,
            wakes_at: 0,
            decided: false,
            search: Search::default(),
        }
    }
}

impl<W: Word, P: Seen<W>> Thinker<W, P> {
    /// Thinks on for one tick, until there is nothing more to find.
    fn think<G>(&mut self, game: &G, position: P, level: &Level, context: &mut Context<'_, W>)
    where
        G: Thoughtful<W>,
        G::Ahead: Ahead<W, Position = P>,
    {
        let ahead = game.ahead(context.grid);
        let moves_left = ahead.moves_left(&position);
        let mut left = G::positions_per_tick(context.grid);
        while left > 0 && !self.decided {
            if !self.search.is_under_way() {
                match next_depth(self.search.depth(), moves_left, level) {
                    Some(depth) if !self.search.is_certain() => {
                        self.search.look(position, depth, &ahead);
                        // The moves of the first position cost as much as one.
                        left -= 1;
                    }
                    _ => self.decided = true,
                }
            }
            left = self.search.run(left, level.slip, &ahead, context.rng);
        }
    }

    /// The best move so far, and any legal one if there is none.
    fn answer<G: Game<W>>(&self, game: &G, context: &Context<'_, W>) -> Act {
        let legal = game.legal(context.grid);
        let best = self.search.best().filter(|point| legal.has(*point));
        best.or(legal.first()).map_or(Act::Wait, Act::Touch)
    }
}

/// How far to look after having looked `depth` moves ahead, `None` if that was
/// enough.
fn next_depth(depth: u8, moves_left: usize, level: &Level) -> Option<u8> {
    let all = moves_left.min(DEEPEST) as u8;
    let solves = moves_left <= usize::from(level.solve);
    let furthest = if solves { all } else { level.depth.min(all) };
    (depth < furthest.max(1)).then(|| depth.saturating_add(1))
}

/// The level with this number; a number that is none is taken to the next.
fn level_of(levels: &'static [Level; 4], number: u8) -> &'static Level {
    let [first, .., last] = levels;
    let found = levels.get(usize::from(number).wrapping_sub(1));
    found.unwrap_or(if number == 0 { first } else { last })
}

impl<W, G> Player<W, G> for Thinker<W, <G::Ahead as Ahead<W>>::Position>
where
    W: Word,
    G: Thoughtful<W>,
{
    fn wakes_at(&self) -> Tick {
        self.wakes_at
    }

    fn wake(&mut self, game: &G, level: u8, context: &mut Context<'_, W>) -> Act {
        let Some(position) = game.seen() else {
            return Act::Wait;
        };
        let now = context.now;
        let Some(began) = self.began else {
            // Enough for the first tick: on a wide board it costs as much as
            // several positions.
            self.began = Some(now);
            self.decided = game.legal(context.grid).len() == 1;
            self.wakes_at = now.saturating_add(1);
            return Act::Wait;
        };
        let thought_ms = now.saturating_sub(began);
        let level = level_of(game.levels(), level);
        if thought_ms >= level.think_ms.min(LATEST_MS) {
            self.decided = true;
        }
        if !self.decided {
            self.think(game, position, level, context);
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

    fn hurry(&mut self, game: &G, _level: u8, context: &mut Context<'_, W>) -> Act {
        self.answer(game, context)
    }

    fn is_sound(&self, grid: &Grid<W>) -> bool {
        self.search.is_sound(grid)
    }
}
