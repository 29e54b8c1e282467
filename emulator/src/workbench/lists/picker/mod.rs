//! The list of all games, over the board: each with a picture, the number of players, its
//! length and a sentence. Typing searches the list; a click, or arrows and Enter, choose
//! a game.

mod entry;
mod items;

use std::ops::Range;

use bevy::prelude::{In, Res, ResMut, World};
use bevy_egui::egui::{
    self, Align2, Color32, CursorIcon, Label, RichText, ScrollArea, Sense, Ui, vec2,
};

use self::entry::{EntryLooks, ask_to_leave, entry, outline, show_words};
pub(in crate::workbench) use self::items::{Item, OfferedGames};
use super::library::Library;
use super::popup::Popup;
use crate::keys::{Meaning, meaning_in_panel};
use crate::source::Shown;
use crate::source::written::OpenText;
use crate::theme::ChosenPalette;
use crate::workbench::orders::GameOrders;
use crate::workbench::parts::{OverBoard, run};
use crate::workbench::search_list::{self, Arrows, EntryState, SearchList};
use crate::workbench::style::{self, STEP};

/// The minimum width of an entry.
const LEAST_WIDTH: f32 = 306.0;
/// The maximum number of columns of entries.
const MOST_COLUMNS: usize = 3;
/// The height of an entry.
const HEIGHT: f32 = 112.0;
/// The distance between the list and the edge of the area.
const AROUND: f32 = 28.0;
/// The distance between the edge of the list and its content.
const MARGIN: f32 = 16.0;
/// The veil over the area behind the list.
const VEIL: Color32 = Color32::from_black_alpha(110);
/// The height of the words above and below the entries.
const WORDS: f32 = 92.0;

/// The width of the count of games beside the heading.
const COUNT_WIDTH: f32 = 62.0;

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
    let mut count_place = egui::Rect::NOTHING;
    ui.horizontal(|ui| {
        ui.label(RichText::new("Games").heading().color(style::strong()));
        let font = search_list::font(ui, egui::TextStyle::Small);
        let size = vec2(COUNT_WIDTH, ui.text_style_height(&egui::TextStyle::Small));
        count_place = ui.allocate_exact_size(size, Sense::hover()).0;
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
    let count = match found.len() {
        1 => "1 game".to_owned(),
        found => format!("{found} games"),
    };
    let count = RichText::new(count).small().color(style::faint());
    ui.place(count_place, Label::new(count).halign(egui::Align::LEFT));
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
                            if looks.leaves == Some(number) {
                                outline(ui, place, style::warning());
                                ask_to_leave(&mut words, looks);
                            } else {
                                show_words(&mut words, item, looks);
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

/// The hint in the empty search field.
const SEARCH: &str = "Search by name, players or what it is about";

/// What keys and clicks do in the list; the longest that has room is shown.
const HOW: [&str; 3] = [
    "Enter or a click puts the game on the board  ·  Escape closes",
    "Enter or a click chooses  ·  Escape closes",
    "Escape closes",
];
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
