//! The card beside a board that waits for its first game: the name of the game, and how to
//! start it.
//!
//! Such a board is dark, and only its display shows the choice. The card shows the name
//! of the game, its aim, and the buttons that begin it. It belongs to the window and does
//! not change the board's lights. Where the table has little room for it, it is a column
//! beside the case, low below it, or a bar at the lower edge.
//!
//! Invariants: the card is shown only while no game is on, there is no later moment to go
//! forward to, and the cards of the side panel, which have the same buttons, are not there;
//! it lies within the part of the window that the panels leave, and hides
//! no point of the field. A whole card hides none of the buttons above the field either,
//! since it names one of them.

use bevy::ecs::system::SystemParam;
use bevy::prelude::{Camera, GlobalTransform, In, Query, Res, ResMut, Vec2, Vec3, With};
use bevy_egui::egui::{self, Align2, Area, CornerRadius, Id, Margin, Rect, RichText, Ui, pos2};
use touchboard_host::display;
use touchboard_host::standing::{about_the_clock, kind};

use super::banner::OpenDrawers;
use super::cards::game::{StartButtons, begin};
use super::first_touch::{DO_NOT_WAIT, is_in_real_time, waits_for_first_game};
use super::games::{Entry, Picture};
use super::lists::library::Library;
use super::orders::BoardSeat;
use super::other_uses::{self, OtherUses};
use super::parts::OverBoard;
use super::style::{self, STEP};
use crate::scene::camera::SceneCamera;
use crate::scene::case::FIELD_Y;
use crate::scene::plan::PointPlan;
use crate::source::{BoardTime, Shown};
use crate::theme::{ChosenPalette, Palette};

/// The width of the card, in points.
const WIDTH: f32 = 340.0;
/// The least width beside the field, in points.
const NARROW_WIDTH: f32 = 216.0;
/// The least width of a column beside the case, in points.
const COLUMN_WIDTH: f32 = 128.0;
/// The width of a card below the case, and the least height there, in points.
const LOW: egui::Vec2 = egui::vec2(620.0, 116.0);
/// The width of a bar at the lower edge, in points.
const BAR_WIDTH: f32 = 470.0;
/// The least margin between the card and the edges of the scene, in points.
const BESIDE: f32 = 24.0;
/// The same for a small card.
const AROUND: f32 = 8.0;
/// The distance of a bar from the lower edge, in points.
const BELOW_BAR: f32 = 2.0;
/// The side of the picture next to the name, in points.
const PICTURE: f32 = 68.0;
/// In a part of the window smaller than this, the card only has room for the name and the
/// buttons.
const ROOM: egui::Vec2 = egui::vec2(560.0, 480.0);
/// In a part smaller than this, no card is shown, because it would hide the board.
const LEAST: egui::Vec2 = egui::vec2(270.0, 250.0);
/// The size of the letters of the name, and in a small card.
const NAME: f32 = 23.0;
const SMALL_NAME: f32 = 17.0;

/// How much a card shows, and how it is arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CardShape {
    /// Everything, in the strip beside the field.
    Whole,
    /// The name above the buttons, beside the case.
    Column,
    /// The name and the aim beside the buttons, below the case.
    Low,
    /// The name and the buttons in a row, at the lower edge.
    Bar,
}

/// Where a card is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CardPlace {
    shape: CardShape,
    pivot: Align2,
    at: egui::Pos2,
    width: f32,
}

impl CardPlace {
    /// The first place with room in this part of the window, in which field and case cover
    /// these parts.
    fn of(part: Rect, field: Option<Rect>, case: Option<Rect>) -> CardPlace {
        let right = part.right() - BESIDE / 2.0;
        if let Some(field) = field.filter(|field| field.right() + BESIDE <= right - NARROW_WIDTH) {
            return CardPlace {
                shape: CardShape::Whole,
                // A small field is far from the edges of its case, whose buttons are above.
                pivot: Align2::RIGHT_TOP,
                at: pos2(right, field.top()),
                width: (right - field.right() - BESIDE).min(WIDTH),
            };
        }
        let case = case.unwrap_or(part);
        if part.bottom() - case.bottom() >= LOW.y + 2.0 * AROUND {
            let free = (case.bottom() + part.bottom()) / 2.0;
            return CardPlace {
                shape: CardShape::Low,
                pivot: Align2::CENTER_CENTER,
                at: pos2(part.center().x, free),
                width: LOW.x.min(part.width() - 2.0 * BESIDE),
            };
        }
        let beside = part.right() - case.right() - 2.0 * AROUND;
        if beside >= COLUMN_WIDTH {
            return CardPlace {
                shape: CardShape::Column,
                pivot: Align2::RIGHT_CENTER,
                at: pos2(part.right() - AROUND, part.center().y),
                width: beside.min(NARROW_WIDTH),
            };
        }
        CardPlace {
            shape: CardShape::Bar,
            pivot: Align2::CENTER_BOTTOM,
            at: part.center_bottom() - egui::vec2(0.0, BELOW_BAR),
            width: BAR_WIDTH.min(part.width() - 2.0 * AROUND),
        }
    }

    /// The margin inside the card.
    fn margin(self) -> Margin {
        match self.shape {
            CardShape::Whole => Margin::symmetric(16, 14),
            CardShape::Low => Margin::symmetric(16, 10),
            CardShape::Column => Margin::symmetric(8, 10),
            CardShape::Bar => Margin::symmetric(10, 4),
        }
    }
}

/// The camera, and the board that it sees.
#[derive(SystemParam)]
pub struct EyeOnCase<'w, 's> {
    plan: Option<Res<'w, PointPlan>>,
    cameras: Query<'w, 's, (&'static Camera, &'static GlobalTransform), With<SceneCamera>>,
}

impl EyeOnCase<'_, '_> {
    /// The part of the window that the field covers, in points; `zoom` is the number of
    /// logical pixels of a point.
    fn field(&self, zoom: f32) -> Option<Rect> {
        let half = self.plan.as_ref()?.field() / 2.0;
        self.seen(
            bevy::math::Rect::from_center_half_size(Vec2::ZERO, half),
            zoom,
        )
    }

    /// The part of the window that the case covers, in points.
    fn case(&self, zoom: f32) -> Option<Rect> {
        self.seen(self.plan.as_ref()?.bounds(), zoom)
    }

    /// The part of the window that a level rectangle covers.
    fn seen(&self, level: bevy::math::Rect, zoom: f32) -> Option<Rect> {
        let (camera, place) = self.cameras.iter().next()?;
        let [low, high] = [level.min, level.max];
        let corners = [
            low,
            high,
            Vec2::new(low.x, high.y),
            Vec2::new(high.x, low.y),
        ];
        let seen = corners.map(|corner| {
            let corner = Vec3::new(corner.x, FIELD_Y, corner.y);
            let seen = camera.world_to_viewport(place, corner).ok()?;
            Some(pos2(seen.x, seen.y) / zoom)
        });
        let seen: Option<Vec<egui::Pos2>> = seen.into_iter().collect();
        Some(Rect::from_points(&seen?))
    }
}

/// What the card shows and changes.
#[derive(SystemParam)]
pub struct WaitingCard<'w, 's> {
    start: StartButtons<'w>,
    uses: OtherUses<'w, 's>,
    library: ResMut<'w, Library>,
    palette: Res<'w, ChosenPalette>,
}

impl WaitingCard<'_, '_> {
    fn shown(&self) -> &Shown {
        &self.start.orders.board.shown
    }
}

/// Shows the card where it has room. Returns true if it is there.
pub fn show(
    In(OverBoard { context, part }): In<OverBoard>,
    drawers: OpenDrawers,
    now: Res<BoardTime>,
    eye: EyeOnCase,
    mut card: WaitingCard,
) -> bool {
    let shown = card.shown();
    let has_least = part.size().x >= LEAST.x && part.size().y >= LEAST.y;
    let is_wanted = shown.link.answers() && waits_for_first_game(shown, *now);
    if drawers.cover(part) || !is_wanted || !has_least {
        return false;
    }
    let zoom = context.zoom_factor();
    let place = CardPlace::of(part, eye.field(zoom), eye.case(zoom));
    let has_room = part.size().x >= ROOM.x && part.size().y >= ROOM.y;
    let margin = place.margin();
    Area::new(area())
        .order(egui::Order::Middle)
        .fade_in(false)
        .pivot(place.pivot)
        .fixed_pos(place.at)
        .constrain_to(part)
        .show(&context, |ui| {
            egui::Frame::new()
                .fill(style::card_fill())
                .stroke(egui::Stroke::new(1.0, style::edge()))
                .corner_radius(CornerRadius::same(12))
                .inner_margin(margin)
                .show(ui, |ui| {
                    ui.set_width(place.width - margin.sum().x);
                    ui.spacing_mut().item_spacing.y = STEP * 0.75;
                    match place.shape {
                        CardShape::Whole => content(ui, &mut card, has_room),
                        CardShape::Column => column(ui, &mut card),
                        CardShape::Low => low(ui, &mut card),
                        CardShape::Bar => bar(ui, &mut card),
                    }
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

/// Draws a whole card; without room, only the name and the buttons.
fn content(ui: &mut Ui, card: &mut WaitingCard, has_room: bool) {
    let WaitingCard {
        start,
        uses,
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
                ui.vertical(|ui| name(ui, shown, &entry, NAME));
            });
            let aim = style::words(ui, &entry.aim);
            ui.label(RichText::new(aim).color(style::faint()));
        }
        false => name(ui, shown, &entry, NAME),
    }
    let width = ui.available_width();
    begin(ui, start, width);
    let shown = &start.orders.board.shown;
    notes(ui, &start.orders.board);
    if let Some(about) = about_the_clock(&settings).filter(|_| has_room) {
        note(ui, &about, style::faint());
    }
    if let Some(words) = display_words(shown).filter(|_| has_room) {
        note(ui, &words, style::faint());
    }
    if has_room {
        ui.separator();
        other_uses::lines(ui, uses);
    }
}

/// Draws a column: the name above the buttons.
fn column(ui: &mut Ui, card: &mut WaitingCard) {
    let shown = card.shown();
    let entry = Entry::of(shown.status.settings.game, shown.layout);
    name(ui, shown, &entry, SMALL_NAME);
    let width = ui.available_width();
    begin(ui, &mut card.start, width);
    notes(ui, &card.start.orders.board);
}

/// Draws a low card: the name and the aim on the left, the buttons on the right.
fn low(ui: &mut Ui, card: &mut WaitingCard) {
    let half = (ui.available_width() - 2.0 * STEP) / 2.0;
    ui.spacing_mut().item_spacing.x = 2.0 * STEP;
    ui.horizontal_top(|ui| {
        ui.vertical(|ui| {
            ui.set_width(half);
            let shown = card.shown();
            let entry = Entry::of(shown.status.settings.game, shown.layout);
            name(ui, shown, &entry, NAME);
            note(ui, &entry.aim, style::faint());
        });
        ui.vertical(|ui| {
            ui.set_width(half);
            begin(ui, &mut card.start, half);
            notes(ui, &card.start.orders.board);
            if let Some(about) = about_the_clock(&card.shown().status.settings) {
                note(ui, &about, style::faint());
            }
        });
    });
}

/// Draws a bar: the name, or what is more important, and the buttons in a row.
fn bar(ui: &mut Ui, card: &mut WaitingCard) {
    ui.horizontal(|ui| {
        let board = &card.start.orders.board;
        let entry = Entry::of(board.shown.status.settings.game, board.shown.layout);
        let left = ui.available_width() - BAR_BUTTONS - STEP;
        let note = is_in_real_time(&board.shown).then(|| DO_NOT_WAIT.to_owned());
        let label = match board.why_no_start().or(note) {
            Some(note) => egui::Label::new(RichText::new(note).small().color(style::text())).wrap(),
            None => {
                let name = RichText::new(&entry.name).size(SMALL_NAME);
                egui::Label::new(name.color(style::strong())).truncate()
            }
        };
        if left >= LEAST_BAR_NAME {
            ui.allocate_ui(egui::vec2(left, 0.0), |ui| {
                ui.set_width(left);
                ui.add(label);
            });
        }
        let width = ui.available_width();
        begin(ui, &mut card.start, width);
    });
}

/// The width of the buttons in a bar, and the least width of a name beside them.
const BAR_BUTTONS: f32 = 240.0;
const LEAST_BAR_NAME: f32 = 60.0;

/// Draws what to press, and that a game does not wait.
fn notes(ui: &mut Ui, board: &BoardSeat) {
    note(ui, &what_to_press(board), style::text());
    if is_in_real_time(&board.shown) {
        note(ui, DO_NOT_WAIT, style::text());
    }
}

/// Draws a sentence in small letters.
fn note(ui: &mut Ui, sentence: &str, colour: egui::Color32) {
    let words = style::words(ui, sentence);
    ui.label(RichText::new(words).small().color(colour));
}

fn show_picture(ui: &mut Ui, picture: &Picture, palette: Palette) {
    let (place, _) = ui.allocate_exact_size(egui::Vec2::splat(PICTURE), egui::Sense::hover());
    picture.paint(ui.painter(), place.shrink(3.0), palette);
}

fn name(ui: &mut Ui, shown: &Shown, entry: &Entry, letters: f32) {
    let name = RichText::new(&entry.name).size(letters);
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
        (true, _) => "Or press START on the board (n).".to_owned(),
        (false, 0) => "START on the board (n) begins a game for two.".to_owned(),
        (false, level) => {
            format!("START on the board (n) begins a game against the board, level {level}.")
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

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x: std::ops::RangeInclusive<f32>, y: std::ops::RangeInclusive<f32>) -> Rect {
        Rect::from_x_y_ranges(x, y)
    }

    /// The shape of a card, whose place is checked, in a window of this size with its field
    /// and its case.
    fn shape(size: [f32; 2], field: Rect, case: Rect) -> CardShape {
        let part = Rect::from_min_size(pos2(0.0, 0.0), size.into());
        let place = CardPlace::of(part, Some(field), Some(case));
        let height = match place.shape {
            CardShape::Whole => 300.0,
            CardShape::Column => 190.0,
            CardShape::Low => LOW.y,
            CardShape::Bar => 40.0,
        };
        let card = place
            .pivot
            .anchor_size(place.at, egui::vec2(place.width, height));
        assert!(part.contains_rect(card), "{card:?}");
        assert!(!card.intersects(field), "{card:?} over {field:?}");
        if place.shape == CardShape::Whole {
            let buttons = Rect::from_min_max(case.min, pos2(case.right(), field.top() - 1.0));
            assert!(!card.intersects(buttons), "{card:?} over {buttons:?}");
        }
        place.shape
    }

    #[test]
    fn the_card_hides_no_point_in_a_window_of_any_shape() {
        let sizes = [
            ([1_100.0, 760.0], CardShape::Whole),
            ([1_280.0, 694.0], CardShape::Whole),
            ([800.0, 474.0], CardShape::Column),
            ([640.0, 374.0], CardShape::Column),
            ([1_000.0, 1_274.0], CardShape::Low),
            ([400.0, 374.0], CardShape::Bar),
        ];
        for (size, expected) in sizes {
            // The case fills most of the height or of the width, and its field most of it.
            let [width, height]: [f32; 2] = size;
            let side = (0.9 * height).min(0.9 * width);
            let case = Rect::from_center_size(pos2(width, height) * 0.5, egui::Vec2::splat(side));
            let field = case.shrink(0.07 * side);
            assert_eq!(shape(size, field, case), expected, "{size:?}");
        }
    }

    /// The board of Tic-Tac-Toe: three by three keys on a case that is wide at its buttons.
    #[test]
    fn the_card_hides_no_button_of_a_small_board() {
        let case = rect(143.0..=857.0, 75.0..=670.0);
        let field = rect(318.0..=684.0, 262.0..=557.0);
        assert_eq!(shape([1_000.0, 720.0], field, case), CardShape::Whole);
    }

    #[test]
    fn a_wide_board_has_a_bar_below_it() {
        let case = rect(30.0..=610.0, 20.0..=354.0);
        let field = rect(60.0..=580.0, 90.0..=325.0);
        assert_eq!(shape([640.0, 374.0], field, case), CardShape::Bar);
    }
}
