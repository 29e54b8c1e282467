//! How a game ended, in a box of the winner's colour, and the words for a player who plays
//! alone or against the board.

use bevy_egui::egui::{CornerRadius, Frame, Label, Margin, RichText, Sense, Stroke, Ui, vec2};
use firmware_core::games;
use protocol::{Outcome, Settings};
use touchboard_host::games::{Guide, find};
use touchboard_host::standing::{is_alone, is_count_of_pieces, is_for_two, state};
use touchboard_host::written::Decision;

use super::GameCard;
use crate::source::Shown;
use crate::workbench::notice::capitalised;
use crate::workbench::style;

/// How the last game on the board ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Who won: `Green has won`.
    pub headline: String,
    /// The score or the reason, if there is one: `Four in a row`.
    pub reason: Option<String>,
}

/// How the last game on the board ended; `decision` is what decided it, if known.
pub fn result(shown: &Shown, decision: Option<&Decision>) -> GameResult {
    let status = &shown.status;
    let words = state(status, &shown.frame);
    let (headline, score) = match words.split_once(", ") {
        Some((headline, score)) => (headline, Some(score)),
        None => (words.as_str(), None),
    };
    // The number of pieces is not what decided the game.
    let score = score.filter(|_| !is_count_of_pieces(&status.settings, shown.layout));
    let loser = match status.outcome {
        Some(Outcome::Won(side)) => side.other().name(),
        _ => "",
    };
    let decided = decision.map(|decision| decision.reason.words(loser));
    let reason = decided.or(score.map(str::to_owned));
    GameResult {
        headline: capitalised(&to_whom(headline, &status.settings, shown.layout)),
        reason: reason.map(|reason| capitalised(&reason)),
    }
}

/// Replacements of words about two sides for a single player.
const ALONE: &[(&str, &str)] = &[
    ("green has won", "you have won"),
    ("red has won", "you have lost"),
    ("green to move", "your move"),
    ("paused, green to move", "paused"),
];
/// Replacements of words for a player against the board.
const AGAINST_THE_BOARD: &[(&str, &str)] = &[
    ("green has won", "you have won"),
    ("red has won", "the board has won"),
    ("green to move", "your move, you are green"),
];

/// The status or the end of a game in words for the player, who may play a game
/// for one or against the board.
pub(super) fn to_whom(words: &str, settings: &Settings, layout: protocol::Layout) -> String {
    let plays = games::about(settings.game).is_some_and(|about| about.board_can_play);
    let told = match settings.level {
        _ if is_alone(settings, layout) => ALONE,
        1.. if plays && is_for_two(settings) => AGAINST_THE_BOARD,
        _ => return words.to_owned(),
    };
    let found = told
        .iter()
        .find_map(|(of, to)| Some((words.strip_prefix(of)?, to)));
    found.map_or_else(|| words.to_owned(), |(rest, to)| format!("{to}{rest}"))
}

/// Draws how the game ended, in a box of the winner's colour: who won in large letters, why,
/// and what to do next.
pub(super) fn show_result(ui: &mut Ui, result: &GameResult, next: &str, outcome: Option<Outcome>) {
    let winner = match outcome {
        Some(Outcome::Won(side)) => Some(side),
        _ => None,
    };
    let colour = winner.map_or(style::edge(), |side| style::side(ui.ctx(), side));
    Frame::new()
        .fill(style::tinted(colour, RESULT_FILL))
        .stroke(Stroke::new(2.0, colour))
        .corner_radius(CornerRadius::same(8))
        .inner_margin(RESULT_MARGIN)
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = RESULT_GAP;
            let headline = RichText::new(style::words(ui, &result.headline));
            let headline = headline.size(RESULT_LETTERS).color(style::strong());
            ui.horizontal_top(|ui| {
                if let Some(side) = winner {
                    let size = vec2(2.0 * RESULT_SIGN + 4.0, RESULT_LETTERS * LINE);
                    let (place, _) = ui.allocate_exact_size(size, Sense::hover());
                    style::mark(ui, place.center(), RESULT_SIGN, side);
                }
                ui.add(Label::new(headline).wrap());
            });
            if let Some(reason) = &result.reason {
                let reason = RichText::new(style::words(ui, reason));
                ui.add(Label::new(reason.size(REASON_LETTERS).color(style::strong())).wrap());
            }
            ui.add(Label::new(RichText::new(next).small().color(style::text())).wrap());
        });
}

/// The margin of the box around the result, and the gap between its lines.
pub(super) const RESULT_MARGIN: Margin = Margin::symmetric(12, 7);
pub(super) const RESULT_GAP: f32 = 2.0;
/// The size of the letters of who won.
pub(super) const RESULT_LETTERS: f32 = 22.0;
/// The radius of the winner's sign beside them.
const RESULT_SIGN: f32 = 7.5;
/// The size of the letters of the score or the reason.
pub(super) const REASON_LETTERS: f32 = 15.5;
/// How much of the winner's colour the box around the result has, from 0 to 1.
const RESULT_FILL: f32 = 0.24;

/// What the user can do after the end, shown in the place of the clock.
pub(super) fn after_the_end(card: &GameCard) -> &'static str {
    let past = card.past.story.past();
    let in_real_time = find(card.shown().status.settings.game).is_some_and(Guide::is_in_real_time);
    match card.past.undoable(card.shown()) {
        None => "Play again: n, or START on the board.",
        Some(_) if in_real_time || past.iter().rev().take(2).any(|line| line.is_late) => {
            "Play again: n.  Take back to your last touch: Backspace."
        }
        Some(_) => "Play again: n.  Take back: Backspace.",
    }
}

/// The height of a line, relative to the size of its letters.
pub(super) const LINE: f32 = 1.18;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_player_sees_no_sides() {
        let symmetry = Settings {
            game: 4,
            ..Settings::default()
        };
        let alone = |words| to_whom(words, &symmetry, protocol::Layout::MALDOO);
        assert_eq!(alone("green to move"), "your move");
        assert_eq!(alone("red has won, 3 to 1"), "you have lost, 3 to 1");
        let against = Settings {
            level: 2,
            ..Settings::default()
        };
        let told = |settings| to_whom("red has won, 40 to 41", settings, protocol::Layout::MALDOO);
        assert_eq!(told(&against), "the board has won, 40 to 41");
        assert_eq!(told(&Settings::default()), "red has won, 40 to 41");
    }

    #[test]
    fn a_player_against_the_board_is_told_the_own_side() {
        let against = Settings {
            level: 2,
            ..Settings::default()
        };
        let told = to_whom("green to move", &against, protocol::Layout::MALDOO);
        assert_eq!(told, "your move, you are green");
    }
}
