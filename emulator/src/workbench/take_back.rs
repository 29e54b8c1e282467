//! Takes a move back: the board goes to the moment before the move's first touch, and
//! waits there for a touch.
//!
//! This uses the board's recorded past, so it works in every game, and a touch there
//! leaves the later moves as a branch, as anywhere on the timeline.

use bevy::prelude::*;
use protocol::{Deed, Event, Input, Side, Tick};
use touchboard_host::standing::{Situation, phase};
use touchboard_host::story::{StoryLine, Subject};

use super::story::Story;
use crate::keys::{Meaning, Stroke};
use crate::source::{BoardPace, Log, LogEntry, Shown, SourceSet, WindowCommand};

/// Whether time is frozen only until the next touch.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TouchWait {
    /// A move was taken back, and another one is to be made.
    ForTouch,
    /// Board time does not wait for a touch.
    #[default]
    No,
}

/// True while time stands because a move was taken back.
#[must_use]
pub fn stands_still(waits: &TouchWait, shown: &Shown) -> bool {
    *waits == TouchWait::ForTouch && shown.pace.frozen
}

/// Lets moves be taken back.
pub struct TakeBackPlugin;

impl Plugin for TakeBackPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<TouchWait>().add_systems(
            Update,
            (take_back_by_key, go_on_with_touch)
                .chain()
                .before(SourceSet::Exchange),
        );
    }
}

/// The moment to go back to in order to undo the last move of a person, including
/// the board's answer; `None` if there is no move, or its moment is no longer known.
#[must_use]
pub fn moment(story: &Story, log: &Log, shown: &Shown) -> Option<Tick> {
    let is_boards = |line: &StoryLine| {
        let plays = shown.status.settings.level > 0;
        plays && line.side == Some(Side::Red)
    };
    if phase(&shown.status) == Situation::NoGame {
        return None;
    }
    let past = story.past();
    let begin = past.iter().rposition(|line| line.about == Subject::Begin)?;
    let game = &past[begin..];
    let last = game
        .iter()
        .rposition(|line| line.about == Subject::Move && !is_boards(line))?;
    let before = game[..last].last().map_or(0, |line| line.tick);
    let touches = log.iter().filter(|line| {
        let is_touch = matches!(
            line.what,
            LogEntry::Event(Event::Move { .. } | Event::Part { .. })
        );
        is_touch && line.tick > before
    });
    let first = touches.map(|line| line.tick).min()?;
    let moment = first.saturating_sub(1).max(before);
    (shown.earliest? <= moment).then_some(moment)
}

/// Takes the last move back.
pub fn take_back(commands: &mut MessageWriter<WindowCommand>, waits: &mut TouchWait, moment: Tick) {
    commands.write(WindowCommand::GoTo(moment));
    *waits = TouchWait::ForTouch;
}

fn take_back_by_key(
    mut strokes: MessageReader<Stroke>,
    (story, log, shown): (Res<Story>, Res<Log>, Res<Shown>),
    mut waits: ResMut<TouchWait>,
    mut commands: MessageWriter<WindowCommand>,
) {
    let asked = strokes
        .read()
        .filter(|stroke| stroke.begins(Meaning::TakeBack));
    // Two keystrokes in one picture would both refer to the same last move.
    if asked.last().is_some()
        && let Some(moment) = moment(&story, &log, &shown)
    {
        take_back(&mut commands, &mut waits, moment);
    }
}

/// Lets time continue with the first touch. A command to run, freeze or step ends the
/// waiting.
fn go_on_with_touch(
    mut commands: ParamSet<(MessageReader<WindowCommand>, MessageWriter<WindowCommand>)>,
    shown: Res<Shown>,
    mut waits: ResMut<TouchWait>,
) {
    let mut touched = false;
    for command in commands.p0().read() {
        match command {
            WindowCommand::Do(Deed::Input(Input::Release(_) | Input::Lift(_))) => {}
            // A button or a different game continues time like a touch.
            WindowCommand::Do(_) => touched |= *waits == TouchWait::ForTouch,
            WindowCommand::Pace(_) | WindowCommand::Step(_) => *waits = TouchWait::No,
            _ => {}
        }
    }
    if touched && shown.pace.frozen {
        *waits = TouchWait::No;
        commands.p1().write(WindowCommand::Pace(BoardPace {
            frozen: false,
            ..shown.pace
        }));
    }
}
