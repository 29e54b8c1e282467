//! The state of the board: its connection, and the agreement with its twin. The card
//! itself, which shows the place, differs between systems with lines and without.

use bevy_egui::egui::{Color32, Label, RichText, Ui};

use super::style;
use crate::source::{Agreement, BoardLink, Clicks, Shown, Trouble};

/// Shows a row of the card.
pub fn row(ui: &mut Ui, name: &str, state: &CardState) {
    style::row(ui, name, |ui| {
        style::dot(ui, 4.0, state.colour);
        ui.add(Label::new(&state.word).wrap());
    });
    if let Some(sentence) = &state.sentence {
        ui.label(RichText::new(sentence).small().color(style::warning()));
    }
}

/// Shows the rows about a board that may be at the end of a line.
pub fn connection(ui: &mut Ui, shown: &Shown) {
    row(ui, "Link", &link(&shown.link));
    row(ui, "Clicks", &clicks(shown.hardware.clicks));
    row(ui, "Twin", &twin(&shown.twin));
}

/// Shows the sentences about failed requests.
pub fn trouble(ui: &mut Ui, trouble: &Trouble) {
    for sentence in trouble.sentences() {
        ui.label(RichText::new(sentence).small().color(style::warning()));
    }
}

/// A state as the card shows it: a colour, one or two words, and an optional sentence.
pub struct CardState {
    /// The colour of the dot before the word.
    pub colour: Color32,
    /// The state in one word.
    pub word: String,
    /// A sentence that explains the state.
    pub sentence: Option<String>,
}

impl CardState {
    /// A state with this colour and word, and no sentence.
    pub fn new(colour: Color32, word: impl Into<String>) -> CardState {
        CardState {
            colour,
            word: word.into(),
            sentence: None,
        }
    }

    fn with(self, sentence: &str) -> CardState {
        CardState {
            sentence: Some(sentence.to_owned()),
            ..self
        }
    }
}

/// Describes the state of the connection.
pub fn link(link: &BoardLink) -> CardState {
    match link {
        BoardLink::Direct => CardState::new(style::accent(), "direct"),
        BoardLink::Searching => CardState::new(style::warning(), "looking for the board"),
        BoardLink::Up { board } => CardState::new(style::accent(), board.as_str()),
        BoardLink::Down(sentence) => CardState::new(style::warning(), "down").with(sentence),
    }
}

/// Describes how clicks reach the board.
fn clicks(clicks: Clicks) -> CardState {
    match clicks {
        Clicks::OverSensors => CardState::new(style::accent(), "over its sensors"),
        Clicks::AsMessages => CardState::new(style::faint(), "as messages"),
    }
}

/// Describes the result of the comparison.
pub fn twin(twin: &Agreement) -> CardState {
    match twin {
        Agreement::Alone => CardState::new(style::faint(), "none: this is the core itself"),
        Agreement::Unknown => CardState::new(style::faint(), "–"),
        Agreement::Agrees { compared: 1 } => CardState::new(style::accent(), "agrees, 1 digest"),
        Agreement::Agrees { compared } => {
            CardState::new(style::accent(), format!("agrees, {compared} digests"))
        }
        Agreement::Differs(sentence) => CardState::new(style::warning(), "differs").with(sentence),
    }
}
