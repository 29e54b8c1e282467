//! The colour of one point.

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

/// A place in the palette of 16 that a point can show.
///
/// The Maldoo board shows four of them. Each point has a green and a red lamp, which give
/// off, green, red, and, with both lamps on, amber. The other twelve are for boards with
/// more colours. The index is always below [`Colour::COUNT`], however the value was made.
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
#[serde(try_from = "u8", into = "u8")]
pub struct Colour(u8);

impl Colour {
    /// The number of colours.
    pub const COUNT: usize = 16;
    /// Both lamps off: a dark light.
    pub const OFF: Colour = Colour(0);
    /// The green lamp alone.
    pub const GREEN: Colour = Colour(1);
    /// The red lamp alone.
    pub const RED: Colour = Colour(2);
    /// Both lamps, which mix to amber.
    pub const AMBER: Colour = Colour(3);

    /// A light of this colour; see [`Colour::name`].
    pub const BLUE: Colour = Colour(4);
    /// A light of this colour; see [`Colour::name`].
    pub const ORANGE: Colour = Colour(12);
    /// A light of this colour; see [`Colour::name`].
    pub const WHITE: Colour = Colour(15);

    /// The names of the colours, in the order of their indices.
    const NAMES: [&'static str; Colour::COUNT] = [
        "off", "green", "red", "amber", "blue", "cyan", "violet", "pink", "yellow", "lime", "mint",
        "indigo", "orange", "coral", "ice", "white",
    ];

    /// Every colour, in the order of the indices.
    pub fn all() -> impl DoubleEndedIterator<Item = Colour> + Clone {
        (0..Colour::COUNT as u8).map(Colour)
    }

    /// The name of the colour, in small letters.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Colour::NAMES[self.0 as usize]
    }

    /// The colour of this name, in any case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Colour> {
        Colour::all().find(|colour| colour.name().eq_ignore_ascii_case(name))
    }

    /// The colour with this index; only the low four bits count.
    #[must_use]
    pub const fn new(index: u8) -> Colour {
        Colour(index & 0x0F)
    }

    /// The index of the colour, `0..=15`.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The character of a row: `.` off, `g` green, `r` red, `a` amber, then
    /// `4`-`9`, `A`-`F` for the rest of the palette.
    #[must_use]
    pub const fn letter(self) -> char {
        b".gra456789ABCDEF"[self.0 as usize] as char
    }

    /// The colour of this [letter](Colour::letter), in any case; `None` if it has none.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Colour> {
        Colour::all().find(|colour| colour.letter() == letter)
    }
}

/// An index from outside that is not in the palette is refused.
impl TryFrom<u8> for Colour {
    type Error = &'static str;

    fn try_from(index: u8) -> Result<Colour, &'static str> {
        match usize::from(index) < Colour::COUNT {
            true => Ok(Colour(index)),
            false => Err("there are 16 colours"),
        }
    }
}

impl From<Colour> for u8 {
    fn from(colour: Colour) -> u8 {
        colour.0
    }
}

impl From<crate::Side> for Colour {
    fn from(side: crate::Side) -> Colour {
        match side {
            crate::Side::Green => Colour::GREEN,
            crate::Side::Red => Colour::RED,
        }
    }
}
