//! The drawer with the rules of the game: its aim, how to play, its modes.
//!
//! It follows the board: when another game or mode is chosen, the text changes.

use bevy::ecs::system::InMut;
use bevy::prelude::{Local, Res};
use bevy_egui::egui::{self, CollapsingHeader, Rgba, RichText, Sense, Ui};
use protocol::{Layout, Roster, Settings};
use touchboard_host::howto::HowTo;
use touchboard_host::written;

use super::diagram::{self, Diagram};
use crate::theme::{ChosenPalette, Palette};
use crate::workbench::legend::{Legend, LightMeaning};
use crate::workbench::orders::GameOrders;
use crate::workbench::reading;
use crate::workbench::style::{self, STEP};

/// Shows the drawer with a game's rules.
pub fn show(
    InMut(ui): InMut<Ui>,
    mut orders: GameOrders,
    legend: Res<Legend>,
    palette: Res<ChosenPalette>,
    mut drawn: Local<Option<(Settings, Layout, Vec<Diagram>)>>,
) {
    let shown = &orders.board.shown;
    let (settings, layout) = (shown.status.settings, shown.layout);
    let waits = reading::waits(shown);
    let name = written::game_name(settings.game, layout);
    let Some(text) = written::how_to(settings.game, layout) else {
        style::card(ui, "HOW TO PLAY", |ui| heading(ui, &name));
        return;
    };
    style::card(ui, "HOW TO PLAY", |ui| {
        heading(ui, &name);
        if waits {
            style::note(ui, reading::WAITS);
        }
        let aim = style::words(ui, text.aim());
        ui.label(aim);
        let is_known = |of: &(Settings, Layout, Vec<Diagram>)| (of.0, of.1) == (settings, layout);
        if !drawn.as_ref().is_some_and(is_known) {
            *drawn = Some((settings, layout, diagram::of(settings, layout)));
        }
        diagrams(ui, drawn.as_ref().map_or(&[], |of| &of.2), palette.0);
        for sentence in text.play() {
            item(ui, sentence);
        }
        item(ui, text.end());
    });
    lights(ui, &legend, palette.0);
    constructs(ui, text.constructs());
    if text.guide.modes.len() > 1 {
        style::card(ui, "MODES", |ui| {
            if let Some(mode) = modes(ui, &text.guide, settings.mode) {
                orders.change(Settings { mode, ..settings });
            }
        });
    }
    style::card(ui, "SETTINGS", |ui| {
        let guide = text.guide;
        for sentence in [guide.level, guide.time, guide.speed, ON_DISPLAY] {
            let sentence = style::words(ui, sentence);
            ui.label(RichText::new(sentence).small());
        }
    });
}

/// Draws the diagrams beside each other, with their words below.
fn diagrams(ui: &mut Ui, all: &[Diagram], palette: Palette) {
    if all.is_empty() {
        return;
    }
    ui.add_space(STEP * 0.5);
    let width = ((ui.available_width() - STEP) / 2.0).floor();
    ui.horizontal_top(|ui| {
        for Diagram { caption, picture } in all {
            ui.vertical(|ui| {
                ui.set_max_width(width);
                let height = width * picture.height();
                let (place, _) = ui.allocate_exact_size(egui::vec2(width, height), Sense::hover());
                let square = egui::Rect::from_center_size(
                    place.center(),
                    egui::Vec2::splat(width - 2.0 * DIAGRAM_EDGE),
                );
                picture.paint(ui.painter(), square, palette);
                style::note(ui, caption);
            });
        }
    });
    ui.add_space(STEP * 0.5);
}

/// The width of the field's edge around the points of a diagram.
const DIAGRAM_EDGE: f32 = 4.0;

/// The text on the display between games.
const ON_DISPLAY: &str = "Between games the display has a character for each setting: game, time, speed, level (_ for off) and mode.";

fn heading(ui: &mut Ui, name: &str) {
    ui.label(RichText::new(name).heading().color(style::strong()));
}

/// Draws what the turn lights and the lights that are on now mean.
fn lights(ui: &mut Ui, legend: &Legend, palette: Palette) {
    style::card(ui, "LIGHTS", |ui| {
        let turn = style::words(ui, TURN_LIGHTS);
        ui.label(RichText::new(turn).small());
        for LightMeaning {
            colour,
            light,
            meaning,
        } in &legend.0
        {
            ui.horizontal_top(|ui| {
                let (place, _) = ui.allocate_exact_size(egui::vec2(12.0, 16.0), Sense::hover());
                let [red, green, blue] = palette.shade(*colour).light;
                let shade = Rgba::from_rgb(red, green, blue);
                ui.painter().circle_filled(place.center(), 4.5, shade);
                let words = style::words(ui, &format!("{light}: {meaning}"));
                ui.vertical(|ui| ui.label(RichText::new(words).small()));
            });
        }
    });
}

/// What the lamps beside the display mean.
const TURN_LIGHTS: &str =
    "Beside the display: the left lamp is lit while green is to move, the right one while red is.";

/// Draws the meanings of a text's constructs, for its author; hidden by default.
fn constructs(ui: &mut Ui, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    style::card(ui, "THE TEXT, CLAUSE BY CLAUSE", |ui| {
        let title = RichText::new("What its constructs say").small();
        CollapsingHeader::new(title).show(ui, |ui| {
            for line in lines {
                match line.trim_start().strip_prefix("- ") {
                    Some(words) => {
                        let depth = (line.len() - line.trim_start().len()) / 2;
                        indented_item(ui, words, depth);
                    }
                    None => {
                        ui.label(RichText::new(line).strong());
                    }
                }
            }
        });
    });
}

/// Draws a sentence with a dot before it.
fn item(ui: &mut Ui, sentence: &str) {
    indented_item(ui, sentence, 0);
}

/// Draws a sentence with a dot before it, indented by `depth` steps.
fn indented_item(ui: &mut Ui, sentence: &str, depth: usize) {
    ui.horizontal_top(|ui| {
        ui.add_space(STEP * depth as f32);
        let (place, _) = ui.allocate_exact_size(egui::vec2(6.0, 18.0), Sense::hover());
        ui.painter()
            .circle_filled(place.center(), 2.0, style::accent());
        let sentence = style::words(ui, sentence);
        ui.vertical(|ui| ui.label(sentence));
    });
}

/// Draws all modes by name. A click unfolds a mode; the chosen mode is unfolded at first.
/// Returns the mode that the user wants to play.
fn modes(ui: &mut Ui, text: &HowTo, chosen: u8) -> Option<u8> {
    let mut clicked = None;
    for (number, mode) in (0..).zip(text.modes) {
        let is_chosen = number == chosen;
        let name = RichText::new(format!("{}   {}", Roster::letter(number), mode.name));
        let name = match is_chosen {
            true => name.color(style::accent()),
            false => name.color(style::text()),
        };
        CollapsingHeader::new(name)
            // A mode that is chosen later is unfolded, too.
            .id_salt((text.aim, number, is_chosen))
            .default_open(is_chosen)
            .show(ui, |ui| {
                let text = style::words(ui, mode.text);
                ui.label(RichText::new(text).small());
                let choose = || style::wide("Choose this mode", false);
                if !is_chosen && ui.add(choose()).clicked() {
                    clicked = Some(number);
                }
            });
    }
    clicked
}
