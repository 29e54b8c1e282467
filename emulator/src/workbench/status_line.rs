//! The line at the bottom: source, link, tick, speed, twin; and what one can do.
//!
//! What there is no room for is left out whole: what can be clicked stays
//! longest, the hints go first.

use bevy_egui::egui::{Align, Layout, RichText, TextStyle, Ui};

use super::{Bench, Panels, board_card, style, time_card};
use crate::scene::camera::View;
use crate::sound::Sound;
use crate::source::{Agreement, Link};
use crate::theme::Palette;

/// What the mouse does besides touching, which nothing on the board shows.
const HINTS: [&str; 3] = [
    "right drag: turn  ·  wheel: zoom  ·  Shift click: leave a finger",
    "right drag: turn  ·  wheel: zoom",
    "",
];

/// Shows the line.
pub fn show(ui: &mut Ui, bench: &mut Bench) {
    ui.horizontal_centered(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            doors(ui, bench);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                state(ui, bench);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let fitting = HINTS.into_iter().find(|text| fits(ui, text));
                    if let Some(text) = fitting.filter(|text| !text.is_empty()) {
                        ui.label(RichText::new(text).small().color(style::FAINT));
                    }
                });
            });
        });
    });
}

/// What can be clicked, from the right.
fn doors(ui: &mut Ui, bench: &mut Bench) {
    ui.spacing_mut().item_spacing.x = 2.0 * style::STEP;
    if link(ui, "keys  ?") {
        bench.keys.toggle();
    }
    if link(ui, "how to play  F1") {
        bench.how_to.toggle();
    }
    let (text, other) = match *bench.view {
        View::Seat => ("top view  v", View::Top),
        View::Top => ("seat view  v", View::Seat),
    };
    if link(ui, text) {
        *bench.view = other;
    }
    let (text, other) = match *bench.panels {
        Panels::All => ("hide panel  Tab", Panels::StatusLine),
        _ => ("show panel  Tab", Panels::All),
    };
    if link(ui, text) {
        *bench.panels = other;
    }
    let text = match bench.palette.0 {
        Palette::Board => "colour-blind: off",
        Palette::BlueOrange => "colour-blind: on",
    };
    if link(ui, text) {
        bench.palette.0 = bench.palette.0.other();
    }
    let (text, other) = match *bench.sound {
        Sound::On => ("sound on", Sound::Muted),
        Sound::Muted => ("muted", Sound::On),
    };
    if link(ui, text) {
        *bench.sound = other;
    }
}

/// How things are, from the left.
fn state(ui: &mut Ui, bench: &Bench) {
    let link_state = board_card::link(&bench.shown.link);
    let twin = board_card::twin(&bench.shown.twin);
    let colour = match bench.shown.twin {
        Agreement::Differs(_) => twin.colour,
        _ => link_state.colour,
    };
    style::dot(ui, 3.5, colour);
    let name = bench
        .board
        .as_ref()
        .map_or("no board".to_owned(), |board| board.0.name());
    item(ui, "board", &name);
    if bench.shown.link != Link::Direct && link_state.word != name {
        item(ui, "link", &link_state.word);
    }
    item(ui, "time", &format!("{} s", style::seconds(bench.clock.0)));
    item(ui, "rate", &time_card::rate_words(bench));
    if bench.shown.twin != Agreement::Alone {
        item(ui, "twin", &twin.word);
    }
}

/// A name and its value, if there is room for both.
fn item(ui: &mut Ui, name: &str, value: &str) {
    let gap = ui.spacing().item_spacing.x;
    if width(ui, name) + width(ui, value) + 2.0 * gap <= ui.available_width() {
        ui.label(RichText::new(name).small().color(style::FAINT));
        ui.label(RichText::new(value).small());
        ui.add_space(style::STEP.min(ui.available_width()));
    }
}

/// How much room a text takes.
fn width(ui: &Ui, text: &str) -> f32 {
    let font = TextStyle::Small.resolve(ui.style());
    let painter = ui.painter();
    let galley = painter.layout_no_wrap(text.to_owned(), font, style::TEXT);
    galley.size().x
}

/// True if there is room for this text.
fn fits(ui: &Ui, text: &str) -> bool {
    width(ui, text) <= ui.available_width()
}

/// A word that can be clicked, if there is room for it. True if it was.
fn link(ui: &mut Ui, text: &str) -> bool {
    if !fits(ui, text) {
        return false;
    }
    let text = RichText::new(text).small().color(style::TEXT);
    let label = bevy_egui::egui::Label::new(text).sense(bevy_egui::egui::Sense::click());
    ui.add(label)
        .on_hover_cursor(bevy_egui::egui::CursorIcon::PointingHand)
        .clicked()
}
