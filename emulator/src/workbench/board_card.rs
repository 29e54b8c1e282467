//! Where the board is, how it is connected, and whether it agrees with its
//! twin.

use bevy_egui::egui::{ComboBox, RichText, TextEdit, Ui};

use super::Bench;
use super::style;
use crate::source::{Agreement, Connect, Link};
use hil_bridge::At;

/// Shows the card.
pub fn show(ui: &mut Ui, bench: &mut Bench) {
    style::card(ui, "BOARD", |ui| {
        style::row(ui, "At", |ui| choose(ui, bench));
        let address = match &mut bench.seat.next {
            At::Tcp(address) => Some(("host:port", address)),
            At::Serial(path) => Some(("/dev/ttyACM0", path)),
            _ => None,
        };
        if let Some((hint, text)) = address {
            style::row(ui, "", |ui| {
                ui.add(
                    TextEdit::singleline(text)
                        .hint_text(hint)
                        .desired_width(f32::INFINITY),
                );
            });
        }
        if bench.seat.next != bench.seat.place.at {
            style::row(ui, "", |ui| {
                if ui.button("Connect").clicked() {
                    let next = bench.seat.next.clone();
                    bench.connect.write(Connect(next));
                }
            });
        }
        let (colour, text) = link(&bench.shown.link);
        style::row(ui, "Link", |ui| {
            style::dot(ui, 4.0, colour);
            ui.label(text);
        });
        let (colour, text) = twin(&bench.shown.twin);
        style::row(ui, "Twin", |ui| {
            style::dot(ui, 4.0, colour);
            ui.label(text);
        });
        if let Some(sentence) = &bench.trouble.0 {
            ui.label(RichText::new(sentence).small().color(style::WARNING));
        }
    });
}

fn choose(ui: &mut Ui, bench: &mut Bench) {
    let choices = [
        At::Core,
        At::Virtual,
        At::Qemu,
        At::Tcp(String::new()),
        At::Serial(String::new()),
    ];
    ComboBox::from_id_salt("at")
        .selected_text(kind(&bench.seat.next))
        .width(ui.available_width())
        .show_ui(ui, |ui| {
            for choice in choices {
                let chosen = kind(&bench.seat.next) == kind(&choice);
                if ui.selectable_label(chosen, kind(&choice)).clicked() && !chosen {
                    bench.seat.next = choice;
                }
            }
        });
}

/// The connection in a colour and words.
pub fn link(link: &Link) -> (bevy_egui::egui::Color32, String) {
    match link {
        Link::Direct => (style::ACCENT, "direct".to_owned()),
        Link::Searching => (style::WARNING, "looking for the board".to_owned()),
        Link::Up { board } => (style::ACCENT, board.clone()),
        Link::Down(sentence) => (style::WARNING, sentence.clone()),
    }
}

/// The comparison in a colour and words.
pub fn twin(twin: &Agreement) -> (bevy_egui::egui::Color32, String) {
    match twin {
        Agreement::Alone => (style::FAINT, "none: this is the core itself".to_owned()),
        Agreement::Agrees { compared } => (style::ACCENT, format!("agrees, {compared} digests")),
        Agreement::Differs(sentence) => (style::WARNING, sentence.clone()),
    }
}

/// What a place is called where one is chosen.
fn kind(at: &At) -> &'static str {
    match at {
        At::Core => "in process",
        At::Virtual => "virtual board",
        At::Qemu => "Cortex-M3 in QEMU",
        At::Tcp(_) => "TCP",
        At::Serial(_) => "serial port",
    }
}
