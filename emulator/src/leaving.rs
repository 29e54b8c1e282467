//! The question before a running game is left for a new one: by a key, by the Start button
//! in the picture, or by a widget.
//!
//! Invariants: in the window, a game with at least one move only ends for a new one if that
//! was requested twice within 15 seconds, and the second request is no double click. A game
//! that a setting ends is taken back like a move. What presses Start elsewhere, a scenario,
//! the console or a finger on a real board, is never questioned.

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use protocol::Status;
use touchboard_host::games::{self, Guide};
use touchboard_host::standing::phase;

use crate::source::Shown;

/// How long the question remains open for a second request.
const STANDS: Duration = Duration::from_secs(15);
/// A second request before this is part of a double click, and no answer.
const READ_FIRST: Duration = Duration::from_millis(400);

/// When the user was asked whether to leave the game.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leaving {
    asked_at: Option<Duration>,
}

impl Leaving {
    /// True if the game may end now: nothing would be lost, or the question is open and
    /// this is the second request. Otherwise opens the question.
    pub fn is_sure(&mut self, status: &Status, now: Duration) -> bool {
        let is_answer = |at: Duration| {
            let since = now.saturating_sub(at);
            since >= READ_FIRST && since < STANDS
        };
        let is_sure = !would_leave(status) || self.asked_at.is_some_and(is_answer);
        self.asked_at = (!is_sure).then_some(now);
        is_sure
    }

    /// Closes the question: the game goes on.
    pub fn close(&mut self) {
        self.asked_at = None;
    }

    /// True while the question is open.
    #[must_use]
    pub fn is_asked(&self, now: Duration) -> bool {
        let since = self.asked_at.map(|at| now.saturating_sub(at));
        since.is_some_and(|since| since < STANDS)
    }
}

/// Asks before a press of Start that would leave a game.
#[derive(SystemParam)]
pub struct AskBeforeStart<'w> {
    shown: Res<'w, Shown>,
    time: Res<'w, Time<Real>>,
    /// The question.
    pub leaving: ResMut<'w, Leaving>,
}

impl AskBeforeStart<'_> {
    /// True if Start may be pressed now; otherwise opens the question.
    pub fn is_sure(&mut self) -> bool {
        self.leaving
            .is_sure(&self.shown.status, self.time.elapsed())
    }
}

/// True while a game is running in which a move was made or, in a game in real time,
/// points were scored.
#[must_use]
pub fn would_leave(status: &Status) -> bool {
    let in_real_time = || games::find(status.settings.game).is_some_and(Guide::is_in_real_time);
    let has_points = || status.score.is_some_and(|score| score != [0; 2]);
    phase(status).is_on() && (status.last_move.is_some() || in_real_time() && has_points())
}

#[cfg(test)]
mod tests {
    use protocol::{LastMove, Mover, Outcome, Point, Settings, Side};

    use super::*;

    fn played() -> Status {
        Status {
            score: Some([2, 2]),
            last_move: Some(LastMove {
                side: Side::Green,
                point: Point(3),
                by: Mover::Finger,
            }),
            ..Status::default()
        }
    }

    #[test]
    fn leaving_a_game_needs_two_requests() {
        let second = Duration::from_secs;
        let mut leaving = Leaving::default();
        assert!(!leaving.is_sure(&played(), second(10)));
        assert!(leaving.is_asked(second(11)));
        assert!(leaving.is_sure(&played(), second(12)));
        // The game was left, so the next request needs a confirmation again.
        assert!(!leaving.is_sure(&played(), second(13)));
        // By now the question has expired.
        assert!(!leaving.is_sure(&played(), second(30)));
    }

    #[test]
    fn a_double_click_leaves_no_game() {
        let ms = Duration::from_millis;
        let mut leaving = Leaving::default();
        assert!(!leaving.is_sure(&played(), ms(1_000)));
        assert!(!leaving.is_sure(&played(), ms(1_200)));
        assert!(leaving.is_asked(ms(1_300)));
        leaving.close();
        assert!(!leaving.is_asked(ms(1_300)));
        assert!(!leaving.is_sure(&played(), ms(3_000)));
        assert!(leaving.is_sure(&played(), ms(3_500)));
    }

    #[test]
    fn leaving_a_real_time_game_with_points_needs_two_requests() {
        let life = |score| Status {
            settings: Settings {
                game: 2,
                ..Settings::default()
            },
            score: Some(score),
            turn: Some(Side::Red),
            ..Status::default()
        };
        assert!(would_leave(&life([39, 34])));
        assert!(!would_leave(&life([0, 0])));
        let reversi = Status {
            settings: Settings::default(),
            ..life([2, 2])
        };
        assert!(!would_leave(&reversi));
    }

    #[test]
    fn leaving_is_immediate_if_no_game_is_running() {
        let mut leaving = Leaving::default();
        let over = Status {
            outcome: Some(Outcome::Draw),
            ..played()
        };
        for status in [Status::default(), over] {
            assert!(leaving.is_sure(&status, Duration::ZERO));
            assert!(!leaving.is_asked(Duration::ZERO));
        }
    }
}
