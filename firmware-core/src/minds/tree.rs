//! What a mind learns from random games: a small tree of first moves and, for each point,
//! the results of games in which a side played there.
//!
//! A tree of all moves on a 9x9 board would need thousands of nodes for the first two
//! moves alone. This one grows one branch at a time: the more often a node is visited,
//! the more of its moves get a branch, starting with those that went well wherever in a
//! game they were played. From then on a branch also learns by hearsay, from the games in
//! which its move was made later. Hearsay accumulates much faster and is less exact, and
//! its weight decreases with the number of games through the branch itself (rapid action
//! value estimation: Gelly and Silver, "Combining online and offline knowledge in UCT",
//! 2007). All numbers are integers, so every machine grows the same tree.
//!
//! Invariants: a full tree continues to learn with the nodes that it has.

use postcard::experimental::max_size::MaxSize;
use protocol::{List, Point, Side};
use serde::{Deserialize, Serialize};

use super::arena::{Arena, Linked, TreePath, WHOLE};
use crate::points::Points;
use crate::state_reader::StateReader;
use crate::word::Word;

/// The number of visits before a node gets its first branch.
const VISITS_TO_BRANCH: u16 = 6;
/// The square root of a node's visits is divided by this to get its number of branches.
const VISITS_ROOT_PER_BRANCH: u16 = 2;
/// The maximum weight of hearsay, in visits, however many games of it there are.
const HEARSAY_VISITS: u32 = 400;
/// The number of games of hearsay with which a branch starts; their value is the liking
/// of its point.
const FIRST_HEARSAY: u16 = 16;
/// Half of the range of a share of wins (0..=65,536).
const EVEN: u16 = 1 << 15;
/// A result moves the liking of a point by at least the difference divided by two to the
/// power of this.
const LIKING_SHIFT: u32 = 7;
/// The number of results that the first one counts as.
const FEWEST_LIKED: u16 = 8;
/// The factor between the value of a game and a liking.
const LIKING_PER_WORTH: i32 = 65_535 / WHOLE as i32;
/// The bonus for rarely visited moves: 0.12 in shares of wins, for a root of
/// `log2(visits) / visits` in 256ths.
const CURIOSITY: u32 = 2;

/// A move in the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub struct PointNode {
    /// The point of the move; unused for the root.
    point: u8,
    /// The number of games through the node.
    visits: u16,
    /// The sum of the games' values for the side that made the move.
    worth: u16,
    /// Hearsay: the number of games through the parent in which the same side was the
    /// first to play on this point, immediately or later.
    heard: u16,
    /// The sum of the values of these games for that side.
    heard_worth: u16,
    /// The index of the newest child; 0 if there is none.
    child: u8,
    /// The index of the next older sibling; 0 if there is none.
    sibling: u8,
}

impl Linked for PointNode {
    #[inline]
    fn child(&mut self) -> &mut u8 {
        &mut self.child
    }

    #[inline]
    fn sibling(&mut self) -> &mut u8 {
        &mut self.sibling
    }
}

/// The work after which a game continues at random, even if the tree goes deeper: the
/// descent has to fit into one tick.
const EFFORT_OF_DESCENT: u32 = 130;
/// The cost of examining a branch, in the steps of [`Rollout::effort`].
const EFFORT_PER_CHILD: u32 = 4;
/// The cost of examining a move without a branch, in the same steps.
const EFFORT_PER_CANDIDATE: u32 = 5;
/// The maximum number of moves without a branch that are examined, which fits into a
/// tick.
const MOST_CANDIDATES: usize = 28;

/// The distance, in points, between the first candidates of two consecutive branches:
/// nearly two fifths of a 9x9 board.
const START_STRIDE: usize = 31;

/// The tree, and the likings of points.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
pub struct Tree {
    nodes: Arena<PointNode>,
    /// For each point, first for green and then for red: a running mean of the values of
    /// games in which the side was the first to play there.
    likings: List<u16, 512>,
}

/// A game that follows the tree and then continues at random to its end, with the
/// operations that the tree needs. The sides alternate; passes are not in the tree.
pub trait Rollout<W: Word> {
    /// The side whose turn it is.
    fn turn(&self) -> Side;
    /// The points where the side may be able to play, as far as that is known without
    /// effort.
    fn open(&self) -> Points<W>;
    /// True if a move on this point is legal.
    fn allows(&self, point: Point) -> bool;
    /// True if the move is legal and a random game would make it.
    fn is_sensible(&self, point: Point) -> bool;
    /// A bonus that is added to the liking of the point before the move has been tried;
    /// 65,536 is the value of a won game.
    fn promise(&self, point: Point) -> i32;
    /// Makes a legal move.
    fn play(&mut self, point: Point);
    /// The work done so far, in steps of up to 150 instructions of a Cortex-M3.
    fn effort(&self) -> u32;
    /// Adds to the work done.
    fn charge(&self, steps: u32);
    /// The value of the finished game for a side, out of [`WHOLE`]; the rest is the value
    /// for its opponent.
    fn worth(&self, side: Side) -> u16;
    /// True if this side was the first to play here.
    fn was_first(&self, point: Point, side: Side) -> bool;
    /// Calls `tell` for each point that was played, with its number and the side that
    /// played there first.
    fn each_first(&self, tell: &mut dyn FnMut(usize, Side));
}

/// The logarithm to base 2, in 256ths, interpolated linearly between powers of two.
pub(crate) fn log2_256ths(number: u32) -> u32 {
    let whole = number.max(1).ilog2();
    let part = ((u64::from(number.max(1)) << 8) >> whole) as u32 - 256;
    (whole << 8) + part
}

impl Tree {
    /// Becomes the saved tree, reading it field by field; see [`StateReader`].
    ///
    /// # Errors
    /// `None` if the bytes are not a valid value.
    pub fn read(&mut self, source: &mut StateReader<'_>) -> Option<()> {
        let Tree { nodes, likings } = self;
        source.read(nodes)?;
        source.read(likings)
    }

    /// Resets the tree for a board with `points` points: only a root, and no experience.
    pub fn plant(&mut self, points: usize) {
        self.nodes.plant();
        self.likings.clear();
        let _ = self.likings.resize(2 * points, EVEN);
    }

    /// False for a tree that cannot have grown on a board with `points` points.
    #[must_use]
    pub fn is_sound(&self, points: usize) -> bool {
        let planted = self.likings.len() == 2 * points && !self.nodes.is_empty();
        let unused = self.likings.is_empty() && self.nodes.is_empty();
        let filled = self.nodes.iter().all(|node| {
            usize::from(node.point) < points
                && u32::from(node.worth) <= u32::from(node.visits) * u32::from(WHOLE)
                && u32::from(node.heard_worth) <= u32::from(node.heard) * u32::from(WHOLE)
        });
        (planted || unused) && filled && self.nodes.is_linked()
    }

    /// False for a path that is not in the tree.
    #[must_use]
    pub fn has_path(&self, path: &TreePath) -> bool {
        self.nodes.has_path(path)
    }

    /// The number of nodes, including the root.
    #[must_use]
    #[allow(
        clippy::len_without_is_empty,
        reason = "one that was planted has a root"
    )]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The likings of a side, by the number of the point.
    fn likings_of(&self, side: Side) -> &[u16] {
        let (green, red) = self.likings.split_at(self.likings.len() / 2);
        match side {
            Side::Green => green,
            Side::Red => red,
        }
    }

    /// Descends with a game from the root, adds at most one branch, and returns the path.
    /// At the root only `candidates` are considered.
    pub fn descend<W: Word>(
        &mut self,
        board: &mut dyn Rollout<W>,
        candidates: Points<W>,
    ) -> TreePath {
        let mut path = TreePath::default();
        let mut at = 0;
        let _ = path.push(at);
        loop {
            let node = self.nodes.node(at);
            let is_deep_enough = path.is_full() || board.effort() > EFFORT_OF_DESCENT;
            if node.visits < VISITS_TO_BRANCH || is_deep_enough {
                return path;
            }
            let branches = self.nodes.children(at).count();
            board.charge(EFFORT_PER_CHILD * branches as u32);
            let is_new = board.effort() <= EFFORT_OF_DESCENT
                && branches < usize::from(node.visits.isqrt() / VISITS_ROOT_PER_BRANCH)
                && self.branch(at, board, (at == 0).then_some(candidates));
            let next = if is_new {
                self.nodes.node(at).child
            } else {
                self.best_child(at)
            };
            let point = Point(self.nodes.node(next).point);
            if next == 0 || !board.allows(point) {
                return path;
            }
            board.play(point);
            let _ = path.push(next);
            if is_new {
                return path;
            }
            at = next;
        }
    }

    /// Adds the most promising move without a branch. False if there is none, or no room
    /// for it.
    fn branch<W: Word>(&mut self, at: u8, board: &dyn Rollout<W>, only: Option<Points<W>>) -> bool {
        if self.nodes.is_full() {
            return false;
        }
        let side = board.turn();
        let known: Points<W> = self
            .nodes
            .children(at)
            .map(|(_, n)| Point(n.point))
            .collect();
        let open = only.unwrap_or_else(|| board.open()).without(known);
        // Moves that are liked less than average are hardly ever the best.
        let likings = self.likings_of(side);
        let liking = |point: Point| likings.get(point.index()).copied().unwrap_or(EVEN);
        let liked: u32 = open.map(|point| u32::from(liking(point))).sum();
        let mean = liked / open.len().max(1) as u32;
        // Only an open board has more candidates than a tick can examine. Each branch
        // starts with different ones, so that all parts of the board are considered in
        // turn.
        let start = (self.nodes.len() * START_STRIDE) % likings.len().max(1);
        let later = open & Points((!W::ZERO).up(start));
        let best = later
            .chain(open.without(later))
            .filter(|point| u32::from(liking(*point)) >= mean)
            .filter(|point| board.is_sensible(*point))
            .take(MOST_CANDIDATES)
            .inspect(|_| board.charge(EFFORT_PER_CANDIDATE))
            .max_by_key(|point| i32::from(liking(*point)) + board.promise(*point));
        let Some(point) = best else {
            // None of the candidates is legal, so all of them were examined.
            board.charge(EFFORT_PER_CANDIDATE * open.len() as u32);
            return false;
        };
        let first = (i32::from(liking(point)) + board.promise(point)).clamp(0, 65_535);
        let node = PointNode {
            point: point.0,
            heard: FIRST_HEARSAY,
            heard_worth: (first * i32::from(FIRST_HEARSAY) / LIKING_PER_WORTH) as u16,
            ..PointNode::default()
        };
        self.nodes.add(at, node)
    }

    /// The child to which to descend: good so far, or rarely visited. 0 if there is none.
    fn best_child(&self, of: u8) -> u8 {
        let log = log2_256ths(u32::from(self.nodes.node(of).visits)) << 16;
        let promise = |node: PointNode| {
            let visits = u32::from(node.visits);
            let heard = u32::from(node.heard).max(1);
            // Hearsay is biased, so its weight is limited to this many games.
            let weight = heard * HEARSAY_VISITS / (heard + HEARSAY_VISITS);
            let hearsay = u32::from(node.heard_worth) * (65_536 / u32::from(WHOLE)) / heard;
            let worth = u32::from(node.worth) * (65_536 / u32::from(WHOLE));
            let mean = (worth + hearsay * weight) / (visits + weight).max(1);
            mean + (log / (visits + 1)).isqrt() * CURIOSITY
        };
        self.nodes
            .children(of)
            .max_by_key(|(_, node)| promise(*node))
            .map_or(0, |(index, _)| index)
    }

    /// Learns from a finished game: updates the nodes on the path, and the points on
    /// which each side was the first to play. `mover` is the side to move at the root.
    pub fn learn<W: Word>(&mut self, path: &TreePath, mover: Side, board: &dyn Rollout<W>) {
        let worth = Side::BOTH.map(|side| board.worth(side));
        // The root was reached by the other side's move.
        let mut side = mover.other();
        for index in path.iter() {
            if let Some(node) = self.nodes.get_mut(*index) {
                node.visits = node.visits.saturating_add(1);
                node.worth = node.worth.saturating_add(worth[side.index()]);
            }
            side = side.other();
            self.learn_hearsay(*index, side, worth[side.index()], board);
        }
        let worth = worth.map(|worth| i32::from(worth) * LIKING_PER_WORTH);
        let points = self.likings.len() / 2;
        // The mean of all games at first, later of the newest ones.
        let games = self.nodes.node(0).visits.max(FEWEST_LIKED);
        let shift = LIKING_SHIFT.min(games.ilog2() - 1);
        board.each_first(&mut |index, side| {
            if let Some(liking) = self.likings.get_mut(side.index() * points + index) {
                let old = i32::from(*liking);
                let new = old + ((worth[side.index()] - old) >> shift);
                *liking = new.clamp(0, 65_535) as u16;
            }
        });
    }

    /// Updates the hearsay of a node's branches from a game in which the side to move
    /// there was the first to play on their points.
    fn learn_hearsay<W: Word>(&mut self, of: u8, side: Side, worth: u16, board: &dyn Rollout<W>) {
        let mut next = self.nodes.node(of).child;
        while next != 0
            && let Some(node) = self.nodes.get_mut(next)
        {
            if board.was_first(Point(node.point), side) {
                node.heard = node.heard.saturating_add(1);
                node.heard_worth = node.heard_worth.saturating_add(worth);
            }
            next = node.sibling;
        }
    }

    /// The most visited first move, and the mean value of the games through it, in 256ths
    /// of [`WHOLE`]. `None` before the first game.
    #[must_use]
    pub fn favourite(&self) -> Option<(Point, u32)> {
        let (_, node) = self.nodes.children(0).max_by_key(|(_, node)| node.visits)?;
        let visits = u32::from(node.visits.max(1));
        let mean = u32::from(node.worth) * 256 / (visits * u32::from(WHOLE));
        Some((Point(node.point), mean))
    }

    /// The point of `of` that the side likes best.
    #[must_use]
    pub fn best_liked<W: Word>(&self, side: Side, of: Points<W>) -> Option<Point> {
        let likings = self.likings_of(side);
        of.max_by_key(|point| likings.get(point.index()).copied())
    }
}
