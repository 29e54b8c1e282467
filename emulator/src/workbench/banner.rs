//! The sentence below the board: what to do now where the board itself is silent, why a
//! touch was no move, and how the game ended.
//!
//! It stands where the eyes are, so that nobody has to look for it in the panel. What
//! always holds: it takes no click, and lies over no point of the board.

use bevy_egui::egui::{self, Align2, Color32, Context, Rect, Stroke};
use protocol::Outcome;
use touchboard_host::display;
use touchboard_host::standing::{Situation, phase};

use super::game_card::{is_chosen_against_whom, result_words};
use super::notice::capitalised;
use super::{Bench, Panels, style};

/// Between it and the lower edge of what the panels leave.
const BELOW: f32 = 10.0;
/// How large its letters are.
const LETTERS: f32 = 15.0;

/// In a narrower part of the window it would lie over the board.
const ROOM: f32 = 760.0;
/// Between its letters and its edge.
const AROUND: egui::Vec2 = egui::vec2(14.0, 6.0);

/// What is said, and how it looks.
#[derive(Clone, Debug, PartialEq)]
struct Banner {
    sentence: String,
    edge: Color32,
}

/// Shows it at the lower edge of this part of the window, if there is anything to say.
pub fn show(context: &Context, part: Rect, bench: &Bench) {
    let is_covered = *bench.panels == Panels::None
        || bench.picker.is_open()
        || bench.keys.is_open()
        || bench.how_to.is_open() && part.width() < 1.5 * style::PANEL_WIDTH;
    if is_covered || !bench.shown.link.answers() {
        return;
    }
    let Some(banner) = banner(context, part, bench) else {
        return;
    };
    let colour = Color32::WHITE;
    let layer = egui::LayerId::new(egui::Order::Tooltip, egui::Id::new("banner"));
    let painter = context.layer_painter(layer);
    let font = egui::FontId::new(LETTERS, egui::FontFamily::Proportional);
    let words = painter.layout(banner.sentence, font, colour, part.width() - 4.0 * AROUND.x);
    let size = words.size() + 2.0 * AROUND;
    let place =
        Align2::CENTER_BOTTOM.anchor_size(part.center_bottom() - egui::vec2(0.0, BELOW), size);
    painter.rect(
        place,
        9,
        style::PANEL.gamma_multiply(0.92),
        Stroke::new(1.0, banner.edge),
        egui::StrokeKind::Inside,
    );
    painter.galley(place.min + AROUND, words, colour);
}

fn banner(context: &Context, part: Rect, bench: &Bench) -> Option<Banner> {
    let of = |sentence: String, edge| {
        let sentence = bench.palette.0.words(&sentence).into_owned();
        Some(Banner { sentence, edge })
    };
    if let Some(hint) = bench.game.hint() {
        return of(hint.to_owned(), style::WARNING);
    }
    let status = &bench.shown.status;
    match phase(status) {
        Situation::NoGame => {
            let mut sentence = match is_chosen_against_whom(bench) {
                true => "Press START to play.".to_owned(),
                false => before_the_first(status.settings.level, *bench.panels),
            };
            // Where there is room beside the board.
            let has_room = part.width() >= ROOM;
            if let Some(words) = settings_words(bench).filter(|_| has_room) {
                sentence = format!("{sentence}\n{words}");
            }
            of(sentence, style::EDGE)
        }
        Situation::Held => of(
            "Paused, and the board is covered: press Resume or h to go on.".to_owned(),
            style::WARNING,
        ),
        Situation::Over => {
            let edge = match status.outcome {
                Some(Outcome::Won(side)) => style::side(context, side),
                _ => style::EDGE,
            };
            of(capitalised(&result_words(bench)), edge)
        }
        Situation::Play | Situation::Pause => None,
    }
}

/// What the five characters on the display mean, while they are there.
fn settings_words(bench: &Bench) -> Option<String> {
    let shown = &bench.shown;
    let text = &*shown.frame.display;
    display::is_of_settings(text, &shown.status.settings).then(|| {
        let words = display::words(text, &shown.status, shown.layout);
        format!("On the display, {text}: {words}.")
    })
}

/// What is said before the first game of two, which the board may play.
fn before_the_first(level: u8, panels: Panels) -> String {
    match (level, panels) {
        (0, Panels::All) => "Choose who plays, or press START for two players.".to_owned(),
        (0, _) => "Press START for two players. Tab shows more ways to play.".to_owned(),
        (level, _) => format!("Press START to play the board at level {level}."),
    }
}
