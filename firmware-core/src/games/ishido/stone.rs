//! A stone: one of six colours with one of six symbols.
//!
//! A board of lamps has no symbols, so a symbol is shown as a rhythm. The colours are the
//! six that are furthest apart for all kinds of colour vision, in both palettes; none of
//! them belongs to a side, and none is amber, which marks points. The rhythms are the six
//! that are easiest to distinguish.
//!
//! Invariants: a stone has a colour and a symbol below [`COLOURS`] and [`SYMBOLS`];
//! its kind is below [`KINDS`].

use postcard::experimental::max_size::MaxSize;
use protocol::{Colour, Rhythm};
use serde::{Deserialize, Serialize};

/// The number of colours (Dekker, 1. Introduction).
pub const COLOURS: u8 = 6;
/// The number of symbols (Dekker, 1. Introduction).
pub const SYMBOLS: u8 = 6;
/// "In total 36 different pieces" (Dekker, 1. Introduction).
pub const KINDS: u8 = COLOURS * SYMBOLS;
/// "Two of every kind are in the pouch" (Dekker, 1. Introduction).
pub const OF_EACH_KIND: u8 = 2;
/// The number of stones in a game.
pub const STONES: u8 = KINDS * OF_EACH_KIND;

/// The colour in which each colour of a stone is shown: cyan, pink, yellow, indigo,
/// orange, white.
const SHOWN: [Colour; COLOURS as usize] = [
    Colour::new(5),
    Colour::new(7),
    Colour::new(8),
    Colour::new(11),
    Colour::ORANGE,
    Colour::WHITE,
];

/// The rhythm in which each symbol of a stone is shown.
const RHYTHMS: [Rhythm; SYMBOLS as usize] = [
    Rhythm::Steady,
    Rhythm::Slow,
    Rhythm::Fast,
    Rhythm::Double,
    Rhythm::Pulse,
    Rhythm::Wink,
];

/// The letters of the colours: their initials.
pub const COLOUR_LETTERS: [char; COLOURS as usize] = ['C', 'P', 'Y', 'I', 'O', 'W'];

/// The characters of the symbols, each a little like its rhythm: steady, slow, fast,
/// double, pulse, wink.
pub const SYMBOL_LETTERS: [char; SYMBOLS as usize] = ['o', '-', '+', '=', '*', 'x'];

/// A stone, given by its kind: its index among all kinds, colour by colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Stone(u8);

/// A number from outside must be a valid kind.
impl TryFrom<u8> for Stone {
    type Error = &'static str;

    fn try_from(kind: u8) -> Result<Stone, &'static str> {
        Stone::of_kind(kind).ok_or("there are 36 kinds of stones")
    }
}

impl From<Stone> for u8 {
    fn from(stone: Stone) -> u8 {
        stone.0
    }
}

impl Stone {
    /// The stone of the first kind.
    pub const FIRST: Stone = Stone(0);

    /// The stone with this colour and symbol; `None` if one of them is out of range.
    #[must_use]
    pub const fn new(colour: u8, symbol: u8) -> Option<Stone> {
        match colour < COLOURS && symbol < SYMBOLS {
            true => Some(Stone(colour * SYMBOLS + symbol)),
            false => None,
        }
    }

    /// The stone of this kind; `None` if there is none.
    #[must_use]
    pub const fn of_kind(kind: u8) -> Option<Stone> {
        match kind < KINDS {
            true => Some(Stone(kind)),
            false => None,
        }
    }

    /// All kinds in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Stone> + Clone {
        (0..KINDS).filter_map(Stone::of_kind)
    }

    /// The index among all kinds, below [`KINDS`].
    #[inline]
    #[must_use]
    pub const fn kind(self) -> u8 {
        self.0
    }

    /// The colour of the stone, below [`COLOURS`].
    #[inline]
    #[must_use]
    pub const fn colour(self) -> u8 {
        self.0 / SYMBOLS
    }

    /// The symbol of the stone, below [`SYMBOLS`].
    #[inline]
    #[must_use]
    pub const fn symbol(self) -> u8 {
        self.0 % SYMBOLS
    }

    /// The colour in which the stone is shown.
    #[must_use]
    pub fn shown(self) -> Colour {
        let shown = SHOWN.get(usize::from(self.colour()));
        shown.copied().unwrap_or(Colour::OFF)
    }

    /// The rhythm that shows the stone's symbol.
    #[must_use]
    pub fn rhythm(self) -> Rhythm {
        let rhythm = RHYTHMS.get(usize::from(self.symbol()));
        rhythm.copied().unwrap_or_default()
    }

    /// Colour and symbol as people write them: `P*`.
    #[must_use]
    pub fn letters(self) -> [char; 2] {
        let colour = COLOUR_LETTERS.get(usize::from(self.colour()));
        let symbol = SYMBOL_LETTERS.get(usize::from(self.symbol()));
        [colour, symbol].map(|letter| letter.copied().unwrap_or('?'))
    }

    /// The stone with these [letters](Stone::letters); the colour may be in either case.
    #[must_use]
    pub fn from_letters(colour: char, symbol: char) -> Option<Stone> {
        let is_colour = |letter: &char| letter.eq_ignore_ascii_case(&colour);
        let colour = COLOUR_LETTERS.iter().position(is_colour)?;
        let symbol = SYMBOL_LETTERS.iter().position(|letter| *letter == symbol)?;
        Stone::new(colour as u8, symbol as u8)
    }
}

/// A set of kinds: bit `n` is kind `n`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds(pub u64);

/// The kinds with the first symbol, one of each colour.
const COLUMN: u64 = 0b000001_000001_000001_000001_000001_000001;

impl Kinds {
    /// The set without any kind.
    pub const NONE: Kinds = Kinds(0);
    /// The set of all kinds.
    pub const ALL: Kinds = Kinds((1 << KINDS) - 1);

    /// All kinds with the colour of this stone.
    #[inline]
    #[must_use]
    pub const fn of_colour(stone: Stone) -> Kinds {
        Kinds(0b111_111 << (stone.colour() * SYMBOLS))
    }

    /// All kinds with the symbol of this stone.
    #[inline]
    #[must_use]
    pub const fn of_symbol(stone: Stone) -> Kinds {
        Kinds(COLUMN << stone.symbol())
    }

    /// True if the kind of this stone is in the set.
    #[inline]
    #[must_use]
    pub const fn has(self, stone: Stone) -> bool {
        self.0 >> stone.kind() & 1 == 1
    }

    /// The kinds that are in both sets.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    /// The kinds that are not in the other set.
    #[inline]
    #[must_use]
    pub const fn without(self, other: Kinds) -> Kinds {
        Kinds(self.0 & !other.0)
    }

    /// The kinds that are in at least one of the two sets.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }
}

/// Yields the stones in the order of their kinds.
impl Iterator for Kinds {
    type Item = Stone;
    #[inline]
    fn next(&mut self) -> Option<Stone> {
        let lowest = self.0.trailing_zeros();
        let stone = Stone::of_kind(lowest as u8)?;
        self.0 &= self.0 - 1;
        Some(stone)
    }
}
