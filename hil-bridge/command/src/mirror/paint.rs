//! Colours and signs of a palette as a terminal has them.

use protocol::Colour;
use ratatui::style::Color;

use super::ability::{Ability, Depth};
use super::canvas;
use touchboard_host::palette::{Form, Palette, sign_of};

/// How a terminal shows a colour.
pub(super) fn terminal(palette: Palette, colour: Colour, ability: Ability) -> Color {
    let shade = palette.shade(colour);
    match (ability.depth, colour) {
        (Depth::True, Colour::OFF) => Color::Rgb(90, 93, 100),
        (Depth::True, _) => canvas::colour(shade.light),
        // Orange and blue, as far as sixteen colours have them.
        (Depth::Sixteen, Colour::GREEN) if palette == Palette::BlueOrange => Color::LightBlue,
        (Depth::Sixteen, Colour::RED) if palette == Palette::BlueOrange => Color::Yellow,
        _ => Color::Indexed(shade.terminal),
    }
}

/// The character of a light: its letter where there are no colours or no other
/// characters, else its form.
pub(super) fn sign(palette: Palette, colour: Colour, ability: Ability) -> char {
    match colour {
        Colour::OFF if ability.is_unicode => '○',
        Colour::OFF => '.',
        _ if ability.has_letters() => palette.letter_of(colour),
        _ => sign_of(colour),
    }
}

/// The form of a light in a terminal, where no eye needs its colour to know its side.
pub(super) fn form(colour: Colour) -> Form {
    match colour {
        Colour::RED => Form::Ring,
        _ => Form::Disc,
    }
}
