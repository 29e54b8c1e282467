//! Remarks for a person about a successful line: why a touch had no effect, or that a
//! setting changes nothing. They are not errors, because scripts may do so on purpose.

use protocol::{Button, Frame, Layout, Point, Settings, Status};
use touchboard_host::standing::{Situation, phase, state, why_no_effect};

use super::answer::{self, BOARDS_TURN, NO_GAME};
use super::command::SettingsChange;

/// Why a touch had no effect on a board with this status.
#[must_use]
pub fn of_touch_in_vain(
    point: Point,
    status: &Status,
    frame: &Frame,
    layout: Layout,
    why: Option<&str>,
) -> String {
    let point = layout.name(point);
    match phase(status) {
        Situation::NoGame => NO_GAME.to_owned(),
        Situation::Over => {
            "the game is over, no touch is a move any more: `start` begins another one".to_owned()
        }
        Situation::Paused => format!(
            "the touch on {point} meant nothing, the game is paused: `press stop` resumes it"
        ),
        _ if answer::is_boards_turn(status) => {
            format!("the touch on {point} meant nothing: {BOARDS_TURN}")
        }
        Situation::Idle => format!(
            "the touch on {point} meant nothing, no touch does just now: {}",
            state(status, frame)
        ),
        // The clock runs although no touch is accepted at the moment.
        Situation::Play if status.idle => format!(
            "the touch on {point} meant nothing, it came too soon after another one: `wait` a moment"
        ),
        Situation::Play if why.is_some() => {
            let why = why.unwrap_or_default();
            format!("the touch on {point} meant nothing: {why}")
        }
        Situation::Play => format!(
            "the touch on {point} meant nothing there: `legal` names the points that are moves now"
        ),
    }
}

/// Why no point is legal on a board with this status; `None` if only the rules know.
#[must_use]
pub fn of_no_legal_point(status: &Status, frame: &Frame) -> Option<String> {
    Some(match phase(status) {
        Situation::NoGame => NO_GAME.to_owned(),
        Situation::Over => "the game is over: `start` begins another one".to_owned(),
        Situation::Paused => "the game is paused: `press stop` resumes it".to_owned(),
        _ if answer::is_boards_turn(status) => BOARDS_TURN.to_owned(),
        Situation::Idle => format!("no touch means anything just now: {}", state(status, frame)),
        Situation::Play => return None,
    })
}

/// Which settings named in a `set` have no effect in the chosen game; `None` if all have
/// one.
///
/// A setting that keeps its value is not mentioned, except for a level above 0, with
/// which a user expects an opponent.
#[must_use]
pub fn of_no_effect(change: &SettingsChange, before: &Settings, now: &Settings) -> Option<String> {
    let asked = [
        (Button::Level, change.level.is_some_and(|level| level > 0)),
        (
            Button::Time,
            change.time.is_some() && now.time != before.time,
        ),
        (
            Button::Speed,
            change.speed.is_some() && now.speed != before.speed,
        ),
    ];
    let sentences: Vec<&str> = asked
        .into_iter()
        .filter(|(_, asked)| *asked)
        .filter_map(|(button, _)| why_no_effect(now, button))
        .collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}
