//! The banner below the board: what to do next if the board itself does not say so, why a
//! touch was not a move, and how the game ended.
//!
//! It is near the board, so that players see it. Before the first game, the
//! [card](super::waiting) that begins it says what to press. Before the first touch, a
//! short sentence says what to touch, below the case or, if there is no room, in the panel.
//!
//! Invariants: it takes no clicks and covers no playable point; only the text of a paused
//! game is shown in the middle, while the board is dark.

use bevy_egui::egui::{self, Align2, Color32, Context, Rect, Stroke};
use protocol::Outcome;
use touchboard_host::standing::{Situation, phase};

use super::cards::game::{is_chosen_against_whom, result_words, why_no_start};
use super::first_touch::{AROUND, BELOW, LETTERS, first_touch, has_room};
use super::notice::capitalised;
use super::{Bench, SidePanel, style, take_back, waiting};

/// Size of the letters in the middle of the board.
const LARGE_LETTERS: f32 = 19.0;
/// Width of a scene up to which large letters would be too large.
const NARROW: f32 = 560.0;

/// The text and look of a banner.
#[derive(Clone, Debug, PartialEq)]
struct Banner {
    sentence: String,
    edge: Color32,
    place: BannerPlace,
}

/// The place of a banner in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BannerPlace {
    /// At the lower edge, where the board has no points.
    Below,
    /// In the middle, over a board that is paused.
    Middle,
}

/// Shows the banner in this part of the window, if there is anything to say.
pub fn show(context: &Context, part: Rect, bench: &mut Bench) {
    let is_covered = *bench.side_panel == SidePanel::Bare
        || bench.picker.is_open()
        || bench.keys.is_open()
        || bench.how_to.is_open() && part.width() < 1.5 * style::PANEL_WIDTH;
    if is_covered || !bench.shown.link.answers() {
        return;
    }
    let has_card = waiting::stands(part, bench);
    if has_card {
        waiting::show(context, part, bench);
    }
    let Some(banner) = banner(context, part, bench, has_card) else {
        return;
    };
    let colour = style::strong();
    let letters = match banner.place {
        BannerPlace::Middle if part.width() > NARROW => LARGE_LETTERS,
        _ => LETTERS,
    };
    let layer = egui::LayerId::new(egui::Order::Tooltip, egui::Id::new("banner"));
    let painter = context.layer_painter(layer);
    let font = egui::FontId::new(letters, egui::FontFamily::Proportional);
    let mut words =
        egui::text::LayoutJob::simple(banner.sentence, font, colour, part.width() - 4.0 * AROUND.x);
    words.halign = egui::Align::Center;
    let words = painter.layout_job(words);
    let size = words.size() + 2.0 * AROUND;
    let place = match banner.place {
        BannerPlace::Below => {
            Align2::CENTER_BOTTOM.anchor_size(part.center_bottom() - egui::vec2(0.0, BELOW), size)
        }
        BannerPlace::Middle => Align2::CENTER_CENTER.anchor_size(part.center(), size),
    };
    painter.rect(
        place,
        9,
        style::panel().gamma_multiply(0.92),
        Stroke::new(1.0, banner.edge),
        egui::StrokeKind::Inside,
    );
    // Centred lines begin to the left of the position at which they are painted.
    painter.galley(place.min + AROUND - words.rect.min.to_vec2(), words, colour);
}

fn banner(context: &Context, part: Rect, bench: &Bench, has_card: bool) -> Option<Banner> {
    let of = |sentence: String, edge| {
        let sentence = bench.palette.0.words(&sentence).into_owned();
        let place = match phase(&bench.shown.status) {
            Situation::Paused => BannerPlace::Middle,
            _ => BannerPlace::Below,
        };
        Some(Banner {
            sentence,
            edge,
            place,
        })
    };
    if let Some(hint) = bench.game.hint() {
        return of(hint.to_owned(), style::warning());
    }
    let is_play = matches!(
        phase(&bench.shown.status),
        Situation::Play | Situation::Idle
    );
    if is_play && take_back::stands_still(&bench.waits, &bench.shown) {
        return of(TAKEN_BACK.to_owned(), style::edge());
    }
    let status = &bench.shown.status;
    match phase(status) {
        Situation::NoGame => {
            let first = (!has_card).then(|| before_the_first(bench));
            of(first?, style::edge())
        }
        Situation::Paused => of(PAUSED.to_owned(), style::warning()),
        Situation::Over => {
            let edge = match status.outcome {
                Some(Outcome::Won(side)) => style::side(context, side),
                _ => style::edge(),
            };
            of(capitalised(&result_words(bench)), edge)
        }
        Situation::Play => {
            let first = first_touch(bench).filter(|_| has_room(part.height()));
            of(first?, style::edge())
        }
        Situation::Idle => None,
    }
}

/// The text while a game is paused.
const PAUSED: &str = "Paused: the lights are hidden while the clock is stopped.\nPress Resume, STOP or h to continue.";
/// The text while the board waits for a move that replaces what was taken back.
const TAKEN_BACK: &str =
    "Taken back. Touch the board to play differently: time waits for you. Redo plays it again.";

/// The sentence before the first game, if there is no room for its card.
fn before_the_first(bench: &Bench) -> String {
    if let Some(why) = why_no_start(bench) {
        return why;
    }
    match (
        is_chosen_against_whom(bench),
        bench.shown.status.settings.level,
    ) {
        (true, _) => "Press START to play.".to_owned(),
        (false, 0) => "START begins a game for two players.".to_owned(),
        (false, level) => format!("START begins a game against the board, level {level}."),
    }
}
