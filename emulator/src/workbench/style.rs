//! The appearance of the workbench: one set of colours, one spacing, one accent.

use std::sync::atomic::{AtomicBool, Ordering};

use bevy::color::{ColorToPacked as _, Srgba};
use bevy::prelude::Resource;
use bevy_egui::egui::{
    self, Color32, Context, CornerRadius, FontFamily, FontId, Frame, Margin, RichText, Stroke,
    TextStyle, Ui,
};
use protocol::{Side, Tick};
use serde::{Deserialize, Serialize};

use super::beside::HoverText;
use crate::theme::{self, MarkShape, Palette};

/// The extra space between the letters of a card's title, in points.
const TITLE_SPACING: f32 = 0.8;
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
/// The narrowest control beside its name that a row has room for.
const SLIDER: std::ops::RangeInclusive<f32> = 36.0..=128.0;
/// Room for the number beside a slider.
const SLIDER_VALUE: f32 = 66.0;
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

/// The brightness of a side's colour on a light panel, as a fraction of its usual one.
const ON_LIGHT: f32 = 0.55;

/// How far the pointer may move during a click, in points.
const LARGEST_SLIP: f32 = 12.0;

/// The colour of a lit segment of the display, in a picture of a board.
pub const DISPLAY: Color32 =
    Color32::from_rgb(theme::ACCENT[0], theme::ACCENT[1], theme::ACCENT[2]);

/// Whether panels are dark or light. The scene does not change: a light room would hide
/// the board's lights.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WindowTone {
    /// Dark panels with light text.
    #[default]
    Dark,
    /// Light panels with dark text.
    Light,
}

/// True if the tone is light. A process has one tone.
static IS_LIGHT: AtomicBool = AtomicBool::new(false);

impl WindowTone {
    /// The current tone.
    fn now() -> WindowTone {
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
    faint 0x9AA1AA 0x505963;
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
    let palette = context.data(|data| data.get_temp::<Palette>(egui::Id::NULL));
    let [red, green, blue] = theme::side(palette.unwrap_or_default(), side);
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
    let palette = context.data(|data| data.get_temp::<Palette>(egui::Id::NULL));
    let light = theme::light(palette.unwrap_or_default(), colour);
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

/// Adds a widget, which can be used only if it `is_enabled`.
pub fn add_enabled(ui: &mut Ui, is_enabled: bool, widget: impl egui::Widget) -> egui::Response {
    if is_enabled {
        return ui.add(widget);
    }
    // No scope of its own, which would not be wrapped.
    let before = ui.style().clone();
    dim_all(ui.visuals_mut());
    let response = ui.add_enabled(false, widget);
    ui.set_style(before);
    response
}

/// Adds widgets, which can be used only if they are enabled.
pub fn enabled_ui<R>(
    ui: &mut Ui,
    is_enabled: bool,
    content: impl FnOnce(&mut Ui) -> R,
) -> egui::InnerResponse<R> {
    ui.scope(|ui| {
        if !is_enabled {
            dim_all(ui.visuals_mut());
            ui.disable();
        }
        content(ui)
    })
}

/// Gives widgets the colours of those that cannot be used. The toolkit would make them
/// translucent, which is dark on a light panel.
fn dim_all(visuals: &mut egui::Visuals) {
    visuals.disabled_alpha = 1.0;
    visuals.override_text_color = Some(dim());
    visuals.selection.bg_fill = widget_edge();
    let widgets = &mut visuals.widgets;
    for widget in [
        &mut widgets.inactive,
        &mut widgets.hovered,
        &mut widgets.active,
    ] {
        widget.bg_fill = dim_fill();
        widget.weak_bg_fill = dim_fill();
        widget.bg_stroke = Stroke::new(1.0, dim_edge());
        widget.fg_stroke = Stroke::new(1.0, dim());
    }
}

/// Chooses the palette of the sides.
pub fn choose(context: &Context, palette: Palette) {
    context.data_mut(|data| data.insert_temp(egui::Id::NULL, palette));
}

/// A sentence in which colours have their names in the chosen palette.
#[must_use]
pub fn words(ui: &Ui, text: &str) -> String {
    let palette = ui.data(|data| data.get_temp::<Palette>(egui::Id::NULL));
    palette.unwrap_or_default().words(text).into_owned()
}

/// Draws a small sentence about the item above it.
pub fn note(ui: &mut Ui, text: &str) {
    let text = words(ui, text);
    ui.add(egui::Label::new(RichText::new(text).small().color(faint())).wrap());
}

/// The shape of the sign that stands for a side.
#[must_use]
pub fn mark_name(context: &Context, of: Side) -> &'static str {
    let palette = context.data(|data| data.get_temp::<Palette>(egui::Id::NULL));
    match (of, palette.unwrap_or_default().form(Side::Red.into())) {
        (Side::Green, _) => "disc",
        (Side::Red, MarkShape::Disc) => "diamond",
        // The shape of its lights.
        (Side::Red, MarkShape::Ring) => "ring",
    }
}

/// Paints the sign of a side, which differs from the other side's in shape, too. Rings
/// are reserved for points that may be touched, unless the lights of a side are rings.
pub fn mark(ui: &Ui, middle: egui::Pos2, radius: f32, of: Side) {
    let colour = side(ui.ctx(), of);
    match mark_name(ui.ctx(), of) {
        "ring" => {
            let stroke = Stroke::new(radius * 0.55, colour);
            ui.painter().circle_stroke(middle, radius * 0.75, stroke);
        }
        "diamond" => {
            let ways = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)];
            let corners = ways.map(|(x, y)| middle + egui::vec2(x, y) * radius * DIAMOND);
            let shape = egui::Shape::convex_polygon(corners.to_vec(), colour, Stroke::NONE);
            ui.painter().add(shape);
        }
        _ => {
            ui.painter().circle_filled(middle, radius, colour);
        }
    }
}

/// Distance of a diamond's corners from its middle, relative to the radius of a disc of
/// the same size.
const DIAMOND: f32 = 1.2;

/// Sets colours, fonts and spacing of a context.
pub fn apply(context: &Context, tone: WindowTone) {
    IS_LIGHT.store(tone == WindowTone::Light, Ordering::Relaxed);
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
        (TextStyle::Small, font(12.5)),
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

/// The colour of lines between items.
fn card_edge_or_widget() -> Color32 {
    match WindowTone::now() {
        WindowTone::Dark => widget(),
        WindowTone::Light => card_edge(),
    }
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

/// Sets the zoom for a window of this size.
pub fn fit(context: &Context, size: egui::Vec2) {
    let zoom = zoom(size.y.min(size.x / NARROW));
    if (context.zoom_factor() - zoom).abs() > 0.01 {
        context.set_zoom_factor(zoom);
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

/// Scrolls contents that do not fit, with a thin bar next to them.
pub fn scroll(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.set_max_width(ui.available_width() - STEP);
            content(ui);
        });
}

/// Draws a card of the panel, with its title above the content.
pub fn card(ui: &mut Ui, title: &str, content: impl FnOnce(&mut Ui)) {
    Frame::new()
        .fill(card_fill())
        .stroke(Stroke::new(1.0, card_edge()))
        .corner_radius(CornerRadius::same(10))
        .inner_margin(match is_narrow(ui.ctx()) {
            true => Margin::symmetric(10, 8),
            false => Margin::symmetric(14, 12),
        })
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            if !title.is_empty() {
                ui.label(self::title(title));
            }
            content(ui);
        });
    ui.add_space(STEP * 0.25);
}

/// The title of a card as text with the style of titles.
pub fn title(name: &str) -> RichText {
    let title = RichText::new(name).small().color(faint());
    title.extra_letter_spacing(TITLE_SPACING)
}

/// Paints a chevron half as high as it is wide. It points down, or up if `half_width` is
/// negative.
pub fn chevron(ui: &Ui, middle: egui::Pos2, half_width: f32, stroke: Stroke) {
    let tip = half_width / 2.0;
    let corners = [(-half_width, -tip), (0.0, tip), (half_width, -tip)];
    let corners = corners.map(|(x, y)| middle + egui::vec2(x, y));
    ui.painter().line(corners.to_vec(), stroke);
}

/// Draws a row of a card: its name at the left, the control after it.
pub fn row(ui: &mut Ui, name: &str, control: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        let (place, _) = ui.allocate_exact_size(egui::vec2(52.0, 26.0), egui::Sense::hover());
        ui.painter().text(
            place.left_center(),
            egui::Align2::LEFT_CENTER,
            name,
            TextStyle::Body.resolve(ui.style()),
            faint(),
        );
        let slider = ui.available_width() - SLIDER_VALUE;
        ui.spacing_mut().slider_width = slider.clamp(*SLIDER.start(), *SLIDER.end());
        control(ui);
    });
}

/// Draws a choice among a few: a row of joined buttons. Returns the one that was clicked.
pub fn one_of(ui: &mut Ui, chosen: u8, names: &[String]) -> Option<u8> {
    one_of_told(ui, chosen, names, |_| "")
}

/// Draws the same choice; `meaning` returns the text for a button under the mouse.
pub fn one_of_told<'a>(
    ui: &mut Ui,
    chosen: u8,
    names: &[String],
    meaning: impl Fn(usize) -> &'a str,
) -> Option<u8> {
    let mut clicked = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        ui.spacing_mut().button_padding.x = 2.0;
        let are_words = names.iter().any(|name| name.chars().count() > 3);
        let widest = if are_words { f32::INFINITY } else { 34.0 };
        let widths = shares(ui, names, ui.available_width());
        for ((index, name), width) in names.iter().enumerate().zip(widths) {
            let on = index == usize::from(chosen);
            let [ink, fill, edge] = match (ui.is_enabled(), on) {
                (true, true) => [on_accent(), accent(), accent()],
                (true, false) => [text(), widget(), widget_edge()],
                (false, true) => [dim(), widget(), dim_edge()],
                (false, false) => [dim(), dim_fill(), dim_edge()],
            };
            let text = RichText::new(name).color(ink);
            let button = egui::Button::new(text)
                .fill(fill)
                .stroke(Stroke::new(1.0, edge))
                .min_size(egui::vec2(width.min(widest), 26.0));
            let mut button = ui.add(button);
            if !meaning(index).is_empty() {
                button = button.hover_text(meaning(index));
            }
            if button.clicked() {
                clicked = Some(index as u8);
            }
        }
    });
    clicked
}

/// The widths of the buttons of [`one_of_told`]: equal if every name fits, or else the
/// width of each name and an equal share of the rest.
fn shares(ui: &Ui, names: &[String], available: f32) -> Vec<f32> {
    let count = names.len().max(1) as f32;
    let gaps = ui.spacing().item_spacing.x * (count - 1.0);
    let padding = 2.0 * ui.spacing().button_padding.x;
    let font = TextStyle::Button.resolve(ui.style());
    let needs = names.iter().map(|name| {
        let words = ui
            .painter()
            .layout_no_wrap(name.clone(), font.clone(), text());
        words.size().x.ceil() + padding
    });
    let needs: Vec<f32> = needs.collect();
    // Widths are rounded up to whole pixels, and a row that is too wide is wrapped.
    let equal = ((available - gaps) / count).floor();
    let spare = available - gaps - needs.iter().sum::<f32>();
    if spare < 0.0 || needs.iter().all(|need| *need <= equal) {
        return vec![equal; names.len()];
    }
    let more = (spare / count).floor();
    needs.iter().map(|need| need + more).collect()
}

/// A small button, as in the row above a pane.
pub fn small(text: &str) -> egui::Button<'_> {
    egui::Button::new(RichText::new(text).small()).min_size(egui::vec2(0.0, 22.0))
}

/// One of three buttons in a row; the one to press next is bright.
pub fn wide(text: &str, accent: bool) -> egui::Button<'_> {
    wide_of(RichText::new(text), accent)
}

/// The same with small letters, for a narrow panel.
pub fn small_wide(text: &str, accent: bool) -> egui::Button<'_> {
    wide_of(RichText::new(text).small(), accent)
}

fn wide_of<'a>(text: RichText, accent: bool) -> egui::Button<'a> {
    let button = if accent {
        let button = egui::Button::new(text.color(on_accent())).fill(next_fill());
        button.stroke(Stroke::NONE)
    } else {
        egui::Button::new(text)
    };
    button.min_size(egui::vec2(80.0, 28.0))
}

/// Draws a filled circle in the line of text.
pub fn dot(ui: &mut Ui, radius: f32, colour: Color32) {
    let place = line_place(ui, radius);
    ui.painter().circle_filled(place, radius, colour);
}

/// Reserves room for a circle in the line of text. Returns its middle.
fn line_place(ui: &mut Ui, radius: f32) -> egui::Pos2 {
    let size = egui::vec2(
        2.0 * radius + 2.0,
        26.0_f32.min(ui.available_height().max(14.0)),
    );
    let (place, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    place.center()
}

/// A tick in seconds, to the millisecond.
#[must_use]
pub fn seconds(tick: Tick) -> String {
    format!("{}.{:03}", tick / 1000, tick % 1000)
}

/// Draws a line of small text; the mouse over it shows `whole`.
pub fn line(ui: &mut Ui, text: &str, whole: &str, colour: Color32) {
    let label = ui.add(egui::Label::new(RichText::new(text).small().color(colour)).wrap());
    label.hover_text(whole);
}

#[cfg(test)]
mod tests {
    use bevy::color::Luminance as _;

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

    #[test]
    fn a_tick_is_a_thousandth_of_a_second() {
        assert_eq!(seconds(61_007), "61.007");
    }
}
