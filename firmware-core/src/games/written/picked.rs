//! A move as the points that are touched for it.

use postcard::experimental::max_size::MaxSize;
use protocol::{List, Point};
use serde::{Deserialize, Serialize};

use crate::cartridge::LayoutGame;
use crate::cartridge::candidates::Number;

/// The most moves with the same touches that are offered.
pub const OFFERS: usize = 24;

/// The points that were touched of a move.
pub type Picked = List<Point, 2>;

/// Moves that have the same touches, by number.
pub type Whole = List<Number, OFFERS>;

/// The effect of the Pass button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub enum Aside {
    /// The button has no effect.
    #[default]
    Nothing,
    /// The move of this number, which is one without a point.
    Does(Number),
    /// The same, and it exchanges the colours.
    Swaps(Number),
}

/// The touches of a move between these sites.
pub(super) fn touches([from, to]: [i16; 2], game: &LayoutGame<'_>) -> Picked {
    let (from, to) = (game.point(from), game.point(to));
    from.into_iter()
        .chain(to.filter(|to| from != Some(*to)))
        .collect()
}
