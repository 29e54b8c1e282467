//! The workbench without lines and files: the board is in this process, and nothing is
//! saved.

use std::marker::PhantomData;

use bevy::app::App;
use bevy::ecs::system::SystemParam;
use bevy_egui::egui::{Context, Rect, Ui};

use crate::source::{Agreement, At};
use crate::workbench::board_state::{self, row};
use crate::workbench::{Bench, style};

/// The additional inputs and outputs of the panels on this system: none.
#[derive(SystemParam)]
pub struct Desk<'w>(PhantomData<&'w ()>);

impl Desk<'_> {
    /// Adds no resources, because the desk reads none.
    pub fn init(_: &mut App) {}

    /// Does nothing: there is no console.
    pub fn type_into_console(&mut self) {}

    /// False: there is no form to open.
    pub fn is_open(&self) -> bool {
        false
    }

    /// Closes nothing: there is no form.
    pub fn close(&mut self) {}
}

/// Shows the card of the board if there is something to report: whether a replay matches
/// its session, and failed requests.
pub fn board_card(ui: &mut Ui, bench: &mut Bench) {
    let is_compared = bench.shown.twin != Agreement::Alone;
    if !is_compared && bench.trouble.sentences().next().is_none() {
        return;
    }
    style::card(ui, "BOARD", |ui| {
        if is_compared {
            row(ui, "Session", &board_state::twin(&bench.shown.twin));
        }
        board_state::trouble(ui, bench);
    });
}

/// The label of the button that reconnects a board that does not answer.
pub fn again(at: &At) -> &'static str {
    match at {
        At::Core => "Begin anew",
    }
}

/// Why a board at this place does not keep up.
pub fn why_slow(at: &At) -> &'static str {
    match at {
        At::Core => "this machine cannot keep up",
    }
}

/// Where the dropped lines of the log can be found: nowhere.
pub const WHO_HAS_ALL: &str = "";

/// Shows no button: there are no files.
pub fn save_button(_: &mut Ui, _: &mut Bench) {}

/// Shows no button: there are no files.
pub fn save_signals_button(_: &mut Ui, _: &mut Bench) {}

/// Shows nothing: there is no such pane.
pub fn console(_: &mut Ui, _: &mut Bench) {}

/// Shows no button: there are no files.
pub fn shrink_button(_: &mut Ui, _: &mut Bench) {}

/// Shows nothing: no file was saved.
pub fn saved(_: &mut Ui, _: &Desk) {}

/// Shows no form: there are no files.
pub fn show_form(_: &Context, _: Rect, _: &mut Bench) {}
