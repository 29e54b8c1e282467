//! Colours and signs of a palette as a terminal has them.

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
        // Orange and blue, as far as sixteen colours have them.
        (ColourDepth::Sixteen, Colour::GREEN) if palette == Palette::BlueOrange => Color::LightBlue,
        (ColourDepth::Sixteen, Colour::RED) if palette == Palette::BlueOrange => Color::Yellow,
        _ => Color::Indexed(shade.terminal),
    }
}

/// The character of a light: its letter if there are no colours or no other
/// characters, or else its shape.
pub(super) fn sign(palette: Palette, colour: Colour, ability: Ability) -> char {
    match colour {
        Colour::OFF if ability.is_unicode => '○',
        Colour::OFF => '.',
        _ if ability.has_letters() => palette.letter_of(colour),
        _ => sign_of(colour),
    }
}

/// The form of a light in a terminal, where no eye needs its colour to know its side.
pub(super) fn form(colour: Colour) -> MarkShape {
    match colour {
        Colour::RED => MarkShape::Ring,
        _ => MarkShape::Disc,
    }
}
