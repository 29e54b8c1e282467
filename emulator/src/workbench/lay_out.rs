//! The arrangement of the panels: the cards beside the board or below it, the drawer of
//! the rules, the dock, the status line, and what is over the board. What they leave is
//! the scene's.

use bevy::prelude::{In, ResMut, World};
use bevy_egui::egui;

use super::cards::{game, log, text, time, view};
use super::dock::Dock;
use super::drawers::{how_to, keys};
use super::lists::{command_list, picker};
use super::parts::{self, OverBoard, run};
use super::{
    HowToDrawer, RoomForTools, SidePanel, arrangements, banner, beside, dock_view, other_uses,
    progress, status_line, style, system, timeline, waiting,
};
use crate::source::Shown;
use crate::source::written::OpenText;

/// Draws all panels. Returns the part that they leave to the scene.
pub(super) fn lay_out(all: &mut egui::Ui, world: &mut World) -> egui::Rect {
    let bare = egui::Frame::new().fill(style::panel());
    let is_narrow = style::is_narrow(all.ctx());
    let column = bare.inner_margin(egui::Margin {
        left: if is_narrow { 8 } else { 12 },
        right: 4,
        top: 12,
        bottom: 4,
    });
    let size = all.available_size();
    let room = Room::of(size.x);
    let is_told = world.resource::<HowToDrawer>().is_open();
    run(world, make_room, all.available_width());
    if side_panel(world) != SidePanel::Bare {
        egui::Panel::bottom("status")
            .resizable(false)
            .show_separator_line(false)
            .exact_size(style::STATUS_HEIGHT)
            .frame(bare.inner_margin(egui::Margin::symmetric(14, 0)))
            .show(all, |ui| parts::show(ui, world, status_line::show));
    }
    let has_room = room == Room::Two || room == Room::One && !is_told;
    let has_cards = show_cards(all, has_room, column, world);
    if is_told && room != Room::Nothing {
        egui::Panel::left("how to play")
            .resizable(false)
            .show_separator_line(false)
            .exact_size(style::panel_width(size.x))
            .frame(column)
            .show(all, |ui| {
                style::scroll(ui, |ui| parts::show(ui, world, how_to::show));
            });
    }
    let part = match side_panel(world) {
        SidePanel::Bare => all.available_rect_before_wrap(),
        SidePanel::Shown | SidePanel::Hidden => dock_view::show(all, world),
    };
    let context = all.ctx().clone();
    show_over_board(&OverBoard { context, part }, has_cards, world);
    part
}

fn side_panel(world: &World) -> SidePanel {
    *world.resource::<SidePanel>()
}

/// Shows the cards: below the board in an upright window, else beside it if there is room.
/// Returns true if they are there.
fn show_cards(all: &mut egui::Ui, has_room: bool, column: egui::Frame, world: &mut World) -> bool {
    let size = all.available_size();
    let mut panel = egui::Rect::NOTHING;
    let is_shown = side_panel(world) == SidePanel::Shown;
    let is_upright = is_upright(size);
    if is_shown && is_upright {
        egui::Panel::bottom("below")
            .resizable(false)
            .show_separator_line(false)
            .exact_size((size.y * BELOW).clamp(LOWEST_BELOW, HIGHEST_BELOW))
            .frame(column)
            .show(all, |ui| below(ui, world));
    } else if is_shown && has_room {
        let side = egui::Panel::right("side")
            .resizable(false)
            .show_separator_line(false)
            .exact_size(style::panel_width(size.x))
            .frame(column)
            .show(all, |ui| {
                style::scroll(ui, |ui| {
                    show_game(ui, world);
                    parts::show(ui, world, other_uses::show);
                    parts::show(ui, world, log::show);
                    parts::show(ui, world, view::show);
                    parts::show(ui, world, time::show);
                    parts::show(ui, world, system::board_card);
                    log::fill(ui);
                });
            });
        panel = side.response.rect;
    }
    beside::note_panel(all.ctx(), panel);
    is_shown && (is_upright || has_room)
}

/// Shows what is over the board; its own card, only without the cards of the panel.
fn show_over_board(over: &OverBoard, has_cards: bool, world: &mut World) {
    let has_card = !has_cards && run(world, waiting::show, over.clone());
    run(world, banner::show, (over.clone(), has_card));
    run(world, system::show_form, over.clone());
    picker::show(over.clone(), world);
    command_list::show(over.clone(), world);
    run(world, timeline::show_over, over.context.clone());
    run(world, arrangements::show_form, over.clone());
    run(world, progress::show, over.clone());
    run(world, keys::show, over.clone());
}

/// Makes room in a narrow window, where the board, tools and the side panel would be too
/// narrow to read. When a user opens the first tool, the side panel is hidden; Tab shows it
/// again. Tools that are open when the window becomes narrow, or starts as a narrow one, are
/// put away instead: who plays needs the panel. They come back in a wide window.
fn make_room(
    In(width): In<f32>,
    mut dock: ResMut<Dock>,
    mut room: ResMut<RoomForTools>,
    mut side_panel: ResMut<SidePanel>,
) {
    /// From this width of the window on, a board and a tool have room next to the panel.
    const ROOM_FOR_TOOLS: f32 = 1_000.0;
    // The first picture has no size yet, and while a window is resized nothing jumps.
    if std::mem::replace(&mut room.width, width) != width {
        return;
    }
    let is_narrow = width < ROOM_FOR_TOOLS;
    let was_narrow = std::mem::replace(&mut room.is_narrow, is_narrow);
    let had_tools = std::mem::replace(&mut room.had_tools, dock.has_tools());
    if is_narrow && !was_narrow && had_tools && *side_panel == SidePanel::Shown {
        room.put_away = Some(dock.arrangement());
        *dock = Dock::default();
        room.had_tools = false;
    }
    if !is_narrow && let Some(away) = room.put_away.take() {
        *dock = Dock::arranged(&away);
        room.had_tools = true;
    }
    let is_cramped = width < ROOM_FOR_TOOLS && dock.has_tools();
    let was_cramped = std::mem::replace(&mut room.is_cramped, is_cramped);
    match (is_cramped, was_cramped, *side_panel) {
        (true, false, SidePanel::Shown) => {
            *side_panel = SidePanel::Hidden;
            room.is_hidden_for_it = true;
        }
        // When the last tool is closed, the panel is shown again, unless the user has
        // changed it.
        (false, true, SidePanel::Hidden) if room.is_hidden_for_it => {
            *side_panel = SidePanel::Shown;
        }
        _ => {}
    }
    if *side_panel == SidePanel::Shown {
        room.is_hidden_for_it = false;
    }
}

/// Draws the cards of the game and its text.
fn show_game(ui: &mut egui::Ui, world: &mut World) {
    let answers = world.resource::<Shown>().link.answers();
    // A user who just saved a text with an error looks for the error.
    let is_wrong = world.resource::<OpenText>().wrong.is_some();
    if is_wrong {
        parts::show(ui, world, text::show);
    }
    style::enabled_ui(ui, answers, |ui| parts::show(ui, world, game::show));
    if !is_wrong {
        parts::show(ui, world, text::show);
    }
}

/// Draws the cards of the log and of board time, and before a game what else there is.
fn past(ui: &mut egui::Ui, world: &mut World) {
    parts::show(ui, world, other_uses::show);
    parts::show(ui, world, log::show);
    parts::show(ui, world, time::show);
}

/// Draws the cards of the view and of the connection.
fn surroundings(ui: &mut egui::Ui, world: &mut World) {
    parts::show(ui, world, view::show);
    parts::show(ui, world, system::board_card);
}

/// Draws the cards below the board, in columns.
fn below(ui: &mut egui::Ui, world: &mut World) {
    let is_wide = ui.available_width() >= 3.0 * LEAST_COLUMN;
    let count = if is_wide { 3 } else { 2 };
    ui.columns(count, |columns| {
        for (number, column) in columns.iter_mut().enumerate() {
            // A column's own layout would justify its text.
            let ragged = egui::Layout::top_down(egui::Align::Min);
            let content = |ui: &mut egui::Ui| {
                style::scroll(ui, |ui| match number {
                    0 => show_game(ui, world),
                    1 => {
                        past(ui, world);
                        if !is_wide {
                            surroundings(ui, world);
                        }
                        log::fill(ui);
                    }
                    _ => surroundings(ui, world),
                });
            };
            column.push_id(number, |ui| ui.with_layout(ragged, content));
        }
    });
}

/// In a window that is higher than this many times its width, the cards are below the
/// board.
const UPRIGHT: f32 = 1.15;
/// The cards' share of the height, and their least and greatest height in points.
const BELOW: f32 = 0.32;
const LOWEST_BELOW: f32 = 300.0;
pub(super) const HIGHEST_BELOW: f32 = 440.0;
/// The minimum width of one of three columns, in points.
const LEAST_COLUMN: f32 = 280.0;

pub(super) fn is_upright(size: egui::Vec2) -> bool {
    size.y > UPRIGHT * size.x
}

/// The number of panels that fit next to the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    Two,
    One,
    Nothing,
}

impl Room {
    /// How many fit in a window of this width.
    fn of(width: f32) -> Room {
        /// The narrowest board that can be played on, in points.
        const BOARD: f32 = 240.0;
        /// The narrowest board between two panels: who plays should not have to close one.
        const BETWEEN: f32 = 420.0;
        let panel = style::panel_width(width);
        match width {
            width if width >= 2.0 * panel + BETWEEN => Room::Two,
            width if width >= panel + BOARD => Room::One,
            _ => Room::Nothing,
        }
    }
}
