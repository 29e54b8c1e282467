//! The colours, once: of the case, of the light, and of the workbench around.
//!
//! One accent: the ice blue of the display. Green, red and amber belong to the
//! game and mean nothing else.

use bevy::prelude::*;
use clap::ValueEnum;
use protocol::{Colour, Side};
use serde::{Deserialize, Serialize};

/// The accent of board and workbench, as sRGB.
pub const ACCENT: [u8; 3] = [0x6F, 0xD3, 0xE8];

/// Behind everything.
pub const BACKDROP: Color = Color::srgb(0.050, 0.050, 0.053);
/// The table.
pub const TABLE: Color = Color::srgb(0.385, 0.382, 0.382);
/// The body of the case.
pub const CASE: Color = Color::srgb(0.118, 0.124, 0.140);
/// The tiles of the playing field.
pub const FIELD: Color = Color::srgb(0.150, 0.157, 0.176);
/// The engraved lines between them.
pub const GROOVE: Color = Color::srgb(0.018, 0.019, 0.021);
/// What is printed on the case.
pub const PRINT: Color = Color::srgb(0.56, 0.58, 0.60);
/// What is printed on the caps.
pub const PRINT_CAP: Color = Color::srgb(0.86, 0.88, 0.90);
/// The caps of the buttons.
pub const CAP: Color = Color::srgb(0.255, 0.264, 0.285);
/// The cap of Start, a shade lighter: it is the one that is looked for.
pub const CAP_START: Color = Color::srgb(0.36, 0.375, 0.395);
/// The window in front of the display.
pub const GLASS: Color = Color::srgb(0.018, 0.020, 0.024);
/// The mark of the last move, which is not the board's but the window's.
pub const MARK_LAST: Color = Color::srgb(0.74, 0.77, 0.80);
/// The mark of a point where one may, or may not, play.
pub const MARK_TRACK: Color = Color::srgb(0.54, 0.58, 0.62);
/// A dome or turn light that is off.
pub const MILK: Color = Color::srgb(0.63, 0.65, 0.67);

/// Which colours stand for the two sides.
#[derive(
    Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Palette {
    /// Green and red, as on the board.
    #[default]
    Board,
    /// Blue and orange, which nearly everybody tells apart.
    BlueOrange,
}

impl Palette {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Palette {
        match self {
            Palette::Board => Palette::BlueOrange,
            Palette::BlueOrange => Palette::Board,
        }
    }

    /// The light of a colour.
    #[must_use]
    pub fn light(self, colour: Colour) -> LinearRgba {
        let [red, green, blue] = match (self, colour) {
            (Palette::BlueOrange, Colour::GREEN) => [0.02, 0.28, 1.0],
            (Palette::BlueOrange, Colour::RED) => [1.0, 0.30, 0.01],
            // Both sides at once: neither of the two, and lighter.
            (Palette::BlueOrange, Colour::AMBER) => [1.0, 0.88, 0.70],
            _ => PALETTE[usize::from(colour.index())],
        };
        LinearRgba::rgb(red, green, blue)
    }

    /// What a light of this colour has besides its colour, so that nobody has to
    /// know it by that alone.
    #[must_use]
    pub fn form(self, colour: Colour) -> Form {
        match (self, colour) {
            (Palette::BlueOrange, Colour::RED) => Form::Ring,
            _ => Form::Disc,
        }
    }

    /// The colour of a side in the workbench, as sRGB.
    #[must_use]
    pub fn side(self, side: Side) -> [u8; 3] {
        match (self, side) {
            (Palette::Board, Side::Green) => [0x4A, 0xD8, 0x6E],
            (Palette::Board, Side::Red) => [0xF0, 0x5A, 0x50],
            (Palette::BlueOrange, Side::Green) => [0x5A, 0xA2, 0xFF],
            (Palette::BlueOrange, Side::Red) => [0xFF, 0x9A, 0x2E],
        }
    }
}

/// The form of a light: the workbench marks green by a disc and red by a ring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// It is lit all over.
    #[default]
    Disc,
    /// Its middle is dark.
    Ring,
}

/// The light of each place in the palette as linear RGB, 1.0 the brightest
/// channel. The first four are the Maldoo board's; the other twelve go round
/// the colour circle and end in whites.
const PALETTE: [[f32; 3]; Colour::COUNT] = [
    [0.0, 0.0, 0.0],
    [0.04, 1.0, 0.16],
    [1.0, 0.045, 0.03],
    [1.0, 0.42, 0.02],
    [0.06, 0.20, 1.0],
    [0.02, 0.75, 1.0],
    [0.85, 0.10, 1.0],
    [1.0, 0.10, 0.40],
    [1.0, 0.80, 0.05],
    [0.45, 1.0, 0.05],
    [0.05, 1.0, 0.60],
    [0.35, 0.15, 1.0],
    [1.0, 0.20, 0.02],
    [1.0, 0.45, 0.30],
    [0.60, 0.75, 1.0],
    [1.0, 0.90, 0.75],
];

/// The light of the display's segments.
pub const SEGMENT: LinearRgba = LinearRgba::rgb(0.22, 0.80, 1.0);

#[cfg(test)]
mod tests {
    use super::*;

    /// What an eye without one kind of cones sees of linear light (Viénot,
    /// Brettel and Mollon 1999): first without those for red, then for green.
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

    /// How much of the way round the colours lies between blue and the rest: the
    /// hue that is left to such an eye.
    fn blueness(eye: [[f32; 3]; 3], light: LinearRgba) -> f32 {
        let light = [light.red, light.green, light.blue];
        let [_, yellow, blue] = eye.map(|row| {
            row.into_iter()
                .zip(light)
                .map(|(part, light)| part * light)
                .sum::<f32>()
        });
        (blue - yellow) / (blue + yellow)
    }

    #[test]
    fn the_second_palette_keeps_the_sides_apart_for_eyes_that_lack_red_or_green() {
        let apart = |palette: Palette, eye| {
            let [green, red] = [Colour::GREEN, Colour::RED];
            let ours = blueness(eye, palette.light(green)) - blueness(eye, palette.light(red));
            ours.abs()
        };
        for eye in LESS {
            assert!(apart(Palette::BlueOrange, eye) > 1.0);
            assert!(apart(Palette::Board, eye) < 0.5);
        }
    }
}
