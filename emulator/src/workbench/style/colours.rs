//! The colours of the panels: a dark and a light value of each, and the colours of sides and
//! lights in the chosen palette.
//!
//! Invariants: text on a panel or a card has enough contrast in both tones.

use std::sync::atomic::{AtomicBool, Ordering};

use bevy::color::{ColorToPacked as _, Srgba};
use bevy_egui::egui::{self, Color32, Context, Ui};
use protocol::Side;

use crate::theme::{self, Palette, WindowTone};

/// The colour of a lit segment of the display, in a picture of a board.
pub const DISPLAY: Color32 =
    Color32::from_rgb(theme::ACCENT[0], theme::ACCENT[1], theme::ACCENT[2]);

/// True if the tone is light. A process has one tone.
static IS_LIGHT: AtomicBool = AtomicBool::new(false);

impl WindowTone {
    /// Makes this the tone of the process.
    pub(super) fn set_current(self) {
        IS_LIGHT.store(self == WindowTone::Light, Ordering::Relaxed);
    }

    /// The current tone.
    pub(super) fn now() -> WindowTone {
        match IS_LIGHT.load(Ordering::Relaxed) {
            true => WindowTone::Light,
            false => WindowTone::Dark,
        }
    }

    /// The colour for this tone.
    fn pick(self, dark: u32, light: u32) -> Color32 {
        let [_, red, green, blue] = match self {
            WindowTone::Dark => dark,
            WindowTone::Light => light,
        }
        .to_be_bytes();
        Color32::from_rgb(red, green, blue)
    }
}

/// Defines the colours of the panels, each with its value for dark and for light panels.
macro_rules! colours {
    ($($(#[$about:meta])* $name:ident $dark:literal $light:literal;)*) => {
        $($(#[$about])*
        #[must_use]
        pub fn $name() -> Color32 {
            WindowTone::now().pick($dark, $light)
        })*

        #[cfg(test)]
        const ALL: &[(&str, u32, u32)] = &[$((stringify!($name), $dark, $light)),*];
    };
}

colours! {
    /// The colour behind tabs, and between the panes of the dock.
    behind 0x0E1012 0xD5DADF;
    /// The colour behind the panels.
    panel 0x15171A 0xEDF0F2;
    /// The colour of a card on a panel.
    card_fill 0x1D2024 0xFFFFFF;
    /// The line around a card.
    card_edge 0x1D2024 0xD3D9DF;
    /// The colour of buttons and fields.
    widget 0x2A2E34 0xEEF1F4;
    /// The colour of a search field, which lies on a panel and not on a card.
    search_fill 0x2A2E34 0xFFFFFF;
    /// The line around buttons and fields.
    widget_edge 0x2A2E34 0xBAC3CC;
    /// The colour of buttons and fields under the mouse.
    widget_hovered 0x353A42 0xDFE5EA;
    /// The colour of buttons and fields that have no effect now.
    dim_fill 0x212429 0xF7F8F9;
    /// The line around them.
    dim_edge 0x212429 0xDDE2E7;
    /// The colour of their text.
    dim 0x666D76 0x98A1AA;
    /// The edge of a button or field under the mouse.
    edge 0x4A525C 0x84909C;
    /// The colour of text.
    text 0xD6DADF 0x1D2126;
    /// The colour of text that is to be noticed first.
    strong 0xFFFFFF 0x000000;
    /// The colour of text that is only read when needed.
    faint 0xA9B0B9 0x48515B;
    /// The accent colour.
    accent 0x6FD3E8 0x0B6C84;
    /// The colour of the button to press next, brighter than that of a chosen one, which
    /// has the accent.
    next_fill 0xF2EFE6 0x1F2A31;
    /// The colour of text on `accent` or `next_fill`.
    on_accent 0x0C1A1E 0xFFFFFF;
    /// The colour of errors.
    error 0xFF7B72 0xB3261E;
    /// The colour of what needs attention.
    warning 0xF0A058 0x9A4B00;
}

/// The colour of a side in the chosen palette.
#[must_use]
pub fn side(context: &Context, side: Side) -> Color32 {
    let [red, green, blue] = theme::side(chosen_palette(context), side);
    let colour = Color32::from_rgb(red, green, blue);
    match WindowTone::now() {
        WindowTone::Dark => colour,
        // A light colour on a light panel would be unreadable.
        WindowTone::Light => Color32::BLACK.lerp_to_gamma(colour, ON_LIGHT),
    }
}

/// The colour of a light in the chosen palette, at full brightness.
#[must_use]
pub fn light(context: &Context, colour: protocol::Colour) -> Color32 {
    let light = theme::light(chosen_palette(context), colour);
    let brightest = light.red.max(light.green).max(light.blue).max(1e-3);
    let light = Srgba::from(light * (1.0 / brightest));
    let [red, green, blue, _] = light.to_u8_array();
    Color32::from_rgb(red, green, blue)
}

/// A fill for cards with this share of a colour. It is opaque: a translucent colour over a
/// light one would come out dark.
#[must_use]
pub fn tinted(colour: Color32, part: f32) -> Color32 {
    card_fill().lerp_to_gamma(colour, part)
}

/// The brightness of a side's colour on a light panel, as a fraction of its usual one.
const ON_LIGHT: f32 = 0.55;

/// Chooses the palette of the sides.
pub fn choose(context: &Context, palette: Palette) {
    context.data_mut(|data| data.insert_temp(palette_key(), palette));
}

/// The palette that was chosen.
pub(super) fn chosen_palette(context: &Context) -> Palette {
    let palette = context.data(|data| data.get_temp(palette_key()));
    palette.unwrap_or_default()
}

/// Where the context keeps the palette.
fn palette_key() -> egui::Id {
    egui::Id::new("palette of the sides")
}

/// A sentence in which colours have their names in the chosen palette.
#[must_use]
pub fn words(ui: &Ui, text: &str) -> String {
    chosen_palette(ui.ctx()).words(text).into_owned()
}

/// The colour of lines between items.
pub(super) fn card_edge_or_widget() -> Color32 {
    match WindowTone::now() {
        WindowTone::Dark => widget(),
        WindowTone::Light => card_edge(),
    }
}

#[cfg(test)]
mod tests {
    use bevy::color::Luminance as _;

    use super::*;

    /// The contrast ratio of two colours, 1 to 21 (WCAG 2, 1.4.3).
    fn contrast(one: u32, other: u32) -> f32 {
        let luminance = |colour: u32| {
            let [_, red, green, blue] = colour.to_be_bytes();
            Srgba::rgb_u8(red, green, blue).luminance()
        };
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn dark_panels_and_the_page_have_the_accent_of_the_board() {
        let [red, green, blue] = theme::ACCENT;
        let (_, dark, _) = ALL.iter().find(|(name, ..)| *name == "accent").unwrap();
        assert_eq!(*dark, u32::from_be_bytes([0, red, green, blue]));
        let page = include_str!("../../../page/site/style.css");
        let accent = format!("--accent: #{red:02x}{green:02x}{blue:02x};");
        assert!(page.contains(&accent), "{accent}");
    }

    #[test]
    fn text_has_enough_contrast_in_both_themes() {
        let colour = |name: &str, is_light: bool| {
            let (_, dark, light) = ALL.iter().find(|(known, ..)| *known == name).unwrap();
            if is_light { *light } else { *dark }
        };
        for is_light in [false, true] {
            for ink in ["text", "strong", "faint", "accent", "error", "warning"] {
                for ground in ["panel", "card_fill"] {
                    let ratio = contrast(colour(ink, is_light), colour(ground, is_light));
                    assert!(ratio >= 4.5, "{ink} on {ground}: {ratio}");
                }
            }
            for ground in ["accent", "next_fill"] {
                let ratio = contrast(colour("on_accent", is_light), colour(ground, is_light));
                assert!(ratio >= 4.5, "on {ground}: {ratio}");
            }
        }
    }
}
