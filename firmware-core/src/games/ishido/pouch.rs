//! The pouch: the stones left in it, and the random numbers by which they are drawn.
//!
//! Invariants: there are at most two stones of a kind; which stones are drawn, and in
//! which order, depends only on the pouch, whatever is done with them.

use postcard::experimental::max_size::MaxSize;
use serde::{Deserialize, Serialize};

use super::stone::{Kinds, Stone};
use crate::rng::Rng;

/// The stones that are still to be drawn, in random order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub struct Pouch {
    left: RemainingStones,
    /// Determines the stone that is drawn next.
    chance: Rng,
}

/// The stones left in the pouch, which anybody who has seen the others knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub struct RemainingStones {
    /// The kinds of which at least one stone remains, as bits.
    some: u64,
    /// The kinds of which two stones remain, as bits.
    two: u64,
}

impl RemainingStones {
    /// A full pouch: two stones of each kind.
    pub const ALL: RemainingStones = RemainingStones {
        some: Kinds::ALL.0,
        two: Kinds::ALL.0,
    };

    /// A pouch without any stones.
    pub const NONE: RemainingStones = RemainingStones { some: 0, two: 0 };

    /// The number of stones.
    #[must_use]
    pub const fn len(self) -> u8 {
        (self.some.count_ones() + self.two.count_ones()) as u8
    }

    /// True if no stone is left.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.some == 0
    }

    /// The kinds of which a stone remains.
    #[must_use]
    pub const fn kinds(self) -> Kinds {
        Kinds(self.some)
    }

    /// The number of stones of this kind.
    #[must_use]
    pub const fn of(self, stone: Stone) -> u8 {
        Kinds(self.some).has(stone) as u8 + Kinds(self.two).has(stone) as u8
    }

    /// Takes out a stone; `None`, without a change, if there is none of its kind.
    pub fn take(&mut self, stone: Stone) -> Option<()> {
        let bit = 1 << stone.kind();
        if self.two & bit != 0 {
            self.two &= !bit;
        } else if self.some & bit != 0 {
            self.some &= !bit;
        } else {
            return None;
        }
        Some(())
    }

    /// Adds a stone; `None`, without a change, if there are two of its kind.
    pub fn add(&mut self, stone: Stone) -> Option<()> {
        let bit = 1 << stone.kind();
        if self.some & bit == 0 {
            self.some |= bit;
        } else if self.two & bit == 0 {
            self.two |= bit;
        } else {
            return None;
        }
        Some(())
    }

    /// The stone with `n` others before it.
    #[must_use]
    pub fn nth(self, n: u8) -> Option<Stone> {
        let mut before = n;
        self.kinds()
            .find(|stone| match before.checked_sub(self.of(*stone)) {
                Some(less) => {
                    before = less;
                    false
                }
                None => true,
            })
    }

    /// False if it contains kinds that do not exist.
    #[must_use]
    pub const fn is_sound(self) -> bool {
        self.some & !Kinds::ALL.0 == 0 && self.two & !self.some == 0
    }
}

impl Pouch {
    /// A pouch with these stones, in an order that `chance` determines.
    #[must_use]
    pub fn new(left: RemainingStones, chance: Rng) -> Pouch {
        Pouch { left, chance }
    }

    /// The stones left in the pouch.
    #[must_use]
    pub fn left(&self) -> RemainingStones {
        self.left
    }

    /// Draws a stone; `None` if the pouch is empty.
    pub fn draw(&mut self) -> Option<Stone> {
        let number = self.chance.below(self.left.len().into());
        let stone = self.left.nth(number as u8)?;
        self.left.take(stone)?;
        Some(stone)
    }
}
