//! The text of the game that is on the board: whether it is right, and what random
//! games say about it.

use bevy_egui::egui::{ComboBox, RichText, ScrollArea, Ui};

use super::Bench;
use super::style;
use crate::source::written::{RANDOM_GAMES, Random};

/// Shows the card, if there is a text.
pub fn show(ui: &mut Ui, bench: &mut Bench) {
    if !bench.text.is_there() {
        return;
    }
    style::card(ui, &bench.text.name(), |ui| {
        match (&bench.text.wrong, &bench.text.game) {
            (Some(wrong), _) => {
                ui.label(RichText::new("The board plays what was saved before:").small());
                letters(ui, wrong);
            }
            (None, Some(game)) => {
                let bytes = game.compiled.bytes.len();
                let words = match bench.text.took {
                    Some(took) => {
                        let took_ms = took.as_millis();
                        format!("{bytes} bytes, on the board {took_ms} ms after it was saved.")
                    }
                    None => format!("{bytes} bytes. Save the file, and the board plays it."),
                };
                ui.label(RichText::new(words).small());
                if let Some(names) = &game.names {
                    ui.label(RichText::new(names).small());
                }
            }
            (None, None) => {}
        }
        options(ui, bench);
        random(ui, bench);
    });
}

/// A line for each option of the text, with what one may choose.
fn options(ui: &mut Ui, bench: &mut Bench) {
    let Some(game) = bench.text.game.clone() else {
        return;
    };
    for heading in &game.options {
        let now = bench.text.item(heading);
        ui.label(RichText::new(&heading.name).small());
        ComboBox::from_id_salt(&heading.name)
            .width(ui.available_width())
            .selected_text(now.map_or("", |item| &item.name))
            .show_ui(ui, |ui| {
                for item in &heading.items {
                    let is_now = now.is_some_and(|now| now.name == item.name);
                    let line = ui.selectable_label(is_now, &item.name);
                    if line.on_hover_text(&item.meaning).clicked() && !is_now {
                        bench.text.choose(heading, item);
                    }
                }
            });
    }
}

fn random(ui: &mut Ui, bench: &mut Bench) {
    match &bench.text.random {
        Random::Playing { .. } => {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.label(format!("{RANDOM_GAMES} random games"));
            });
        }
        Random::Came(report) => letters(ui, report),
        Random::Nothing => {}
    }
    let is_idle = !matches!(bench.text.random, Random::Playing { .. });
    let words = format!("Play {RANDOM_GAMES} random games");
    let asks = style::wide(&words, false);
    if is_idle && bench.text.game.is_some() && ui.add(asks).clicked() {
        bench.text.play_random();
    }
}

/// Lines whose letters stand below each other.
fn letters(ui: &mut Ui, text: &str) {
    ScrollArea::horizontal().show(ui, |ui| {
        ui.vertical(|ui| {
            let text = RichText::new(text.trim_end()).monospace().size(9.5);
            ui.add(bevy_egui::egui::Label::new(text).extend());
            // The bar lies over what is below.
            ui.add_space(ui.spacing().scroll.bar_width);
        });
    });
}
