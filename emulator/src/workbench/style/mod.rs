//! The appearance of the workbench: one set of colours, one spacing, one accent.
//!
//! The colours are in `colours`, the widgets that cards share in `widgets`; sizes are here,
//! with what gives them to a context.

mod colours;
mod widgets;

use bevy_egui::egui::{self, Context, CornerRadius, FontFamily, FontId, Stroke, TextStyle};

pub use colours::{
    DISPLAY, accent, behind, card_edge, card_fill, choose, dim, dim_edge, dim_fill, edge, error,
    faint, light, next_fill, on_accent, panel, search_fill, side, strong, text, tinted, warning,
    widget, widget_edge, widget_hovered, words,
};
pub use widgets::{
    add_enabled, card, chevron, dot, enabled_ui, line, mark, mark_name, note, one_of, one_of_told,
    popup_area, popup_frame, row, scroll, seconds, small, small_wide, title, wide,
};

use crate::theme::WindowTone;
use colours::card_edge_or_widget;

/// The unit of spacing, in points: other distances are multiples of it.
pub const STEP: f32 = 8.0;
/// Width of the side panel, where the window has room for it.
pub const PANEL_WIDTH: f32 = 312.0;
/// Its width in the smallest window.
const LEAST_PANEL: f32 = 240.0;
/// Its width in the largest window, where it shows longer lines and more cards.
const MOST_PANEL: f32 = 400.0;
/// A window that is wider than the first number has a wider panel, by the second number
/// times the difference.
const WIDER_PANEL: (f32, f32) = (1_600.0, 0.1);
/// Its share of the width of a window between the two.
const PANEL_PART: f32 = 0.29;
/// Height of the status line.
pub const STATUS_HEIGHT: f32 = 30.0;
/// The zoom of letters and panels by the height of the window. It grows far less than the
/// window does: a larger window shows more.
const ZOOMS: [(f32, f32); 5] = [
    (500.0, 0.85),
    (720.0, 0.9),
    (900.0, 1.0),
    (1440.0, 1.0),
    (2160.0, 1.35),
];
/// Windows with less than this ratio of width to height are scaled by their width instead
/// of their height.
const NARROW: f32 = 1.3;

/// The size of small letters, and in the smallest windows, where each row counts.
const SMALL: f32 = 13.0;
const SMALLEST: f32 = 12.5;

/// How far the pointer may move during a click, in points.
const LARGEST_SLIP: f32 = 12.0;

/// Sets colours, fonts and spacing of a context.
pub fn apply(context: &Context, tone: WindowTone) {
    tone.set_current();
    context.set_theme(match tone {
        WindowTone::Dark => egui::Theme::Dark,
        WindowTone::Light => egui::Theme::Light,
    });
    context.options_mut(|options| {
        // A press of any duration counts as a click.
        options.input_options.max_click_duration = f64::INFINITY;
        options.input_options.max_click_dist = LARGEST_SLIP;
    });
    context.all_styles_mut(|style| {
        set_sizes(style);
        set_colours(&mut style.visuals);
    });
}

/// Sets fonts and spacing.
fn set_sizes(style: &mut egui::Style) {
    let font = |size| FontId::new(size, FontFamily::Proportional);
    style.text_styles = [
        (TextStyle::Small, font(SMALL)),
        (TextStyle::Body, font(14.0)),
        (TextStyle::Button, font(14.0)),
        (TextStyle::Heading, font(21.0)),
        (
            TextStyle::Monospace,
            FontId::new(11.5, FontFamily::Monospace),
        ),
    ]
    .into();
    style.spacing.item_spacing = egui::vec2(STEP, STEP * 0.75);
    style.spacing.button_padding = egui::vec2(STEP * 1.25, STEP * 0.5);
    style.spacing.interact_size = egui::vec2(28.0, 26.0);
    style.spacing.slider_width = 128.0;
    style.spacing.slider_rail_height = 4.0;
    style.spacing.combo_width = 100.0;
    style.spacing.combo_height = 400.0;
    style.spacing.scroll = egui::style::ScrollStyle {
        bar_width: 6.0,
        floating_width: 4.0,
        fade: egui::style::ScrollFadeStyle {
            // A translucent light edge would be dark.
            strength: match WindowTone::now() {
                WindowTone::Dark => egui::style::ScrollFadeStyle::default().strength,
                WindowTone::Light => 0.0,
            },
            ..egui::style::ScrollFadeStyle::default()
        },
        // Visible without the mouse, to show that the content scrolls.
        dormant_handle_opacity: 0.5,
        ..egui::style::ScrollStyle::floating()
    };
    style.interaction.selectable_labels = false;
}

/// Sets the colours of the window's tone.
fn set_colours(visuals: &mut egui::Visuals) {
    visuals.panel_fill = panel();
    visuals.window_fill = card_fill();
    visuals.window_stroke = Stroke::new(1.0, widget_edge());
    visuals.extreme_bg_color = panel();
    visuals.override_text_color = None;
    visuals.weak_text_color = Some(faint());
    visuals.selection.bg_fill = accent();
    visuals.selection.stroke = Stroke::new(1.0, on_accent());
    visuals.slider_trailing_fill = true;
    if WindowTone::now() == WindowTone::Light {
        // Dark letters on a light ground look thinner than light ones on a dark ground.
        let bolder = egui::epaint::FontColorTransferFunction::Gamma(LETTER_GAMMA);
        visuals.text_options.color_transfer_function = bolder;
    }
    visuals.warn_fg_color = warning();
    visuals.text_edit_bg_color = Some(widget());
    let round = CornerRadius::same(6);
    let widgets = &mut visuals.widgets;
    for (widget, fill, text) in [
        (&mut widgets.noninteractive, card_fill(), text()),
        (&mut widgets.inactive, widget(), text()),
        (&mut widgets.hovered, widget_hovered(), strong()),
        (&mut widgets.active, accent(), on_accent()),
        (&mut widgets.open, widget_hovered(), text()),
    ] {
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = match WindowTone::now() {
            WindowTone::Dark => Stroke::NONE,
            WindowTone::Light => Stroke::new(1.0, widget_edge()),
        };
        widget.fg_stroke = Stroke::new(1.0, text);
        widget.corner_radius = round;
        widget.expansion = 0.0;
    }
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, card_edge_or_widget());
    widgets.active.bg_stroke = Stroke::NONE;
    widgets.hovered.bg_stroke = Stroke::new(1.0, edge());
}

/// How the coverage of a letter's edge becomes opacity on a light ground: less than 1 makes
/// letters bolder.
const LETTER_GAMMA: f32 = 0.62;

/// The width of the side panel in a window of this width: the board needs the room more.
#[must_use]
pub fn panel_width(window: f32) -> f32 {
    let (from, part) = WIDER_PANEL;
    let most = PANEL_WIDTH + part * (window - from).max(0.0);
    (window * PANEL_PART).clamp(LEAST_PANEL, most.min(MOST_PANEL))
}

/// True if the window is so narrow that the side panel does not have its full width.
#[must_use]
pub fn is_narrow(context: &Context) -> bool {
    let size = context.viewport_rect().size();
    panel_width(size.x) < PANEL_WIDTH && size.x > size.y
}

/// Sets the zoom and the small letters for a window of this size.
pub fn fit(context: &Context, size: egui::Vec2) {
    let zoom = zoom(size.y.min(size.x / NARROW));
    if (context.zoom_factor() - zoom).abs() > 0.01 {
        context.set_zoom_factor(zoom);
    }
    let small = if zoom > ZOOMS[0].1 { SMALL } else { SMALLEST };
    let now = TextStyle::Small.resolve(&context.global_style()).size;
    if (small - now).abs() > f32::EPSILON {
        context.all_styles_mut(|style| {
            let font = FontId::new(small, FontFamily::Proportional);
            style.text_styles.insert(TextStyle::Small, font);
        });
    }
}

/// The zoom for a window of this height, both in points.
pub fn zoom(height: f32) -> f32 {
    let [(_, least), .., (_, most)] = ZOOMS;
    let between = ZOOMS.windows(2).find_map(|pair| {
        let [(low, small), (high, large)] = [pair[0], pair[1]];
        let part = (height - low) / (high - low);
        (0.0..=1.0)
            .contains(&part)
            .then_some(small + part * (large - small))
    });
    between.unwrap_or(if height < ZOOMS[0].0 { least } else { most })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_windows_have_larger_letters_and_more_room() {
        let mut before = (zoom(200.0), 200.0 / zoom(200.0));
        for height in (210..4_000).step_by(10).map(|height| height as f32) {
            let now = (zoom(height), height / zoom(height));
            assert!(now.0 >= before.0 && now.1 > before.1, "{height}: {now:?}");
            before = now;
        }
        assert!(before.0 <= 1.5);
    }
}
