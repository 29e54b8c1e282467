//! A move, represented by the points that are touched for it.

use postcard::experimental::max_size::MaxSize;
use protocol::{List, Point};
use serde::{Deserialize, Serialize};

use crate::cartridge::LayoutGame;
use crate::cartridge::candidates::Number;

/// The maximum number of moves with the same touches that are offered.
pub const OFFERS: usize = 24;

/// The points of a move that have been touched.
pub type Picked = List<Point, 2>;

/// Moves with the same touches, given by their numbers.
pub type Whole = List<Number, OFFERS>;

/// The effect of a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub enum Aside {
    /// A pass has no effect.
    #[default]
    Nothing,
    /// A pass makes the move with this number, which has no point.
    Does(Number),
    /// As `Does`, for a move that swaps the colours.
    Swaps(Number),
}

/// The touches of a move between these sites.
pub(super) fn touches([from, to]: [i16; 2], game: &LayoutGame<'_>) -> Picked {
    let (from, to) = (game.point(from), game.point(to));
    from.into_iter()
        .chain(to.filter(|to| from != Some(*to)))
        .collect()
}
