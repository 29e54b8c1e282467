//! The line at the bottom: board, time, link, twin, and the available actions.
//!
//! Parts without enough room are left out completely. The state of the board stays
//! longest: its name, its time and an unusual rate, a twin that differs, and muted sound.
//! Whoever has a tool open is told of a twin that agrees, too; whoever only plays reads
//! neither the name of the board nor thousandths. Clickable parts come next, and then hints
//! for the mouse.

use bevy::ecs::system::{InMut, SystemParam};
use bevy::prelude::{Res, ResMut};
use bevy_egui::egui::{Align, Color32, CursorIcon, Label, Layout, RichText, Sense, TextStyle, Ui};
use protocol::Tick;
use touchboard_host::standing::{Situation, phase};
use touchboard_host::story::Subject;

use super::cards::time;
use super::dock::Dock;
use super::lists::command_list::CommandList;
use super::lists::picker::Picker;
use super::story::Story;
use super::{HowToDrawer, KeysDrawer, SidePanel, board_state, style};
use crate::scene::camera::Viewpoint;
use crate::sound::Audible;
use crate::source::{Agreement, BoardLink, BoardTime, RealRate, Shown, ShownBoard, minutes};
use crate::switches::WindowSwitches;

/// The hints for the mouse that nothing on the board shows.
const HINTS: [&str; 3] = [
    "Right-drag turns the board  ·  The wheel zooms  ·  Shift-click keeps a key down",
    "Right-drag turns the board  ·  The wheel zooms",
    "",
];

/// The panels, which the links of the line open and close, and the camera.
#[derive(SystemParam)]
struct LinkedPanels<'w> {
    side_panel: ResMut<'w, SidePanel>,
    how_to: ResMut<'w, HowToDrawer>,
    keys: ResMut<'w, KeysDrawer>,
    picker: ResMut<'w, Picker>,
    command_list: ResMut<'w, CommandList>,
    view: ResMut<'w, Viewpoint>,
    dock: Res<'w, Dock>,
}

/// What the line shows and changes.
#[derive(SystemParam)]
pub struct StatusLine<'w> {
    panels: LinkedPanels<'w>,
    board: Option<Res<'w, ShownBoard>>,
    shown: Res<'w, Shown>,
    now: Res<'w, BoardTime>,
    rate: Res<'w, RealRate>,
    story: Res<'w, Story>,
    switches: ResMut<'w, WindowSwitches>,
    audible: Res<'w, Audible>,
}

/// Shows the status line.
pub fn show(InMut(ui): InMut<Ui>, mut line: StatusLine) {
    ui.horizontal_centered(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0 * style::STEP;
            // The list of keys leads to everything else.
            if link(ui, "Keys  ?") {
                line.panels.keys.toggle();
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                rest(ui, &mut line)
            });
        });
    });
}

/// Draws all of the line except for the link to the keys.
fn rest(ui: &mut Ui, line: &mut StatusLine) {
    let between_words = ui.spacing().item_spacing.x;
    ui.spacing_mut().item_spacing.x = style::STEP;
    state(ui, line);
    ui.spacing_mut().item_spacing.x = between_words;
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        links(ui, &mut line.panels);
        let fitting = HINTS.into_iter().find(|text| fits(ui, text));
        if let Some(text) = fitting.filter(|text| !text.is_empty()) {
            ui.label(RichText::new(text).small().color(style::faint()));
        }
    });
}

/// Draws the clickable parts, from the right; the first ones stay longest.
fn links(ui: &mut Ui, panels: &mut LinkedPanels) {
    let (text, other) = match *panels.side_panel {
        SidePanel::Shown => ("Hide side panel  Tab", SidePanel::Hidden),
        _ => ("Show side panel  Tab", SidePanel::Shown),
    };
    if link(ui, text) {
        *panels.side_panel = other;
    }
    if link(ui, "How to play  F1") {
        panels.how_to.toggle();
    }
    if link(ui, "Games  F2") {
        panels.picker.toggle();
    }
    if link(ui, "All commands  Ctrl P") {
        panels.command_list.toggle();
    }
    // The side panel has a card of the view.
    if *panels.side_panel == SidePanel::Shown {
        return;
    }
    let (text, other) = match *panels.view {
        Viewpoint::Seat => ("View from above  v", Viewpoint::Top),
        Viewpoint::Top => ("View from the seat  v", Viewpoint::Seat),
    };
    if link(ui, text) {
        *panels.view = other;
    }
}

/// True if somebody only plays: the board is in this process, and no tool is open. Then
/// the place of the board goes without saying, and its time needs no thousandths.
fn is_only_played(line: &StatusLine) -> bool {
    line.shown.link == BoardLink::Direct && !line.panels.dock.has_tools()
}

/// Draws the state of the board, from the left.
fn state(ui: &mut Ui, line: &mut StatusLine) {
    let link_state = board_state::link(&line.shown.link);
    let twin = board_state::twin(&line.shown.twin);
    let board = line.board.as_ref();
    let name = board.map_or("no board".to_owned(), |board| board.0.name());
    if !is_only_played(line) {
        let colour = match line.shown.twin {
            Agreement::Differs(_) => twin.colour,
            _ => link_state.colour,
        };
        style::dot(ui, 3.5, colour);
        item(ui, "Board", &name, style::text());
    }
    show_time(ui, line);
    if let Some(part) = line.rate.off(line.shown.pace).filter(|_| is_slow(line)) {
        item(
            ui,
            "Slow",
            &format!("{:.0}% of real time", 100.0 * part),
            style::text(),
        );
    } else if let Some(pace) = pace_words(line) {
        item(ui, "Speed", &pace, style::warning());
    }
    let differs = matches!(line.shown.twin, Agreement::Differs(_));
    if differs || line.shown.twin != Agreement::Alone && line.panels.dock.has_tools() {
        let word = twin.word.split(',').next().unwrap_or_default();
        item(ui, "Twin", word, twin.colour);
    }
    show_silence(ui, line);
    if line.shown.link != BoardLink::Direct && link_state.word != name {
        item(ui, "Line", &link_state.word, link_state.colour);
    }
}

/// Draws the board's time, and whether it stands.
fn show_time(ui: &mut Ui, line: &StatusLine) {
    let tick = paused_at(line).unwrap_or(line.now.0);
    let is_frozen = line.shown.pace.frozen;
    let is_played = is_only_played(line);
    let time = if is_played {
        minutes(tick)
    } else {
        format!("{} s", style::seconds(tick))
    };
    let (stands, colour) = if is_frozen && is_played {
        (", waiting", style::text())
    } else if is_frozen {
        (", frozen", style::warning())
    } else if phase(&line.shown.status) == Situation::Paused {
        (", paused", style::warning())
    } else {
        ("", style::text())
    };
    item(ui, "Time", &format!("{time}{stands}"), colour);
}

/// The tick at which the game was paused; `None` if it is not. Board time continues during
/// a pause, play time does not.
fn paused_at(line: &StatusLine) -> Option<Tick> {
    if phase(&line.shown.status) != Situation::Paused || line.shown.pace.frozen {
        return None;
    }
    let past = line.story.past().iter();
    let paused = past.rev().find(|told| told.about == Subject::Hold);
    paused.map(|told| told.tick)
}

/// True if board time is to pass as real time does, and has been slower for a while.
fn is_slow(line: &StatusLine) -> bool {
    let pace = line.shown.pace;
    let off = line.rate.off(pace);
    line.shown.link.answers() && pace.speed == 1.0 && off.is_some_and(|part| part < 1.0)
}

/// The pace of board time in words, unless it is real time.
fn pace_words(line: &StatusLine) -> Option<String> {
    let pace = line.shown.pace;
    let is_usual = pace.speed == 1.0 && line.rate.off(pace).is_none();
    let goes = line.shown.link.answers() && !pace.frozen;
    (goes && !is_usual).then(|| time::rate_words(&line.shown, &line.rate))
}

/// Draws a note while there is no sound; a click changes it if possible.
fn show_silence(ui: &mut Ui, line: &mut StatusLine) {
    let (text, colour) = match (line.switches.sound, *line.audible) {
        (false, _) => ("Muted: click for sound", style::warning()),
        (true, Audible::NoDevice) => ("No sound device", style::warning()),
        (true, Audible::Yes) => return,
    };
    if fits(ui, text) && word(ui, text, colour) {
        line.switches.sound = true;
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
