//! How good a position looks, without looking ahead.
//!
//! A few counts of both sides are compared, and each difference is weighted:
//! one weight at the start of a game, another one at its end, and between them
//! in proportion to the stones set. The sum is what the side to move is
//! expected to win by, in [`STONE`]s.
//!
//! The weights of each mode are a least-squares fit to the ends of games that
//! the board played against itself on 8x8 and 9x9
//! (`cargo run --release -p firmware-core --example reversi_lab weights`).

use super::kernel::{Edge, Kernel, Legal, View};
use crate::grid::{Direction, Grid};
use crate::points::Points;
use crate::word::Word;

/// What one stone more at the end is worth.
pub const STONE: i16 = 16;

/// More than any guess, and less than any won game.
const CERTAIN: i16 = 10_000;

/// How many things are counted.
pub const FEATURES: usize = 9;

/// Own count less the opponent's of, in this order: stones, points where a
/// stone would catch, stones beside an empty point, corners, stones on the
/// border besides corners, stones beside an empty corner on the border, and on
/// the diagonal, stones on the border joined to an own corner; and 1 for being
/// to move.
pub type Features = [i16; FEATURES];

/// What the features weigh, in parts of a [`STONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// On an empty board.
    pub early: Features,
    /// On a full one.
    pub late: Features,
}

/// The weights of modes 0-5.
const WEIGHTS: [Weights; 6] = [Weights {
    early: [-8, 16, -12, 160, 16, -48, -96, 64, 8],
    late: [16, 8, -4, 96, 8, -16, -32, 32, 8],
}; 6];

/// The points of a board that differ from others.
#[derive(Clone, Copy, Debug)]
pub struct Terrain<W> {
    /// With three neighbours.
    pub corners: Points<W>,
    /// At the edge of the board, corners too.
    pub border: Points<W>,
}

impl<W: Word> Terrain<W> {
    /// Of this board.
    #[must_use]
    pub fn new(grid: &Grid<W>) -> Self {
        let all = grid.all();
        let ends = |one, other| !(grid.shift(all, one) & grid.shift(all, other));
        let sides = all & ends(Direction::East, Direction::West);
        let rims = all & ends(Direction::North, Direction::South);
        Terrain {
            corners: sides & rims,
            border: sides | rims,
        }
    }
}

/// The counts of a position that is not over, or `None` if it is.
#[must_use]
pub fn features<W: Word>(
    kernel: &Kernel<W>,
    terrain: &Terrain<W>,
    view: View<W>,
) -> Option<Features> {
    let empty = kernel.empty(view);
    let catches = [kernel.catches(view), kernel.catches(view.turned())];
    let is_over = match kernel.rule().legal {
        Legal::Catch => (catches[0] | catches[1]).is_empty(),
        Legal::Neighbour | Legal::Any => empty.is_empty(),
    };
    if is_over {
        return None;
    }
    let Terrain { corners, border } = *terrain;
    let difference = |points: Points<W>| count(view.own & points) - count(view.other & points);
    let by_empty = kernel.grid().neighbours(empty);
    let by_corner = kernel.grid().neighbours(empty & corners);
    let anchored = match kernel.rule().edge {
        Edge::Open => {
            let of = |stones: Points<W>| match stones.meets(corners) {
                true => count(kernel.anchored(stones, corners)),
                false => 0,
            };
            of(view.own) - of(view.other)
        }
        Edge::Catches => 0,
    };
    Some([
        count(view.own) - count(view.other),
        count(catches[0]) - count(catches[1]),
        difference(by_empty),
        difference(corners),
        difference(border.without(corners)),
        difference(by_corner & border),
        difference(by_corner.without(border)),
        anchored,
        1,
    ])
}

/// What the side to move is expected to win by; negative if it is to lose.
/// Beyond [`CERTAIN`] if the game is over.
#[must_use]
pub fn evaluate<W: Word>(
    kernel: &Kernel<W>,
    terrain: &Terrain<W>,
    weights: &Weights,
    view: View<W>,
) -> i16 {
    let Some(features) = features(kernel, terrain, view) else {
        return result(view);
    };
    let weigh = |weights: &Features| -> i32 {
        features
            .iter()
            .zip(weights)
            .map(|(feature, weight)| i32::from(*feature) * i32::from(*weight))
            .sum()
    };
    let full = i32::from(count(kernel.grid().all()));
    let set = i32::from(count(view.own | view.other));
    let sum = weigh(&weights.early) * (full - set) + weigh(&weights.late) * set;
    let limit = i32::from(CERTAIN) - 1;
    (sum / full.max(1)).clamp(-limit, limit) as i16
}

/// What a finished game is worth to the side to move.
#[must_use]
pub fn result<W: Word>(view: View<W>) -> i16 {
    let lead = count(view.own) - count(view.other);
    lead.signum() * CERTAIN + lead * STONE
}

/// The weights of a mode.
#[must_use]
pub fn weights(mode: u8) -> &'static Weights {
    WEIGHTS.get(usize::from(mode)).unwrap_or(&WEIGHTS[0])
}

fn count<W: Word>(points: Points<W>) -> i16 {
    points.len() as i16
}
