//! The pieces on a point, and those of a board, one byte for each point.
//!
//! Invariants: only existing piles are saved, in the order of their places, and each byte
//! has one meaning: other bytes, and other orders, are refused.

use postcard::experimental::max_size::MaxSize;
use protocol::{List, Side};
use serde::{Deserialize, Serialize};

use super::variant::{MOST_PLACES, MalakaPoint};

/// The maximum number of places with pieces: no side has more than 24 pieces.
pub const MOST_PILES: usize = 48;

/// The pieces on one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pile {
    /// The side that owns the pieces.
    pub side: Side,
    /// The number of pieces, at least 1.
    pub count: u8,
    /// True if a piece of the other side is pinned beneath them.
    pub pins: bool,
}

impl Pile {
    const COUNT: u8 = 0x1F;
    pub(super) const RED: u8 = 0x20;
    pub(super) const PINS: u8 = 0x40;

    /// True if the other side cannot move here: there are two or more pieces, or one that
    /// pins.
    #[inline]
    #[must_use]
    pub const fn is_block(self) -> bool {
        self.count > 1 || self.pins
    }

    /// The number of this side's pieces here, pinned or not.
    #[inline]
    #[must_use]
    pub fn count_of(self, side: Side) -> u8 {
        if self.side == side {
            self.count
        } else {
            u8::from(self.pins)
        }
    }

    pub(super) const fn byte(self) -> u8 {
        let red = if matches!(self.side, Side::Red) {
            Pile::RED
        } else {
            0
        };
        let pins = if self.pins { Pile::PINS } else { 0 };
        self.count & Pile::COUNT | red | pins
    }

    /// The pile of a byte from outside; `None` if the byte is not valid.
    pub(super) fn read(byte: u8) -> Option<Pile> {
        Pile::of_byte(byte).filter(|pile| pile.byte() == byte)
    }

    /// The pile of a byte; `None` for an empty place.
    #[inline]
    const fn of_byte(byte: u8) -> Option<Pile> {
        let count = byte & Pile::COUNT;
        if count == 0 {
            return None;
        }
        Some(Pile {
            side: if byte & Pile::RED == 0 {
                Side::Green
            } else {
                Side::Red
            },
            count,
            pins: byte & Pile::PINS != 0,
        })
    }
}

/// The piles of a board, one byte each; only existing piles are saved, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    try_from = "List<(MalakaPoint, u8), MOST_PILES>",
    into = "List<(MalakaPoint, u8), MOST_PILES>"
)]
pub(super) struct Piles(pub(super) [u8; MOST_PLACES]);

impl Piles {
    pub(super) const NONE: Piles = Piles([0; MOST_PLACES]);

    #[inline]
    pub(super) fn get(&self, place: MalakaPoint) -> Option<Pile> {
        self.0
            .get(place.index())
            .and_then(|byte| Pile::of_byte(*byte))
    }

    #[inline]
    pub(super) fn set(&mut self, place: MalakaPoint, pile: Option<Pile>) {
        if let Some(byte) = self.0.get_mut(place.index()) {
            *byte = pile.map_or(0, Pile::byte);
        }
    }

    /// The existing piles, from a1 on.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = (MalakaPoint, Pile)> + '_ {
        let mut bytes = self.0.iter().enumerate();
        core::iter::from_fn(move || {
            loop {
                let (index, byte) = bytes.next()?;
                if let Some(pile) = Pile::of_byte(*byte) {
                    return Some((MalakaPoint::at(index)?, pile));
                }
            }
        })
    }
}

impl MaxSize for Piles {
    const POSTCARD_MAX_SIZE: usize = List::<(MalakaPoint, u8), MOST_PILES>::POSTCARD_MAX_SIZE;
}

impl From<Piles> for List<(MalakaPoint, u8), MOST_PILES> {
    fn from(piles: Piles) -> Self {
        piles
            .iter()
            .map(|(place, pile)| (place, pile.byte()))
            .collect()
    }
}

impl TryFrom<List<(MalakaPoint, u8), MOST_PILES>> for Piles {
    type Error = &'static str;

    fn try_from(list: List<(MalakaPoint, u8), MOST_PILES>) -> Result<Piles, &'static str> {
        let is_in_order = list.is_sorted_by(|(one, _), (next, _)| one < next);
        let mut piles = Piles::NONE;
        for (place, byte) in list.iter() {
            let pile = Pile::read(*byte);
            piles.set(*place, Some(pile.ok_or("no such pile")?));
        }
        is_in_order.then_some(piles).ok_or("piles have an order")
    }
}
