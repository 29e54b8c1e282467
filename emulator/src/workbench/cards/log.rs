//! The log, newest at the bottom: one line for each move, in the colour of its side.
//! A long line is wrapped at the edge of the card. After going back in time, the
//! lines ahead are faint.
//!
//! Invariants: until the user draws the list out, it ends within the panel, so that its
//! newest line is seen; it is as high as a number of whole lines.

use std::sync::Arc;

use bevy::ecs::system::InMut;
use bevy::prelude::Res;
use bevy_egui::egui::text::LayoutJob;
use bevy_egui::egui::{
    Align2, Color32, CornerRadius, CursorIcon, Galley, Id, Pos2, Rect, RichText, ScrollArea, Sense,
    TextStyle, Ui, vec2,
};
use touchboard_host::story::{StoryLine, Subject};

use crate::source::minutes;
use crate::workbench::beside::HoverText;
use crate::workbench::story::Story;
use crate::workbench::style;
use crate::workbench::system::WHO_HAS_ALL;

/// The default height of the list, in points.
const HEIGHT: f32 = 92.0;
/// A window that is higher than the first number gets a higher list, by the second number
/// times the difference.
const TALL: (f32, f32) = (900.0, 0.15);
/// The margin below the last card.
const MARGIN_BELOW: f32 = 10.0;
/// The minimum height to which the user can drag the list.
const LEAST_HEIGHT: f32 = 40.0;
/// The maximum height to which the user can drag the list.
const MOST_HEIGHT: f32 = 1_200.0;
/// The height of the grip below the list.
const GRIP_HEIGHT: f32 = 8.0;
/// The gap between two lines.
const BETWEEN_LINES: f32 = 2.0;
/// The width of the time before each line.
const TIME_WIDTH: f32 = 36.0;
/// The width next to the list, for its scroll bar.
const BESIDE_BAR: f32 = 8.0;
/// The gap between the time and the line.
const AFTER_TIME: f32 = 8.0;

/// Shows the card of the log.
pub fn show(InMut(ui): InMut<Ui>, story: Res<Story>) {
    // Where the panel ends, wherever it is scrolled to.
    let scrolled = ui.clip_rect().top() - ui.max_rect().top();
    let end = ui.clip_rect().bottom() - scrolled;
    style::card(ui, "LOG", |ui| {
        let id = ui.id().with("height");
        let drawn_out: Option<f32> = ui.data(|data| data.get_temp(id));
        let spare: Option<f32> = ui.data(|data| data.get_temp(spare_id()));
        dropped(ui, story.dropped);
        let line = ui.text_style_height(&TextStyle::Small) + BETWEEN_LINES;
        let room =
            end - ui.cursor().top() - GRIP_HEIGHT - ui.spacing().item_spacing.y - MARGIN_BELOW;
        let fitting = (least(ui) + spare.unwrap_or_default()).min(room);
        let fitting = whole_lines(fitting, line);
        let drawn_out = drawn_out.unwrap_or(fitting);
        ui.data_mut(|data| data.insert_temp(height_id(), drawn_out));
        // The list scrolls to its end after returning to the present, where the lines were
        // ahead, and when a game that is continued brings its lines.
        let id_of_ahead = ui.id().with("ahead");
        let was_elsewhere = ui.data(|data| data.get_temp(id_of_ahead)).unwrap_or(false);
        let is_back = story.ahead > 0;
        let is_elsewhere = is_back || story.lines.is_empty();
        ui.data_mut(|data| data.insert_temp(id_of_ahead, is_elsewhere));
        let comes_back = was_elsewhere && !is_elsewhere;
        let scroll = ScrollArea::vertical()
            .id_salt("story")
            .max_height(drawn_out)
            .min_scrolled_height(drawn_out)
            .auto_shrink(false)
            .stick_to_bottom(!is_back);
        scroll.show_viewport(ui, |ui, seen| {
            lines(ui, &story, seen);
            if comes_back {
                ui.scroll_to_cursor(Some(bevy_egui::egui::Align::BOTTOM));
            }
        });
        grip(ui, id, drawn_out);
    });
}

/// The height of as many lines as have room, but at least that of two.
fn whole_lines(room: f32, line: f32) -> f32 {
    (room / line).floor().max(2.0) * line
}

/// The height of the list if the other cards leave no more room.
fn least(ui: &Ui) -> f32 {
    let (from, part) = TALL;
    HEIGHT + part * (ui.ctx().content_rect().height() - from).max(0.0)
}

/// Gives the list the space below the other cards, from the next picture on. Called last
/// for the panel.
pub fn fill(ui: &mut Ui) {
    let height: Option<f32> = ui.data(|data| data.get_temp(height_id()));
    let bottom = ui.clip_rect().bottom() - MARGIN_BELOW;
    let left = bottom - ui.cursor().top();
    let spare = height.unwrap_or_default() + left - least(ui);
    let spare = spare.clamp(0.0, MOST_HEIGHT - HEIGHT);
    ui.data_mut(|data| data.insert_temp(spare_id(), spare.floor()));
}

/// The key under which the additional height of the list is stored.
fn spare_id() -> Id {
    Id::new("spare height of the log")
}

/// The key under which the height of the list is stored, as it was drawn last.
fn height_id() -> Id {
    Id::new("height of the log")
}

/// Draws how many older lines were dropped, if any were.
fn dropped(ui: &mut Ui, lines: u64) {
    let sentence = match lines {
        0 => return,
        1 => format!("One older line is not kept here{WHO_HAS_ALL}."),
        lines => format!("{lines} older lines are not kept here{WHO_HAS_ALL}."),
    };
    ui.label(RichText::new(sentence).small().color(style::faint()));
}

/// A line of the story, as it is drawn.
struct Drawn<'a> {
    told: &'a StoryLine,
    galley: Arc<Galley>,
    top: f32,
    is_ahead: bool,
}

/// Lays out all lines, and draws the visible ones.
fn lines(ui: &mut Ui, story: &Story, seen: Rect) {
    let past = story.past().len();
    let width = ui.available_width() - BESIDE_BAR;
    let mut top = 0.0;
    let mut drawn = Vec::with_capacity(story.lines.len());
    for (number, told) in story.lines.iter().enumerate() {
        let is_ahead = number >= past;
        let galley = laid_out(ui, told, is_ahead, width - TIME_WIDTH - AFTER_TIME);
        let height = galley.size().y + BETWEEN_LINES;
        drawn.push(Drawn {
            told,
            galley,
            top,
            is_ahead,
        });
        top += height;
    }
    let (place, _) = ui.allocate_exact_size(vec2(width, top), Sense::hover());
    let is_seen =
        |line: &&Drawn| line.top <= seen.bottom() && line.top + line.galley.size().y >= seen.top();
    for line in drawn.iter().filter(is_seen) {
        one_line(ui, line, place.min);
    }
    // The line of the current moment stays visible, even if it is not the last one.
    let now = drawn.get(past).map(|line| line.top);
    let id = ui.id().with("now");
    if now != ui.data(|data| data.get_temp(id)).flatten() {
        ui.data_mut(|data| data.insert_temp(id, now));
        if let Some(now) = now {
            let now = Rect::from_min_size(place.min + vec2(0.0, now), vec2(width, BETWEEN_LINES));
            ui.scroll_to_rect(now, Some(bevy_egui::egui::Align::Center));
        }
    }
}

/// The text of a line, in as many rows as necessary.
fn laid_out(ui: &Ui, told: &StoryLine, is_ahead: bool, width: f32) -> Arc<Galley> {
    let colour = match is_ahead {
        true => style::faint(),
        false => colour(ui, told),
    };
    let text = style::words(ui, &told.text());
    let mut words = RichText::new(text).small().color(colour);
    if matches!(told.about, Subject::End | Subject::Alarm) && !is_ahead {
        words = words.strong();
    }
    let mut job = LayoutJob::default();
    let font = bevy_egui::egui::FontSelection::Default;
    words.append_to(&mut job, ui.style(), font, bevy_egui::egui::Align::Min);
    job.wrap.max_width = width;
    ui.painter().layout_job(job)
}

/// Draws the grip below the list, with which the user changes its height.
fn grip(ui: &mut Ui, id: Id, height: f32) {
    let size = vec2(ui.available_width(), GRIP_HEIGHT);
    let (place, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let colour = if response.hovered() || response.dragged() {
        style::faint()
    } else {
        style::widget()
    };
    let bar = Rect::from_center_size(place.center(), vec2(36.0, 3.0));
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

/// Draws a line of a list that begins at this place.
fn one_line(ui: &mut Ui, line: &Drawn, list: Pos2) {
    let Drawn { told, galley, .. } = line;
    let left = list + vec2(0.0, line.top);
    let size = vec2(TIME_WIDTH + AFTER_TIME + galley.size().x, galley.size().y);
    let exact = format!("second {} of board time", style::seconds(told.tick));
    let exact = match line.is_ahead {
        true => format!("{exact}, ahead of the moment that is shown"),
        false => exact,
    };
    let id = ui.id().with(("line", told.tick, line.top.to_bits()));
    ui.interact(Rect::from_min_size(left, size), id, Sense::hover())
        .hover_text(exact);
    let font = TextStyle::Small.resolve(ui.style());
    let time = left + vec2(TIME_WIDTH, 0.0);
    ui.painter().text(
        time,
        Align2::RIGHT_TOP,
        minutes(told.tick),
        font,
        style::faint(),
    );
    let words = time + vec2(AFTER_TIME, 0.0);
    ui.painter().galley(words, galley.clone(), style::text());
}

fn colour(ui: &Ui, told: &StoryLine) -> Color32 {
    match (told.about, told.side) {
        (Subject::Alarm, _) => style::warning(),
        (
            Subject::Move | Subject::Part | Subject::Back | Subject::Turn | Subject::End,
            Some(side),
        ) => style::side(ui.ctx(), side),
        (Subject::Begin | Subject::End, _) => style::strong(),
        (Subject::Refused | Subject::Settings | Subject::Left | Subject::Hold, _) => style::faint(),
        _ => style::text(),
    }
}
