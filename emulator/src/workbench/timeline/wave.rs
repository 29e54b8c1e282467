//! Draws the waveforms of signals.

use bevy_egui::egui::{
    Align2, Color32, FontFamily, FontId, Painter, Rect, Shape, Stroke, Ui, pos2, vec2,
};
use protocol::{Colour, Side, Tick};
use touchboard_host::signals::{SignalValue, Waveform};

use super::super::style;
use super::axis::Axis;

/// The width of the slanted edges of a value, in points.
const SLANT: f32 = 2.0;
/// Values that are narrower than this are drawn as a block.
const NARROW: f32 = 3.0;

/// How waveforms are drawn.
#[derive(Clone, Copy)]
pub struct WaveLook<'a> {
    /// The ticks that are in view.
    pub axis: &'a Axis,
    /// The colour, if one was chosen.
    pub tint: Option<Color32>,
}

/// Paints a waveform into a row, from the first visible tick to `until`.
pub fn paint(
    ui: &Ui,
    painter: &Painter,
    wave: &Waveform,
    WaveLook { axis, tint }: WaveLook,
    row: Rect,
    until: Tick,
) {
    let usual = tint.unwrap_or(style::accent());
    let row = row.shrink2(vec2(0.0, 3.0));
    let [from, to] = axis.span();
    let to = to.min(until as f64);
    let mut changes = wave
        .within(from.max(0.0) as Tick, to.max(0.0).ceil() as Tick)
        .peekable();
    let mut level = None;
    // The start of a run of values that are too narrow to be distinguished.
    let mut block: Option<f32> = None;
    while let Some((since, value)) = changes.next() {
        let left = axis.x(since as f64).max(row.left());
        let end = changes.peek().map_or(to, |(next, _)| *next as f64);
        let right = axis.x(end).min(row.right());
        if right - left < NARROW && changes.peek().is_some() {
            block.get_or_insert(left);
            level = None;
            continue;
        }
        if let Some(begin) = block.take() {
            busy(painter, row, [begin, left], usual);
        }
        match value {
            SignalValue::Bit(bit) => {
                trace(painter, row, [left, right], *bit, level, usual);
                level = Some(*bit);
            }
            value => {
                let colour = tint.unwrap_or_else(|| colour_of(ui, value));
                held(painter, row, [left, right], value, colour);
            }
        }
    }
    if let Some(begin) = block {
        busy(painter, row, [begin, axis.x(to).min(row.right())], usual);
    }
}

/// Draws a bit: low or high, with an edge where it changes.
fn trace(
    painter: &Painter,
    row: Rect,
    [left, right]: [f32; 2],
    bit: bool,
    before: Option<bool>,
    colour: Color32,
) {
    let stroke = Stroke::new(1.5, colour);
    let y = if bit { row.top() } else { row.bottom() };
    if bit {
        let under = Rect::from_min_max(pos2(left, row.top()), pos2(right, row.bottom()));
        painter.rect_filled(under, 0.0, style::tinted(colour, 0.18));
    }
    painter.hline(left..=right, y, stroke);
    if before.is_some_and(|before| before != bit) {
        painter.vline(left, row.y_range(), stroke);
    }
}

/// Draws a number or a word: a box with slanted ends, with the value inside if there is
/// room.
fn held(
    painter: &Painter,
    row: Rect,
    [left, right]: [f32; 2],
    value: &SignalValue,
    colour: Color32,
) {
    let slant = SLANT.min((right - left) / 2.0);
    let middle = row.center().y;
    let corners = [
        pos2(left, middle),
        pos2(left + slant, row.top()),
        pos2(right - slant, row.top()),
        pos2(right, middle),
        pos2(right - slant, row.bottom()),
        pos2(left + slant, row.bottom()),
    ];
    let fill = if value.is_on() { 0.3 } else { 0.06 };
    painter.add(Shape::convex_polygon(
        corners.to_vec(),
        style::tinted(colour, fill),
        Stroke::new(1.0, style::tinted(colour, 0.8)),
    ));
    let font = FontId::new(10.5, FontFamily::Proportional);
    let text = value.to_string();
    let galley = painter.layout_no_wrap(text.trim().to_owned(), font, style::text());
    if galley.size().x + 2.0 * SLANT + 4.0 < right - left {
        let place = Align2::LEFT_CENTER.anchor_size(pos2(left + 5.0, middle), galley.size());
        painter.galley(place.min, galley, style::text());
    }
}

/// Draws many values in little space as a block.
fn busy(painter: &Painter, row: Rect, [left, right]: [f32; 2], colour: Color32) {
    let right = right.max(left + 1.0);
    let place = Rect::from_min_max(pos2(left, row.top()), pos2(right, row.bottom()));
    painter.rect_filled(place, 0.0, style::tinted(colour, 0.55));
}

/// The colour that a word names; a faint one for other words, and the accent
/// colour for numbers.
fn colour_of(ui: &Ui, value: &SignalValue) -> Color32 {
    let SignalValue::Word(word) = value else {
        return style::accent();
    };
    let name = word.split(' ').next().unwrap_or_default();
    if let Some(side) = Side::BOTH.into_iter().find(|side| side.name() == name) {
        return style::side(ui.ctx(), side);
    }
    let is_lit = |colour: &Colour| *colour != Colour::OFF;
    match Colour::from_name(name).filter(is_lit) {
        Some(colour) => style::light(ui.ctx(), colour),
        None => style::faint(),
    }
}
