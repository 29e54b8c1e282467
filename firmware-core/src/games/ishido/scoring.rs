//! What a stone is worth, and the end of a game.
//!
//! The seed's way is told in words alone ("in a very naive way"); the official
//! one is that of the game of 1990.

use super::field::is_at_edge;

/// Neighbours of a four-way.
pub const FOUR: usize = 4;

/// What a stone with 1, 2, 3 and 4 neighbours is worth by the seed's way
/// (seed, 3. The score: a point for each stone, more for more neighbours, "a
/// lot" for four). What a lot is, `RULES.md` says.
pub const SEED: [u32; FOUR] = [1, 2, 4, 33];

/// The same by the official way, as long as there is no four-way.
pub const OFFICIAL: [u32; FOUR] = [1, 2, 4, 8];

/// What the first four-way brings besides, the second, and so on; each after
/// the twelfth as much as that.
pub const FOUR_WAYS: [u32; 12] = [
    25, 50, 100, 200, 400, 600, 800, 1_000, 5_000, 10_000, 25_000, 50_000,
];

/// What 0, 1 and 2 stones that are left at the end bring.
pub const LEFT: [u32; 3] = [1_000, 500, 100];

/// How points are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// The seed's way.
    Seed,
    /// The official way.
    Official,
}

impl Scoring {
    /// What a stone is worth that was put on this place, between so many
    /// neighbours, by who has made so many four-ways before.
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

    /// What so many stones that are left bring at the end.
    #[must_use]
    pub fn of_end(self, left: u8) -> u32 {
        match self {
            Scoring::Seed => 0,
            Scoring::Official => LEFT.get(usize::from(left)).copied().unwrap_or(0),
        }
    }
}
