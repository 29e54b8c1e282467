//! The pips that are still to be played in a turn.
//!
//! Invariants: there are one, two or, for a double, up to four dice; those of a double
//! are equal, and two different dice are in ascending order.

use core::fmt;

use postcard::experimental::max_size::MaxSize;
use protocol::List;
use serde::{Deserialize, Serialize};

/// How often the number of a double is played.
pub const DOUBLE: u8 = 4;

/// The pips still to be played, the smallest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "List<u8, 4>", into = "List<u8, 4>")]
pub struct Dice {
    /// The smaller and the larger number of pips; equal for a double; 0 if there are no
    /// dice.
    pips: [u8; 2],
    /// The number of dice still to be played.
    count: u8,
}

impl Dice {
    /// No dice left to play.
    pub const NONE: Dice = Dice {
        pips: [0; 2],
        count: 0,
    };

    /// A roll of one die.
    #[must_use]
    pub const fn one(pips: u8) -> Dice {
        Dice {
            pips: [pips; 2],
            count: 1,
        }
    }

    /// A roll of two dice; a double is played four times.
    #[must_use]
    pub const fn two(one: u8, other: u8) -> Dice {
        if one == other {
            Dice {
                pips: [one; 2],
                count: DOUBLE,
            }
        } else if one < other {
            Dice {
                pips: [one, other],
                count: 2,
            }
        } else {
            Dice {
                pips: [other, one],
                count: 2,
            }
        }
    }

    /// Dice with these pips; `None` if they cannot be rolled or left over from a roll.
    #[must_use]
    pub fn of(pips: &[u8]) -> Option<Dice> {
        let dice = match *pips {
            [] => Dice::NONE,
            [one, other] if one != other => Dice::two(one, other),
            [first, ref rest @ ..] => Dice {
                pips: [first; 2],
                count: u8::try_from(rest.len() + 1).ok()?,
            },
        };
        let is_alike = dice.pips[0] != dice.pips[1] || pips.iter().all(|pip| *pip == dice.pips[0]);
        (is_alike && dice.count <= DOUBLE && !pips.contains(&0)).then_some(dice)
    }

    /// The number of dice still to be played.
    #[must_use]
    pub const fn len(self) -> u8 {
        self.count
    }

    /// True if there are no dice to play.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.count == 0
    }

    /// The pips still to be played, the smallest first.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        let [small, large] = self.pips;
        let rest = core::iter::repeat_n(large, usize::from(self.count.saturating_sub(1)));
        (!self.is_empty()).then_some(small).into_iter().chain(rest)
    }

    /// The different numbers of pips, the smallest first.
    pub fn different(self) -> impl Iterator<Item = u8> {
        let [small, large] = self.pips;
        let small = (!self.is_empty()).then_some(small);
        small
            .into_iter()
            .chain((small != Some(large) && !self.is_empty()).then_some(large))
    }

    /// The dice without one that shows these pips; `None` if there is none.
    #[must_use]
    pub fn without(self, pips: u8) -> Option<Dice> {
        let [small, large] = self.pips;
        let is_there = !self.is_empty() && (pips == small || pips == large);
        is_there.then(|| match self.count {
            1 => Dice::NONE,
            count if small == large => Dice {
                pips: self.pips,
                count: count.saturating_sub(1),
            },
            _ => Dice::one(if pips == small { large } else { small }),
        })
    }

    /// The sum of the dice.
    #[must_use]
    pub fn sum(self) -> u8 {
        self.iter().sum()
    }

    /// True if dice with this many sides can show these pips.
    #[must_use]
    pub fn fits(self, sides: u8) -> bool {
        self.iter().all(|pips| (1..=sides).contains(&pips))
    }
}

impl MaxSize for Dice {
    const POSTCARD_MAX_SIZE: usize = List::<u8, 4>::POSTCARD_MAX_SIZE;
}

impl TryFrom<List<u8, 4>> for Dice {
    type Error = &'static str;

    fn try_from(pips: List<u8, 4>) -> Result<Dice, &'static str> {
        let dice = Dice::of(&pips).ok_or("no dice have these pips")?;
        let is_in_order = dice.iter().eq(pips.iter().copied());
        is_in_order.then_some(dice).ok_or("pips have an order")
    }
}

impl From<Dice> for List<u8, 4> {
    fn from(dice: Dice) -> List<u8, 4> {
        dice.iter().collect()
    }
}

/// Writes the dice: `2 3`, or `2 2 2 2` for a double.
impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, pips) in self.iter().enumerate() {
            let blank = if n == 0 { "" } else { " " };
            write!(f, "{blank}{pips}")?;
        }
        Ok(())
    }
}
