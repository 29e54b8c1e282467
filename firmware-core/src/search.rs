//! Looking ahead: alpha-beta over any game that two play in turn.
//!
//! The search goes one move deep, then two, and so on; each time it tries the
//! best move of the time before first. It is a loop over a stack of its own, so
//! it can stop after any position and go on later, also in another copy of the
//! board: all that it knows is in [`Search`]. What a game has to say for it is
//! [`Ahead`].
//!
//! What always holds: a level of the stack is a move made, never a pass, so the
//! stack is never deeper than [`DEEPEST`]; every position tried is made by
//! [`Ahead::after`] from one that was sound; and a state that was damaged can
//! only find a bad move, never a panic or an endless loop.

use core::fmt::Debug;

use postcard::experimental::max_size::MaxSize;
use protocol::{List, Point};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::grid::Grid;
use crate::points::Points;
use crate::rng::Rng;
use crate::word::Word;

/// The most moves that a search looks ahead.
pub const DEEPEST: usize = 8;

/// More than any guess and less than the value of any won game. A guess lies
/// between `-CERTAIN` and `CERTAIN`, both excluded.
pub const CERTAIN: i16 = 10_000;

/// Beyond every value.
const INFINITE: i16 = i16::MAX;

/// All that matters of a state of a game, as the side to move sees it.
pub trait Seen<W: Word>:
    Copy + Debug + Default + PartialEq + Serialize + DeserializeOwned + MaxSize
{
    /// False for one that cannot come from play on this grid; asked of every
    /// one that was read from outside.
    fn is_sound(&self, grid: &Grid<W>) -> bool;
}

/// What comes next in a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next<W, P> {
    /// The side to move has these moves; at least one.
    Moves(Points<W>),
    /// It has none: its opponent is to move, sees this, and has these moves.
    Passed(P, Points<W>),
    /// The game is over, and worth this to the side that would be to move:
    /// beyond [`CERTAIN`] if it has won or lost.
    Over(i16),
}

/// A game as a search needs it: the rules of one mode on one board.
pub trait Ahead<W: Word> {
    /// What is searched.
    type Position: Seen<W>;

    /// What comes next, and what may be left out: a game of many moves may
    /// name those only that are worth a look.
    fn next(&self, position: &Self::Position) -> Next<W, Self::Position>;

    /// What the opponent sees once the side to move has moved here.
    fn after(&self, position: &Self::Position, point: Point) -> Self::Position;

    /// What the position is worth to the side to move, without looking ahead;
    /// beyond [`CERTAIN`] if the game is over.
    fn evaluate(&self, position: &Self::Position) -> i16;

    /// Those of `moves` that are to be tried before others. By default none.
    fn urgent(&self, position: &Self::Position, moves: Points<W>) -> Points<W> {
        let _ = (position, moves);
        Points::NONE
    }

    /// At most so many moves are left in the game.
    fn moves_left(&self, position: &Self::Position) -> usize;
}

/// The value of a game that was won or lost by `lead`, 0 if drawn, where one
/// of a lead is worth `each`.
#[must_use]
pub fn certain(lead: i16, each: i16) -> i16 {
    let by = lead.saturating_mul(each).clamp(-CERTAIN, CERTAIN);
    lead.signum().saturating_mul(CERTAIN).saturating_add(by)
}

/// A sum as a guess: between `-CERTAIN` and `CERTAIN`, both excluded.
#[must_use]
pub fn guess(sum: i32) -> i16 {
    let limit = i32::from(CERTAIN) - 1;
    sum.clamp(-limit, limit) as i16
}

/// A position on the way, and how far its moves have been tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word, P: Seen<W>", deserialize = "W: Word, P: Seen<W>"))]
struct Node<W: Word, P> {
    position: P,
    /// The moves that were not tried yet.
    untried: Points<W>,
    /// Those of them that come first.
    urgent: Points<W>,
    /// The move that is being tried.
    trying: Point,
    /// True if the same side moves again after it.
    again: bool,
    /// What the side to move has elsewhere.
    alpha: i16,
    /// What its opponent has elsewhere.
    beta: i16,
    /// The best value found here.
    value: i16,
}

/// A search under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word, P: Seen<W>", deserialize = "W: Word, P: Seen<W>"))]
pub struct Search<W: Word, P> {
    nodes: List<Node<W, P>, DEEPEST>,
    /// How many moves it looks ahead this time.
    depth: u8,
    /// The best first move so far.
    best: Option<Point>,
    /// What that was worth when the search was last through.
    value: i16,
    /// For each level, the move that was best there last: a good one to begin
    /// with.
    favourites: [Point; DEEPEST],
}

impl<W: Word, P> Default for Search<W, P> {
    fn default() -> Self {
        Search {
            nodes: List::new(),
            depth: 0,
            best: None,
            value: 0,
            favourites: [Point(0); DEEPEST],
        }
    }
}

impl<W: Word, P: Seen<W>> Search<W, P> {
    /// The best first move so far; `None` before the first position.
    #[must_use]
    pub fn best(&self) -> Option<Point> {
        self.best
    }

    /// How many moves it looks ahead now or did last.
    #[must_use]
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// True if it is sure how the game ends, having looked through all that it
    /// was to look at.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        !self.is_under_way() && self.depth > 0 && self.value.saturating_abs() >= CERTAIN
    }

    /// True if it looks ahead.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// Begins to look `depth` moves ahead of this position, at most
    /// [`DEEPEST`]. Nothing is found where the game is over or the side to move
    /// has no move.
    pub fn look<A: Ahead<W, Position = P>>(&mut self, position: P, depth: u8, ahead: &A) {
        self.depth = depth.clamp(1, DEEPEST as u8);
        self.nodes.clear();
        if let Next::Moves(moves) = ahead.next(&position) {
            let urgent = ahead.urgent(&position, moves);
            self.push(position, moves, urgent, -INFINITE, INFINITE);
        }
    }

    /// Looks at up to this many positions; returns how many it did not need.
    /// The value of each first move is mistaken by less than `slip`.
    pub fn run<A: Ahead<W, Position = P>>(
        &mut self,
        mut positions: u32,
        slip: u16,
        ahead: &A,
        rng: &mut Rng,
    ) -> u32 {
        while positions > 0 && self.is_under_way() {
            match self.next_move(rng) {
                Some(point) => {
                    self.try_move(point, slip, ahead, rng);
                    positions -= 1;
                }
                None => self.go_back(slip, rng),
            }
        }
        positions
    }

    fn push(&mut self, position: P, untried: Points<W>, urgent: Points<W>, alpha: i16, beta: i16) {
        // The stack holds every level up to `depth`, so there is room.
        let _ = self.nodes.push(Node {
            position,
            untried,
            urgent,
            trying: Point(0),
            again: false,
            alpha,
            beta,
            value: -INFINITE,
        });
    }

    /// The move to try next, or `None` if nothing is left to find here.
    fn next_move(&mut self, rng: &mut Rng) -> Option<Point> {
        let level = self.nodes.len().checked_sub(1)?;
        let node = self.nodes.last_mut()?;
        if node.value >= node.beta {
            return None;
        }
        let favourite = self.favourites.get(level).copied()?;
        let urgent = node.urgent & node.untried;
        let first = if urgent.is_empty() {
            node.untried
        } else {
            urgent
        };
        let point = if node.untried.has(favourite) {
            favourite
        } else if level == 0 {
            // Positions that look the same are not always answered the same.
            rng.pick(first)?
        } else {
            first.first()?
        };
        node.untried.remove(point);
        Some(point)
    }

    fn try_move<A: Ahead<W, Position = P>>(
        &mut self,
        point: Point,
        slip: u16,
        ahead: &A,
        rng: &mut Rng,
    ) {
        let level = self.nodes.len();
        let Some(node) = self.nodes.last_mut() else {
            return;
        };
        node.trying = point;
        node.again = false;
        let after = ahead.after(&node.position, point);
        if level >= usize::from(self.depth).min(DEEPEST) {
            let value = ahead.evaluate(&after);
            self.found(value.saturating_neg(), slip, rng);
            return;
        }
        let (alpha, beta) = match level == 1 && slip > 0 {
            // A mistaken value must not hide the others.
            true => (-INFINITE, INFINITE),
            false => (node.alpha.max(node.value), node.beta),
        };
        match ahead.next(&after) {
            Next::Moves(moves) => {
                let urgent = ahead.urgent(&after, moves);
                self.push(
                    after,
                    moves,
                    urgent,
                    beta.saturating_neg(),
                    alpha.saturating_neg(),
                );
            }
            Next::Passed(turned, moves) => {
                node.again = true;
                let urgent = ahead.urgent(&turned, moves);
                self.push(turned, moves, urgent, alpha, beta);
            }
            Next::Over(value) => self.found(value.saturating_neg(), slip, rng),
        }
    }

    /// Leaves the last level: all of its moves that matter were tried.
    fn go_back(&mut self, slip: u16, rng: &mut Rng) {
        let Some(done) = self.nodes.pop() else {
            return;
        };
        match self.nodes.last() {
            Some(node) if node.again => self.found(done.value, slip, rng),
            Some(_) => self.found(done.value.saturating_neg(), slip, rng),
            None => self.value = done.value,
        }
    }

    /// Takes the value of the move that was tried on the last level.
    fn found(&mut self, value: i16, slip: u16, rng: &mut Rng) {
        let level = self.nodes.len();
        let Some(node) = self.nodes.last_mut() else {
            return;
        };
        let value = match level == 1 && slip > 0 {
            true => value.saturating_add_unsigned(rng.below(slip.into()) as u16),
            false => value,
        };
        if value <= node.value {
            return;
        }
        node.value = value;
        if value > node.alpha
            && let Some(favourite) = self.favourites.get_mut(level - 1)
        {
            *favourite = node.trying;
        }
        if level == 1 {
            self.best = Some(node.trying);
        }
    }

    /// False for a state that no search on this board comes to: asked of one
    /// that was read from outside.
    #[must_use]
    pub fn is_sound(&self, grid: &Grid<W>) -> bool {
        let all = grid.all();
        usize::from(self.depth) <= DEEPEST
            && self.nodes.len() <= usize::from(self.depth)
            && self.best.is_none_or(|point| all.has(point))
            && self.nodes.iter().all(|node| {
                node.position.is_sound(grid)
                    && all.has(node.trying)
                    && (node.untried | node.urgent).without(all).is_empty()
            })
    }
}

#[cfg(test)]
mod tests {
    use postcard::experimental::max_size::MaxSize;

    use crate::game::Game;
    use crate::games::{countlines::CountLines, fillit::FillIt, visiput::Visiput};
    use crate::word::{Wide, Word};

    fn player_bytes<W: Word, G: Game<W>>() -> usize {
        G::Player::POSTCARD_MAX_SIZE
    }

    #[test]
    fn a_player_takes_at_most_a_kilobyte_and_a_half_of_a_snapshot() {
        let bytes = [
            player_bytes::<Wide, Visiput<Wide>>(),
            player_bytes::<Wide, CountLines<Wide>>(),
            player_bytes::<Wide, FillIt<Wide>>(),
        ];
        assert!(bytes.into_iter().all(|bytes| bytes <= 1_536), "{bytes:?}");
    }
}
