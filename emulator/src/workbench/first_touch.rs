//! What is said before a game and before its first touch: a short sentence says what to
//! touch, and what can be done while a piece is picked up. It is shown below the case if there is room; that of the first touch
//! is in the panel otherwise.

use bevy_egui::egui;
use touchboard_host::games::{Guide, find};
use touchboard_host::standing::{Situation, Tracks, is_boards_turn, phase};

use crate::scene::fit::FILLS;
use crate::scene::marks::{is_dark, marked};
use crate::source::{BoardTime, Shown};
use crate::switches::WindowSwitches;

/// The distance of a sentence from the lower edge of the free area between the panels.
pub const BELOW: f32 = 4.0;
/// Size of its letters.
pub const LETTERS: f32 = 15.0;
/// Margin between its letters and its edge.
pub const AROUND: egui::Vec2 = egui::vec2(14.0, 4.0);
/// Height of a line, relative to the size of its letters.
const LINE: f32 = 1.3;

/// True if a line of text fits below the case in an area of this height.
pub fn has_room(height: f32) -> bool {
    let free = height * (1.0 - FILLS) / 2.0;
    BELOW + LETTERS * LINE + 2.0 * AROUND.y <= free
}

/// True if a board that shows this waits for its first game, and there is no later moment to
/// go forward to.
pub fn waits_for_first_game(shown: &Shown, now: BoardTime) -> bool {
    phase(&shown.status) == Situation::NoGame && shown.past.latest <= now.0
}

/// True if the lights of the chosen game change without a touch.
pub fn is_in_real_time(shown: &Shown) -> bool {
    find(shown.status.settings.game).is_some_and(Guide::is_in_real_time)
}

/// The note for such a game.
pub const DO_NOT_WAIT: &str = "Its lights do not wait for a touch: F1 tells how it is played.";

/// What to do before the first touch of a game, or with a piece that is picked up; `None`
/// otherwise, and in a game that does not wait for a touch.
pub fn first_touch(shown: &Shown, switches: WindowSwitches) -> Option<String> {
    let status = &shown.status;
    let is_on = phase(status) == Situation::Play && !is_boards_turn(status);
    if is_on && switches.tracks && is_held(shown) {
        return Some(HELD.to_owned());
    }
    let is_first = phase(status) == Situation::Play && status.last_move.is_none();
    if !is_first || is_in_real_time(shown) || is_boards_turn(status) || status.turn.is_none() {
        return None;
    }
    let guide = find(status.settings.game);
    if let Some(sentence) = guide.and_then(Guide::first_touch) {
        return Some(sentence.to_owned());
    }
    let has_marks = switches.tracks && !shown.legal.is_empty();
    let key = match marked(shown) {
        Tracks::Forbidden(_) | Tracks::None(_) => "a key",
        _ if !has_marks => "a key",
        _ if shown.legal.iter().all(|point| is_dark(shown, *point)) => "a ringed key",
        _ => "a marked key",
    };
    Some(format!(
        "Touch {key}: click it, or use the arrow keys and Space."
    ))
}

/// What to do with a piece that is picked up.
pub const HELD: &str = "Touch a target, or the piece again to put it down.";

/// True while a person has picked a piece up.
pub fn is_held(shown: &Shown) -> bool {
    let figures = shown.pieces.as_ref().map_or(&[][..], |all| &all.figures);
    figures.iter().any(|(_, figure)| figure.is_held)
}

#[cfg(test)]
mod tests {
    use firmware_core::games::number;
    use protocol::{Settings, Side, Status};

    use super::*;

    #[test]
    fn the_first_stone_of_ishido_is_explained() {
        let says = |game| {
            let settings = Settings {
                game,
                ..Settings::default()
            };
            let status = Status {
                settings,
                turn: Some(Side::Green),
                score: Some([0, 0]),
                ..Status::default()
            };
            let shown = Shown {
                status,
                ..Shown::default()
            };
            first_touch(&shown, WindowSwitches::default()).unwrap()
        };
        assert!(says(number::ISHIDO).contains("its colour or of its symbol"));
        assert!(says(number::REVERSI).starts_with("Touch a"));
    }
}
