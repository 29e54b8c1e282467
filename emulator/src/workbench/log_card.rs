//! What happened, newest at the bottom: a line a move, in the colour of who did
//! it.

use bevy_egui::egui::{
    Color32, CornerRadius, CursorIcon, Id, Label, RichText, ScrollArea, Sense, TextStyle, Ui, vec2,
};
use hil_bridge::story::{About, Line};
use protocol::Tick;

use super::{Bench, style};

/// The height of the list, until it is drawn out.
const HEIGHT: f32 = 120.0;
/// The least height that it can be pushed in to.
const LEAST_HEIGHT: f32 = 40.0;
/// The greatest height that it can be drawn out to.
const MOST_HEIGHT: f32 = 1_200.0;
/// Height of the grip below it.
const GRIP_HEIGHT: f32 = 8.0;
/// Room between two lines.
const BETWEEN_LINES: f32 = 2.0;
/// Room for the time before each line.
const TIME_WIDTH: f32 = 44.0;

/// Shows the card.
pub fn show(ui: &mut Ui, bench: &Bench) {
    style::card(ui, "WHAT HAPPENED", |ui| {
        let id = ui.id().with("height");
        let drawn_out: Option<f32> = ui.data(|data| data.get_temp(id));
        let drawn_out = drawn_out.unwrap_or(HEIGHT);
        let font = TextStyle::Small.resolve(ui.style());
        let line = (font.size * 1.35).round();
        // So many lines as fit are shown whole.
        let pitch = line + BETWEEN_LINES;
        let height = ((drawn_out + BETWEEN_LINES) / pitch).floor() * pitch - BETWEEN_LINES;
        ui.spacing_mut().item_spacing.y = BETWEEN_LINES;
        ui.spacing_mut().interact_size.y = line;
        ScrollArea::vertical()
            .id_salt("story")
            .max_height(height)
            .min_scrolled_height(height)
            .auto_shrink(false)
            .stick_to_bottom(true)
            .show_rows(ui, line, bench.game.story.0.len(), |ui, rows| {
                for told in &bench.game.story.0[rows] {
                    one_line(ui, told, line);
                }
            });
        grip(ui, id, drawn_out);
    });
}

/// What is below the list and draws it out.
fn grip(ui: &mut Ui, id: Id, height: f32) {
    let size = vec2(ui.available_width(), GRIP_HEIGHT);
    let (place, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let colour = if response.hovered() || response.dragged() {
        style::FAINT
    } else {
        style::WIDGET
    };
    let bar = bevy_egui::egui::Rect::from_center_size(place.center(), vec2(36.0, 3.0));
    ui.painter().rect_filled(bar, CornerRadius::same(1), colour);
    if response.dragged() {
        let height = (height + response.drag_delta().y).clamp(LEAST_HEIGHT, MOST_HEIGHT);
        ui.data_mut(|data| data.insert_temp(id, height));
    }
    if response.double_clicked() {
        ui.data_mut(|data| data.remove::<f32>(id));
    }
    response.on_hover_cursor(CursorIcon::ResizeVertical);
}

fn one_line(ui: &mut Ui, told: &Line, height: f32) {
    ui.horizontal(|ui| {
        let (place, _) = ui.allocate_exact_size(vec2(TIME_WIDTH, height), Sense::hover());
        ui.painter().text(
            place.right_center(),
            bevy_egui::egui::Align2::RIGHT_CENTER,
            seconds(told.tick),
            TextStyle::Small.resolve(ui.style()),
            style::FAINT,
        );
        let text = told.text();
        let mut words = RichText::new(&text).small().color(colour(ui, told));
        if matches!(told.about, About::End | About::Alarm) {
            words = words.strong();
        }
        let label = Label::new(words).truncate().show_tooltip_when_elided(false);
        ui.add(label)
            .on_hover_text(format!("{} s: {text}", style::seconds(told.tick)));
    });
}

fn colour(ui: &Ui, told: &Line) -> Color32 {
    match (told.about, told.side) {
        (About::Alarm, _) => style::WARNING,
        (About::Move | About::Part | About::Back | About::Turn | About::End, Some(side)) => {
            style::side(ui.ctx(), side)
        }
        (About::Begin | About::End, _) => Color32::WHITE,
        (About::Refused | About::Settings | About::Left | About::Hold, _) => style::FAINT,
        _ => style::TEXT,
    }
}

/// Board time, to a tenth of a second.
fn seconds(tick: Tick) -> String {
    format!("{}.{}", tick / 1_000, tick / 100 % 10)
}
