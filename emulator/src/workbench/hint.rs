//! Hints for a touch that has no effect (no game, a paused game, or an illegal move,
//! with the reason), and for a setting that ended a game.
//!
//! The question before a game is left closes with a touch of the board: it goes on.

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use firmware_core::beeper::Sound;
use protocol::{Deed, Event, Input, Point, StampedEvent, Status, Stop};
use touchboard_host::standing::{Situation, is_boards_turn, phase};
use touchboard_host::{event_words, touches};

use crate::leaving::{Leaving, would_leave};
use crate::source::{Happened, Shown, ShownBoard, SourceSet, WindowCommand};

/// The time for which a hint is shown.
const SAID: Duration = Duration::from_secs(5);

/// The current hint over the board.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct Hint(Option<(String, Duration)>);

impl Hint {
    /// The sentence while it is shown.
    #[must_use]
    pub fn sentence(&self, now: Duration) -> Option<&str> {
        let (sentence, at) = self.0.as_ref()?;
        (now.saturating_sub(*at) < SAID).then_some(sentence)
    }
}

/// What is said over the board: the question before a game is left while it is open, or
/// else the current hint.
#[derive(SystemParam)]
pub struct CurrentHint<'w> {
    hint: Res<'w, Hint>,
    leaving: Res<'w, Leaving>,
    time: Res<'w, Time<Real>>,
}

impl CurrentHint<'_> {
    /// The sentence, while there is one.
    #[must_use]
    pub fn sentence(&self) -> Option<&str> {
        let now = self.time.elapsed();
        match self.leaving.is_asked(now) {
            true => Some(LEAVES),
            false => self.hint.sentence(now),
        }
    }
}

/// The question before a game is left for a new one.
const LEAVES: &str =
    "Leave this game for a new one? Press START (n) again to leave it, or Esc to play on.";

/// Updates the hint after touches.
pub struct HintPlugin;

impl Plugin for HintPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Hint>()
            .init_resource::<Leaving>()
            .add_message::<Happened>()
            .add_systems(
                Update,
                // The meaning of a touch is known after the events that follow it.
                (read_touches, explain).chain().after(SourceSet::Exchange),
            );
    }
}

fn read_touches(
    mut commands: MessageReader<WindowCommand>,
    mut happened: MessageReader<Happened>,
    shown: Res<Shown>,
    mut leaving: ResMut<Leaving>,
    time: Res<Time<Real>>,
    mut hint: ResMut<Hint>,
    mut before: Local<Option<Status>>,
) {
    let now = time.elapsed();
    // A touch belongs to the situation of the previous picture: the move that ends a game
    // does not come after its end.
    let situation = phase(&shown.status);
    let before = before.replace(shown.status);
    let was = before.as_ref().map_or(situation, phase);
    let is_boards = is_boards_turn(&shown.status) && before.as_ref().is_some_and(is_boards_turn);
    let is_asked = leaving.is_asked(now);
    if is_asked && !would_leave(&shown.status) {
        leaving.close();
    }
    for command in commands.read() {
        if let (true, WindowCommand::Do(Deed::Input(Input::Touch(_)))) = (is_asked, command) {
            leaving.close();
        }
        let said = match command {
            WindowCommand::GoTo(_) => None,
            WindowCommand::Do(Deed::Input(Input::Touch(_))) => match (was, situation) {
                (Situation::NoGame, Situation::NoGame) => Some(NO_GAME),
                (Situation::Paused, Situation::Paused) => Some(HELD),
                (Situation::Over, Situation::Over) => Some(OVER),
                (Situation::Play, Situation::Play) if is_boards => Some(BOARDS_TURN),
                _ => None,
            },
            WindowCommand::Do(Deed::Input(Input::Press(_))) => None,
            _ => continue,
        };
        hint.0 = said.map(|sentence| (sentence.to_owned(), now));
    }
    let is_end = |event: &Happened| event.0.event == Event::Stopped(Stop::Settings);
    let is_ended = happened.read().filter(|event| is_end(event)).count() > 0;
    if is_ended && before.is_some_and(|status| would_leave(&status)) {
        hint.0 = Some((LEFT.to_owned(), now));
    }
}

/// Explains why the last touch was no move: the rules refused it, or it had no meaning
/// and the board only made a sound.
fn explain(
    mut happened: MessageReader<Happened>,
    mut commands: MessageReader<WindowCommand>,
    mut touched: Local<Option<Point>>,
    shown: Res<Shown>,
    mut board: Option<ResMut<ShownBoard>>,
    time: Res<Time<Real>>,
    mut hint: ResMut<Hint>,
) {
    let point_of = |command: &WindowCommand| match command {
        WindowCommand::Do(Deed::Input(Input::Touch(point))) => Some(*point),
        _ => None,
    };
    *touched = commands.read().filter_map(point_of).last().or(*touched);
    let in_vain = |event: &StampedEvent| match event.event {
        Event::Illegal { point, .. } => Some((Some(event.event), point)),
        Event::Bleep(hz) if hz == Sound::Nothing.hz() => Some((None, (*touched)?)),
        _ => None,
    };
    let last = happened.read().filter_map(|event| in_vain(&event.0)).last();
    let Some((event, point)) = last else {
        return;
    };
    let is_on = phase(&shown.status).is_on() && !shown.status.paused;
    let why = board.as_mut().and_then(|board| board.0.why(point));
    let said = match event {
        Some(event) => refusal(&shown, &event, point, why),
        None => why
            .filter(|_| is_on)
            .map(|why| as_sentence(&format!("no move: {why}"))),
    };
    if let Some(sentence) = said {
        hint.0 = Some((sentence, time.elapsed()));
    }
}

/// The sentence that a point is not a move, with the reason if it is known.
fn refusal(shown: &Shown, event: &Event, point: Point, why: Option<String>) -> Option<String> {
    let (settings, layout) = (&shown.status.settings, shown.layout);
    let no_move = event_words::event(event, settings, layout)?;
    let name = layout.name(point).to_string();
    let said = touches::refusal(&no_move, &name, why.as_deref());
    Some(as_sentence(&said))
}

/// These words as a sentence. A point keeps its small letter.
fn as_sentence(words: &str) -> String {
    match words.strip_prefix("no move") {
        Some(rest) => format!("No move{rest}."),
        None => format!("{words}."),
    }
}

/// The hint for a touch before the first game.
const NO_GAME: &str = "No game is on yet: press START (n) to begin one.";
/// The hint for a touch while the game is paused.
const HELD: &str = "The game is paused: press Resume (h) to go on.";
/// The hint for a touch in the board's turn.
const BOARDS_TURN: &str = "It is the board's turn: wait until it has moved.";
/// The hint for a touch after the end.
const OVER: &str = "This game is over: press START (n) to play again.";
/// The hint after a setting, such as another game, that ended a game.
const LEFT: &str = "Your game was left: Bring back (Backspace) continues it.";

#[cfg(test)]
mod tests {
    use protocol::Side;

    use super::*;

    /// The hint after a touch with this status before and after it.
    fn after_touch(status: Status) -> Option<String> {
        let mut app = App::new();
        app.insert_resource(Shown {
            status,
            ..Shown::default()
        })
        .init_resource::<Time<Real>>()
        .add_message::<WindowCommand>()
        .add_plugins(HintPlugin);
        app.update();
        let touch = Deed::Input(Input::Touch(Point(0)));
        app.world_mut().write_message(WindowCommand::Do(touch));
        app.update();
        let hint = app.world().resource::<Hint>();
        hint.sentence(Duration::ZERO).map(str::to_owned)
    }

    #[test]
    fn a_touch_in_the_boards_turn_is_told_to_wait() {
        let mut status = Status {
            turn: Some(Side::Red),
            score: Some([3, 3]),
            ..Shown::default().status
        };
        status.settings.level = 1;
        assert_eq!(after_touch(status).as_deref(), Some(BOARDS_TURN));
        status.turn = Some(Side::Green);
        assert_eq!(after_touch(status), None);
        status.score = None;
        assert_eq!(after_touch(status).as_deref(), Some(NO_GAME));
    }

    #[test]
    fn a_refusal_gives_its_reason_in_one_sentence() {
        let shown = Shown::default();
        let point = shown.layout.point("e4").unwrap();
        let event = Event::Illegal {
            side: Side::Green,
            point,
        };
        let said = |why: Option<&str>| refusal(&shown, &event, point, why.map(str::to_owned));
        assert_eq!(said(None).unwrap(), "e4 is no move for green.");
        assert_eq!(
            said(Some("a light on e4 would turn nothing")).unwrap(),
            "No move: a light on e4 would turn nothing."
        );
        assert_eq!(
            said(Some("the pouch is empty")).unwrap(),
            "e4 is no move for green: the pouch is empty."
        );
    }
}
