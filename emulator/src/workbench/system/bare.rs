//! The workbench without files: the board is in this process or at a port that the page
//! opened, and nothing is saved.

use std::marker::PhantomData;

use bevy::app::App;
use bevy::ecs::system::{InMut, SystemParam};
use bevy::prelude::{In, MessageWriter, Res, ResMut};
use bevy_egui::egui::Ui;

use crate::pane::Pane;
use crate::source::{Agreement, At, BoardLink, Shown, Trouble, WindowCommand};
use crate::workbench::board_state::{self, row};
use crate::workbench::dock::Dock;
use crate::workbench::parts::{DrawnSpan, OverBoard};
use crate::workbench::style;

/// The forms of this system that keys open and close: none.
#[derive(SystemParam)]
pub struct SystemForms<'w>(PhantomData<&'w ()>);

impl SystemForms<'_> {
    /// Adds no resources, because there are no forms.
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

/// Nothing is saved: there are no files.
#[derive(SystemParam)]
pub struct Saving<'w>(PhantomData<&'w ()>);

/// Shows the card of the board if there is something to report: the line to it, whether a
/// replay matches its session, and failed requests.
pub fn board_card(
    InMut(ui): InMut<Ui>,
    (shown, trouble): (Res<Shown>, Res<Trouble>),
    mut dock: ResMut<Dock>,
) {
    let is_compared = shown.twin != Agreement::Alone;
    let has_line = shown.link != BoardLink::Direct;
    if !has_line && !is_compared && trouble.sentences().next().is_none() {
        return;
    }
    style::card(ui, "BOARD", |ui| {
        if has_line {
            board_state::connection(ui, &shown);
            style::row(ui, "Line", |ui| {
                if ui.button("What crosses it").clicked() {
                    dock.toggle(Pane::Line);
                }
            });
        } else if is_compared {
            row(ui, "Session", &board_state::twin(&shown.twin));
        }
        board_state::trouble(ui, &trouble);
    });
}

/// The label of the button that reconnects a board that does not answer.
pub fn again(at: &At) -> &'static str {
    match at {
        At::Core => "Begin anew",
        At::Port(_) => "Connect again",
    }
}

/// Why a board at this place does not keep up.
pub fn why_slow(at: &At) -> &'static str {
    match at {
        At::Core => "this machine cannot keep up",
        At::Port(_) => "the board does not keep up",
    }
}

/// True if the workbench has a choice of boards at the end of a line. In a page, a button of
/// the document connects one.
pub const HAS_LINES: bool = false;

/// Where the dropped lines of the log can be found: nowhere.
pub const WHO_HAS_ALL: &str = "";

/// Shows no button: there are no files.
pub fn save_button(_: &mut Ui, _: &mut Saving, _: &Shown) {}

/// Shows no button: there are no files.
pub fn save_timeline_button(_: &mut Ui, _: &mut Saving, _: DrawnSpan, _: &Shown) {}

/// Shows nothing: there is no such pane.
pub fn console(_: InMut<Ui>) {}

/// Shows no button: there are no files.
pub fn shrink_button(_: &mut Ui, _: &Saving, _: &mut MessageWriter<WindowCommand>) {}

/// Shows nothing: no file was saved.
pub fn saved(_: &mut Ui, _: &Saving) {}

/// Shows no form: there are no files.
pub fn show_form(_: In<OverBoard>) {}
