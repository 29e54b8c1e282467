//! Explanations of what the mouse rests on in the side panel: they stand beside the panel,
//! on the table, where they cover neither the log nor the text that they explain.
//!
//! In a window without a free strip of table they stand where the toolkit puts them.

use bevy_egui::egui::{
    Context, Id, Rect, RectAlign, Response, Tooltip, WidgetText, emath::Rangef, pos2,
};

/// The most width of an explanation: that of the strip of table beside the board.
const WIDTH: f32 = 190.0;
/// A scene that is narrower has no such strip.
const LEAST_SCENE: f32 = 720.0;

/// Notes which part of the window the side panel covers.
pub fn note_panel(context: &Context, panel: Rect) {
    context.data_mut(|data| data.insert_temp(key(), panel));
}

/// The part of the window that the side panel covers, if it is there.
pub fn panel(context: &Context) -> Option<Rect> {
    let panel: Option<Rect> = context.data(|data| data.get_temp(key()));
    panel.filter(Rect::is_positive)
}

fn key() -> Id {
    Id::new("the panel that explanations stand beside")
}

/// The place that an explanation of this part of the panel is beside, if there is
/// room for one.
fn place(response: &Response) -> Option<Rect> {
    let panel: Rect = response.ctx.data(|data| data.get_temp(key()))?;
    let scene = panel.left() - response.ctx.content_rect().left();
    let is_within = panel.contains(response.rect.center());
    (is_within && scene >= LEAST_SCENE).then(|| {
        let rows: Rangef = response.rect.y_range();
        Rect::from_min_max(pos2(panel.left(), rows.min), pos2(panel.right(), rows.max))
    })
}

/// Explains a widget while the mouse rests on it.
pub trait HoverText: Sized {
    /// Explains what the widget does, if it is enabled.
    fn hover_text(self, words: impl Into<WidgetText>) -> Self;

    /// Explains why the widget is disabled, if it is.
    fn hover_text_if_disabled(self, words: impl Into<WidgetText>) -> Self;
}

impl HoverText for Response {
    fn hover_text(self, words: impl Into<WidgetText>) -> Response {
        show(Tooltip::for_enabled(&self), &self, words.into());
        self
    }

    fn hover_text_if_disabled(self, words: impl Into<WidgetText>) -> Response {
        show(Tooltip::for_disabled(&self), &self, words.into());
        self
    }
}

fn show(mut tooltip: Tooltip<'_>, of: &Response, words: WidgetText) {
    if let Some(place) = place(of) {
        tooltip.popup = tooltip
            .popup
            .anchor(place)
            .align(RectAlign::LEFT_START)
            .align_alternatives(&[RectAlign::LEFT_END])
            .width(WIDTH);
    }
    tooltip.show(|ui| {
        ui.set_max_width(ui.spacing().tooltip_width.min(match place(of) {
            Some(_) => WIDTH,
            None => f32::INFINITY,
        }));
        ui.label(words);
    });
}
