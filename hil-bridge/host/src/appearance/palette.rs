//! The appearance and names of colours: one definition for window, terminal, films and
//! lamps.
//!
//! The shell, files and the protocol always call the sides `green` and `red`, so a script
//! means the same in every palette. Texts next to a picture use the names of its palette
//! ([`Palette::words`]): "blue to move" next to a blue light.

use std::borrow::Cow;
use std::fmt;

use protocol::{Colour, Side};
use serde::{Deserialize, Serialize};

/// The colours that stand for the two sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Palette {
    /// Green and red, as on the board.
    #[default]
    Board,
    /// Blue and orange, which nearly everybody can distinguish.
    BlueOrange,
}

impl fmt::Display for Palette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// How a colour of the board looks on a screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shade {
    /// The linear red, green and blue of the light, from 0.0 to 1.0.
    pub light: [f32; 3],
    /// The index among the 256 colours of a terminal. The colours of the Maldoo board use
    /// the first sixteen, which follow the terminal's own theme; the others do not.
    pub terminal: u8,
}

const fn shade(light: [f32; 3], terminal: u8) -> Shade {
    Shade { light, terminal }
}

/// The first four are the Maldoo board's; the other twelve go around the colour circle
/// and end in whites. In a terminal a dark point stays visible, like a milky dome.
const BOARD: [Shade; Colour::COUNT] = [
    shade([0.0, 0.0, 0.0], 8),
    shade([0.04, 1.0, 0.16], 10),
    shade([1.0, 0.045, 0.03], 9),
    shade([1.0, 0.42, 0.02], 11),
    shade([0.06, 0.20, 1.0], 27),
    shade([0.02, 0.75, 1.0], 45),
    shade([0.85, 0.10, 1.0], 171),
    shade([1.0, 0.10, 0.40], 205),
    shade([1.0, 0.80, 0.05], 226),
    shade([0.45, 1.0, 0.05], 154),
    shade([0.05, 1.0, 0.60], 49),
    shade([0.35, 0.15, 1.0], 99),
    shade([1.0, 0.20, 0.02], 208),
    shade([1.0, 0.45, 0.30], 216),
    shade([0.60, 0.75, 1.0], 153),
    shade([1.0, 0.90, 0.75], 230),
];

const YELLOW: Colour = Colour::new(8);
const INDIGO: Colour = Colour::new(11);

/// A channel of light, from 0 to 1, in the encoding of screens: the transfer function of
/// sRGB (IEC 61966-2-1).
#[must_use]
pub fn encoded(light: f32) -> u8 {
    let light = light.clamp(0.0, 1.0);
    let encoded = match light <= 0.003_130_8 {
        true => 12.92 * light,
        false => 1.055 * light.powf(1.0 / 2.4) - 0.055,
    };
    (encoded * 255.0).round() as u8
}

impl Palette {
    /// Every palette that can be chosen.
    pub const ALL: [Palette; 2] = [Palette::Board, Palette::BlueOrange];

    /// The name by which users choose it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Palette::Board => "board",
            Palette::BlueOrange => "blue-orange",
        }
    }

    /// A description for users who choose a palette.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Palette::Board => "Green and red, as on the board",
            Palette::BlueOrange => "Blue and orange, which nearly everybody tells apart",
        }
    }

    /// The palette with this name.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Palette> {
        Palette::ALL
            .into_iter()
            .find(|palette| palette.word() == word)
    }

    /// The palette that is not this one.
    #[must_use]
    pub fn other(self) -> Palette {
        match self {
            Palette::Board => Palette::BlueOrange,
            Palette::BlueOrange => Palette::Board,
        }
    }

    /// The shade of a colour in this palette.
    #[must_use]
    pub fn shade(self, colour: Colour) -> Shade {
        match (self, colour) {
            (Palette::BlueOrange, Colour::GREEN) => shade([0.02, 0.28, 1.0], 33),
            (Palette::BlueOrange, Colour::RED) => shade([1.0, 0.30, 0.01], 208),
            // Both sides at once: a lighter colour that belongs to neither.
            (Palette::BlueOrange, Colour::AMBER) => shade([1.0, 0.88, 0.70], 230),
            // Replaces a colour that would now look like a side's.
            (Palette::BlueOrange, Colour::BLUE) => shade([0.01, 0.30, 0.22], 29),
            (Palette::BlueOrange, Colour::ORANGE) => shade([0.80, 0.02, 0.05], 160),
            (Palette::BlueOrange, Colour::WHITE) => shade([1.0, 1.0, 1.0], 231),
            // A side's kinds of men differ in brightness as well.
            (Palette::BlueOrange, YELLOW) => shade([1.0, 0.95, 0.35], 227),
            (Palette::BlueOrange, INDIGO) => shade([0.12, 0.03, 0.42], 55),
            _ => BOARD[usize::from(colour.index())],
        }
    }

    /// The name of a colour in this palette.
    #[must_use]
    pub fn name(self, colour: Colour) -> &'static str {
        match (self, colour) {
            (Palette::BlueOrange, Colour::GREEN) => "blue",
            (Palette::BlueOrange, Colour::RED) => "orange",
            (Palette::BlueOrange, Colour::AMBER) => "cream",
            (Palette::BlueOrange, Colour::BLUE) => "teal",
            (Palette::BlueOrange, Colour::ORANGE) => "crimson",
            _ => colour.name(),
        }
    }

    /// The name of a side in this palette: `green` and `red`, or `blue` and `orange`.
    #[must_use]
    pub fn side(self, side: Side) -> &'static str {
        self.name(side.into())
    }

    /// The letter of a side, for output without colours: the first of its name.
    #[must_use]
    pub fn letter(self, side: Side) -> char {
        self.side(side).chars().next().unwrap_or_default()
    }

    /// The letter of a colour, for output without colours: the first of a side's name, or
    /// else the letter used in rows.
    #[must_use]
    pub fn letter_of(self, colour: Colour) -> char {
        let side = Side::BOTH
            .into_iter()
            .find(|side| Colour::from(*side) == colour);
        side.map_or(colour.letter(), |side| self.letter(side))
    }

    /// Replaces a letter that stands for a side (`g`, `G`) by the letter in this palette;
    /// other characters are unchanged.
    #[must_use]
    pub fn sign(self, sign: char) -> char {
        let letter_of = |side| self.letter(side);
        match sign {
            'g' => letter_of(Side::Green),
            'r' => letter_of(Side::Red),
            'G' => letter_of(Side::Green).to_ascii_uppercase(),
            'R' => letter_of(Side::Red).to_ascii_uppercase(),
            other => other,
        }
    }

    /// Replaces the names of colours in a sentence by those of this palette:
    /// `green to move` becomes `blue to move`. Only whole words are changed, and none in
    /// back quotes, which mark commands to type. Insert names from elsewhere, such as
    /// file names, afterwards.
    #[must_use]
    pub fn words(self, text: &str) -> Cow<'_, str> {
        if self == Palette::Board {
            return Cow::Borrowed(text);
        }
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut said = String::with_capacity(text.len());
        let mut is_command = false;
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let end = match is_letter(first) {
                true => rest.find(|letter| !is_letter(letter)),
                false => Some(first.len_utf8()),
            };
            let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
            is_command ^= first == '`';
            match self.renamed(word).filter(|_| !is_command) {
                Some(name) if first.is_uppercase() => {
                    said += &name[..1].to_uppercase();
                    said += &name[1..];
                }
                Some(name) => said += name,
                None => said += word,
            }
            rest = behind;
        }
        Cow::Owned(said)
    }

    /// This palette's name for the colour that a word names; `None` if the word names no
    /// colour. The first letter may be a capital.
    fn renamed(self, word: &str) -> Option<&'static str> {
        let is_small = |letter: &u8| letter.is_ascii_lowercase();
        let is_word = word.len() > 1 && word.as_bytes()[1..].iter().all(is_small);
        let colour = Colour::from_name(word).filter(|_| is_word)?;
        Some(self.name(colour))
    }

    /// The shape that marks a light of this colour, so that it can be recognised without
    /// the colour.
    #[must_use]
    pub fn form(self, colour: Colour) -> MarkShape {
        match (self, colour) {
            (Palette::BlueOrange, Colour::RED) => MarkShape::Ring,
            _ => MarkShape::Disc,
        }
    }
}

/// A character for a light, so that sides can be distinguished without colours.
#[must_use]
pub const fn sign_of(colour: Colour) -> char {
    match colour {
        Colour::OFF => '·',
        Colour::RED => '◎',
        Colour::AMBER => '◉',
        _ => '●',
    }
}

/// The shape that marks a light: a disc for green, a ring for red.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MarkShape {
    /// A disc: lit all over.
    #[default]
    Disc,
    /// A ring: the middle is dark.
    Ring,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Converts linear light to what a person without one kind of cones sees (Viénot,
    /// Brettel and Mollon 1999): first without the cones for red, then without those for
    /// green.
    const LESS: [[[f32; 3]; 3]; 2] = [
        [
            [0.11238, 0.88762, 0.0],
            [0.11238, 0.88762, 0.0],
            [0.00401, -0.00401, 1.0],
        ],
        [
            [0.29275, 0.70725, 0.0],
            [0.29275, 0.70725, 0.0],
            [-0.02234, 0.02234, 1.0],
        ],
    ];

    /// The excess of blue over the other colours, which is the only hue that such a
    /// person sees.
    fn blueness(eye: [[f32; 3]; 3], light: [f32; 3]) -> f32 {
        let [_, yellow, blue] = eye.map(|row| {
            row.into_iter()
                .zip(light)
                .map(|(part, light)| part * light)
                .sum::<f32>()
        });
        (blue - yellow) / (blue + yellow)
    }

    #[test]
    fn the_second_palette_separates_sides_for_colour_blind_eyes() {
        let apart = |palette: Palette, eye| {
            let [green, red] = [Colour::GREEN, Colour::RED].map(|side| palette.shade(side).light);
            (blueness(eye, green) - blueness(eye, red)).abs()
        };
        for eye in LESS {
            assert!(apart(Palette::BlueOrange, eye) > 1.0);
            assert!(apart(Palette::Board, eye) < 0.5);
        }
    }

    /// A colour as people compare it: its lightness and its position on the remaining hue
    /// axis (CIELAB).
    fn seen(eye: [[f32; 3]; 3], light: [f32; 3]) -> [f32; 3] {
        let weigh = |rows: [[f32; 3]; 3], light: [f32; 3]| {
            rows.map(|row| {
                row.iter()
                    .zip(light)
                    .map(|(part, light)| part * light)
                    .sum::<f32>()
            })
        };
        let light = weigh(eye, light).map(|light| light.clamp(0.0, 1.0));
        let [x, y, z] = weigh(
            [
                [0.4339, 0.3763, 0.1899],
                [0.2126, 0.7152, 0.0722],
                [0.0177, 0.1095, 0.8730],
            ],
            light,
        )
        .map(f32::cbrt);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// If pieces are hidden, only the light distinguishes a queen from a man.
    #[test]
    fn the_second_palette_separates_kinds_for_colour_blind_eyes() {
        let [_, sides @ ..] = firmware_core::games::written::SHADES;
        for kinds in sides {
            for eye in LESS {
                let lights = kinds.map(|kind| Palette::BlueOrange.shade(Colour::new(kind)).light);
                let lights = lights.map(|light| seen(eye, light));
                for (place, one) in lights.iter().enumerate() {
                    for (before, other) in lights[..place].iter().enumerate() {
                        let apart = one
                            .iter()
                            .zip(other)
                            .map(|(one, other)| (one - other).powi(2));
                        let apart = apart.sum::<f32>().sqrt();
                        let names = [place, before].map(|at| Colour::new(kinds[at]).name());
                        assert!(apart > 20.0, "{names:?} are {apart} apart");
                    }
                }
            }
        }
    }

    #[test]
    fn texts_name_colours_as_the_palette_shows_them() {
        for (said, blue) in [
            ("green to move", "blue to move"),
            (
                "Red begins; green's time is up.",
                "Orange begins; blue's time is up.",
            ),
            (
                "green took blue, red orange",
                "blue took teal, orange crimson",
            ),
            ("greens, evergreen, red_file", "greens, evergreen, red_file"),
            (
                "write `turn red`, red is next",
                "write `turn red`, orange is next",
            ),
            ("it flashes in amber", "it flashes in cream"),
            ("– réd, RED, g, r", "– réd, RED, g, r"),
            ("", ""),
        ] {
            assert_eq!(Palette::BlueOrange.words(said), blue);
            assert_eq!(Palette::Board.words(said), said);
        }
    }

    #[test]
    fn each_colour_of_a_palette_has_a_name_of_its_own() {
        for palette in [Palette::Board, Palette::BlueOrange] {
            let names = (0..16).map(|index| palette.name(Colour::new(index)));
            let names: std::collections::BTreeSet<&str> = names.collect();
            assert_eq!(names.len(), 16);
            for side in Side::BOTH {
                assert_eq!(palette.side(side), palette.name(side.into()));
                assert_eq!(palette.words(side.name()), palette.side(side));
                assert!(palette.side(side).starts_with(palette.letter(side)));
            }
        }
    }

    #[test]
    fn all_colours_of_a_palette_differ_visibly() {
        for palette in [Palette::Board, Palette::BlueOrange] {
            let shades = (0..16).map(|index| palette.shade(Colour::new(index)));
            let shades: Vec<Shade> = shades.collect();
            for (place, one) in shades.iter().enumerate() {
                for other in &shades[..place] {
                    // The square root approximates how people compare light.
                    let apart = one.light.iter().zip(other.light);
                    let apart = apart.map(|(one, other)| (one.sqrt() - other.sqrt()).abs());
                    let apart: f32 = apart.sum();
                    assert!(apart > 0.2, "{one:?} and {other:?}");
                    assert_ne!(one.terminal, other.terminal);
                }
            }
        }
    }
}
