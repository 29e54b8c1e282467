//! The card beside a board that waits for its first game: the name of the game, and how to
//! start it. Without room beside the case it is over the board, unless the side panel has
//! the same buttons and the game waits for a touch.
//!
//! Such a board is dark, and only its display shows the choice. The card shows the name
//! of the game, its aim, and the buttons that begin it. It belongs to the window and does
//! not change the board's lights.
//!
//! Invariants: the card is shown only while no game is on, and there is no later moment
//! to go forward to; it lies within the part of the window that the panels leave.

use bevy::ecs::system::SystemParam;
use bevy::prelude::{Camera, GlobalTransform, In, Query, Res, ResMut, Vec3, With};
use bevy_egui::egui::{self, Align2, Area, CornerRadius, Id, Margin, Rect, RichText, Ui, pos2};
use touchboard_host::display;
use touchboard_host::games::{self, Guide};
use touchboard_host::standing::{Situation, kind, phase};

use super::banner::OpenDrawers;
use super::beside;
use super::cards::game::{StartButtons, begin};
use super::games::{Entry, Picture};
use super::lists::library::Library;
use super::orders::BoardSeat;
use super::parts::OverBoard;
use super::style::{self, STEP};
use crate::scene::camera::SceneCamera;
use crate::scene::case::FIELD_Y;
use crate::scene::plan::PointPlan;
use crate::source::{BoardTime, Shown};
use crate::theme::{Chosen, Palette};

/// The width of the card, in points.
const WIDTH: f32 = 340.0;
/// The least width beside the field, in points.
const NARROW_WIDTH: f32 = 216.0;
/// The least margin between the card and the edges of the scene, in points.
const BESIDE: f32 = 24.0;
/// The side of the picture next to the name, in points.
const PICTURE: f32 = 68.0;
/// In a part of the window smaller than this, the card only has room for the name and the
/// buttons.
const ROOM: egui::Vec2 = egui::vec2(560.0, 480.0);
/// In a part smaller than this, no card is shown, because it would hide the board.
const LEAST: egui::Vec2 = egui::vec2(270.0, 250.0);
/// The size of the letters of the name.
const NAME: f32 = 23.0;

/// The right edge of the field in points, at its corner nearest to the eye, where it reaches
/// farthest; `zoom` is the number of logical pixels of a point.
fn end_of_field(eye: &EyeOnCase, zoom: f32) -> Option<f32> {
    let (camera, place) = eye.cameras.iter().next()?;
    let half = eye.plan.as_ref()?.field() / 2.0;
    let corner = Vec3::new(half.x, FIELD_Y, half.y);
    let seen = camera.world_to_viewport(place, corner).ok()?;
    Some(seen.x / zoom)
}

/// The place of the card: its pivot, its point, and its width.
fn place(part: Rect, end_of_field: Option<f32>) -> (Align2, egui::Pos2, f32) {
    let right = part.right() - BESIDE / 2.0;
    let beside = end_of_field.filter(|end| end + BESIDE <= right - NARROW_WIDTH);
    match beside {
        Some(end) => {
            let width = (right - end - BESIDE).min(WIDTH);
            (Align2::RIGHT_CENTER, pos2(right, part.center().y), width)
        }
        None => {
            let width = WIDTH.min(part.width() - 2.0 * BESIDE);
            (Align2::CENTER_CENTER, part.center(), width)
        }
    }
}

/// The camera, and the field that it sees.
#[derive(SystemParam)]
pub struct EyeOnCase<'w, 's> {
    plan: Option<Res<'w, PointPlan>>,
    cameras: Query<'w, 's, (&'static Camera, &'static GlobalTransform), With<SceneCamera>>,
}

/// True if a board that shows this has the card, in this part of the window.
fn stands(part: Rect, shown: &Shown, now: BoardTime) -> bool {
    phase(&shown.status) == Situation::NoGame
        && shown.past.latest <= now.0
        && part.size().x >= LEAST.x
        && part.size().y >= LEAST.y
}

/// What the card shows and changes.
#[derive(SystemParam)]
pub struct WaitingCard<'w> {
    start: StartButtons<'w>,
    library: ResMut<'w, Library>,
    palette: Res<'w, Chosen>,
}

impl WaitingCard<'_> {
    fn shown(&self) -> &Shown {
        &self.start.orders.board.shown
    }
}

/// Shows the card beside the field, or else in the middle of the board's part of the window
/// unless the side panel says all of it.
/// Returns true if it is there.
pub fn show(
    In(OverBoard { context, part }): In<OverBoard>,
    drawers: OpenDrawers,
    now: Res<BoardTime>,
    eye: EyeOnCase,
    mut card: WaitingCard,
) -> bool {
    let shown = card.shown();
    if drawers.cover(part) || !shown.link.answers() || !stands(part, shown, *now) {
        return false;
    }
    let has_room = part.size().x >= ROOM.x && part.size().y >= ROOM.y;
    let zoom = context.zoom_factor();
    let (pivot, at, width) = place(part, end_of_field(&eye, zoom));
    let is_over_board = pivot == Align2::CENTER_CENTER;
    if is_over_board && beside::has_panel(&context) && !is_in_real_time(shown) {
        return false;
    }
    Area::new(area())
        .order(egui::Order::Middle)
        .fade_in(false)
        .pivot(pivot)
        .fixed_pos(at)
        .constrain_to(part)
        .show(&context, |ui| {
            egui::Frame::new()
                .fill(style::card_fill())
                .stroke(egui::Stroke::new(1.0, style::edge()))
                .corner_radius(CornerRadius::same(12))
                .inner_margin(Margin::symmetric(16, 14))
                .show(ui, |ui| {
                    ui.set_width(width - 2.0 * 16.0);
                    ui.spacing_mut().item_spacing.y = STEP * 0.75;
                    content(ui, &mut card, has_room);
                });
        });
    true
}

fn area() -> Id {
    Id::new("waiting")
}

/// The part of the window that the card covers, if it is shown.
pub(super) fn card(context: &egui::Context) -> Option<Rect> {
    context.memory(|memory| {
        let layer = egui::LayerId::new(egui::Order::Middle, area());
        let is_shown = memory.areas().is_visible(&layer);
        is_shown.then(|| memory.area_rect(area()))?
    })
}

fn content(ui: &mut Ui, card: &mut WaitingCard, has_room: bool) {
    let WaitingCard {
        start,
        library,
        palette,
    } = card;
    let shown = &start.orders.board.shown;
    let settings = shown.status.settings;
    let entry = Entry::of(settings.game, shown.layout);
    match has_room {
        true => {
            ui.horizontal(|ui| {
                let picture = library.picture_of_game(&entry, shown);
                show_picture(ui, &picture, palette.0);
                ui.add_space(STEP * 0.5);
                ui.vertical(|ui| name(ui, shown, &entry));
            });
            let aim = style::words(ui, &entry.aim);
            ui.label(RichText::new(aim).color(style::faint()));
        }
        false => name(ui, shown, &entry),
    }
    let is_in_real_time = is_in_real_time(shown);
    let width = ui.available_width();
    begin(ui, start, width);
    let words = style::words(ui, &what_to_press(&start.orders.board));
    ui.label(RichText::new(words).small().color(style::text()));
    if is_in_real_time {
        ui.label(RichText::new(DO_NOT_WAIT).small().color(style::text()));
    }
    if let Some(words) = display_words(&start.orders.board.shown).filter(|_| has_room) {
        let words = style::words(ui, &words);
        ui.label(RichText::new(words).small().color(style::faint()));
    }
}

fn is_in_real_time(shown: &Shown) -> bool {
    games::find(shown.status.settings.game).is_some_and(Guide::is_in_real_time)
}

fn show_picture(ui: &mut Ui, picture: &Picture, palette: Palette) {
    let (place, _) = ui.allocate_exact_size(egui::Vec2::splat(PICTURE), egui::Sense::hover());
    picture.paint(ui.painter(), place.shrink(3.0), palette);
}

fn name(ui: &mut Ui, shown: &Shown, entry: &Entry) {
    let name = RichText::new(&entry.name).size(NAME);
    ui.label(name.color(style::strong()));
    let kind = kind(&shown.status.settings, shown.layout);
    let kind = style::words(ui, &kind);
    ui.label(RichText::new(kind).color(style::faint()));
}

/// A sentence about the buttons of the board that begin the game.
fn what_to_press(board: &BoardSeat) -> String {
    if let Some(why) = board.why_no_start() {
        return why;
    }
    let level = board.shown.status.settings.level;
    match (board.is_chosen_against_whom(), level) {
        (true, _) => "Or press START on the board (key n).".to_owned(),
        (false, 0) => "START on the board (key n) begins a game for two.".to_owned(),
        (false, level) => {
            format!("START on the board (key n) begins against the board, level {level}.")
        }
    }
}

/// What the display says of the settings; `None` if it shows something else.
fn display_words(shown: &Shown) -> Option<String> {
    let Shown {
        frame,
        status,
        layout,
        ..
    } = shown;
    let display = frame.display.trim();
    let words = display::words(display, status, *layout);
    (words == display::settings(&status.settings, *layout))
        .then(|| format!("The display shows {display}: {words}."))
}

/// The note for a game whose lights change without a touch.
const DO_NOT_WAIT: &str = "Its lights do not wait for a touch: F1 tells how it is played.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_card_is_beside_the_field_where_there_is_room() {
        let part = Rect::from_min_size(pos2(0.0, 0.0), egui::vec2(1_100.0, 760.0));
        for (end, is_beside) in [(Some(830.0), true), (Some(900.0), false), (None, false)] {
            let (pivot, at, width) = place(part, end);
            let card = pivot.anchor_size(at, egui::vec2(width, 300.0));
            assert!(part.contains_rect(card), "{card:?}");
            let covers = end.is_some_and(|end| card.left() < end);
            assert_eq!(pivot == Align2::RIGHT_CENTER, is_beside);
            assert!(!is_beside || !covers, "{card:?}");
        }
    }
}
