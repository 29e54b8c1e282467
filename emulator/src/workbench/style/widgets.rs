//! The widgets that several cards share: cards, rows, buttons, choices, signs of the sides.

use bevy_egui::egui::{
    self, Align2, Color32, Context, CornerRadius, Frame, Margin, Rect, RichText, Stroke, TextStyle,
    Ui,
};
use protocol::{Side, Tick};

use super::colours::{
    accent, card_edge, card_fill, chosen_palette, dim, dim_edge, dim_fill, faint, next_fill,
    on_accent, side, text, widget, widget_edge, widget_hovered, words,
};
use super::{STEP, is_narrow};
use crate::theme::MarkShape;
use crate::workbench::beside::HoverText;

/// The extra space between the letters of a card's title, in points.
const TITLE_SPACING: f32 = 0.8;
/// The narrowest control beside its name that a row has room for.
const SLIDER: std::ops::RangeInclusive<f32> = 36.0..=128.0;
/// Room for the number beside a slider.
const SLIDER_VALUE: f32 = 66.0;
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

/// Draws a small sentence about the item above it.
pub fn note(ui: &mut Ui, text: &str) {
    let text = words(ui, text);
    ui.add(egui::Label::new(RichText::new(text).small().color(faint())).wrap());
}

/// The shape of the sign that stands for a side.
#[must_use]
pub fn mark_name(context: &Context, of: Side) -> &'static str {
    match (of, chosen_palette(context).form(Side::Red.into())) {
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

/// The frame of what opens over the board and the panels: lists, forms and help.
pub fn popup_frame(fill: Color32, margin: impl Into<Margin>) -> Frame {
    Frame::new()
        .fill(fill)
        .stroke(Stroke::new(1.0, widget_hovered()))
        .corner_radius(CornerRadius::same(12))
        .inner_margin(margin)
}

/// The area of what opens over everything else, with its `pivot` at a point, and as far as
/// possible inside of `room`. It is there at once: it does not fade in.
pub fn popup_area(name: &str, pivot: Align2, at: egui::Pos2, room: Rect) -> egui::Area {
    egui::Area::new(egui::Id::new(name))
        .order(egui::Order::Foreground)
        .fade_in(false)
        .pivot(pivot)
        .fixed_pos(at)
        .constrain_to(room)
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
            Align2::LEFT_CENTER,
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
    use super::*;

    #[test]
    fn a_tick_is_a_thousandth_of_a_second() {
        assert_eq!(seconds(61_007), "61.007");
    }
}
