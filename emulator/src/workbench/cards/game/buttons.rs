//! The buttons of the game's card: start and stop, as on the board, and those for passing
//! and taking back, which have no button on the board.
//!
//! Invariants: a button keeps its place, whatever else can be done.

use bevy::ecs::system::SystemParam;
use bevy::prelude::{Real, Res, ResMut, Time};
use bevy_egui::egui::{self, Ui, vec2};
use protocol::{Button, Deed, Input, Settings};
use touchboard_host::standing::{Situation, phase, why_no_pass};

use crate::leaving::Leaving;
use crate::source::WindowCommand;
use crate::workbench::beside::HoverText;
use crate::workbench::orders::GameOrders;
use crate::workbench::style;
use crate::workbench::take_back::{GamePast, Undoable};

/// The gap between two commands, in points.
const COMMAND_GAP: f32 = 4.0;
/// The narrowest button with the words of who plays, in points.
const LEAST_COMMAND: f32 = 112.0;
/// The narrowest of three buttons in a row with letters of the usual size, in points.
const LEAST_THIRD: f32 = 76.0;
/// Height of a command, in points.
const COMMAND_HEIGHT: f32 = 28.0;

/// What the buttons that start a game read and write.
#[derive(SystemParam)]
pub struct StartButtons<'w> {
    /// What they order.
    pub orders: GameOrders<'w>,
    leaving: ResMut<'w, Leaving>,
    /// Real time, in which the question whether to leave a game expires.
    pub time: Res<'w, Time<Real>>,
}

/// Draws all buttons.
pub fn show(ui: &mut Ui, start: &mut StartButtons, past: &mut GamePast) {
    let is_on = phase(&start.orders.board.shown.status).is_on();
    let width = (ui.available_width() - COMMAND_GAP) / 2.0;
    ui.spacing_mut().item_spacing.x = COMMAND_GAP;
    if style::is_narrow(ui.ctx()) {
        ui.spacing_mut().button_padding.x = 4.0;
    }
    let orders = &mut start.orders;
    match (orders.board.is_chosen_against_whom(), width < LEAST_COMMAND) {
        (true, _) => {
            ui.horizontal(|ui| {
                start_button(ui, start, is_on, width);
                hold(ui, &mut start.orders, past, (is_on, width));
            });
        }
        (false, false) => {
            ui.horizontal(|ui| against_whom(ui, orders, width));
        }
        (false, true) => against_whom(ui, orders, 2.0 * width + COMMAND_GAP),
    }
    let third = (ui.available_width() - 2.0 * COMMAND_GAP) / 3.0;
    ui.horizontal(|ui| {
        ui.spacing_mut().button_padding.x = 2.0;
        take_back(ui, &mut start.orders, past, third);
        redo(ui, &mut start.orders, past, third);
        pass(ui, &mut start.orders, third);
    });
}

/// Draws the buttons that begin the first game, in this width.
pub fn begin(ui: &mut Ui, start: &mut StartButtons, width: f32) {
    ui.spacing_mut().item_spacing.x = COMMAND_GAP;
    let half = (width - COMMAND_GAP) / 2.0;
    match start.orders.board.is_chosen_against_whom() {
        true => start_button(ui, start, false, width),
        false if half < LEAST_COMMAND => against_whom(ui, &mut start.orders, width),
        false => {
            ui.horizontal(|ui| against_whom(ui, &mut start.orders, half));
        }
    }
}

/// A command's button, filled if it is the one to press next.
fn command(text: &str, accent: bool, width: f32) -> egui::Button<'_> {
    style::wide(text, accent).min_size(vec2(width, COMMAND_HEIGHT))
}

/// A button of a row of three.
fn one_of_three(text: &str, accent: bool, width: f32) -> egui::Button<'_> {
    match width < LEAST_THIRD {
        true => style::small_wide(text, accent).min_size(vec2(width, COMMAND_HEIGHT)),
        false => command(text, accent, width),
    }
}

/// Draws two buttons, which start a game against the board or for two people. The filled
/// one does the same as START on the board.
fn against_whom(ui: &mut Ui, orders: &mut GameOrders, width: f32) {
    let now = orders.board.shown.status.settings;
    let plays = now.level > 0;
    let board = ui.add(command("▶ One player", plays, width));
    let board = board.hover_text(match plays {
        true => "What START does at this level: you are green, the board is red.  n",
        false => "Sets level 1 and presses START: you are green, the board is red.",
    });
    let two = ui.add(command("▶ Two players", !plays, width));
    let two = two.hover_text(match plays {
        true => "Turns the level off and presses START: green and red take turns.",
        false => "What START does with the level off: green and red take turns.  n",
    });
    let level = match board.clicked() {
        true => now.level.max(1),
        false => 0,
    };
    if (two.clicked() || board.clicked()) && level != now.level {
        orders.carry_out(Deed::Settings(Settings { level, ..now }));
    }
    if two.clicked() || board.clicked() {
        orders.press(Button::Start);
    }
}

fn start_button(ui: &mut Ui, start: &mut StartButtons, is_on: bool, width: f32) {
    let StartButtons {
        orders,
        leaving,
        time,
    } = start;
    let settings = orders.board.shown.status.settings;
    let is_over = phase(&orders.board.shown.status) == Situation::Over;
    // The game was chosen with the board's own buttons, which cannot change the layout.
    let lacks_room = !is_on && orders.board.lacks_room(&settings);
    let why_not = orders
        .board
        .why_no_start()
        .filter(|_| !is_on && !lacks_room);
    let words = match (is_on, lacks_room) {
        (true, _) => "New game",
        (false, false) if is_over => "▶ Play again",
        (false, true) if orders.board.shown.layout.sides().is_some() => "Enlarge",
        (false, true) => "Its board",
        (false, false) => "▶ Start",
    };
    let now = time.elapsed();
    let is_asked = is_on && leaving.is_asked(now);
    let words = match is_asked {
        true if width < LEAST_COMMAND => "Leave it?",
        true => "Leave this game?",
        false => words,
    };
    let mut button = command(words, !is_on, width);
    if is_asked {
        let edge = egui::Stroke::new(1.0, style::warning());
        button = button.stroke(edge);
    }
    let button = style::add_enabled(ui, why_not.is_none(), button);
    let button = match why_not {
        Some(why) => button.hover_text_if_disabled(why),
        None => button,
    };
    if button.clicked() && lacks_room {
        orders.replace_board(settings);
    } else if button.clicked() && leaving.is_sure(&orders.board.shown.status, now) {
        orders.press(Button::Start);
    }
    button.hover_text(match lacks_room {
        true => "A board that has room for it.",
        false => "START on the board.  n",
    });
}

fn hold(ui: &mut Ui, orders: &mut GameOrders, past: &GamePast, (is_on, width): (bool, f32)) {
    let is_held = phase(&orders.board.shown.status) == Situation::Paused;
    // After a move was taken back, the game is not paused, but its clock is stopped.
    let is_stopped = is_on && !is_held && past.stands_still(&orders.board.shown);
    let words = if is_held { "Resume" } else { "Pause" };
    let hold = command(words, is_held, width);
    let hold = style::add_enabled(ui, is_on && !is_stopped, hold);
    let hold = hold.hover_text_if_disabled(match is_stopped {
        true => "The game waits already: a move was taken back.",
        false => "No game is on.",
    });
    let hold = hold.hover_text(match is_held {
        true => "STOP on the board: the game goes on.  h",
        false => "STOP on the board: the game waits and its clocks stop.  h",
    });
    if hold.clicked() {
        orders.press(Button::Stop);
    }
}

/// Draws the button that plays again what was taken back.
fn redo(ui: &mut Ui, orders: &mut GameOrders, past: &GamePast, width: f32) {
    let shown = &orders.board.shown;
    let is_held = phase(&shown.status) == Situation::Paused;
    let can = phase(&shown.status).is_on() && !is_held && past.stands_still(shown);
    let redo = style::add_enabled(ui, can, one_of_three("Redo", can, width));
    let redo = redo.hover_text_if_disabled("Nothing was taken back.");
    let redo =
        redo.hover_text("Plays again what was taken back. To play differently, touch the board.");
    if redo.clicked() {
        let pace = orders.board.shown.pace.toggled();
        orders.commands.write(WindowCommand::Pace(pace));
    }
}

/// Draws the button that takes back the last move, or brings back the game that was left.
fn take_back(ui: &mut Ui, orders: &mut GameOrders, past: &mut GamePast, width: f32) {
    let what = past.undoable(&orders.board.shown);
    let answers = orders.board.shown.link.answers();
    let (words, told) = match what.is_some_and(Undoable::is_leaving) {
        true => (
            "Bring back",
            "Brings back the game that was left.  Backspace",
        ),
        false => (
            "Take back",
            "Undoes your last move or pass and what followed it.  Backspace",
        ),
    };
    let can = answers && what.is_some();
    let button = style::add_enabled(ui, can, one_of_three(words, false, width));
    let button = button.hover_text(told);
    let button = button.hover_text_if_disabled("There is no move to take back.");
    if let Some(what) = what.filter(|_| button.clicked()) {
        past.take_back(&mut orders.commands, what);
    }
}

fn pass(ui: &mut Ui, orders: &mut GameOrders, width: f32) {
    let why_not = why_no_pass(
        &orders.board.shown.status,
        &orders.board.shown.frame.display,
    );
    let mut pass = style::add_enabled(ui, why_not.is_none(), one_of_three("Pass", false, width));
    if let Some(why) = why_not {
        pass = pass.hover_text_if_disabled(why);
    }
    if pass.hover_text("Gives the turn away.  p").clicked() {
        orders.carry_out(Deed::Input(Input::Pass));
    }
}
