//! The list of all games, over the board: each with a picture, how many play it,
//! how long it lasts and a sentence; searched as one types, chosen by a click or
//! with arrows and Enter.

use bevy::prelude::Resource;
use bevy_egui::egui::{
    self, Align2, Color32, Context, CornerRadius, CursorIcon, Key, Label, Rect, RichText,
    ScrollArea, Sense, Stroke, StrokeKind, TextEdit, Ui, vec2,
};
use firmware_core::games as core_games;
use touchboard_host::standing::{Phase, phase};
use touchboard_host::written::Choice;

use super::games::Entry;
use super::style::{self, STEP};
use super::{Bench, game_card};

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

/// What can be chosen.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    /// A game that the board has, or that can be brought.
    Game(Entry),
    /// A text that was opened before.
    Text(Choice, String),
}

impl Item {
    fn has(&self, search: &str) -> bool {
        match self {
            Item::Game(entry) => entry.has(search),
            Item::Text(_, name) => name.to_lowercase().contains(&search.trim().to_lowercase()),
        }
    }
}

/// All that can be chosen, as far as it fits the search.
fn items(bench: &Bench, search: &str) -> Vec<Item> {
    let layout = bench.shown.layout;
    let games = game_card::games(bench).iter();
    let games = games.map(|game| Item::Game(Entry::of(game, layout)));
    let now = bench.text.choice().map(|choice| &choice.file);
    let is_on = bench.shown.roster.has(core_games::LAYOUTS_OWN);
    let texts = bench.text.opened().iter();
    let texts = texts.filter(|choice| !is_on || Some(&choice.file) != now);
    let texts = texts.map(|choice| {
        let name = choice.file.file_stem().unwrap_or_default();
        Item::Text(choice.clone(), name.to_string_lossy().into_owned())
    });
    games.chain(texts).filter(|item| item.has(search)).collect()
}

/// Shows the list, if it is open, in the middle of this part of the window.
pub fn show(context: &Context, part: Rect, bench: &mut Bench) {
    let Some(mut draft) = bench.picker.0.take() else {
        return;
    };
    let room = part.size() - egui::Vec2::splat(AROUND);
    let columns = (room.x - 2.0 * MARGIN) / LEAST_WIDTH;
    let columns = (columns as usize).clamp(1, MOST_COLUMNS);
    let width = (columns as f32 * (LEAST_WIDTH + 40.0)).min(room.x - 2.0 * MARGIN);
    let found = items(bench, &draft.search);
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
            let is_over = head(ui, &mut draft, found.len());
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
        Some(Item::Game(entry)) => game_card::choose(bench, entry.game),
        Some(Item::Text(choice, _)) => bench.text.open(choice),
        None => {}
    }
}

/// True if choosing this ends a game that somebody plays.
fn would_leave(bench: &Bench, item: &Item) -> bool {
    let status = &bench.shown.status;
    let is_on = !matches!(phase(status), Phase::NoGame | Phase::Over);
    let is_same = matches!(item, Item::Game(entry) if entry.game == status.settings.game);
    is_on && status.last_move.is_some() && !is_same
}

/// The heading and the search field. True if the list is to be closed.
fn head(ui: &mut Ui, draft: &mut Draft, found: usize) -> bool {
    let mut is_over = false;
    ui.horizontal(|ui| {
        ui.label(RichText::new("Games").heading().color(Color32::WHITE));
        let count = match found {
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
    let field = TextEdit::singleline(&mut draft.search)
        .hint_text("Search by name, players or what it is about")
        .margin(egui::Margin::symmetric(10, 6))
        .desired_width(f32::INFINITY);
    let field = ui.add(field);
    if field.changed() {
        draft.at = 0;
        draft.leaves = None;
    }
    if std::mem::take(&mut draft.is_new) {
        field.request_focus();
    }
    ui.add_space(STEP * 0.5);
    is_over | ui.input(|input| input.key_pressed(Key::Escape))
}

/// Goes to another entry, or chooses the one it is at.
fn keys(ui: &Ui, draft: &mut Draft, found: usize, columns: usize) -> Option<usize> {
    let last = found.checked_sub(1)?;
    let struck = |key| ui.input(|input| input.num_presses(key));
    let before = draft.at.min(last);
    let down = struck(Key::ArrowDown) * columns + struck(Key::Tab);
    let up = struck(Key::ArrowUp) * columns;
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
    let (name, kind, aim) = match item {
        Item::Game(entry) => {
            if let Some(picture) = &entry.picture {
                picture.paint(ui.painter(), square, bench.palette.0);
            }
            (entry.name.as_str(), entry.kind.as_str(), entry.aim)
        }
        Item::Text(choice, name) => {
            let name = name.as_str();
            ui.painter().text(
                square.center(),
                Align2::CENTER_CENTER,
                ".lud",
                egui::TextStyle::Body.resolve(ui.style()),
                style::FAINT,
            );
            (name, choice.file.to_str().unwrap_or_default(), OPENED)
        }
    };
    let words = Rect::from_min_max(square.right_top() + vec2(12.0, -3.0), inner.max);
    let downwards = egui::Layout::top_down(egui::Align::Min);
    let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(words).layout(downwards));
    ui.set_clip_rect(place.shrink(6.0).intersect(ui.clip_rect()));
    ui.spacing_mut().item_spacing.y = 1.0;
    let is_on = matches!(item, Item::Game(entry) if entry.game == bench.shown.status.settings.game);
    let name = RichText::new(name).size(15.5).color(match is_on {
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
