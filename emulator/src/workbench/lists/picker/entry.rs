//! How the list of games draws an entry: its frame, its picture, and beside it its words or
//! the question whether a game in progress is left for it.

use bevy_egui::egui::{
    self, Color32, CornerRadius, Label, Rect, RichText, Stroke, StrokeKind, Ui, vec2,
};

use super::items::{Item, OfferedGames};
use crate::theme::Palette;
use crate::workbench::games::Entry;
use crate::workbench::search_list::{self, EntryState};
use crate::workbench::style::{self, STEP};

/// The side of an entry's picture.
const PICTURE: f32 = 76.0;
/// The corners of an entry.
const ENTRY_CORNER: CornerRadius = CornerRadius::same(10);
/// How much of the accent colour fills the entry that Enter chooses, from 0 to 1.
const CHOSEN_FILL: f32 = 0.16;
/// The width of the frame around that entry.
const CHOSEN_EDGE: f32 = 2.5;
/// What the looks of entries depend on.
pub(super) struct EntryLooks<'a> {
    pub games: &'a OfferedGames<'a>,
    pub palette: Palette,
    pub search: &'a str,
    /// The entry that would end a running game, if the user has chosen one.
    pub leaves: Option<usize>,
}

/// Draws an entry with its picture on the left, and returns the place of its words.
pub(super) fn entry(
    ui: &mut Ui,
    place: Rect,
    item: &Item,
    state: EntryState,
    looks: &EntryLooks,
) -> Ui {
    let (fill, edge) = if state.is_hovered {
        (style::widget(), style::widget_edge())
    } else {
        (style::card_fill(), style::card_edge())
    };
    let edge = Stroke::new(1.0, edge);
    ui.painter()
        .rect(place, ENTRY_CORNER, fill, edge, StrokeKind::Inside);
    if state.is_selected {
        let tint = style::tinted(style::accent(), CHOSEN_FILL);
        ui.painter().rect_filled(place, ENTRY_CORNER, tint);
        outline(ui, place, style::accent());
    }
    let inner = place.shrink(12.0);
    let square = Rect::from_min_size(inner.min, egui::Vec2::splat(PICTURE));
    paint_picture(ui, square, item, looks.palette);
    let words = Rect::from_min_max(square.right_top() + vec2(12.0, -3.0), inner.max);
    let downwards = egui::Layout::top_down(egui::Align::Min);
    let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(words).layout(downwards));
    ui.set_clip_rect(place.shrink(6.0).intersect(ui.clip_rect()));
    ui.spacing_mut().item_spacing.y = 1.0;
    ui
}

/// Draws a frame in the place of an entry.
pub(super) fn outline(ui: &Ui, place: Rect, colour: Color32) {
    let edge = Stroke::new(CHOSEN_EDGE, colour);
    ui.painter()
        .rect_stroke(place, ENTRY_CORNER, edge, StrokeKind::Inside);
}

/// Draws the picture of a game, or a board without lights while it is not known yet.
fn paint_picture(ui: &Ui, square: Rect, item: &Item, palette: Palette) {
    if let Some(picture) = &item.entry.picture {
        return picture.paint(ui.painter(), square, palette);
    }
    let dots = |from: f32| (0..DARK_POINTS).map(move |dot| from + square.width() * at(dot));
    let painter = ui.painter();
    painter.rect_filled(square, CornerRadius::same(4), style::widget());
    for x in dots(square.left()) {
        for y in dots(square.top()) {
            painter.circle_filled(egui::pos2(x, y), DARK_POINT, style::card_fill());
        }
    }
}

/// The number of points in a row of a board without a picture, and their radius.
const DARK_POINTS: u8 = 5;
const DARK_POINT: f32 = 3.0;

/// Where such a point is, as a part of the side.
fn at(point: u8) -> f32 {
    (f32::from(point) + 0.5) / f32::from(DARK_POINTS)
}

/// Asks in the place of an entry's words whether a game is to be left for it.
pub(super) fn ask_to_leave(ui: &mut Ui, looks: &EntryLooks) {
    let question = RichText::new(LEAVES).size(NAME_LETTERS);
    ui.add(Label::new(question.color(style::warning())).wrap());
    if looks.games.board.shown.past.earliest.is_some() {
        ui.add_space(STEP * 0.5);
        let told = RichText::new(LEFT_COMES_BACK).small().color(style::text());
        ui.add(Label::new(told).wrap());
    }
}

/// Draws the words of an entry: its name, its kind, and its aim or the reason for the
/// match.
pub(super) fn show_words(ui: &mut Ui, item: &Item, looks: &EntryLooks) {
    let search = looks.search;
    let colour = if looks.games.is_on(item) {
        style::accent()
    } else {
        style::strong()
    };
    let Entry { name, kind, .. } = &item.entry;
    let found = item.entry.found(search);
    let font = egui::FontId::proportional(NAME_LETTERS);
    let name = search_list::marked(name, found.in_name.as_slice(), &font, colour);
    ui.add(Label::new(name).truncate());
    let small = search_list::font(ui, egui::TextStyle::Small);
    let told = if found.is_told { search } else { "" };
    let kind = search_list::marked(
        kind,
        &search_list::places(kind, told),
        &small,
        style::faint(),
    );
    ui.add(Label::new(kind).truncate());
    // The reason for a match that the entry does not show.
    let (text, wanted) = match &found.why {
        Some(why) => (why, search),
        None => (&item.entry.aim, told),
    };
    let text = style::words(ui, text);
    let places = search_list::places(&text, wanted);
    let text = search_list::marked(&text, &places, &small, style::text());
    ui.add(Label::new(text).wrap());
}

/// Size of the letters of a name.
const NAME_LETTERS: f32 = 15.5;
/// The question if choosing a different game ends one.
const LEAVES: &str = "Leave your game? Choose this once more.";
/// What becomes of a game that is left.
const LEFT_COMES_BACK: &str = "You can return to it: press Bring back, or Backspace.";
