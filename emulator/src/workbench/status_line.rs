//! The line at the bottom: source, link, tick, speed, twin; and the keys.

use bevy_egui::egui::{Align, Layout, RichText, TextStyle, Ui};

use super::{Bench, board_card, style, time_card};
use crate::scene::camera::View;
use crate::sound::Sound;
use crate::source::{Agreement, Link};

/// Shows the line.
pub fn show(ui: &mut Ui, bench: &mut Bench) {
    ui.horizontal_centered(|ui| {
        let item = |ui: &mut Ui, name: &str, value: String| {
            ui.label(RichText::new(name).small().color(style::FAINT));
            ui.label(RichText::new(value).small());
            ui.add_space(style::STEP);
        };
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
        item(ui, "board", name);
        if bench.shown.link != Link::Direct {
            item(ui, "link", link_state.word);
        }
        item(ui, "time", format!("{} s", style::seconds(bench.clock.0)));
        item(ui, "rate", time_card::rate_words(bench));
        if bench.shown.twin != Agreement::Alone {
            item(ui, "twin", twin.word);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let (text, other) = match *bench.sound {
                Sound::On => ("sound on", Sound::Muted),
                Sound::Muted => ("muted", Sound::On),
            };
            if link(ui, text) {
                *bench.sound = other;
            }
            let (text, other) = match *bench.view {
                View::Seat => ("top view  V", View::Top),
                View::Top => ("seat view  V", View::Seat),
            };
            if link(ui, text) {
                *bench.view = other;
            }
            if link(ui, "how to play  F1") {
                bench.how_to.toggle();
            }
            hint(ui, "panel  H");
            hint(ui, "arrows + space: touch  ·  shift: hold");
        });
    });
}

/// True if there is room for this text.
fn fits(ui: &Ui, text: &str) -> bool {
    let font = TextStyle::Small.resolve(ui.style());
    let galley = ui
        .painter()
        .layout_no_wrap(text.to_owned(), font, style::TEXT);
    galley.size().x <= ui.available_width()
}

/// A few words, if there is room for them.
fn hint(ui: &mut Ui, text: &str) {
    if fits(ui, text) {
        ui.label(RichText::new(text).small().color(style::FAINT));
    }
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
