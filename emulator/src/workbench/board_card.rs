//! Where the board is, how it is connected, and whether it agrees with its
//! twin.

use bevy_egui::egui::{Color32, ComboBox, RichText, TextEdit, Ui};

use super::Bench;
use super::style;
use crate::source::{Agreement, BoardLink, Clicks, Connect};
use touchboard_links::At;
use touchboard_links::qemu::{Image, QemuChip};

/// Shows the card.
pub fn show(ui: &mut Ui, bench: &mut Bench) {
    style::card(ui, "CONNECTION", |ui| {
        style::row(ui, "Board", |ui| choose(ui, bench));
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
        let another = bench.seat.next != bench.seat.place.at;
        if another || bench.shown.link.is_down() {
            style::row(ui, "", |ui| {
                let text = if another {
                    "Connect"
                } else {
                    again(&bench.seat.next)
                };
                if ui.button(text).clicked() {
                    let next = bench.seat.next.clone();
                    bench.connect.write(Connect(next));
                }
            });
        }
        let shown = &bench.shown;
        let states = [
            ("Link", link(&shown.link)),
            ("Clicks", clicks(shown.clicks)),
            ("Twin", twin(&shown.twin)),
        ];
        for (name, state) in states {
            style::row(ui, name, |ui| {
                style::dot(ui, 4.0, state.colour);
                ui.label(&state.word);
            });
            if let Some(sentence) = &state.sentence {
                ui.label(RichText::new(sentence).small().color(style::WARNING));
            }
        }
        for sentence in bench.trouble.sentences() {
            ui.label(RichText::new(sentence).small().color(style::WARNING));
        }
    });
}

fn choose(ui: &mut Ui, bench: &mut Bench) {
    let choices = [
        At::Core,
        At::Virtual,
        At::Qemu(Image::LM3S6965EVB),
        At::Qemu(Image::NETDUINOPLUS2),
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

/// How something is: in a colour, a word or two, and a sentence if there is more
/// to say.
pub struct State {
    /// What the dot before it shows.
    pub colour: Color32,
    /// The word.
    pub word: String,
    /// The sentence.
    pub sentence: Option<String>,
}

impl State {
    fn new(colour: Color32, word: impl Into<String>) -> State {
        State {
            colour,
            word: word.into(),
            sentence: None,
        }
    }

    fn with(self, sentence: &str) -> State {
        State {
            sentence: Some(sentence.to_owned()),
            ..self
        }
    }
}

/// The connection.
pub fn link(link: &BoardLink) -> State {
    match link {
        BoardLink::Direct => State::new(style::ACCENT, "direct"),
        BoardLink::Searching => State::new(style::WARNING, "looking for the board"),
        BoardLink::Up { board } => State::new(style::ACCENT, board.as_str()),
        BoardLink::Down(sentence) => State::new(style::WARNING, "down").with(sentence),
    }
}

/// The way of a finger.
fn clicks(clicks: Clicks) -> State {
    match clicks {
        Clicks::OverSensors => State::new(style::ACCENT, "over its sensors"),
        Clicks::AsMessages => State::new(style::FAINT, "as messages"),
    }
}

/// The comparison.
pub fn twin(twin: &Agreement) -> State {
    match twin {
        Agreement::Alone => State::new(style::FAINT, "none: this is the core itself"),
        Agreement::Unknown => State::new(style::FAINT, "–"),
        Agreement::Agrees { compared: 1 } => State::new(style::ACCENT, "agrees, 1 state hash"),
        Agreement::Agrees { compared } => {
            State::new(style::ACCENT, format!("agrees, {compared} state hashes"))
        }
        Agreement::Differs(sentence) => State::new(style::WARNING, "differs").with(sentence),
    }
}

/// What the button says that gets a board back that does not answer: one that
/// this program started is started again.
pub fn again(at: &At) -> &'static str {
    match at {
        At::Qemu(_) => "Start QEMU again",
        At::Virtual => "Start the virtual board again",
        At::Core | At::Tcp(_) | At::Serial(_) => "Connect again",
    }
}

/// What a place is called where one is chosen.
fn kind(at: &At) -> &'static str {
    match at {
        At::Core => "simulated",
        At::Virtual => "virtual board",
        At::Qemu(image) => match image.chip {
            QemuChip::Lm3s6965evb => "Cortex-M3 in QEMU",
            QemuChip::Netduinoplus2 => "Cortex-M4 in QEMU",
        },
        At::Tcp(_) => "TCP",
        At::Serial(_) => "serial port",
    }
}
