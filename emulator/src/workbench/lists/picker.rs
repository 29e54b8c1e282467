//! The list of all games, over the board: each with a picture, the number of players, its
//! length and a sentence. Typing searches the list; a click, or arrows and Enter, choose
//! a game.

use std::ops::Range;

use bevy::ecs::system::SystemParam;
use bevy::prelude::{In, Res, ResMut, World};
use bevy_egui::egui::{
    self, Align2, Color32, CornerRadius, CursorIcon, Label, Rect, RichText, ScrollArea, Sense,
    Stroke, StrokeKind, Ui, vec2,
};
use firmware_core::games as core_games;
use touchboard_host::game_names::{AS_A_TEXT, NamedGame, find};
use touchboard_host::written::Choice;

use super::library::Library;
use super::popup::Popup;
use crate::keys::{Meaning, meaning_in_panel};
use crate::leaving;
use crate::source::Shown;
use crate::source::written::OpenText;
use crate::theme::{ChosenPalette, Palette};
use crate::workbench::games::Entry;
use crate::workbench::orders::{BoardSeat, GameOrders};
use crate::workbench::parts::{OverBoard, run};
use crate::workbench::search_list::{self, Arrows, EntryState, SearchList};
use crate::workbench::style::{self, STEP};

/// The minimum width of an entry.
const LEAST_WIDTH: f32 = 306.0;
/// The maximum number of columns of entries.
const MOST_COLUMNS: usize = 3;
/// The height of an entry.
const HEIGHT: f32 = 112.0;
/// The side of an entry's picture.
const PICTURE: f32 = 76.0;
/// The distance between the list and the edge of the area.
const AROUND: f32 = 28.0;
/// The distance between the edge of the list and its content.
const MARGIN: f32 = 16.0;
/// The corners of an entry.
const ENTRY_CORNER: CornerRadius = CornerRadius::same(10);
/// How much of the accent colour fills the entry that Enter chooses, from 0 to 1.
const CHOSEN_FILL: f32 = 0.16;
/// The width of the frame around that entry.
const CHOSEN_EDGE: f32 = 2.5;
/// The veil over the area behind the list.
const VEIL: Color32 = Color32::from_black_alpha(110);
/// The height of the words above and below the entries.
const WORDS: f32 = 92.0;

/// The heading of the board's own games.
const BUILT_IN: &str = "BUILT IN";
/// The heading of the games that are texts.
const TEXTS: &str = "MORE GAMES";
/// The heading of the texts of games that are built in as well.
const TWINS: &str = "BUILT-IN GAMES, WRITTEN AS TEXTS";

/// The list of games.
pub type Picker = Popup<OpenPicker>;

/// The open list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenPicker {
    list: SearchList,
    /// The entry that was chosen while a game was running, which it would end.
    leaves: Option<usize>,
}

/// An entry that can be chosen: a game that the board has or can get, or a text.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::workbench) struct Item {
    entry: Entry,
    text: Option<Choice>,
    /// True for the text of a game that the board has as well.
    is_twin: bool,
}

impl Item {
    fn of_text(choice: &Choice, entry: Entry) -> Item {
        Item {
            entry,
            text: Some(choice.clone()),
            is_twin: false,
        }
    }

    /// The item of a text known only by its file.
    fn of_file(choice: &Choice) -> Item {
        let name = choice.file.file_stem().unwrap_or_default();
        let entry = Entry {
            game: core_games::LAYOUTS_OWN,
            name: name.to_string_lossy().into_owned(),
            other_names: Vec::new(),
            kind: choice.file.display().to_string(),
            aim: OPENED.to_owned(),
            play: Vec::new(),
            picture: None,
        };
        Item::of_text(choice, entry)
    }

    /// The name of the game.
    pub(in crate::workbench) fn name(&self) -> &str {
        &self.entry.name
    }

    /// True if the item's game is on the board.
    fn is_on(&self, shown: &Shown, text: &OpenText) -> bool {
        let is_its_text = match &self.text {
            Some(choice) => is_played(choice, shown, text),
            None => true,
        };
        is_its_text && self.entry.game == shown.status.settings.game
    }

    /// True if choosing this ends a running game.
    fn would_leave(&self, shown: &Shown, text: &OpenText) -> bool {
        leaving::would_leave(&shown.status) && !self.is_on(shown, text)
    }
}

/// True if the board has the game of this text.
fn is_played(choice: &Choice, shown: &Shown, text: &OpenText) -> bool {
    let now = text.choice().map(|now| &now.file);
    shown.roster.has(core_games::LAYOUTS_OWN) && Some(&choice.file) == now
}

/// The games that can be chosen: those of the board, the texts that were opened, and the
/// bundled ones.
#[derive(SystemParam)]
pub(in crate::workbench) struct OfferedGames<'w> {
    board: BoardSeat<'w>,
    library: Res<'w, Library>,
    text: Res<'w, OpenText>,
}

impl OfferedGames<'_> {
    /// The items that match the search; all items if it is empty.
    pub(in crate::workbench) fn items(&self, search: &str) -> Vec<Item> {
        let layout = self.board.shown.layout;
        let library = self.library.entries();
        let is_known = |choice: &Choice| library.iter().any(|(known, _)| known.file == choice.file);
        // A built-in text keeps its place in the list while it is on the board.
        let is_in_library = self.text.choice().is_some_and(is_known);
        let is_own = |game: &u8| *game == core_games::LAYOUTS_OWN && is_in_library;
        let games = self.board.games();
        let games = games.iter().filter(|game| !is_own(game));
        let games = games.map(|game| Item {
            entry: Entry::of(game, layout),
            text: None,
            is_twin: false,
        });
        let opened = self.text.opened().iter();
        let opened = opened.filter(|choice| {
            !is_played(choice, &self.board.shown, &self.text) && !is_known(choice)
        });
        let known = library.iter();
        let of_text = |(choice, entry): &(Choice, Entry)| {
            let mut item = Item::of_text(choice, entry.clone());
            let roster = self.board.shown.roster;
            let named = find(&item.entry.name);
            item.is_twin = matches!(named, Some(NamedGame::OfBoard(game)) if roster.has(game));
            if item.is_twin {
                item.entry.name += AS_A_TEXT;
            }
            item
        };
        let all = games
            .chain(opened.map(Item::of_file))
            .chain(known.map(of_text));
        let mut found: Vec<Item> = all.filter(|item| item.entry.has(search)).collect();
        // Chess comes before a game whose rules speak of a chessboard, and Reversi before
        // its text.
        found.sort_by_key(|item| (item.entry.rank(search), item.is_twin));
        found
    }

    fn is_on(&self, item: &Item) -> bool {
        item.is_on(&self.board.shown, &self.text)
    }

    fn would_leave(&self, item: &Item) -> bool {
        item.would_leave(&self.board.shown, &self.text)
    }
}

/// Shows the list, if it is open, and puts the game on the board that the user chooses.
pub fn show(over: OverBoard, world: &mut World) {
    if !world.resource::<Picker>().is_open() {
        return;
    }
    if world.resource_mut::<Library>().read_one() {
        over.context.request_repaint();
    }
    if let Some(item) = run(world, list, over) {
        run(world, put_on, item);
    }
}

/// Draws the list in the middle of the board's part of the window. Returns the game that
/// the user chose.
fn list(
    In(OverBoard { context, part }): In<OverBoard>,
    mut picker: ResMut<Picker>,
    games: OfferedGames,
    palette: Res<ChosenPalette>,
) -> Option<Item> {
    let mut draft = picker.take()?;
    let room = part.size() - egui::Vec2::splat(AROUND);
    let columns = (room.x - 2.0 * MARGIN) / LEAST_WIDTH;
    let columns = (columns as usize).clamp(1, MOST_COLUMNS);
    let width = (columns as f32 * (LEAST_WIDTH + 40.0)).min(room.x - 2.0 * MARGIN);
    let mut found = games.items(&draft.list.search);
    if draft.list.is_new() {
        let now = found.iter().position(|item| games.is_on(item));
        draft.list.at = now.unwrap_or_default();
    }
    // The scene behind the list is dimmed.
    let veil = egui::LayerId::new(egui::Order::Background, egui::Id::new("behind the games"));
    context.layer_painter(veil).rect_filled(part, 0.0, VEIL);
    let frame = style::popup_frame(style::panel(), MARGIN);
    let area = style::popup_area("games", Align2::CENTER_CENTER, part.center(), part);
    let chosen = area.show(&context, |ui| {
        let inner = frame.show(ui, |ui| {
            ui.set_width(width);
            let is_over = head(ui, &mut draft, &mut found, &games);
            let rows = rows(&found, columns, draft.list.search.is_empty());
            let across = |at, down, up| across(&rows, at, down, up);
            let entered = draft
                .list
                .follow_keys(ui, found.len(), Arrows::Grid, across);
            let height = room.y - WORDS - 2.0 * MARGIN;
            let search = draft.list.search.clone();
            let looks = EntryLooks {
                games: &games,
                palette: palette.0,
                search: &search,
                leaves: draft.leaves,
            };
            let grid = EntryGrid {
                found: &found,
                rows: &rows,
                columns,
                height,
            };
            let clicked = entries(ui, &mut draft.list, &grid, &looks);
            (is_over, clicked.or(entered))
        });
        inner.inner
    });
    let (is_over, chosen) = chosen.inner;
    let chosen = chosen.filter(|number| is_sure(&games, &found, &mut draft, *number));
    let chosen = chosen.and_then(|number| found.into_iter().nth(number));
    if !is_over && chosen.is_none() {
        picker.open(draft);
    }
    chosen
}

/// True if a chosen game is put on the board at once: one that would leave a game in
/// progress has to be chosen twice.
fn is_sure(games: &OfferedGames, found: &[Item], draft: &mut OpenPicker, number: usize) -> bool {
    let is_sure = !games.would_leave(&found[number]) || draft.leaves == Some(number);
    draft.leaves = Some(number);
    is_sure
}

/// Puts a game on the board, unless it is there already.
fn put_on(In(item): In<Item>, mut orders: GameOrders, mut text: ResMut<OpenText>) {
    match item {
        item if item.is_on(&orders.board.shown, &text) => {}
        Item {
            text: None, entry, ..
        } => orders.choose(entry.game),
        Item {
            text: Some(choice), ..
        } => text.open(choice),
    }
}

/// Chooses a game by its name. If this would end a running game, the list asks first.
pub(in crate::workbench) fn choose(item: Item, world: &mut World) {
    let (shown, text) = (world.resource::<Shown>(), world.resource::<OpenText>());
    if !item.would_leave(shown, text) {
        return run(world, put_on, item);
    }
    world.resource_mut::<Picker>().open(OpenPicker {
        list: SearchList::searched(item.entry.name),
        leaves: None,
    });
}

/// Draws the heading and the search field. Returns true if the list is to be closed.
fn head(ui: &mut Ui, draft: &mut OpenPicker, found: &mut Vec<Item>, games: &OfferedGames) -> bool {
    let mut is_over = false;
    ui.horizontal(|ui| {
        ui.label(RichText::new("Games").heading().color(style::strong()));
        let count = match found.len() {
            1 => "1 game".to_owned(),
            found => format!("{found} games"),
        };
        ui.label(RichText::new(count).small().color(style::faint()));
        let font = search_list::font(ui, egui::TextStyle::Small);
        let room = ui.available_width() - STEP;
        let width = |text: &str| {
            let drawn = ui
                .painter()
                .layout_no_wrap(text.to_owned(), font.clone(), style::faint());
            drawn.size().x
        };
        let Some(how) = HOW.into_iter().find(|how| width(how) <= room) else {
            return;
        };
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let text = RichText::new(how).small().color(style::faint());
            let label = ui.add(Label::new(text).sense(Sense::click()));
            is_over |= label.on_hover_cursor(CursorIcon::PointingHand).clicked();
        });
    });
    if draft.list.field(ui, SEARCH) {
        draft.leaves = None;
        // An Enter in the same picture refers to the new results.
        *found = games.items(&draft.list.search);
        ui.ctx().request_repaint();
    }
    ui.add_space(STEP * 0.5);
    let closes = |event: &egui::Event| {
        matches!(
            meaning_in_panel(event),
            Some(Meaning::Close | Meaning::Games)
        )
    };
    is_over | ui.input(|input| input.events.iter().any(closes))
}

/// A row of the list: an optional heading, and the entries that it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    heading: Option<&'static str>,
    entries: Range<usize>,
}

/// The rows of the list. Search results are ordered by how well they match,
/// everything else by the groups of games.
fn rows(found: &[Item], columns: usize, is_all: bool) -> Vec<Row> {
    let before_first = |is_of: fn(&Item) -> bool| {
        let first = found.iter().position(is_of);
        first.filter(|_| is_all).unwrap_or(found.len())
    };
    let built_in = before_first(|item| item.text.is_some());
    let once = before_first(|item| item.is_twin);
    let groups = [
        (BUILT_IN, 0..built_in),
        (TEXTS, built_in..once),
        (TWINS, once..found.len()),
    ];
    let mut rows = Vec::new();
    for (heading, group) in groups {
        for first in group.clone().step_by(columns) {
            let is_headed = first == group.start && group.len() < found.len();
            rows.push(Row {
                heading: is_headed.then_some(heading),
                entries: first..group.end.min(first + columns),
            });
        }
    }
    rows
}

/// The entry `down` rows below this one or `up` rows above it, in its column or
/// at the end of a shorter row.
fn across(rows: &[Row], at: usize, down: usize, up: usize) -> usize {
    let Some(row) = rows.iter().position(|row| row.entries.contains(&at)) else {
        return at;
    };
    let to = (row + down).min(rows.len() - 1).saturating_sub(up);
    let (from, to) = (&rows[row].entries, &rows[to].entries);
    to.end.saturating_sub(1).min(to.start + (at - from.start))
}

/// What the looks of entries depend on.
struct EntryLooks<'a> {
    games: &'a OfferedGames<'a>,
    palette: Palette,
    search: &'a str,
    /// The entry that would end a running game, if the user has chosen one.
    leaves: Option<usize>,
}

/// The entries in rows of this many columns.
struct EntryGrid<'a> {
    found: &'a [Item],
    rows: &'a [Row],
    columns: usize,
    /// The height of the part that is seen at once.
    height: f32,
}

/// Draws the entries, row by row. Returns the one that was clicked.
fn entries(
    ui: &mut Ui,
    list: &mut SearchList,
    grid: &EntryGrid,
    looks: &EntryLooks,
) -> Option<usize> {
    let mut clicked = None;
    let width = (ui.available_width() - STEP) / grid.columns as f32 - STEP;
    ScrollArea::vertical()
        .max_height(grid.height)
        .min_scrolled_height(grid.height)
        .auto_shrink(false)
        .show(ui, |ui| {
            if grid.found.is_empty() {
                ui.label("No game has this name, and none is described with these words. Try a single word, or clear the search.");
            }
            for row in grid.rows {
                if let Some(heading) = row.heading {
                    show_heading(ui, heading);
                }
                ui.horizontal(|ui| {
                    for number in row.entries.clone() {
                        let size = vec2(width, HEIGHT);
                        let (place, response) = ui.allocate_exact_size(size, Sense::click());
                        list.keep_in_sight(number, &response);
                        if ui.is_rect_visible(place) {
                            let state = EntryState {
                                is_selected: number == list.at,
                                is_hovered: response.hovered(),
                            };
                            let item = &grid.found[number];
                            let mut words = entry(ui, place, item, state, looks);
                            match looks.leaves == Some(number) {
                                true => {
                                    outline(ui, place, style::warning());
                                    ask_to_leave(&mut words, looks);
                                }
                                false => show_words(&mut words, item, looks),
                            }
                        }
                        let response = response.on_hover_cursor(CursorIcon::PointingHand);
                        if response.clicked() {
                            clicked = Some(number);
                        }
                    }
                });
            }
        });
    clicked
}

/// Draws a heading, unless it is partly scrolled out of view.
fn show_heading(ui: &mut Ui, heading: &str) {
    let font = search_list::font(ui, egui::TextStyle::Small);
    let words = egui::WidgetText::from(style::title(heading));
    let wrap = Some(egui::TextWrapMode::Extend);
    let words = words.into_galley(ui, wrap, f32::INFINITY, egui::FontSelection::FontId(font));
    let (place, _) = ui.allocate_exact_size(words.size(), Sense::hover());
    if ui.clip_rect().contains_rect(place) {
        ui.painter().galley(place.min, words, style::faint());
    }
}

/// Draws an entry with its picture on the left, and returns the place of its words.
fn entry(ui: &mut Ui, place: Rect, item: &Item, state: EntryState, looks: &EntryLooks) -> Ui {
    let (fill, edge) = match state.is_hovered {
        true => (style::widget(), style::widget_edge()),
        false => (style::card_fill(), style::card_edge()),
    };
    let round = ENTRY_CORNER;
    let edge = Stroke::new(1.0, edge);
    ui.painter()
        .rect(place, round, fill, edge, StrokeKind::Inside);
    if state.is_selected {
        let tint = style::tinted(style::accent(), CHOSEN_FILL);
        ui.painter().rect_filled(place, round, tint);
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
fn outline(ui: &Ui, place: Rect, colour: Color32) {
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
fn ask_to_leave(ui: &mut Ui, looks: &EntryLooks) {
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
fn show_words(ui: &mut Ui, item: &Item, looks: &EntryLooks) {
    let search = looks.search;
    let colour = match looks.games.is_on(item) {
        true => style::accent(),
        false => style::strong(),
    };
    let Entry { name, kind, .. } = &item.entry;
    let found = item.entry.found(search);
    let font = egui::FontId::proportional(NAME_LETTERS);
    let name = search_list::marked(name, found.in_name.as_slice(), &font, colour);
    ui.add(Label::new(name).truncate());
    let small = search_list::font(ui, egui::TextStyle::Small);
    let told = match found.is_told {
        true => search,
        false => "",
    };
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
/// The hint in the empty search field.
const SEARCH: &str = "Search by name, players or what it is about";

/// What keys and clicks do in the list; the longest that has room is shown.
const HOW: [&str; 3] = [
    "Enter or a click puts the game on the board  ·  Escape closes",
    "Enter or a click chooses  ·  Escape closes",
    "Escape closes",
];
/// The question if choosing a different game ends one.
const LEAVES: &str = "Leave your game? Choose this once more.";
/// What becomes of a game that is left.
const LEFT_COMES_BACK: &str = "Bring back, or Backspace, then continues it.";
/// The note about a text that was opened before.
const OPENED: &str = "A game's text, opened before. It is read again and put on the board.";

#[cfg(test)]
mod tests {
    use super::*;

    fn row(heading: Option<&'static str>, entries: Range<usize>) -> Row {
        Row { heading, entries }
    }

    #[test]
    fn an_arrow_keeps_its_column_across_a_shorter_row() {
        let rows = [
            row(Some(BUILT_IN), 0..3),
            row(None, 3..5),
            row(Some(TEXTS), 5..8),
        ];
        assert_eq!(across(&rows, 0, 1, 0), 3);
        assert_eq!(across(&rows, 2, 1, 0), 4);
        assert_eq!(across(&rows, 2, 2, 0), 7);
        assert_eq!(across(&rows, 6, 0, 1), 4);
        assert_eq!(across(&rows, 6, 9, 0), 6);
        assert_eq!(across(&rows, 6, 0, 9), 1);
    }
}
