//! The evaluation of a position, without looking ahead.
//!
//! Some counts of both sides are compared, and each difference is multiplied by a weight.
//! A weight has one value at the start of a game and another one at its end; in between
//! it is interpolated by the number of stones. The sum is the expected lead of the side
//! to move, in [`STONE`]s.
//!
//! The weights of each mode are a least-squares fit to the results of games that the
//! board played against itself on 8x8 and 9x9 (`cargo run --release -p firmware-core
//! --example reversi_lab weights`).

use super::kernel::{Bitboards, EdgeRule, Kernel, LegalRule};
use crate::grid::{Direction, Grid};
use crate::points::Points;
use crate::word::Word;

/// The value of one more stone at the end.
pub const STONE: i16 = 16;

/// A bound above any estimate and below the value of any won game.
const CERTAIN: i16 = 10_000;

/// The number of features of a position.
pub const FEATURES: usize = 9;

/// The differences between the own and the opponent's counts, in this order: stones,
/// points where a stone would catch, stones next to an empty point, corners, stones on
/// the border except corners, stones next to an empty corner on the border, and on the
/// diagonal, stones on the border joined to an own corner; and 1 for the right to move.
pub type Features = [i16; FEATURES];

/// The weights of the features, as fractions of a [`STONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The weights on an empty board.
    pub early: Features,
    /// The weights on a full board.
    pub late: Features,
}

/// The weights of modes 0-5.
const WEIGHTS: [Weights; 6] = [
    Weights {
        early: [-14, 6, -1, 246, 17, -99, -162, 36, -33],
        late: [12, 12, -18, 5, -11, -8, -45, 18, -1],
    },
    Weights {
        early: [-9, 6, 15, -9, -1, 34, -10, 0, -3],
        late: [11, -8, -24, 24, 0, -34, -29, 0, 6],
    },
    Weights {
        early: [-14, -9, 13, 417, -8, -59, -24, 55, -2],
        late: [16, 16, -14, -43, -11, 7, -25, 18, 18],
    },
    Weights {
        early: [-11, 3, 17, 3, -1, 11, -5, 0, -7],
        late: [11, -6, -21, 12, 5, -20, 6, 0, 26],
    },
    Weights {
        early: [13, -1, -9, 70, -6, 5, 7, 33, 13],
        late: [12, 7, -9, -1, 27, -25, -24, -9, 12],
    },
    Weights {
        early: [-11, 1, 18, 4, -7, 4, 5, 0, -10],
        late: [13, -5, -24, 9, 7, -12, 0, 0, 30],
    },
];

/// The points of a board that need special treatment.
#[derive(Clone, Copy, Debug)]
pub struct Terrain<W> {
    /// The points with three neighbours.
    pub corners: Points<W>,
    /// The points at the edge of the board, including corners.
    pub border: Points<W>,
    /// The points that are not next to a corner.
    pub open: Points<W>,
}

impl<W: Word> Terrain<W> {
    /// Computes the terrain of a board.
    #[must_use]
    pub fn new(grid: &Grid<W>) -> Self {
        let all = grid.all();
        let ends = |one, other| !(grid.shift(all, one) & grid.shift(all, other));
        let sides = all & ends(Direction::East, Direction::West);
        let rims = all & ends(Direction::North, Direction::South);
        let corners = sides & rims;
        Terrain {
            corners,
            open: all.without(grid.neighbours(corners)),
            border: sides | rims,
        }
    }
}

/// The features of a position; `None` if the game is over.
#[must_use]
pub fn features<W: Word>(
    kernel: &Kernel<W>,
    terrain: &Terrain<W>,
    view: Bitboards<W>,
) -> Option<Features> {
    let empty = kernel.empty(view);
    if empty.is_empty() {
        return None;
    }
    let catches = [kernel.catches(view), kernel.catches(view.turned())];
    let is_over = match kernel.rule().legal {
        LegalRule::Catch => (catches[0] | catches[1]).is_empty(),
        // An empty board would be over in modes 2 and 3, but no search reaches it.
        LegalRule::Neighbour | LegalRule::Any => false,
    };
    if is_over {
        return None;
    }
    let Terrain {
        corners, border, ..
    } = *terrain;
    let difference = |points: Points<W>| count(view.own & points) - count(view.other & points);
    let by_empty = kernel.grid().neighbours(empty);
    let by_corner = kernel.grid().neighbours(empty & corners);
    let anchored = match kernel.rule().edge {
        EdgeRule::Open => {
            let of = |stones: Points<W>| match stones.meets(corners) {
                true => count(kernel.anchored(stones, corners)),
                false => 0,
            };
            of(view.own) - of(view.other)
        }
        EdgeRule::Catches => 0,
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

/// The expected lead of the side to move; negative if it is expected to lose. Beyond
/// 10,000 if the game is over and was won or lost.
#[must_use]
pub fn evaluate<W: Word>(
    kernel: &Kernel<W>,
    terrain: &Terrain<W>,
    weights: &Weights,
    view: Bitboards<W>,
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

/// The value of a finished game for the side to move.
#[must_use]
pub fn result<W: Word>(view: Bitboards<W>) -> i16 {
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
