//! The sentence below the board: what to do now where the board itself is silent, why a
//! touch was no move, and how the game ended.
//!
//! It stands where the eyes are, so that nobody has to look for it in the panel. What
//! always holds: it takes no click, and lies over no point of the board.

use bevy_egui::egui::{self, Align2, Color32, Context, Rect, RichText, Stroke};
use protocol::Outcome;
use touchboard_host::standing::{Situation, phase};

use super::game_card::{is_chosen_against_whom, result_words};
use super::{Bench, HowToPanel, KeysPanel, style};

/// Between it and the lower edge of what the panels leave.
const BELOW: f32 = 10.0;
/// How large its letters are.
const LETTERS: f32 = 15.0;

/// What is said, and how it looks.
#[derive(Clone, Debug, PartialEq)]
struct Banner {
    sentence: String,
    edge: Color32,
}

/// Shows it at the lower edge of this part of the window, if there is anything to say.
pub fn show(context: &Context, part: Rect, bench: &Bench) {
    let is_covered = bench.picker.is_open()
        || *bench.keys == KeysPanel::Open
        || *bench.how_to == HowToPanel::Open && part.width() < 1.5 * style::PANEL_WIDTH;
    if is_covered || !bench.shown.link.answers() {
        return;
    }
    let Some(banner) = banner(context, bench) else {
        return;
    };
    egui::Area::new(egui::Id::new("banner"))
        .order(egui::Order::Tooltip)
        .fade_in(false)
        .interactable(false)
        .pivot(Align2::CENTER_BOTTOM)
        .fixed_pos(part.center_bottom() - egui::vec2(0.0, BELOW))
        .constrain_to(part)
        .show(context, |ui| {
            egui::Frame::new()
                .fill(style::PANEL.gamma_multiply(0.92))
                .stroke(Stroke::new(1.0, banner.edge))
                .corner_radius(9)
                .inner_margin(egui::Margin::symmetric(14, 6))
                .show(ui, |ui| {
                    ui.set_max_width(part.width() - 60.0);
                    let words = style::words(ui, &banner.sentence);
                    let words = RichText::new(words).size(LETTERS).color(Color32::WHITE);
                    ui.add(egui::Label::new(words).wrap());
                });
        });
}

fn banner(context: &Context, bench: &Bench) -> Option<Banner> {
    let of = |sentence: String, edge| Some(Banner { sentence, edge });
    if let Some(hint) = bench.game.hint() {
        return of(hint.to_owned(), style::WARNING);
    }
    let status = &bench.shown.status;
    match phase(status) {
        Situation::NoGame if is_chosen_against_whom(bench) => {
            of("Press START to play.".to_owned(), style::EDGE)
        }
        Situation::NoGame => of(
            "Press START for two players, or choose the board as your opponent.".to_owned(),
            style::EDGE,
        ),
        Situation::Held => of(
            "Paused. Resume, or key h, goes on.".to_owned(),
            style::WARNING,
        ),
        Situation::Over => {
            let edge = match status.outcome {
                Some(Outcome::Won(side)) => style::side(context, side),
                _ => style::EDGE,
            };
            let words = result_words(bench);
            let mut letters = words.chars();
            let first = letters.next().into_iter().flat_map(char::to_uppercase);
            of(first.chain(letters).collect(), edge)
        }
        Situation::Play | Situation::Pause => None,
    }
}
