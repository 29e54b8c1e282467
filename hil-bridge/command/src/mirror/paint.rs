//! The colours and signs of a palette in a terminal.

use protocol::Colour;
use ratatui::style::Color;
use touchboard_host::palette::{MarkShape, Palette, sign_of};

use super::ability::{Ability, ColourDepth};
use super::canvas;

/// The terminal colour of a board's colour.
pub(super) fn terminal(palette: Palette, colour: Colour, ability: Ability) -> Color {
    let shade = palette.shade(colour);
    match (ability.depth, colour) {
        (ColourDepth::True, Colour::OFF) => Color::Rgb(90, 93, 100),
        (ColourDepth::True, _) => canvas::colour(shade.light),
        // The nearest to orange and blue among the sixteen colours.
        (ColourDepth::Sixteen, Colour::GREEN) if palette == Palette::BlueOrange => Color::LightBlue,
        (ColourDepth::Sixteen, Colour::RED) if palette == Palette::BlueOrange => Color::Yellow,
        _ => Color::Indexed(shade.terminal),
    }
}

/// The character of a light: its letter if the terminal lacks colours or other characters,
/// otherwise its shape.
pub(super) fn sign(palette: Palette, colour: Colour, ability: Ability) -> char {
    match colour {
        Colour::OFF if ability.is_unicode => '○',
        Colour::OFF => '.',
        _ if ability.has_letters() => palette.letter_of(colour),
        _ => sign_of(colour),
    }
}

/// The shape of a light in a terminal, which shows its side without colours.
pub(super) fn form(colour: Colour) -> MarkShape {
    match colour {
        Colour::RED => MarkShape::Ring,
        _ => MarkShape::Disc,
    }
}
