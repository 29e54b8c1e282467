//! A position as bytes ([`protocol::Position::Own`]), which a shell or a server sets up.
//! The places are the same on every board.
//!
//! | byte | |
//! | --- | --- |
//! | 0 | bit 0: it is X's turn; bit 1: it is O's first turn |
//! | 1 | the number of pips that follow, 0-4; with 0 the board rolls |
//! | that many | the pips left to play, the smallest first |
//! | two each | a place (row in the upper four bits, column in the lower ones, both from 0), and its pile (bits 0-4: pieces; bit 5: X's; bit 6: a piece of the other side is pinned), in the order of the places |
//!
//! Invariants: a position has only one encoding.

use protocol::{List, POSITION_BYTES, Side};

use super::dice::Dice;
use super::pile::{MOST_PILES, Pile};
use super::position::{Position, PositionError};
use super::variant::{MalakaPoint, Variant};

/// The bits of the first byte.
const RED: u8 = 1;
const FIRST: u8 = 2;

/// The contents of the bytes, before they are checked against a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Own {
    /// The side whose turn it is.
    pub turn: Side,
    /// True in O's first turn, with one die.
    pub is_first: bool,
    /// The dice to be played; none if they are still to be rolled.
    pub dice: Dice,
    /// The piles, in the order of their places.
    pub piles: List<(MalakaPoint, Pile), MOST_PILES>,
}

impl Own {
    /// Reads these bytes; `None` if they are not a position.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Own> {
        let [bits, count, rest @ ..] = bytes else {
            return None;
        };
        let (pips, rest) = rest.split_at_checked(usize::from(*count))?;
        let dice = Dice::of(pips)?;
        let is_in_order = dice.iter().eq(pips.iter().copied());
        let mut piles = List::<(MalakaPoint, Pile), MOST_PILES>::new();
        for pair in rest.chunks(2) {
            let [place, pile] = pair else {
                return None;
            };
            let place = MalakaPoint::try_from(*place).ok()?;
            let pile = Pile::read(*pile)?;
            if piles.last().is_some_and(|(before, _)| *before >= place) {
                return None;
            }
            piles.push((place, pile)).ok()?;
        }
        (is_in_order && *bits <= RED | FIRST).then(|| Own {
            turn: Side::BOTH[usize::from(bits & RED)],
            is_first: bits & FIRST != 0,
            dice,
            piles,
        })
    }

    /// The bytes of this position.
    #[must_use]
    pub fn bytes(&self) -> List<u8, POSITION_BYTES> {
        let first = if self.is_first { FIRST } else { 0 };
        let turn = if self.turn == Side::Red { RED } else { 0 };
        let head = [first | turn, self.dice.len()];
        let piles = self.piles.iter();
        let piles = piles.flat_map(|(place, pile)| [u8::from(*place), pile.byte()]);
        head.into_iter()
            .chain(self.dice.iter())
            .chain(piles)
            .collect()
    }

    /// The contents that describe a position.
    #[must_use]
    pub fn of(position: &Position) -> Own {
        Own {
            turn: position.turn(),
            is_first: position.is_first_turn(),
            dice: position.dice(),
            piles: position.piles().collect(),
        }
    }

    /// The position, which may be one in which a side has won.
    ///
    /// # Errors
    /// The reason why the position is impossible in this variant.
    pub fn position(&self, variant: Variant) -> Result<Position, PositionError> {
        let piles = self.piles.iter().copied();
        let position = Position::set_up(variant, piles, self.turn, self.dice)?;
        match self.is_first {
            true => position.as_first_turn(),
            false => Ok(position),
        }
    }
}
