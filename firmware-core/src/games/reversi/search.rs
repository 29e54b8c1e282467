//! Looking ahead: alpha-beta, a node at a time.
//!
//! The search goes one stone deep, then two, and so on; each time it tries the
//! best move of the time before first. It is a loop over a stack of its own, so
//! it can stop after any node and go on later, also in another copy of the
//! board: all that it knows is in [`Search`].
//!
//! What always holds: a level of the stack is a stone set, never a pass, so the
//! stack is never deeper than the board has empty points; and a state that was
//! damaged can only find a bad move, never a panic or an endless loop.

use postcard::experimental::max_size::MaxSize;
use protocol::{List, Point};
use serde::{Deserialize, Serialize};

use super::evaluate::{Terrain, Weights, evaluate, result};
use super::kernel::{Kernel, View};
use crate::grid::Grid;
use crate::points::Points;
use crate::rng::Rng;
use crate::two_colours::TwoColours;
use crate::word::Word;

/// The most stones that a search looks ahead.
pub const DEEPEST: usize = 12;

/// Beyond every value.
const INFINITE: i16 = i16::MAX;

/// What a search is made with; the same from its first node to its last.
pub struct Setting<'a, W> {
    /// The rules.
    pub kernel: &'a Kernel<W>,
    /// The board.
    pub terrain: &'a Terrain<W>,
    /// What is good.
    pub weights: &'a Weights,
    /// The value of each first move is mistaken by less than this.
    pub slip: u16,
}

/// A position on the way, and how far its moves have been tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
struct Node<W: Word> {
    /// The moves that were not tried yet.
    untried: Points<W>,
    /// The move that is being tried.
    trying: Point,
    /// What it caught.
    caught: Points<W>,
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
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Search<W: Word> {
    /// What the side to move sees after the moves being tried.
    view: View<W>,
    nodes: List<Node<W>, DEEPEST>,
    /// How many stones it looks ahead this time.
    depth: u8,
    /// The best first move so far.
    best: Option<Point>,
    /// For each level, the move that was best there last: a good one to begin
    /// with.
    favourites: [Point; DEEPEST],
    /// The moves that were too good to go on, of the side that began and of
    /// its opponent.
    refutations: [Points<W>; 2],
}

impl<W: Word> Default for Search<W> {
    fn default() -> Self {
        Search {
            view: View::default(),
            nodes: List::new(),
            depth: 0,
            best: None,
            favourites: [Point(0); DEEPEST],
            refutations: [Points::NONE; 2],
        }
    }
}

impl<W: Word> Search<W> {
    /// A search for the side to move of this view.
    #[must_use]
    pub fn new(view: View<W>) -> Self {
        Search {
            view,
            ..Search::default()
        }
    }

    /// The best first move so far; `None` before the first node.
    #[must_use]
    pub fn best(&self) -> Option<Point> {
        self.best
    }

    /// How many stones it looks ahead now or did last.
    #[must_use]
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// Begins to look `depth` stones ahead, at most [`DEEPEST`]. Only when
    /// nothing is under way.
    pub fn look(&mut self, depth: u8, setting: &Setting<'_, W>) {
        self.depth = depth.clamp(1, DEEPEST as u8);
        self.nodes.clear();
        let untried = setting.kernel.legal(self.view);
        self.push(untried, -INFINITE, INFINITE);
    }

    /// True if it looks ahead.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// Looks at up to this many positions; returns how many it did not need.
    pub fn run(&mut self, mut positions: u32, setting: &Setting<'_, W>, rng: &mut Rng) -> u32 {
        while positions > 0 && self.is_under_way() {
            match self.next_move(setting.terrain, rng) {
                Some(point) => {
                    self.try_move(point, setting, rng);
                    positions -= 1;
                }
                None => self.go_back(setting, rng),
            }
        }
        positions
    }

    fn push(&mut self, untried: Points<W>, alpha: i16, beta: i16) {
        // The stack holds every level up to `depth`, so there is room.
        let _ = self.nodes.push(Node {
            untried,
            trying: Point(0),
            caught: Points::NONE,
            again: false,
            alpha,
            beta,
            value: -INFINITE,
        });
    }

    /// The move to try next, or `None` if nothing is left to find here.
    fn next_move(&mut self, terrain: &Terrain<W>, rng: &mut Rng) -> Option<Point> {
        let level = self.nodes.len().checked_sub(1)?;
        let node = self.nodes.last_mut()?;
        if node.value >= node.beta {
            return None;
        }
        let favourite = self.favourites.get(level).copied()?;
        let point = if node.untried.has(favourite) {
            favourite
        } else if level == 0 {
            // Positions that look the same are not always answered the same.
            rng.pick(node.untried)?
        } else {
            // Good moves first: corners, what helped elsewhere, and what gives
            // no corner away.
            let refutations = self.refutations[level % 2];
            [terrain.corners, refutations, terrain.open]
                .into_iter()
                .find_map(|points| (node.untried & points).first())
                .or(node.untried.first())?
        };
        node.untried.remove(point);
        Some(point)
    }

    fn try_move(&mut self, point: Point, setting: &Setting<'_, W>, rng: &mut Rng) {
        let kernel = setting.kernel;
        let level = self.nodes.len();
        let Some(node) = self.nodes.last_mut() else {
            return;
        };
        let stone = Points::one(point);
        node.trying = point;
        node.caught = kernel.caught(self.view, stone);
        node.again = false;
        let after = self.view.after(stone, node.caught);
        if level >= usize::from(self.depth).min(DEEPEST) {
            let value = evaluate(kernel, setting.terrain, setting.weights, after);
            self.found(-value, setting, rng);
            return;
        }
        let (alpha, beta) = match level == 1 && setting.slip > 0 {
            // A mistaken value must not hide the others.
            true => (-INFINITE, INFINITE),
            false => (node.alpha.max(node.value), node.beta),
        };
        let replies = kernel.legal(after);
        if !replies.is_empty() {
            self.view = after;
            self.push(replies, -beta, -alpha);
            return;
        }
        let turned = after.turned();
        let more = kernel.legal(turned);
        if more.is_empty() {
            self.found(result(turned), setting, rng);
        } else {
            node.again = true;
            self.view = turned;
            self.push(more, alpha, beta);
        }
    }

    /// Leaves the last level: all of its moves that matter were tried.
    fn go_back(&mut self, setting: &Setting<'_, W>, rng: &mut Rng) {
        let Some(done) = self.nodes.pop() else {
            return;
        };
        let Some(node) = self.nodes.last() else {
            return;
        };
        let (seen, value) = match node.again {
            true => (self.view.turned(), done.value),
            false => (self.view, -done.value),
        };
        self.view = seen.before(Points::one(node.trying), node.caught);
        self.found(value, setting, rng);
    }

    /// Takes the value of the move that was tried on the last level.
    fn found(&mut self, value: i16, setting: &Setting<'_, W>, rng: &mut Rng) {
        let level = self.nodes.len();
        let Some(node) = self.nodes.last_mut() else {
            return;
        };
        let value = match level == 1 && setting.slip > 0 {
            true => value.saturating_add_unsigned(rng.below(setting.slip.into()) as u16),
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
        if value >= node.beta {
            self.refutations[(level - 1) % 2].insert(node.trying);
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
        let fits = |view: View<W>| TwoColours([view.own, view.other]).is_sound(grid);
        let mut view = self.view;
        let mut sound = fits(view)
            && usize::from(self.depth) <= DEEPEST
            && self.nodes.len() <= usize::from(self.depth)
            && self.best.is_none_or(|point| all.has(point));
        // The last level has not set its stone; those before it have.
        for (level, node) in self.nodes.iter().enumerate().rev() {
            if level + 1 < self.nodes.len() {
                let seen = if node.again { view.turned() } else { view };
                let stone = Points::one(node.trying);
                sound &= all.has(node.trying)
                    && (stone | node.caught).without(seen.other).is_empty()
                    && !node.caught.meets(stone);
                view = seen.before(stone, node.caught);
            }
            let empty = all.without(view.own | view.other);
            let values = [node.alpha, node.beta, node.value];
            sound &= fits(view)
                && node.untried.without(empty).is_empty()
                && values.iter().all(|value| *value >= -INFINITE);
        }
        sound
    }
}
