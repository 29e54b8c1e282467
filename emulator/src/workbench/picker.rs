//! The list of all games, over the board: each with a picture, how many play it,
//! how long it lasts and a sentence; searched as one types, chosen by a click or
//! with arrows and Enter.

use bevy::prelude::Resource;
use bevy_egui::egui::{
    self, Align2, Color32, Context, CornerRadius, CursorIcon, Key, Label, Rect, RichText,
    ScrollArea, Sense, Stroke, StrokeKind, TextEdit, Ui, vec2,
};
use firmware_core::games as core_games;
use touchboard_host::written::Choice;

use super::games::Entry;
use super::style::{self, STEP};
use super::{Bench, game_card};
use crate::leaving;

/// Width of an entry, at least.
const LEAST_WIDTH: f32 = 306.0;
/// The most columns of entries.
const MOST_COLUMNS: usize = 3;
/// Height of an entry.
const HEIGHT: f32 = 112.0;
/// The side of its picture.
const PICTURE: f32 = 76.0;
/// Between the list and the edge of what it lies over.
const AROUND: f32 = 28.0;
/// Between its edge and what is in it.
const MARGIN: f32 = 16.0;
/// Over what is behind the list.
const VEIL: Color32 = Color32::from_black_alpha(110);
/// What is above and below the entries.
const WORDS: f32 = 92.0;

/// The list; `None` while it is closed.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Picker(Option<Draft>);

/// What is in the list.
#[derive(Clone, Debug, Default, PartialEq)]
struct Draft {
    search: String,
    /// Which of the entries that are found is chosen by Enter.
    at: usize,
    /// The search field is to take the keyboard.
    is_new: bool,
    /// The entry that is chosen is to be in sight.
    is_to_be_seen: bool,
    /// It was chosen while a game is on, which would be left.
    leaves: Option<usize>,
}

impl Picker {
    /// Opens the list, or closes it.
    pub fn toggle(&mut self) {
        self.0 = match self.0 {
            Some(_) => None,
            None => Some(Draft {
                is_new: true,
                ..Draft::default()
            }),
        };
    }

    /// True while it is open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.0.is_some()
    }

    /// Closes it.
    pub fn close(&mut self) {
        self.0 = None;
    }
}

/// What can be chosen: a game that the board has or that can be brought, or a text.
#[derive(Clone, Debug, PartialEq)]
struct Item {
    entry: Entry,
    text: Option<Choice>,
}

impl Item {
    fn of_text(choice: &Choice, entry: Entry) -> Item {
        Item {
            entry,
            text: Some(choice.clone()),
        }
    }

    /// A text of which only the file is known.
    fn of_file(choice: &Choice) -> Item {
        let name = choice.file.file_stem().unwrap_or_default();
        let entry = Entry {
            game: core_games::LAYOUTS_OWN,
            name: name.to_string_lossy().into_owned(),
            kind: choice.file.display().to_string(),
            aim: OPENED.to_owned(),
            play: Vec::new(),
            picture: None,
        };
        Item::of_text(choice, entry)
    }

    /// It is on the board.
    fn is_on(&self, bench: &Bench) -> bool {
        self.text.is_none() && self.entry.game == bench.shown.status.settings.game
    }
}

/// All that can be chosen, as far as it fits the search.
fn items(bench: &Bench, search: &str) -> Vec<Item> {
    let layout = bench.shown.layout;
    let games = game_card::games(bench).iter().map(|game| Item {
        entry: Entry::of(game, layout),
        text: None,
    });
    let now = bench.text.choice().map(|choice| &choice.file);
    let is_on = bench.shown.roster.has(core_games::LAYOUTS_OWN);
    let is_other = |choice: &Choice| !is_on || Some(&choice.file) != now;
    let library = bench.library.entries();
    let is_known = |choice: &Choice| library.iter().any(|(known, _)| known.file == choice.file);
    let opened = bench.text.opened().iter();
    let opened = opened.filter(|choice| is_other(choice) && !is_known(choice));
    let known = library.iter().filter(|(choice, _)| is_other(choice));
    let all = games
        .chain(opened.map(Item::of_file))
        .chain(known.map(|(choice, entry)| Item::of_text(choice, entry.clone())));
    let mut found: Vec<Item> = all.filter(|item| item.entry.has(search)).collect();
    // Chess comes before a game whose rules speak of a chessboard.
    found.sort_by_key(|item| item.entry.rank(search));
    found
}

/// Shows the list, if it is open, in the middle of this part of the window.
pub fn show(context: &Context, part: Rect, bench: &mut Bench) {
    let Some(mut draft) = bench.picker.0.take() else {
        return;
    };
    if bench.library.read_one() {
        context.request_repaint();
    }
    let room = part.size() - egui::Vec2::splat(AROUND);
    let columns = (room.x - 2.0 * MARGIN) / LEAST_WIDTH;
    let columns = (columns as usize).clamp(1, MOST_COLUMNS);
    let width = (columns as f32 * (LEAST_WIDTH + 40.0)).min(room.x - 2.0 * MARGIN);
    let mut found = items(bench, &draft.search);
    // What it lies over recedes.
    let veil = egui::LayerId::new(egui::Order::Background, egui::Id::new("behind the games"));
    context.layer_painter(veil).rect_filled(part, 0.0, VEIL);
    let frame = egui::Frame::new()
        .fill(style::PANEL)
        .stroke(Stroke::new(1.0, style::WIDGET_HOVERED))
        .corner_radius(12)
        .inner_margin(MARGIN);
    let area = egui::Area::new(egui::Id::new("games"))
        .order(egui::Order::Foreground)
        .fade_in(false)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(part.center())
        .constrain_to(part);
    let chosen = area.show(context, |ui| {
        let inner = frame.show(ui, |ui| {
            ui.set_width(width);
            let is_over = head(ui, &mut draft, &mut found, bench);
            let entered = keys(ui, &mut draft, found.len(), columns);
            let height = room.y - WORDS - 2.0 * MARGIN;
            let clicked = entries(ui, &mut draft, &found, columns, height, bench);
            (is_over, clicked.or(entered))
        });
        inner.inner
    });
    let (is_over, chosen) = chosen.inner;
    let chosen = chosen.filter(|number| {
        let is_sure = !would_leave(bench, &found[*number]) || draft.leaves == Some(*number);
        draft.leaves = Some(*number);
        is_sure
    });
    let chosen = chosen.and_then(|number| found.into_iter().nth(number));
    if !is_over && chosen.is_none() {
        bench.picker.0 = Some(draft);
    }
    match chosen {
        Some(Item { text: None, entry }) => game_card::choose(bench, entry.game),
        Some(Item {
            text: Some(choice), ..
        }) => bench.text.open(choice),
        None => {}
    }
}

/// True if choosing this ends a game that somebody plays.
fn would_leave(bench: &Bench, item: &Item) -> bool {
    leaving::would_leave(&bench.shown.status) && !item.is_on(bench)
}

/// The heading and the search field. True if the list is to be closed.
fn head(ui: &mut Ui, draft: &mut Draft, found: &mut Vec<Item>, bench: &Bench) -> bool {
    let mut is_over = false;
    ui.horizontal(|ui| {
        ui.label(RichText::new("Games").heading().color(Color32::WHITE));
        let count = match found.len() {
            1 => "1 game".to_owned(),
            found => format!("{found} games"),
        };
        ui.label(RichText::new(count).small().color(style::FAINT));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let text = RichText::new("close  Escape").small().color(style::FAINT);
            let label = ui.add(Label::new(text).sense(Sense::click()));
            is_over |= label.on_hover_cursor(CursorIcon::PointingHand).clicked();
        });
    });
    let id = ui.id().with("search");
    // Before it is there, so that it has what is typed in the frame in which it opens.
    if std::mem::take(&mut draft.is_new) {
        ui.memory_mut(|memory| memory.request_focus(id));
    }
    let field = TextEdit::singleline(&mut draft.search)
        .id(id)
        .hint_text("Search by name, players or what it is about")
        .margin(egui::Margin::symmetric(10, 6))
        .desired_width(f32::INFINITY);
    let field = ui.add(field);
    if field.changed() {
        draft.at = 0;
        draft.leaves = None;
        // An Enter in the same frame means what is found now.
        *found = items(bench, &draft.search);
        ui.ctx().request_repaint();
    }
    ui.add_space(STEP * 0.5);
    // The field loses the caret to Enter, also where Enter only asks.
    if !field.has_focus() {
        field.request_focus();
    }
    is_over | ui.input(|input| input.key_pressed(Key::Escape) || input.key_pressed(Key::F2))
}

/// Goes to another entry, or chooses the one it is at.
fn keys(ui: &Ui, draft: &mut Draft, found: usize, columns: usize) -> Option<usize> {
    let last = found.checked_sub(1)?;
    let struck = |key| ui.input(|input| input.num_presses(key));
    let before = draft.at.min(last);
    // While there is something to search for, the caret goes left and right.
    let aside = |key| match draft.search.is_empty() {
        true => struck(key),
        false => 0,
    };
    let down = struck(Key::ArrowDown) * columns + struck(Key::Tab) + aside(Key::ArrowRight);
    let up = struck(Key::ArrowUp) * columns + aside(Key::ArrowLeft);
    draft.at = (before + down).min(last).saturating_sub(up);
    draft.is_to_be_seen = draft.at != before;
    (struck(Key::Enter) > 0).then_some(draft.at)
}

/// The entries, row by row. Returns the one that was clicked.
fn entries(
    ui: &mut Ui,
    draft: &mut Draft,
    found: &[Item],
    columns: usize,
    height: f32,
    bench: &Bench,
) -> Option<usize> {
    let mut clicked = None;
    let width = (ui.available_width() - STEP) / columns as f32 - STEP;
    ScrollArea::vertical()
        .max_height(height)
        .min_scrolled_height(height)
        .auto_shrink(false)
        .show(ui, |ui| {
            if found.is_empty() {
                ui.label("No game is called so, and none is described so.");
            }
            for (row, items) in found.chunks(columns).enumerate() {
                ui.horizontal(|ui| {
                    for (column, item) in items.iter().enumerate() {
                        let number = row * columns + column;
                        let size = vec2(width, HEIGHT);
                        let (place, response) = ui.allocate_exact_size(size, Sense::click());
                        if number == draft.at && draft.is_to_be_seen {
                            response.scroll_to_me(None);
                        }
                        if ui.is_rect_visible(place) {
                            let is_at = number == draft.at;
                            let leaves = draft.leaves == Some(number);
                            let look = (is_at, response.hovered(), leaves);
                            entry(ui, place, item, look, bench);
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

/// One entry: its picture at the left, words beside it.
fn entry(
    ui: &mut Ui,
    place: Rect,
    item: &Item,
    (is_at, is_hovered, leaves): (bool, bool, bool),
    bench: &Bench,
) {
    let fill = match is_hovered {
        true => style::WIDGET,
        false => style::CARD,
    };
    let round = CornerRadius::same(10);
    ui.painter().rect_filled(place, round, fill);
    if is_at {
        let edge = Stroke::new(1.5, style::ACCENT);
        ui.painter()
            .rect_stroke(place, round, edge, StrokeKind::Inside);
    }
    let inner = place.shrink(12.0);
    let square = Rect::from_min_size(inner.min, egui::Vec2::splat(PICTURE));
    match &item.entry.picture {
        Some(picture) => picture.paint(ui.painter(), square, bench.palette.0),
        None => {
            ui.painter().text(
                square.center(),
                Align2::CENTER_CENTER,
                ".lud",
                egui::TextStyle::Body.resolve(ui.style()),
                style::FAINT,
            );
        }
    }
    let Entry {
        name, kind, aim, ..
    } = &item.entry;
    let words = Rect::from_min_max(square.right_top() + vec2(12.0, -3.0), inner.max);
    let downwards = egui::Layout::top_down(egui::Align::Min);
    let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(words).layout(downwards));
    ui.set_clip_rect(place.shrink(6.0).intersect(ui.clip_rect()));
    ui.spacing_mut().item_spacing.y = 1.0;
    let name = RichText::new(name)
        .size(15.5)
        .color(match item.is_on(bench) {
            true => style::ACCENT,
            false => Color32::WHITE,
        });
    ui.add(Label::new(name).truncate());
    ui.add(Label::new(RichText::new(kind).small().color(style::FAINT)).truncate());
    let aim = match leaves {
        true => RichText::new(LEAVES).color(style::WARNING),
        false => RichText::new(style::words(&ui, aim)),
    };
    ui.add(Label::new(aim.small()).wrap());
}

/// Told where choosing another game ends one.
const LEAVES: &str =
    "A game is on, and ends if you choose another. Choose this once more to do so.";
/// Told of a text that was opened before.
const OPENED: &str = "A game's text, opened before. It is read again and put on the board.";
