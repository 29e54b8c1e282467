//! The points for a stone, and for the end of a game.
//!
//! Dekker only describes his scoring in words ("in a very naive way"); the official
//! scoring is that of the game of 1990.

use super::field::is_at_edge;

/// The number of neighbours of a four-way.
pub const FOUR: usize = 4;

/// The points for a stone with 1, 2, 3 and 4 neighbours in Dekker's scoring: a point for
/// each stone, more for more neighbours, "a lot" for four (Dekker, section 3, The score).
/// `RULES.md` defines the number for "a lot".
pub const SEED: [u32; FOUR] = [1, 2, 4, 33];

/// The points for a stone in the official scoring, before the first four-way.
pub const OFFICIAL: [u32; FOUR] = [1, 2, 4, 8];

/// The bonus for the first four-way, the second, and so on; later ones get the bonus of
/// the twelfth.
pub const FOUR_WAYS: [u32; 12] = [
    25, 50, 100, 200, 400, 600, 800, 1_000, 5_000, 10_000, 25_000, 50_000,
];

/// The bonus for 0, 1 and 2 stones left at the end.
pub const LEFT: [u32; 3] = [1_000, 500, 100];

/// A rule for counting points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// The rule of Dekker's version.
    Seed,
    /// The rule of the official version.
    Official,
}

impl Scoring {
    /// The points for a stone placed next to `neighbours` stones, for a player with
    /// `four_ways` four-ways so far.
    #[must_use]
    pub fn of_stone(self, place: u8, neighbours: usize, four_ways: u8) -> u32 {
        if is_at_edge(place) {
            return 0;
        }
        let worth = |table: [u32; FOUR]| {
            let worth = neighbours.checked_sub(1).and_then(|n| table.get(n));
            worth.copied().unwrap_or(0)
        };
        match self {
            Scoring::Seed => worth(SEED),
            Scoring::Official => {
                let doubled = 1_u32.checked_shl(four_ways.into()).unwrap_or(u32::MAX);
                let bonus = FOUR_WAYS
                    .get(usize::from(four_ways))
                    .unwrap_or(&FOUR_WAYS[11]);
                let bonus = if neighbours == FOUR { *bonus } else { 0 };
                worth(OFFICIAL)
                    .saturating_mul(doubled)
                    .saturating_add(bonus)
            }
        }
    }

    /// The bonus for the stones left at the end.
    #[must_use]
    pub fn of_end(self, left: u8) -> u32 {
        match self {
            Scoring::Seed => 0,
            Scoring::Official => LEFT.get(usize::from(left)).copied().unwrap_or(0),
        }
    }
}
