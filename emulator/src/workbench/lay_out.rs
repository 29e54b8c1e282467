//! The arrangement of the panels: the cards beside the board or below it, the drawer of
//! the rules, the dock, the status line, and what is over the board. What they leave is
//! the scene's.

use bevy_egui::egui;

use super::cards::view::ViewState;
use super::cards::{game, log, text, time, view};
use super::drawers::{how_to, keys};
use super::lists::{command_list, picker};
use super::{
    Bench, SidePanel, arrangements, banner, beside, dock_view, progress, scope, status_line, style,
    system,
};

/// Draws all panels. Returns the part that they leave to the scene.
pub(super) fn lay_out(all: &mut egui::Ui, bench: &mut Bench) -> egui::Rect {
    let bare = egui::Frame::new().fill(style::panel());
    let is_narrow = style::is_narrow(all.ctx());
    let column = bare.inner_margin(egui::Margin {
        left: if is_narrow { 8 } else { 12 },
        right: 4,
        top: 12,
        bottom: 4,
    });
    let room = Room::of(all.available_width());
    let is_told = bench.how_to.is_open();
    make_room(all.available_width(), bench);
    if *bench.side_panel != SidePanel::Bare {
        egui::Panel::bottom("status")
            .resizable(false)
            .show_separator_line(false)
            .exact_size(style::STATUS_HEIGHT)
            .frame(bare.inner_margin(egui::Margin::symmetric(14, 0)))
            .show(all, |ui| status_line::show(ui, bench));
    }
    let has_room = room == Room::Two || room == Room::One && !is_told;
    show_cards(all, has_room, column, bench);
    if is_told && room != Room::Nothing {
        egui::Panel::left("how to play")
            .resizable(false)
            .show_separator_line(false)
            .exact_size(style::PANEL_WIDTH)
            .frame(column)
            .show(all, |ui| style::scroll(ui, |ui| how_to::show(ui, bench)));
    }
    let left = match *bench.side_panel {
        SidePanel::Bare => all.available_rect_before_wrap(),
        SidePanel::Shown | SidePanel::Hidden => dock_view::show(all, bench),
    };
    show_over_board(all.ctx(), left, bench);
    left
}

/// Shows the cards: below the board in an upright window, else beside it if there is room.
fn show_cards(all: &mut egui::Ui, has_room: bool, column: egui::Frame, bench: &mut Bench) {
    let size = all.available_size();
    let mut panel = egui::Rect::NOTHING;
    if *bench.side_panel == SidePanel::Shown && is_upright(size) {
        egui::Panel::bottom("below")
            .resizable(false)
            .show_separator_line(false)
            .exact_size((size.y * BELOW).clamp(LOWEST_BELOW, HIGHEST_BELOW))
            .frame(column)
            .show(all, |ui| below(ui, bench));
    } else if *bench.side_panel == SidePanel::Shown && has_room {
        let side = egui::Panel::right("side")
            .resizable(false)
            .show_separator_line(false)
            .exact_size(style::panel_width(size.x))
            .frame(column)
            .show(all, |ui| {
                style::scroll(ui, |ui| {
                    show_game(ui, bench);
                    log::show(ui, &bench.game.story);
                    show_view(ui, bench);
                    time::show(ui, bench);
                    system::board_card(ui, bench);
                    log::fill(ui);
                });
            });
        panel = side.response.rect;
    }
    beside::note_panel(all.ctx(), panel);
}

/// Shows what is over the board, which has this part of the window.
fn show_over_board(context: &egui::Context, left: egui::Rect, bench: &mut Bench) {
    banner::show(context, left, bench);
    system::show_form(context, left, bench);
    picker::show(context, left, bench);
    command_list::show(context, left, bench);
    scope::show_over(context, bench);
    arrangements::show_form(context, left, bench);
    progress::show(context, left, bench);
    if bench.keys.is_open() {
        keys::show(context, left, bench);
    }
}

/// Hides the side panel in a narrow window when the first tool is opened: the board and
/// the tools would be too narrow to read. Tab shows it again.
fn make_room(width: f32, bench: &mut Bench) {
    /// From this width of the window on, a board and a tool have room next to the panel.
    const ROOM_FOR_TOOLS: f32 = 1_000.0;
    let is_cramped = width < ROOM_FOR_TOOLS && bench.dock.has_tools();
    let was_cramped = std::mem::replace(&mut bench.panes.room.is_cramped, is_cramped);
    match (is_cramped, was_cramped, *bench.side_panel) {
        (true, false, SidePanel::Shown) => {
            *bench.side_panel = SidePanel::Hidden;
            bench.panes.room.is_hidden_for_it = true;
        }
        // When the last tool is closed, the panel is shown again, unless the user has
        // changed it.
        (false, true, SidePanel::Hidden) if bench.panes.room.is_hidden_for_it => {
            *bench.side_panel = SidePanel::Shown;
        }
        _ => {}
    }
    if *bench.side_panel == SidePanel::Shown {
        bench.panes.room.is_hidden_for_it = false;
    }
}

/// Draws the cards of the game and its text.
fn show_game(ui: &mut egui::Ui, bench: &mut Bench) {
    let answers = bench.shown.link.answers();
    // A user who just saved a text with an error looks for the error.
    let is_wrong = bench.text.wrong.is_some();
    if is_wrong {
        text::show(ui, bench);
    }
    ui.add_enabled_ui(answers, |ui| game::show(ui, bench));
    if !is_wrong {
        text::show(ui, bench);
    }
}

/// Draws the card of the view, and carries out what it asks for.
fn show_view(ui: &mut egui::Ui, bench: &mut Bench) {
    let requests = view::show(ui, &ViewState::of(bench));
    for request in requests {
        request.carry_out(bench);
    }
}

/// Draws the cards of the log and of board time.
fn past(ui: &mut egui::Ui, bench: &mut Bench) {
    log::show(ui, &bench.game.story);
    time::show(ui, bench);
}

/// Draws the cards of the view and of the connection.
fn surroundings(ui: &mut egui::Ui, bench: &mut Bench) {
    show_view(ui, bench);
    system::board_card(ui, bench);
}

/// Draws the cards below the board, in columns.
fn below(ui: &mut egui::Ui, bench: &mut Bench) {
    let is_wide = ui.available_width() >= 3.0 * LEAST_COLUMN;
    let count = if is_wide { 3 } else { 2 };
    ui.columns(count, |columns| {
        for (number, column) in columns.iter_mut().enumerate() {
            // A column's own layout would justify its text.
            let ragged = egui::Layout::top_down(egui::Align::Min);
            let content = |ui: &mut egui::Ui| {
                style::scroll(ui, |ui| match number {
                    0 => show_game(ui, bench),
                    1 => {
                        past(ui, bench);
                        if !is_wide {
                            surroundings(ui, bench);
                        }
                        log::fill(ui);
                    }
                    _ => surroundings(ui, bench),
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
        match width - BOARD {
            left if left >= 2.0 * style::PANEL_WIDTH => Room::Two,
            left if left >= style::PANEL_WIDTH => Room::One,
            _ => Room::Nothing,
        }
    }
}
