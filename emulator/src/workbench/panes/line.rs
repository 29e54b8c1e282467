//! The pane of the line: the traffic of the board's line, with figures at the left and
//! the newest wire frames next to them.
//!
//! For a board in this process, the pane says that it has no line. [`LineView`] decides
//! which wire frames are visible, as in the terminal.

use bevy::ecs::system::InMut;
use bevy::prelude::{Res, ResMut, Resource};
use bevy_egui::egui::{
    self, Align, Align2, Button, Color32, FontId, Label, Layout, Rect, RichText, Sense, Stroke, Ui,
    pos2, vec2,
};
use touchboard_host::traffic::{
    Latencies, LineDirection, LineFigures, LineFilter, LineFlow, LineFrame, LineView,
    LineViewAction, TouchPath, ms,
};

use super::super::style;
use crate::source::ShownBoard;

/// Height of the row of buttons.
const BUTTONS: f32 = 32.0;
/// The height of a wire frame's row.
const ROW: f32 = 16.0;
/// Width of the figures, and the least width of a pane that shows wire frames next to
/// them.
const FIGURES: f32 = 300.0;
const WIDE: f32 = 700.0;
/// The height of a histogram.
const BARS: f32 = 26.0;
/// Size of the letters of a wire frame.
const FONT: f32 = 11.0;

/// The state of the line pane.
#[derive(Resource, Default)]
pub struct LinePane {
    view: LineView,
}

impl LinePane {
    /// A pane that shows messages of these names; all messages if there are none.
    #[must_use]
    pub fn of(kinds: Vec<String>) -> LinePane {
        LinePane {
            view: LineView::new(LineFilter {
                kinds,
                ..LineFilter::default()
            }),
        }
    }
}

/// The visible traffic of a line.
struct VisibleTraffic {
    rows: Vec<LineFrame>,
    figures: LineFigures,
}

/// Shows the pane of the line.
pub(in crate::workbench) fn show(
    InMut(ui): InMut<Ui>,
    board: Option<Res<ShownBoard>>,
    mut pane: ResMut<LinePane>,
) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let rows = ((ui.available_height() - BUTTONS) / ROW).max(1.0) as usize;
    match act(ui, &mut pane, board.as_deref(), rows) {
        Some(seen) => content(ui, &seen, pane.view.has_bytes),
        None => {
            let words = "The board has no line, or nothing of it is recorded: choose a board under CONNECTION.";
            ui.label(RichText::new(words).small().color(style::faint()));
        }
    }
}

/// Draws the row of buttons and carries out their action. Returns the traffic to show.
fn act(
    ui: &mut Ui,
    pane: &mut LinePane,
    board: Option<&ShownBoard>,
    rows: usize,
) -> Option<VisibleTraffic> {
    let action = buttons(ui, pane);
    let mut seen = None;
    let view = &mut pane.view;
    if let Some(line) = board.and_then(|board| board.0.at_line()) {
        line.look_at_line(&mut |record, figures| {
            if let Some(action) = action {
                view.act(action, record, rows);
            }
            seen = Some(VisibleTraffic {
                rows: view.rows(record, rows),
                figures: figures.clone(),
            });
        });
    }
    seen
}

/// Draws the buttons: direction, kind, errors, bytes, back and forth.
fn buttons(ui: &mut Ui, pane: &LinePane) -> Option<LineViewAction> {
    let size = vec2(ui.available_width(), BUTTONS);
    let view = &pane.view;
    let is_still = view.until.is_some();
    let errors = if view.filter.errors_only {
        "errors only"
    } else {
        "all and errors"
    };
    let still = if is_still { "▶ Follow" } else { "⏸ Hold" };
    let kinds = format!("kind: {}", view.kinds());
    let ways = view.ways();
    let choices = [
        (
            ways,
            LineViewAction::Direction,
            "Frames that go one way, or both",
        ),
        (&*kinds, LineViewAction::Kind, "The next kind of messages"),
        (
            errors,
            LineViewAction::Errors,
            "Only what went wrong: damaged, repeated, refused frames, and gaps",
        ),
        (
            "bytes",
            LineViewAction::Bytes,
            "Bytes beside the words, or more words",
        ),
        ("◀", LineViewAction::Older(10), "Ten frames back"),
        ("▶", LineViewAction::Newer(10), "Ten frames on"),
        (
            still,
            LineViewAction::Pause,
            "Holds the list, or lets it follow the line",
        ),
    ];
    let mut pressed = None;
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.spacing_mut().button_padding = vec2(7.0, 3.0);
        for (text, action, words) in choices {
            let button = Button::new(RichText::new(text).small()).min_size(vec2(0.0, 22.0));
            if ui.add(button).on_hover_text(words).clicked() {
                pressed = Some(action);
            }
        }
    });
    pressed
}

fn content(ui: &mut Ui, seen: &VisibleTraffic, has_bytes: bool) {
    let is_wide = ui.available_width() >= WIDE;
    let place = ui.available_rect_before_wrap();
    let mut frames_at = place;
    if is_wide {
        let mut figures_at = place;
        figures_at.set_width(FIGURES);
        frames_at.min.x += FIGURES + style::STEP;
        let own = egui::UiBuilder::new().max_rect(figures_at);
        ui.scope_builder(own, |ui| {
            ui.set_clip_rect(figures_at.intersect(ui.clip_rect()));
            figures(ui, &seen.figures);
        });
    }
    let own = egui::UiBuilder::new().max_rect(frames_at);
    ui.scope_builder(own, |ui| {
        for frame in &seen.rows {
            row(ui, frame, is_wide && has_bytes);
        }
    });
}

/// Draws a wire frame: its words fill the row, or leave room for bytes.
fn row(ui: &mut Ui, frame: &LineFrame, has_bytes: bool) {
    let colour = match frame.direction {
        _ if frame.is_trouble() => style::error(),
        LineDirection::ToBoard => style::accent(),
        LineDirection::FromBoard => style::text(),
    };
    let told = frame.text();
    let (head, bytes) = (frame.head(), frame.spaced_bytes());
    let width = ui.available_width();
    let (place, response) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
    let painter = ui.painter_at(place);
    let font = FontId::monospace(FONT);
    let letter = painter.layout_no_wrap("0".to_owned(), font.clone(), colour);
    let letter = letter.size().x.max(1.0);
    let letters = ((width / letter) as usize).saturating_sub(head.len());
    let words = match has_bytes {
        true => letters / 2,
        false => letters,
    };
    let shown: String = told.chars().take(words).collect();
    let at = |column: usize| pos2(place.left() + column as f32 * letter, place.center().y);
    painter.text(
        at(0),
        Align2::LEFT_CENTER,
        format!("{head}{shown}"),
        font.clone(),
        colour,
    );
    if has_bytes {
        let column = head.len() + words + 1;
        painter.text(
            at(column),
            Align2::LEFT_CENTER,
            &bytes,
            font,
            style::faint(),
        );
    }
    response.on_hover_ui(|ui| {
        ui.label(&told);
        ui.add(Label::new(RichText::new(&bytes).monospace().small()).wrap());
    });
}

/// Draws the figures, one per line, and histograms.
fn figures(ui: &mut Ui, figures: &LineFigures) {
    flow(ui, "to the board", &figures.to_board);
    flow(ui, "from the board", &figures.from_board);
    let colour = if figures.has_trouble() {
        style::warning()
    } else {
        style::faint()
    };
    let troubles = figures.troubles();
    style::line(ui, &troubles, &troubles, colour);
    latencies(ui, "round trip", &figures.round_trips);
    for (path, took) in &figures.lights {
        let name = match path {
            TouchPath::Message => "touch to light, as a message",
            TouchPath::Sensors => "touch to light, over sensors",
        };
        latencies(ui, name, took);
    }
}

fn flow(ui: &mut Ui, name: &str, flow: &LineFlow) {
    let text = format!(
        "{name}  {} B/s  {} frames/s",
        flow.bytes_a_second, flow.frames_a_second
    );
    let whole = format!("{} bytes in {} frames so far", flow.bytes, flow.frames);
    style::line(ui, &text, &whole, style::text());
}

fn latencies(ui: &mut Ui, name: &str, took: &Latencies) {
    let Some(words) = took.words() else {
        return;
    };
    style::line(
        ui,
        &format!("{name}: {}", words.trim()),
        &words,
        style::text(),
    );
    histogram(ui, took);
}

/// Draws a histogram. The range of each bar is twice that of the one before; a line marks
/// the floor.
fn histogram(ui: &mut Ui, took: &Latencies) {
    let (Some(first), Some(last)) = (took.bars.first(), took.bars.last()) else {
        return;
    };
    let size = vec2(ui.available_width().min(FIGURES), BARS);
    let (place, response) = ui.allocate_exact_size(size, Sense::hover());
    let begin_us = (first.limit_us / 2).max(1);
    let painter = ui.painter_at(place);
    // Leaves room for the labels at both ends.
    let bars = Rect::from_min_max(
        pos2(place.left() + 48.0, place.top() + 3.0),
        pos2(place.right() - 56.0, place.bottom() - 3.0),
    );
    let most = took.bars.iter().map(|bar| bar.count).max().unwrap_or(1);
    let width = bars.width() / took.bars.len() as f32;
    for (index, one) in took.bars.iter().enumerate() {
        let height = bars.height() * one.count as f32 / most.max(1) as f32;
        let left = bars.left() + width * index as f32;
        let bar = Rect::from_min_max(
            pos2(left + 1.0, bars.bottom() - height),
            pos2(left + width - 1.0, bars.bottom()),
        );
        painter.rect_filled(bar, 1.0, style::tinted(style::accent(), 0.7));
    }
    painter.hline(
        bars.x_range(),
        bars.bottom(),
        Stroke::new(1.0, style::edge()),
    );
    if took.floor_us > 0 {
        let doublings = (took.floor_us as f32 / begin_us as f32).log2();
        let x = (bars.left() + doublings * width).clamp(bars.left(), bars.right());
        painter.vline(x, bars.y_range(), Stroke::new(1.5, style::warning()));
    }
    let end = |at, align, us: u64| {
        let font = FontId::proportional(FONT);
        let text = format!("{} ms", ms(us));
        let faint: Color32 = style::faint();
        painter.text(at, align, text, font, faint);
    };
    end(place.left_bottom(), Align2::LEFT_BOTTOM, begin_us);
    end(place.right_bottom(), Align2::RIGHT_BOTTOM, last.limit_us);
    response
        .on_hover_text("Each bar ends at twice the time of the one before; the line is the floor");
}
