//! Alpha-beta search for any game in which two players alternate.
//!
//! The search goes one move deep, then two, and so on; each iteration tries the best move
//! of the previous one first. It is a loop with an explicit stack, so it can stop after
//! any position and continue later, even in another copy of the board. All its knowledge
//! is in [`AlphaBeta`]; the state that a game needs to make moves and take them back is
//! behind [`SearchGame`].
//!
//! Invariants: every level of the stack is a move, never a pass, so the stack is at most
//! [`DEEPEST`] levels deep; a search never examines more positions in a call than it was
//! allowed; a damaged state can lead to a bad move, but never to a panic or an endless
//! loop.

use postcard::experimental::max_size::MaxSize;
use protocol::{List, Point};
use serde::{Deserialize, Serialize};

use crate::grid::Grid;
use crate::points::Points;
use crate::rng::Rng;
#[cfg(feature = "host")]
use crate::thought::{Thought, Worth};
use crate::word::Word;

/// The maximum number of moves that any search looks ahead.
pub const DEEPEST: usize = 12;

#[cfg(feature = "host")]
const _: () = assert!(DEEPEST <= crate::thought::LONGEST_LINE);

/// A bound above any estimate and below the value of any won game. Estimates are between
/// `-CERTAIN` and `CERTAIN`, both excluded.
pub const CERTAIN: i16 = 10_000;

/// A value greater than any evaluation.
const INFINITE: i16 = i16::MAX;

/// The value of a game that was won or lost by `lead`, or drawn if `lead` is 0. Each
/// point of the lead adds `each`.
#[must_use]
pub fn certain(lead: i16, each: i16) -> i16 {
    let by = lead.saturating_mul(each).clamp(-CERTAIN, CERTAIN);
    lead.signum().saturating_mul(CERTAIN).saturating_add(by)
}

/// A sum, limited to the range of estimates: between `-CERTAIN` and `CERTAIN`, both
/// excluded.
#[must_use]
pub fn guess(sum: i32) -> i16 {
    let limit = i32::from(CERTAIN) - 1;
    sum.clamp(-limit, limit) as i16
}

/// The situation after a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Then<W> {
    /// The opponent is to move and has these moves; at least one.
    Moves(Points<W>),
    /// The opponent has no move, and the same side has these; at least one.
    Again(Points<W>),
    /// The search ends here: the position has this value for the opponent.
    Worth(i16),
}

/// The line of moves that is being tried, with the operations that a search needs. It is
/// implemented by the game.
///
/// A move after which the search continues ([`Then::Moves`], [`Then::Again`]) is appended
/// to the line; other moves are not.
pub trait SearchGame<W: Word> {
    /// The maximum number of moves left in the game at the root.
    fn moves_left(&self) -> usize;

    /// Returns to the root of the search and returns the moves there; empty if there is
    /// nothing to search.
    fn begin(&mut self) -> Points<W>;

    /// Tries a move at the end of the line. If it `is_last`, the move is only evaluated.
    fn go(&mut self, point: Point, is_last: bool) -> Then<W>;

    /// Takes back the last move of the line.
    fn back(&mut self);

    /// Those moves of `untried` that should be tried first at the end of the line. Empty
    /// only if `untried` is empty.
    fn first(&self, untried: Points<W>) -> Points<W>;

    /// Notifies the game that this move, at the end of the line, was so good that its
    /// alternatives need not be tried.
    fn refuted(&mut self, by: Point) {
        let _ = by;
    }
}

/// The progress of the search at one position of the line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
struct LineNode<W: Word> {
    /// The moves that have not been tried yet.
    untried: Points<W>,
    /// The move that is being tried.
    trying: Point,
    /// True if the same side moves again after that move.
    again: bool,
    /// The value that the side to move is already sure of elsewhere.
    alpha: i16,
    /// The value that the opponent is already sure of elsewhere.
    beta: i16,
    /// The best value found at this position.
    value: i16,
}

/// A move at the root, and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub struct RootMove {
    /// The point of the move.
    pub point: Point,
    /// The value for the side that makes the move.
    pub value: i16,
}

/// The parts of a search that do not depend on the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
struct Stack<W: Word> {
    nodes: List<LineNode<W>, DEEPEST>,
    /// The depth of the current iteration, in moves.
    depth: u8,
    /// The best first move so far.
    best: Option<RootMove>,
}

/// A search in progress. `F` holds one point for each move of the deepest search, for
/// example `[u8; 8]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(
    serialize = "W: Word, F: Serialize",
    deserialize = "W: Word, F: Deserialize<'de>"
))]
pub struct AlphaBeta<W: Word, F> {
    stack: Stack<W>,
    /// For each level, the last move that was best there, which is tried first.
    favourites: F,
}

impl<W: Word, F: Default> Default for AlphaBeta<W, F> {
    fn default() -> Self {
        let stack = Stack {
            nodes: List::new(),
            depth: 0,
            best: None,
        };
        AlphaBeta {
            stack,
            favourites: F::default(),
        }
    }
}

impl<W: Word, F: AsMut<[u8]>> AlphaBeta<W, F> {
    /// The best first move so far; `None` before the first position.
    #[must_use]
    pub fn best(&self) -> Option<RootMove> {
        self.stack.best
    }

    /// The results so far: the best first move, and the favourites of the levels below
    /// it.
    #[cfg(feature = "host")]
    #[must_use]
    pub fn thought(&self) -> Thought
    where
        F: Clone,
    {
        let best = self.stack.best;
        let mut favourites = self.favourites.clone();
        let favourites = favourites.as_mut().iter().map(|index| Point(*index));
        let depth = usize::from(self.stack.depth);
        let first = best.map(|best| best.point);
        Thought {
            best: first,
            worth: best.map(|best| Worth::Value(best.value.into())),
            depth: self.stack.depth,
            line: first
                .into_iter()
                .chain(favourites.skip(1))
                .take(depth)
                .collect(),
            ..Thought::default()
        }
    }

    /// The number of levels on the stack.
    #[must_use]
    pub fn levels(&self) -> usize {
        self.stack.nodes.len()
    }

    /// The search together with what it needs to continue: the line, which has as many
    /// moves as the stack has levels, and random numbers. The value of each root move
    /// gets a random error below `slip`.
    pub fn on<'a, L: SearchGame<W> + ?Sized>(
        &'a mut self,
        line: &'a mut L,
        slip: u16,
        rng: &'a mut Rng,
    ) -> Search<'a, W, L> {
        Search {
            stack: &mut self.stack,
            favourites: self.favourites.as_mut(),
            line,
            slip,
            rng,
        }
    }

    /// False for a state that no search on this board can reach; for states that were
    /// read from outside.
    #[must_use]
    pub fn is_sound(&self, grid: &Grid<W>) -> bool {
        self.stack.is_sound(grid)
    }
}

impl<W: Word> Stack<W> {
    fn is_sound(&self, grid: &Grid<W>) -> bool {
        let all = grid.all();
        usize::from(self.depth) <= DEEPEST
            && self.nodes.len() <= usize::from(self.depth)
            && self.best.is_none_or(|best| all.has(best.point))
            && self
                .nodes
                .iter()
                .all(|node| all.has(node.trying) && node.untried.without(all).is_empty())
    }
}

/// A search that can continue; see [`AlphaBeta::on`].
pub struct Search<'a, W: Word, L: ?Sized> {
    stack: &'a mut Stack<W>,
    favourites: &'a mut [u8],
    line: &'a mut L,
    slip: u16,
    rng: &'a mut Rng,
}

impl<W: Word, L: SearchGame<W> + ?Sized> Search<'_, W, L> {
    /// The maximum number of moves left in the game.
    #[must_use]
    pub fn moves_left(&self) -> usize {
        self.line.moves_left()
    }

    /// The maximum number of moves that the search looks ahead.
    #[must_use]
    pub fn deepest(&self) -> usize {
        self.favourites.len().min(DEEPEST)
    }

    /// The depth of the current or last iteration, in moves.
    #[must_use]
    pub fn depth(&self) -> u8 {
        self.stack.depth
    }

    /// The best first move so far; `None` before the first position.
    #[must_use]
    pub fn best(&self) -> Option<RootMove> {
        self.stack.best
    }

    /// True while an iteration is in progress.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        !self.stack.nodes.is_empty()
    }

    /// Starts an iteration of `depth` moves. It finds nothing if there are no root moves.
    pub fn begin_iteration(&mut self, depth: u8) {
        self.stack.depth = depth.clamp(1, self.deepest() as u8);
        self.stack.nodes.clear();
        let moves = self.line.begin();
        if !moves.is_empty() {
            self.push(moves, -INFINITE, INFINITE);
        }
    }

    /// Examines up to this many positions; returns the number that it did not need.
    pub fn run(&mut self, mut positions: u32) -> u32 {
        let deepest = usize::from(self.stack.depth).min(self.favourites.len());
        while positions > 0 && self.is_under_way() {
            if self.try_next(deepest) {
                positions -= 1;
            } else {
                self.go_back();
            }
        }
        positions
    }

    fn push(&mut self, untried: Points<W>, alpha: i16, beta: i16) {
        // The stack has room for every level up to `depth`.
        let _ = self.stack.nodes.push(LineNode {
            untried,
            trying: Point(0),
            again: false,
            alpha,
            beta,
            value: -INFINITE,
        });
    }

    /// Tries the next move of the last level, which may be the deepest one. False if
    /// there is nothing left to try.
    fn try_next(&mut self, deepest: usize) -> bool {
        let Some(mut last) = self.stack.last(self.favourites, self.slip) else {
            return false;
        };
        let Some(point) = last.next_move(self.line, self.rng) else {
            return false;
        };
        let (alpha, beta) = last.window();
        let then = self.line.go(point, last.level >= deepest);
        last.node.trying = point;
        last.node.again = matches!(then, Then::Again(_));
        match then {
            Then::Moves(moves) => self.push(moves, beta.saturating_neg(), alpha.saturating_neg()),
            Then::Again(moves) => self.push(moves, alpha, beta),
            Then::Worth(value) => last.found(value.saturating_neg(), self.line, self.rng),
        }
        true
    }

    /// Leaves the last level, because all relevant moves were tried there.
    fn go_back(&mut self) {
        let Some(done) = self.stack.nodes.pop() else {
            return;
        };
        self.line.back();
        if let Some(mut last) = self.stack.last(self.favourites, self.slip) {
            let value = match last.node.again {
                true => done.value,
                false => done.value.saturating_neg(),
            };
            last.found(value, self.line, self.rng);
        }
    }
}

impl<W: Word> Stack<W> {
    /// The last level; `None` if there is none, or no room for its favourite.
    fn last<'a>(&'a mut self, favourites: &'a mut [u8], slip: u16) -> Option<Last<'a, W>> {
        let level = self.nodes.len();
        Some(Last {
            node: self.nodes.last_mut()?,
            favourite: favourites.get_mut(level.checked_sub(1)?)?,
            best: &mut self.best,
            level,
            slip: if level == 1 { slip } else { 0 },
        })
    }
}

/// The last level of the stack, and the data that belongs to it.
struct Last<'a, W: Word> {
    node: &'a mut LineNode<W>,
    favourite: &'a mut u8,
    best: &'a mut Option<RootMove>,
    /// The number of the level, counted from 1.
    level: usize,
    /// The bound of the random error added to the values of root moves; 0 at other
    /// levels.
    slip: u16,
}

impl<W: Word> Last<'_, W> {
    /// The move to try next, or `None` if nothing is left to find here.
    fn next_move<L: SearchGame<W> + ?Sized>(&mut self, line: &L, rng: &mut Rng) -> Option<Point> {
        let node = &mut *self.node;
        if node.value >= node.beta {
            return None;
        }
        let favourite = Point(*self.favourite);
        let point = if node.untried.has(favourite) {
            favourite
        } else {
            let first = line.first(node.untried);
            if self.level == 1 {
                // Random, so that the answers to similar positions vary.
                rng.pick(first)?
            } else {
                first.first()?
            }
        };
        node.untried.remove(point);
        Some(point)
    }

    /// The values that both sides are already sure of, for the move that is tried now.
    fn window(&self) -> (i16, i16) {
        match self.slip > 0 {
            // With random errors, the value of one root move must not cut off the others.
            true => (-INFINITE, INFINITE),
            false => (self.node.alpha.max(self.node.value), self.node.beta),
        }
    }

    /// Records the value of the move that was tried.
    fn found<L: SearchGame<W> + ?Sized>(&mut self, value: i16, line: &mut L, rng: &mut Rng) {
        let value = match self.slip > 0 {
            true => value.saturating_add_unsigned(rng.below(self.slip.into()) as u16),
            false => value,
        };
        let node = &mut *self.node;
        if value <= node.value {
            return;
        }
        node.value = value;
        let point = node.trying;
        if value > node.alpha {
            *self.favourite = point.0;
        }
        if value >= node.beta {
            line.refuted(point);
        }
        if self.level == 1 {
            *self.best = Some(RootMove { point, value });
        }
    }
}
