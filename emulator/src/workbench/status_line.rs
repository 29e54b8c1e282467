//! The line at the bottom: board, time, link, twin, and the available actions.
//!
//! Parts without enough room are left out completely. The state of the board stays
//! longest: its name, its time and an unusual rate, a twin that differs, and muted sound.
//! Whoever has a tool open is told of a twin that agrees, too. Clickable parts come next, and then hints for the mouse.

use bevy_egui::egui::{Align, Color32, CursorIcon, Label, Layout, RichText, Sense, TextStyle, Ui};
use protocol::Tick;
use touchboard_host::standing::{Situation, phase};
use touchboard_host::story::Subject;

use super::cards::time;
use super::{Bench, SidePanel, board_state, style};
use crate::scene::camera::Viewpoint;
use crate::sound::{Audible, SoundSetting};
use crate::source::{Agreement, BoardLink};

/// The hints for the mouse that nothing on the board shows.
const HINTS: [&str; 3] = [
    "right drag: turn  ·  wheel: zoom  ·  Shift click: leave a finger",
    "right drag: turn  ·  wheel: zoom",
    "",
];

/// Shows the status line.
pub fn show(ui: &mut Ui, bench: &mut Bench) {
    ui.horizontal_centered(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0 * style::STEP;
            // The list of keys leads to everything else.
            if link(ui, "keys  ?") {
                bench.keys.toggle();
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| rest(ui, bench));
        });
    });
}

/// Draws all of the line except for the link to the keys.
fn rest(ui: &mut Ui, bench: &mut Bench) {
    let between_words = ui.spacing().item_spacing.x;
    ui.spacing_mut().item_spacing.x = style::STEP;
    state(ui, bench);
    ui.spacing_mut().item_spacing.x = between_words;
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        doors(ui, bench);
        let fitting = HINTS.into_iter().find(|text| fits(ui, text));
        if let Some(text) = fitting.filter(|text| !text.is_empty()) {
            ui.label(RichText::new(text).small().color(style::faint()));
        }
    });
}

/// Draws the clickable parts, from the right; the first ones stay longest.
fn doors(ui: &mut Ui, bench: &mut Bench) {
    let (text, other) = match *bench.side_panel {
        SidePanel::Shown => ("hide side panel  Tab", SidePanel::Hidden),
        _ => ("show side panel  Tab", SidePanel::Shown),
    };
    if link(ui, text) {
        *bench.side_panel = other;
    }
    if link(ui, "how to play  F1") {
        bench.how_to.toggle();
    }
    if link(ui, "games  F2") {
        bench.picker.toggle();
    }
    if link(ui, "tools  Ctrl P") {
        bench.command_list.toggle();
    }
    let (text, other) = match *bench.view {
        Viewpoint::Seat => ("top view  v", Viewpoint::Top),
        Viewpoint::Top => ("seat view  v", Viewpoint::Seat),
    };
    if link(ui, text) {
        *bench.view = other;
    }
}

/// Draws the state of the board, from the left.
fn state(ui: &mut Ui, bench: &mut Bench) {
    let link_state = board_state::link(&bench.shown.link);
    let twin = board_state::twin(&bench.shown.twin);
    let colour = match bench.shown.twin {
        Agreement::Differs(_) => twin.colour,
        _ => link_state.colour,
    };
    style::dot(ui, 3.5, colour);
    let name = bench
        .board
        .as_ref()
        .map_or("no board".to_owned(), |board| board.0.name());
    item(ui, "board", &name, style::text());
    let seconds = style::seconds(paused_at(bench).unwrap_or(bench.clock.0));
    match bench.shown.pace.frozen {
        false if phase(&bench.shown.status) == Situation::Paused => {
            item(
                ui,
                "time",
                &format!("{seconds} s, paused"),
                style::warning(),
            );
        }
        true => item(
            ui,
            "time",
            &format!("{seconds} s, stopped"),
            style::warning(),
        ),
        false => item(ui, "time", &format!("{seconds} s"), style::text()),
    }
    if let Some(pace) = pace_words(bench) {
        item(ui, "time goes", &pace, style::warning());
    }
    let differs = matches!(bench.shown.twin, Agreement::Differs(_));
    if differs || bench.shown.twin != Agreement::Alone && bench.dock.has_tools() {
        let word = twin.word.split(',').next().unwrap_or_default();
        item(ui, "twin", word, twin.colour);
    }
    heard(ui, bench);
    if bench.shown.link != BoardLink::Direct && link_state.word != name {
        item(ui, "link", &link_state.word, link_state.colour);
    }
}

/// The tick at which the game was paused; `None` if it is not. Board time continues during
/// a pause, play time does not.
fn paused_at(bench: &Bench) -> Option<Tick> {
    if phase(&bench.shown.status) != Situation::Paused || bench.shown.pace.frozen {
        return None;
    }
    let past = bench.game.story.past().iter();
    let paused = past.rev().find(|line| line.about == Subject::Hold);
    paused.map(|line| line.tick)
}

/// The pace of board time in words, unless it is real time.
fn pace_words(bench: &Bench) -> Option<String> {
    let pace = bench.shown.pace;
    let is_usual = pace.speed == 1.0 && bench.rate.off(pace).is_none();
    let goes = bench.shown.link.answers() && !pace.frozen;
    (goes && !is_usual).then(|| time::rate_words(bench))
}

/// Draws a note while there is no sound; a click changes it if possible.
fn heard(ui: &mut Ui, bench: &mut Bench) {
    let (text, colour) = match (*bench.sound, *bench.audible) {
        (SoundSetting::Muted, _) => ("muted", style::warning()),
        (SoundSetting::On, Audible::NoDevice) => ("no sound device", style::warning()),
        (SoundSetting::On, Audible::Yes) => return,
    };
    if fits(ui, text) && word(ui, text, colour) {
        *bench.sound = SoundSetting::On;
    }
}

/// Draws a name and its value, if there is room for both.
fn item(ui: &mut Ui, name: &str, value: &str, colour: Color32) {
    let gap = ui.spacing().item_spacing.x;
    if width(ui, name) + width(ui, value) + 2.0 * gap <= ui.available_width() {
        ui.label(RichText::new(name).small().color(style::faint()));
        ui.label(RichText::new(value).small().color(colour));
        ui.add_space(style::STEP.min(ui.available_width()));
    }
}

/// The width of a text, in points.
fn width(ui: &Ui, text: &str) -> f32 {
    let font = TextStyle::Small.resolve(ui.style());
    let painter = ui.painter();
    let galley = painter.layout_no_wrap(text.to_owned(), font, style::text());
    galley.size().x
}

/// True if there is room for this text.
fn fits(ui: &Ui, text: &str) -> bool {
    width(ui, text) <= ui.available_width()
}

/// Draws a word that can be clicked, if there is room. Returns true if it was clicked.
fn link(ui: &mut Ui, text: &str) -> bool {
    fits(ui, text) && word(ui, text, style::text())
}

/// Draws a word that can be clicked. Returns true if it was clicked.
fn word(ui: &mut Ui, text: &str, colour: Color32) -> bool {
    let text = RichText::new(text).small().color(colour);
    let label = ui.add(Label::new(text).sense(Sense::click()));
    label.on_hover_cursor(CursorIcon::PointingHand).clicked()
}
