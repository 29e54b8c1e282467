//! The card of the connection: the place of the board, the state of its line, and the
//! agreement with its twin.

use bevy::ecs::system::{InMut, SystemParam};
use bevy::prelude::{DetectChangesMut, MessageWriter, Res, ResMut};
use bevy_egui::egui::{ComboBox, TextEdit, Ui};
use touchboard_links::pico::PicoLine;
use touchboard_links::qemu::Image;
use touchboard_links::{At, SharedBy};

use crate::pane::Pane;
use crate::source::{Agreement, BoardPlaces, Connect, Shown, Trouble};
use crate::workbench::beside::HoverText;
use crate::workbench::board_state::{self, CardState};
use crate::workbench::dock::Dock;
use crate::workbench::folds::{self, Folds};
use crate::workbench::style;

/// What the card shows and changes.
#[derive(SystemParam)]
pub struct ConnectionCard<'w> {
    shown: Res<'w, Shown>,
    trouble: Res<'w, Trouble>,
    places: ResMut<'w, BoardPlaces>,
    folds: ResMut<'w, Folds>,
    dock: ResMut<'w, Dock>,
    connect: MessageWriter<'w, Connect>,
}

/// Shows the card of the connection.
pub fn show(InMut(ui): InMut<Ui>, mut card: ConnectionCard) {
    let card = &mut card;
    let is_wrong = card.shown.link.is_down()
        || matches!(card.shown.twin, Agreement::Differs(_))
        || card.trouble.sentences().next().is_some();
    if is_wrong {
        style::card(ui, "CONNECTION", |ui| content(ui, card));
        return;
    }
    let state = CardState::new(style::faint(), kind(&card.places.current.at));
    let fold = card.folds.connection;
    let connection = folds::card(ui, "CONNECTION", fold, &state, |ui| content(ui, card));
    let folds = Folds {
        connection,
        ..*card.folds
    };
    card.folds.set_if_neq(folds);
}

fn content(ui: &mut Ui, card: &mut ConnectionCard) {
    style::row(ui, "Board", |ui| choose(ui, &mut card.places));
    let address = match &mut card.places.next {
        At::Tcp(address) => Some(("host:port", address)),
        At::Shared(SharedBy::Ssh, address) => Some(("host:/dev/ttyACM0", address)),
        At::Shared(_, address) => Some(("host:port", address)),
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
    let another = card.places.next != card.places.current.at;
    if another || card.shown.link.is_down() {
        style::row(ui, "", |ui| {
            let text = if another {
                "Connect"
            } else {
                again(&card.places.next)
            };
            if ui.button(text).clicked() {
                let next = card.places.next.clone();
                card.connect.write(Connect(next));
            }
        });
    }
    let shown = &card.shown;
    board_state::connection(ui, shown);
    if card.places.current.at != At::Core {
        style::row(ui, "Line", |ui| {
            let watch = ui.button("What crosses it");
            if watch.hover_text("Frames, errors and times  F8").clicked() {
                card.dock.toggle(Pane::Line);
            }
        });
    }
    board_state::trouble(ui, &card.trouble);
}

fn choose(ui: &mut Ui, places: &mut ResMut<BoardPlaces>) {
    let choices = [At::Core, At::Virtual]
        .into_iter()
        .chain(Image::all().map(At::Qemu))
        .chain(PicoLine::ALL.map(At::Pico))
        .chain([At::Tcp(String::new())])
        .chain(SharedBy::ALL.map(|way| At::Shared(way, String::new())))
        .chain([At::Serial(String::new())]);
    ComboBox::from_id_salt("at")
        .selected_text(kind(&places.next))
        .width(ui.available_width())
        .show_ui(ui, |ui| {
            for choice in choices {
                let chosen = kind(&places.next) == kind(&choice);
                if ui.selectable_label(chosen, kind(&choice)).clicked() && !chosen {
                    places.next = choice;
                }
            }
        });
}

/// The label of the button that reconnects a board that does not answer. A board
/// that this program started is restarted.
pub fn again(at: &At) -> &'static str {
    match at {
        At::Qemu(_) => "Start QEMU again",
        At::Pico(_) => "Start the Pico again",
        At::Virtual => "Start the virtual board again",
        At::Core | At::Tcp(_) | At::Shared(..) | At::Serial(_) => "Connect again",
    }
}

/// Why a board at this place does not keep up.
pub fn why_slow(at: &At) -> &'static str {
    match at {
        At::Core | At::Virtual | At::Qemu(_) | At::Pico(_) => "this machine cannot keep up",
        At::Tcp(_) | At::Shared(..) | At::Serial(_) => "the board does not keep up",
    }
}

/// The name of a place in the choice of places.
fn kind(at: &At) -> String {
    match at {
        At::Core => "built in".to_owned(),
        At::Virtual => "virtual board".to_owned(),
        At::Qemu(image) => format!("{} in QEMU", image.chip.processor()),
        At::Pico(PicoLine::Uart) => "Pico, emulated".to_owned(),
        At::Pico(PicoLine::Usb) => "Pico, emulated, over USB".to_owned(),
        At::Tcp(_) => "TCP".to_owned(),
        At::Shared(SharedBy::Password, _) => "shared, with a password".to_owned(),
        At::Shared(SharedBy::Tls, _) => "shared, over TLS".to_owned(),
        At::Shared(SharedBy::Rfc2217, _) => "shared, RFC 2217".to_owned(),
        At::Shared(SharedBy::Ssh, _) => "shared, over SSH".to_owned(),
        At::Serial(_) => "serial port".to_owned(),
    }
}
