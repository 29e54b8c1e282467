//! The player of red in the games that are won by looking ahead (Maldoo manual,
//! Buttons, Level): [`alphabeta`](super::alphabeta) at its [`ThinkingTime`].
//!
//! A higher level looks further ahead, longer, and makes fewer mistakes. Every
//! call looks at a fixed number of positions, so a tick costs the smallest
//! board no more than it has, and every machine comes to the same move.
//!
//! Invariants: the answer is a legal move, and comes at most
//! [`LATEST_MS`] after the turn began.

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

/// The longest that any level thinks.
pub const LATEST_MS: Tick = 3_000;

/// How a level plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThinkingLevel {
    /// How many moves it looks ahead.
    pub depth: u8,
    /// With at most this many moves left it searches to the end of the game.
    pub solve: u8,
    /// How long it thinks, at most [`LATEST_MS`].
    pub think_ms: Tick,
    /// By how much it may mistake the value of a move, in the units of the
    /// game's own values.
    pub slip: u16,
}

/// What thinking costs, counted in positions, so that no tick takes more than 50,000
/// instructions of a Cortex-M3 (measured in QEMU, built for size).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// How many positions a tick pays for; at least 1.
    pub tick: u32,
    /// How many the tick pays for in which the turn begins.
    pub begin: u32,
    /// What it costs to begin at the first position again, to look further.
    pub look: u32,
}

impl Budget {
    /// This many positions a tick; the moves of the first position cost as much as one,
    /// and the first tick is spent on what is made once in a turn.
    #[must_use]
    pub const fn of(positions: u32) -> Budget {
        Budget {
            tick: positions,
            begin: 0,
            look: 1,
        }
    }
}

/// What a game keeps of a search's line from one tick to the next.
pub trait Trail<W: Word>:
    Clone + Default + PartialEq + Serialize + DeserializeOwned + MaxSize
{
    /// False for one that no search with `levels` levels on its stack leaves on this
    /// grid; asked of every one that was read from outside.
    fn is_sound(&self, levels: usize, grid: &Grid<W>) -> bool;
}

/// Numbers of points, as many as a search looks moves ahead: `[u8; 8]`, say.
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
    /// What is kept of a line.
    type Trail: Trail<W>;
    /// As many numbers of points as it looks moves ahead.
    type Favourites: Favourites;

    /// From this value on a first move is good enough, and down to its opposite
    /// all are bad enough, not to look further.
    const SURE: i16 = CERTAIN;
    /// The depth from which the search goes straight to the end of the game, where its
    /// level searches to the end; `None` if it goes there in steps.
    const LEAP: Option<u8> = None;

    /// The line of moves from here on, as far as this trail has it; `None` when
    /// the game is over.
    fn line<'a>(
        &'a self,
        trail: &'a mut Self::Trail,
        grid: &'a Grid<W>,
    ) -> Option<impl SearchGame<W> + 'a>;

    /// Levels 1-4 of this game's mode.
    fn levels(&self) -> &'static [ThinkingLevel; 4];

    /// What thinking costs on this board. It goes by the board and not by the
    /// word, so that an image that has only wider words comes to the same move.
    fn budget(grid: &Grid<W>) -> Budget;
}

/// The [`Thinker`] of a game.
pub type ThinkerOf<W, G> =
    Thinker<W, <G as Thoughtful<W>>::Trail, <G as Thoughtful<W>>::Favourites>;

/// The board's own player, which keeps a `Trail` of the line that it searches along.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(
    serialize = "W: Word, T: Trail<W>, F: Favourites",
    deserialize = "W: Word, T: Trail<W>, F: Favourites"
))]
pub struct Thinker<W: Word, T, F> {
    pace: ThinkingTime,
    /// True when it only waits until it may answer.
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
    /// The best move so far, and any legal one if there is none.
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
    /// What was found so far, and the line that is looked along.
    pub(crate) fn found(&self) -> (&AlphaBeta<W, F>, &T) {
        (&self.search, &self.trail)
    }
}

/// How far to look, and when it is enough.
pub(super) struct Aim<'a> {
    pub(super) level: &'a ThinkingLevel,
    /// See [`Thoughtful::SURE`].
    pub(super) sure: i16,
    /// See [`Thoughtful::LEAP`].
    pub(super) leap: Option<u8>,
    /// See [`Budget::look`].
    pub(super) look: u32,
}

impl Aim<'_> {
    /// Deepens the search step by step, within its budget of positions. True once there
    /// is nothing more to find.
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
                search.look(depth);
                positions = positions.saturating_sub(self.look);
            }
            positions = search.run(positions);
        }
        false
    }

    /// How far to look next, `None` if it was far enough.
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
        // What is found is played in the next tick: thinking and a move together
        // would be too much for one.
        if positions > 0
            && let Some(mut line) = game.line(&mut self.trail, grid)
        {
            let line = &mut line;
            // An image has room for the search once: there it calls every game's
            // line through a pointer.
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
