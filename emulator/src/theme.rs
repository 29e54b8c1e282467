//! The colours of the case, the lights and the workbench.
//!
//! There is one accent, the ice blue of the display. Green, red and amber belong to the
//! game and have no other meaning.

use bevy::prelude::*;
use protocol::{Colour, Side};
use serde::{Deserialize, Serialize};
pub use touchboard_host::palette::{MarkShape, Palette};
use touchboard_host::pieces::figures::Tint;

/// The accent of board and workbench, in sRGB.
pub const ACCENT: [u8; 3] = [0x6F, 0xD3, 0xE8];

/// Whether panels and the cloth on the table are dark or light. The light of the room does
/// not change: a brighter one would hide the board's lights.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WindowTone {
    /// Dark panels with light text, and a blue-grey cloth.
    #[default]
    Dark,
    /// Light panels with dark text, and a cloth of pale linen.
    Light,
}

/// The colour behind everything else.
pub const BACKDROP: Color = Color::srgb(0.050, 0.050, 0.053);
/// The felt on the table: a deep blue-grey, the complement of walnut. It is multiplied with
/// the texture of the felt.
pub const TABLE: LinearRgba = LinearRgba::rgb(0.538, 0.656, 0.702);
/// The cloth on the table beside light panels: pale linen.
pub const TABLE_LIGHT: LinearRgba = LinearRgba::rgb(2.60, 2.48, 2.22);
/// The body of the case: walnut.
pub const WOOD: Color = Color::srgb(0.76, 0.49, 0.315);
/// The plate on the case: aluminium, anodised in graphite.
pub const PLATE: Color = Color::srgb(0.405, 0.41, 0.42);
/// The edge of the plate, where the metal is bare and brushed.
pub const EDGE: Color = Color::srgb(0.66, 0.655, 0.645);
/// Bare metal that shines.
pub const BRIGHT: Color = Color::srgb(0.86, 0.85, 0.83);
/// The colour of feet, cable and socket.
pub const RUBBER: Color = Color::srgb(0.075, 0.077, 0.082);
/// The colour of the playing field.
pub const FIELD: Color = Color::srgb(0.105, 0.108, 0.118);
/// The engraved lines on the playing field.
pub const GROOVE: Color = Color::srgb(0.018, 0.019, 0.021);
/// The lines of the playing field.
pub const LINE: Color = Color::srgb(0.30, 0.31, 0.33);
/// The colour of print on the case.
pub const PRINT: Color = Color::srgb(0.90, 0.91, 0.92);
/// Letters and numbers on dark pieces.
pub const INLAY: Color = Color::srgb(0.96, 0.93, 0.86);
/// The light squares of a chequered field.
pub const SQUARE: Color = Color::srgb(0.50, 0.455, 0.385);
/// The cells of a field that has no lines.
pub const CELL: Color = Color::srgb(0.245, 0.250, 0.265);
/// The brass of the king's cross.
pub const BRASS: Color = Color::srgb(0.93, 0.74, 0.40);
/// The colour of dice.
pub const IVORY: Color = Color::srgb(0.90, 0.875, 0.81);
/// The colour of print on the caps.
pub const PRINT_CAP: Color = Color::srgb(0.040, 0.042, 0.046);
/// The caps of the buttons.
pub const CAP: Color = Color::srgb(0.63, 0.615, 0.59);
/// The cap of Start, a deep shade of the accent colour, because new users look for it. Its
/// name is pale, to be read whether or not the cap has its frame.
pub const CAP_START: Color = Color::srgb(0.055, 0.300, 0.370);
/// The frame on it while no game is on.
pub const START_FRAME: Color = Color::srgb(0.93, 0.95, 0.96);
/// The window in front of the display.
pub const GLASS: Color = Color::srgb(0.018, 0.020, 0.024);
/// The window's own mark for the last move.
pub const MARK_LAST: Color = Color::srgb(0.90, 0.92, 0.94);
/// The window's own mark for points where a player may, or may not, play.
pub const MARK_TRACK: Color = Color::srgb(0.66, 0.70, 0.74);
/// A dome or turn light that is off: dark, slightly milky glass.
pub const MILK: Color = Color::srgb(0.150, 0.155, 0.168);
/// The ring around a dome, lighter than the field, so that dark domes are seen to be keys.
pub const BEZEL: Color = Color::srgb(0.30, 0.305, 0.32);

/// The palette for the colours of the two sides.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChosenPalette(pub Palette);

/// The light of a colour.
#[must_use]
pub fn light(palette: Palette, colour: Colour) -> LinearRgba {
    let [red, green, blue] = palette.shade(colour).light;
    LinearRgba::rgb(red, green, blue)
}

/// The colour of a side in the workbench, in sRGB.
#[must_use]
pub fn side(palette: Palette, side: Side) -> [u8; 3] {
    match (palette, side) {
        (Palette::Board, Side::Green) => [0x4A, 0xD8, 0x6E],
        (Palette::Board, Side::Red) => [0xF0, 0x5A, 0x50],
        (Palette::BlueOrange, Side::Green) => [0x5A, 0xA2, 0xFF],
        (Palette::BlueOrange, Side::Red) => [0xFF, 0x9A, 0x2E],
    }
}

/// The wood of chessmen: boxwood or rosewood. The band around the foot shows the side.
#[must_use]
pub fn wood(palette: Palette, tint: Tint) -> Color {
    match tint {
        Tint::Side(Side::Green) => Color::srgb(0.86, 0.68, 0.43),
        Tint::Side(Side::Red) => Color::srgb(0.45, 0.185, 0.125),
        other => figure(palette, other),
    }
}

/// The stone of an Ishido piece: the colour of its light, greyed like a mineral.
#[must_use]
pub fn stone(palette: Palette, tint: Tint) -> Color {
    const GREY: f32 = 0.10;
    let is = figure(palette, tint).to_linear();
    let grey = LinearRgba::gray(is.luminance().max(0.35));
    (is * (1.0 - GREY) + grey * GREY).with_alpha(1.0).into()
}

/// The colour of a figure: one side is pale, the other dark, so that colour-blind
/// eyes can distinguish them.
#[must_use]
pub fn figure(palette: Palette, tint: Tint) -> Color {
    match (tint, palette) {
        (Tint::Side(Side::Green), Palette::Board) => Color::srgb(0.47, 0.86, 0.47),
        (Tint::Side(Side::Red), Palette::Board) => Color::srgb(0.83, 0.20, 0.15),
        (Tint::Side(Side::Green), Palette::BlueOrange) => Color::srgb(0.52, 0.76, 1.0),
        (Tint::Side(Side::Red), Palette::BlueOrange) => Color::srgb(0.80, 0.36, 0.03),
        (Tint::Nobody, _) => Color::srgb(0.55, 0.54, 0.52),
        (Tint::Light(index), _) => {
            let light = light(palette, Colour::new(index));
            let brightest = light.red.max(light.green).max(light.blue).max(1e-3);
            (light * (0.78 / brightest)).with_alpha(1.0).into()
        }
    }
}

/// The light of the display's segments.
pub const SEGMENT: LinearRgba = LinearRgba::rgb(0.22, 0.80, 1.0);
