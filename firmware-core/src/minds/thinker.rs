//! The board's own player for games that reward looking ahead (Maldoo manual,
//! Buttons, Level): an [alpha-beta search](super::alphabeta), spread over the ticks
//! of a turn by [`ThinkingTime`].
//!
//! A higher level searches deeper and longer, and makes smaller errors. Each tick
//! examines a fixed number of positions, few enough for the slowest chip. So every
//! machine finds the same move, however fast it is.
//!
//! Invariants: the move is legal, and is made at most [`LATEST_MS`] after the turn began.

use postcard::experimental::max_size::MaxSize;
use protocol::Tick;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::alphabeta::{AlphaBeta, CERTAIN, Search, SearchGame};
use super::at_level;
use super::pace::{Due, ThinkingTime};
use crate::game::{BoardTurn, Context, Game, Player};
use crate::grid::Grid;
use crate::ground::Ground;
#[cfg(feature = "host")]
use crate::thought::Thought;
use crate::word::Word;

/// The longest thinking time of any level, in milliseconds.
pub const LATEST_MS: Tick = 3_000;

/// The strength of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThinkingLevel {
    /// The depth of the search, in moves.
    pub depth: u8,
    /// If at most this many moves are left, the search goes to the end of the game.
    pub solve: u8,
    /// The thinking time in milliseconds, at most [`LATEST_MS`].
    pub think_ms: Tick,
    /// The largest random error in the value of a move, in the units of the game's
    /// evaluation. Weaker levels have larger errors.
    pub slip: u16,
}

/// The number of positions that a tick may search. It is chosen so that no tick takes
/// more than 50,000 instructions on a Cortex-M3 (measured in QEMU, built for size).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The number of positions in a tick; at least 1.
    pub tick: u32,
    /// The number of positions in the first tick of a turn.
    pub begin: u32,
    /// The cost, in positions, of returning to the root for a deeper iteration.
    pub look: u32,
}

impl Budget {
    /// A budget of this many positions a tick. Generating the root moves costs as much as
    /// one position. The first tick of a turn is left for what is computed only once.
    #[must_use]
    pub const fn of(positions: u32) -> Budget {
        Budget {
            tick: positions,
            begin: 0,
            look: 1,
        }
    }
}

/// What a game stores from one tick to the next about the line that is searched: enough
/// to take its moves back.
pub trait Trail<W: Word>:
    Clone + Default + PartialEq + Serialize + DeserializeOwned + MaxSize
{
    /// False if no search with `levels` levels on its stack could have left this on the
    /// grid; for states that were read from outside.
    fn is_sound(&self, levels: usize, grid: &Grid<W>) -> bool;
}

/// For each level of the search, the last move that was best there, which is tried first:
/// one byte for each move of the deepest search, such as `[u8; 8]`.
pub trait Favourites:
    AsMut<[u8]> + Clone + Default + PartialEq + Serialize + DeserializeOwned + MaxSize
{
}

impl<F> Favourites for F where
    F: AsMut<[u8]> + Clone + Default + PartialEq + Serialize + DeserializeOwned + MaxSize
{
}

/// A game that a [`Thinker`] can play.
pub trait Thoughtful<W: Word>: Game<W> {
    /// The type in which the line is stored.
    type Trail: Trail<W>;
    /// The type of the favourites, with one byte for each move of the deepest search.
    type Favourites: Favourites;

    /// If the best move has at least this value, or at most its opposite, the game is
    /// decided and the search goes no deeper.
    const SURE: i16 = CERTAIN;
    /// At levels that search to the end of the game, the depth from which the next
    /// iteration goes to the end. With `None`, each iteration is one move deeper.
    const LEAP: Option<u8> = None;

    /// The game at the end of the line that this trail recorded; `None` when the game is
    /// over.
    fn line<'a>(
        &'a self,
        trail: &'a mut Self::Trail,
        grid: &'a Grid<W>,
    ) -> Option<impl SearchGame<W> + 'a>;

    /// The strength of levels 1-4 in the current mode.
    fn levels(&self) -> &'static [ThinkingLevel; 4];

    /// The budget on this board. It must depend on the board and not on the word, because
    /// an image that only has wider words must find the same move.
    fn budget(grid: &Grid<W>) -> Budget;
}

/// The [`Thinker`] of a game.
pub type ThinkerOf<W, G> =
    Thinker<W, <G as Thoughtful<W>>::Trail, <G as Thoughtful<W>>::Favourites>;

/// The board's own player of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(
    serialize = "W: Word, T: Trail<W>, F: Favourites",
    deserialize = "W: Word, T: Trail<W>, F: Favourites"
))]
pub struct Thinker<W: Word, T, F> {
    pace: ThinkingTime,
    /// True once the search is over; the move is made as soon as the pace allows it.
    decided: bool,
    search: AlphaBeta<W, F>,
    trail: T,
}

impl<W: Word, T: Default, F: Default> Default for Thinker<W, T, F> {
    fn default() -> Self {
        Thinker {
            pace: ThinkingTime::default(),
            decided: false,
            search: AlphaBeta::default(),
            trail: T::default(),
        }
    }
}

impl<W: Word, T: Trail<W>, F: Favourites> Thinker<W, T, F> {
    /// The best move so far, or any legal one if none has been found yet.
    fn answer<G: Game<W>>(&self, game: &G, ground: &Ground<W>) -> BoardTurn {
        let legal = game.legal(ground);
        let best = self.search.best().map(|best| best.point);
        let best = best.filter(|point| legal.has(*point));
        best.or(legal.first())
            .map_or(BoardTurn::Wait, BoardTurn::Touch)
    }
}

#[cfg(test)]
impl<W: Word, T, F> Thinker<W, T, F> {
    /// The search, and the trail of its line.
    pub(crate) fn found(&self) -> (&AlphaBeta<W, F>, &T) {
        (&self.search, &self.trail)
    }
}

/// How deep to search, and when to stop.
pub(super) struct Aim<'a> {
    pub(super) level: &'a ThinkingLevel,
    /// The value of [`Thoughtful::SURE`] of the game.
    pub(super) sure: i16,
    /// The value of [`Thoughtful::LEAP`] of the game.
    pub(super) leap: Option<u8>,
    /// The value of [`Budget::look`] of the level.
    pub(super) look: u32,
}

impl Aim<'_> {
    /// Iterative deepening within a budget of positions. True once there is nothing more
    /// to find.
    pub(super) fn think<W: Word, L: SearchGame<W> + ?Sized>(
        &self,
        search: &mut Search<'_, W, L>,
        mut positions: u32,
    ) -> bool {
        while positions > 0 {
            if !search.is_under_way() {
                let best = search.best().map_or(0, |best| best.value);
                let Some(depth) = self
                    .next_depth(search)
                    .filter(|_| best.saturating_abs() < self.sure)
                else {
                    return true;
                };
                search.begin_iteration(depth);
                positions = positions.saturating_sub(self.look);
            }
            positions = search.run(positions);
        }
        false
    }

    /// The depth of the next iteration; `None` if the last one was deep enough.
    fn next_depth<W: Word, L: SearchGame<W> + ?Sized>(
        &self,
        search: &Search<'_, W, L>,
    ) -> Option<u8> {
        let (depth, moves_left) = (search.depth(), search.moves_left());
        let all = moves_left.min(search.deepest()) as u8;
        let solves = moves_left <= usize::from(self.level.solve);
        let furthest = if solves {
            all
        } else {
            self.level.depth.min(all)
        };
        let leaps = |leap: u8| solves && depth >= leap.min(self.level.depth);
        if depth >= furthest.max(1) {
            None
        } else if self.leap.is_some_and(leaps) {
            Some(all)
        } else {
            Some(depth.saturating_add(1))
        }
    }
}

impl<W, G> Player<W, G> for Thinker<W, G::Trail, G::Favourites>
where
    W: Word,
    G: Thoughtful<W>,
{
    fn wakes_at(&self) -> Tick {
        self.pace.wakes_at()
    }

    fn wake(&mut self, game: &G, level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        if game.turn().is_none() {
            return BoardTurn::Wait;
        }
        let (grid, now) = (context.grid(), context.now);
        let level = at_level(game.levels(), level);
        let think_ms = level.think_ms.min(LATEST_MS);
        let budget = G::budget(grid);
        let mut positions = budget.tick;
        if self.pace.begins(now) {
            self.decided = game.legal(context.ground).len() == 1;
            positions = budget.begin;
        }
        match self.pace.due(now, self.decided, think_ms) {
            Due::Answer => return self.answer(game, context.ground),
            Due::Rest => return BoardTurn::Wait,
            Due::Think => {}
        }
        // The move is made in the next tick, because a slice of the search and a move do
        // not fit into one.
        if positions > 0
            && let Some(mut line) = game.line(&mut self.trail, grid)
        {
            let line = &mut line;
            // An image has room for only one copy of the search, which calls each game
            // through a pointer.
            #[cfg(not(feature = "host"))]
            let line: &mut dyn SearchGame<W> = line;
            let aim = Aim {
                level,
                sure: G::SURE,
                leap: G::LEAP,
                look: budget.look,
            };
            let mut search = self.search.on(line, level.slip, context.rng);
            self.decided = aim.think(&mut search, positions);
        }
        BoardTurn::Wait
    }

    fn hurry(&mut self, game: &G, _level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        self.answer(game, context.ground)
    }

    #[cfg(feature = "host")]
    fn thought(&self, _game: &G, ground: &Ground<W>) -> Thought {
        Thought {
            positions_per_tick: G::budget(ground.grid()).tick,
            began: self.pace.began(),
            ..self.search.thought()
        }
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let grid = ground.grid();
        self.search.is_sound(grid) && self.trail.is_sound(self.search.levels(), grid)
    }
}
