//! The outlook of a position for the stones that are left: how many squares each of them
//! fits, which squares none of them fits, and how a placement changes that.
//!
//! Levels 3 and 4 use it to rate squares. It knows which stones are left, but not their
//! order.
//!
//! Invariants: the stored data depends only on the field and the rule.

use super::field::{Field, Four, PLACES, beside, takes};
use super::pouch::RemainingStones;
use super::stone::{KINDS, Kinds, OF_EACH_KIND, Stone};

/// The number of counts of open squares that are distinguished; larger ones are treated
/// as the last.
const OPEN: usize = 12;

/// The weights of the terms of the evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// The weights for a kind with one stone left and for a kind with two, by the number
    /// of squares that it fits: 0, 1, 2 ...
    pub open: [[i16; OPEN]; OF_EACH_KIND as usize],
    /// The weight of a neighbour of the square, since stones close together leave room.
    pub neighbour: i16,
    /// The weight of a square that no stone left would fit any more.
    pub lost: i16,
}

/// The weights by the need for squares: the fewer squares a stone fits, the more each of
/// them is worth.
pub const WIDE: Weights = Weights {
    open: [
        [-400, -120, -50, -22, -8, 0, 4, 7, 9, 10, 11, 11],
        [-800, -420, -170, -80, -40, -18, -6, 2, 8, 12, 15, 17],
    ],
    neighbour: 10,
    lost: 0,
};

/// Weights tuned to waste no square: 24 squares are left over in a won game. Found by
/// playing 20,000 games.
pub const CLOSE: Weights = Weights {
    open: [
        [-1000, -300, -110, -45, -20, -9, -4, -2, -1, 0, 0, 0],
        [-2000, -1000, -420, -180, -80, -38, -18, -9, -4, -2, -1, 0],
    ],
    neighbour: 80,
    lost: 60,
};

/// A field with the kinds that each square accepts, and the number of squares that each
/// kind fits.
#[derive(Clone, Debug)]
pub struct Outlook {
    field: Field,
    four: Four,
    takes: [Kinds; PLACES as usize],
    open: [u8; KINDS as usize],
}

impl Outlook {
    /// Computes the outlook of a field.
    #[must_use]
    pub fn of(field: &Field, four: Four) -> Outlook {
        let mut outlook = Outlook {
            field: field.clone(),
            four,
            takes: [Kinds::NONE; PLACES as usize],
            open: [0; KINDS as usize],
        };
        for place in field.frontier() {
            outlook.look_again(place);
        }
        outlook
    }

    /// The field that is evaluated.
    #[must_use]
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The kinds that may be placed here.
    #[inline]
    #[must_use]
    pub fn takes(&self, place: u8) -> Kinds {
        let takes = self.takes.get(usize::from(place));
        takes.copied().unwrap_or(Kinds::NONE)
    }

    /// True if this stone may be placed here.
    #[inline]
    #[must_use]
    pub fn fits(&self, place: u8, stone: Stone) -> bool {
        self.takes(place).has(stone)
    }

    /// The places where this stone may be placed.
    pub fn places_for(&self, stone: Stone) -> impl Iterator<Item = u8> + '_ {
        (0..PLACES).filter(move |place| self.fits(*place, stone))
    }

    /// Places a stone, which must fit.
    pub fn put(&mut self, place: u8, stone: Stone) {
        self.field.put(place, Some(stone));
        self.look_again(place);
        for place in beside(place).into_iter().flatten() {
            self.look_again(place);
        }
    }

    fn look_again(&mut self, place: u8) {
        if let Some(known) = self.takes.get_mut(usize::from(place)) {
            let before = core::mem::replace(known, self.field.takes(place, self.four));
            let known = *known;
            count(&mut self.open, known.without(before), 1);
            count(&mut self.open, before.without(known), -1);
        }
    }

    /// The value of placing this stone here, where it must fit, if these stones are left
    /// afterwards.
    #[must_use]
    pub fn worth(&self, place: u8, stone: Stone, left: RemainingStones, weights: &Weights) -> i32 {
        let mut open = self.open;
        let is_lost = |kinds: Kinds| kinds.and(left.kinds()) == Kinds::NONE;
        count(&mut open, self.takes(place), -1);
        let (mut lost, mut neighbours) = (0, 0);
        for other in beside(place).into_iter().flatten() {
            if self.field.at(other).is_some() {
                neighbours += 1;
                continue;
            }
            let before = self.takes(other);
            let after = self.takes_with(other, place, stone);
            count(&mut open, after.without(before), 1);
            count(&mut open, before.without(after), -1);
            // A square without a neighbour did not count as lost before.
            let was_lost = is_lost(before) && self.field.neighbours(other) > 0;
            lost += i32::from(is_lost(after)) - i32::from(was_lost);
        }
        let mut worth = i32::from(weights.neighbour) * neighbours - i32::from(weights.lost) * lost;
        let of = |table: &[i16; OPEN], stone: Stone| {
            let open = open.get(usize::from(stone.kind())).copied().unwrap_or(0);
            i32::from(table[usize::from(open).min(OPEN - 1)])
        };
        for stone in left.kinds() {
            let table = &weights.open[usize::from(left.of(stone) > 1)];
            worth += of(table, stone);
        }
        worth
    }

    /// The kinds that a place would accept if this stone were on a neighbouring
    /// place.
    fn takes_with(&self, place: u8, other: u8, stone: Stone) -> Kinds {
        let around = beside(place).map(|beside| match beside? {
            beside if beside == other => Some(stone),
            beside => self.field.at(beside),
        });
        takes(around, self.four)
    }
}

/// Adds `by` to the number of squares for each of these kinds.
fn count(open: &mut [u8; KINDS as usize], kinds: Kinds, by: i8) {
    for stone in kinds {
        if let Some(open) = open.get_mut(usize::from(stone.kind())) {
            *open = open.saturating_add_signed(by);
        }
    }
}
