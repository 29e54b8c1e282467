//! Colours of a palette as a terminal has them.

use protocol::Colour;
use ratatui::style::Color;

use crate::palette::Palette;

/// How a terminal shows a colour.
pub(super) fn terminal(palette: Palette, colour: Colour) -> Color {
    Color::Indexed(palette.shade(colour).terminal)
}
