//! The games of a board.

use core::fmt::{self, Write as _};
use core::str::FromStr;

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

/// The numbers of the games that a board has.
///
/// Not every image has every game, so the board reports its roster: the Game button
/// cycles through these games, and no other can be chosen. The number of a game is one
/// character on the display and in a session: `0`-`9` for the games of the manual, then
/// capital letters from `A`.
///
/// ```
/// use protocol::Roster;
///
/// let three: Roster = "059".parse()?;
/// assert_eq!(three.iter().collect::<Vec<u8>>(), [0, 5, 9]);
/// assert_eq!((three.after(5), three.after(9)), (9, 0));
/// assert_eq!(three.to_string(), "059");
/// # Ok::<(), protocol::RosterError>(())
/// ```
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    Schema,
    MaxSize,
)]
pub struct Roster(u32);

impl Roster {
    /// The number of possible games: `0` to `V`.
    pub const MOST: usize = u32::BITS as usize;

    /// The roster without any game.
    pub const NONE: Roster = Roster(0);

    /// The games with these numbers. A number past [`Roster::MOST`] is left out.
    #[must_use]
    pub const fn of(numbers: &[u8]) -> Roster {
        let mut bits = 0;
        let mut place = 0;
        while place < numbers.len() {
            if (numbers[place] as usize) < Roster::MOST {
                bits |= 1 << numbers[place];
            }
            place += 1;
        }
        Roster(bits)
    }

    /// True if the roster has this game.
    #[must_use]
    pub const fn has(self, number: u8) -> bool {
        (number as usize) < Roster::MOST && self.0 >> number & 1 == 1
    }

    /// True if the roster has no game.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of games in the roster.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// True if all of these games are also in `other`.
    #[must_use]
    pub const fn is_within(self, other: Roster) -> bool {
        self.0 & !other.0 == 0
    }

    /// The games that are in both rosters.
    #[must_use]
    pub const fn and(self, other: Roster) -> Roster {
        Roster(self.0 & other.0)
    }

    /// The games that are in at least one of the rosters.
    #[must_use]
    pub const fn or(self, other: Roster) -> Roster {
        Roster(self.0 | other.0)
    }

    /// The games that are not in `other`.
    #[must_use]
    pub const fn without(self, other: Roster) -> Roster {
        Roster(self.0 & !other.0)
    }

    /// The numbers, in ascending order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = u8> + Clone {
        (0..Roster::MOST as u8).filter(move |number| self.has(*number))
    }

    /// The lowest number; 0 if the roster has no game.
    #[must_use]
    pub const fn first(self) -> u8 {
        match self.is_empty() {
            true => 0,
            false => self.0.trailing_zeros() as u8,
        }
    }

    /// The next number in the roster; the last one is followed by the first.
    #[must_use]
    pub fn after(self, number: u8) -> u8 {
        let later = u32::MAX.checked_shl(u32::from(number) + 1).unwrap_or(0);
        match self.0 & later {
            0 => self.first(),
            bits => bits.trailing_zeros() as u8,
        }
    }

    /// The character of a number; `?` for one that no game can have.
    #[must_use]
    pub const fn letter(number: u8) -> char {
        match number {
            0..=9 => (b'0' + number) as char,
            10..=31 => (b'A' + number - 10) as char,
            _ => '?',
        }
    }

    /// The number with this character, in either case.
    #[must_use]
    pub fn number(letter: char) -> Option<u8> {
        let number = letter.to_digit(Roster::MOST as u32)?;
        Some(number as u8)
    }
}

impl fmt::Display for Roster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter()
            .try_for_each(|number| f.write_char(Roster::letter(number)))
    }
}

/// Why a text is not a roster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RosterError {
    /// The text names no game.
    Empty,
    /// No game has this character.
    NoGame(char),
    /// The text names this game twice.
    Twice(char),
}

impl fmt::Display for RosterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RosterError::Empty => {
                f.write_str("no game is named: write their numbers in one word, as in `059`")
            }
            RosterError::NoGame(letter) => write!(
                f,
                "`{letter}` is not a game: write the numbers 0 to 9 and the letters A to V in one word, as in `059`"
            ),
            RosterError::Twice(letter) => {
                write!(f, "game {letter} is named twice: name each game once")
            }
        }
    }
}

impl core::error::Error for RosterError {}

impl FromStr for Roster {
    type Err = RosterError;

    fn from_str(text: &str) -> Result<Roster, RosterError> {
        let mut roster = Roster::NONE;
        for letter in text.chars() {
            let number = Roster::number(letter).ok_or(RosterError::NoGame(letter))?;
            if roster.has(number) {
                return Err(RosterError::Twice(Roster::letter(number)));
            }
            roster.0 |= 1 << number;
        }
        match roster.is_empty() {
            true => Err(RosterError::Empty),
            false => Ok(roster),
        }
    }
}
