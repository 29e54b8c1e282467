//! Takes a move or a pass back: the board goes to the moment before its first touch, and
//! waits there for a touch. A game that was left, for a new one or by a setting, comes back
//! in the same way, as long as nobody has moved since. If the board was replaced for the
//! new game, or the window was closed, the one that was left continues on a board of its
//! own, which waits for a touch, too: whoever comes back wants to look first.
//!
//! This uses the board's recorded past, so it works in every game, and a touch there
//! leaves the later moves as a branch, as anywhere on the timeline.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use protocol::{Deed, Event, Input, Side, Stop, Tick};
use touchboard_host::standing::{Situation, phase};
use touchboard_host::story::{StoryLine, Subject};

use super::story::Story;
use crate::keys::{Meaning, Stroke};
use crate::source::{
    BoardPace, ComesBack, Log, LogEntry, Shown, SourceSet, UnfinishedAnswer, UnfinishedGame,
    WindowCommand,
};

/// Whether time is frozen only until the next touch.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TouchWait {
    /// Something was taken back, and another move is to be made.
    TakenBack,
    /// A game that was left continues.
    Continued,
    /// Board time does not wait for a touch.
    #[default]
    No,
}

/// What can be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undoable {
    /// The last move of a person with the board's answer: everything after this moment.
    Moves(Tick),
    /// The leaving of a game on this board: everything after this moment.
    Leaving(Tick),
    /// The choice of another game, for which the board was replaced.
    Choice,
}

impl Undoable {
    /// True if this brings a game back that was left.
    #[must_use]
    pub fn is_leaving(self) -> bool {
        !matches!(self, Undoable::Moves(_))
    }
}

/// The moves of the game so far, and whether time waits for another one.
#[derive(SystemParam)]
pub struct GamePast<'w> {
    /// The events of the game, in words.
    pub story: Res<'w, Story>,
    log: Res<'w, Log>,
    waits: ResMut<'w, TouchWait>,
    left: Option<Res<'w, UnfinishedGame>>,
    answers: MessageWriter<'w, UnfinishedAnswer>,
}

impl GamePast<'_> {
    /// True while time stands because something was taken back.
    #[must_use]
    pub fn stands_still(&self, shown: &Shown) -> bool {
        *self.waits == TouchWait::TakenBack && shown.pace.frozen
    }

    /// What taking back undoes: the last move of a person with the board's answer, or the
    /// leaving of a game. `None` if there is neither, or its moment is no longer known.
    #[must_use]
    pub fn undoable(&self, shown: &Shown) -> Option<Undoable> {
        let comes_back = self.left.as_ref().map(|game| game.comes_back);
        let left = (comes_back == Some(ComesBack::ByTakingBack)).then_some(Undoable::Choice);
        self.in_past(shown).or(left)
    }

    /// What is undone by going back in the past of this board.
    fn in_past(&self, shown: &Shown) -> Option<Undoable> {
        let level = shown.status.settings.level;
        let earliest = shown.past.earliest?;
        let is_known = |moment: &Tick| earliest <= *moment;
        let left = || {
            let moment = before_left(&self.log).filter(is_known);
            moment.map(Undoable::Leaving)
        };
        if phase(&shown.status) == Situation::NoGame {
            return left();
        }
        let moment = before_move(&self.story, &self.log, level).filter(is_known);
        moment.map(Undoable::Moves).or_else(left)
    }

    /// Takes this back. Time then waits for a touch.
    pub fn take_back(&mut self, commands: &mut MessageWriter<WindowCommand>, what: Undoable) {
        let (moment, waits) = match what {
            Undoable::Moves(moment) => (moment, TouchWait::TakenBack),
            Undoable::Leaving(moment) => (moment, TouchWait::Continued),
            Undoable::Choice => {
                self.answers.write(UnfinishedAnswer::Continue);
                return;
            }
        };
        commands.write(WindowCommand::GoTo(moment));
        *self.waits = waits;
    }
}

/// Lets moves be taken back.
pub struct TakeBackPlugin;

impl Plugin for TakeBackPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<TouchWait>().add_systems(
            Update,
            (take_back_by_key, wait_with_continued_game, go_on_with_touch)
                .chain()
                .before(SourceSet::Exchange),
        );
    }
}

/// The moment before the last move or pass of a person in the current game. A long game
/// may have begun before the oldest line that the log still has; then all of its lines
/// are of this game.
fn before_move(story: &Story, log: &Log, level: u8) -> Option<Tick> {
    let is_boards = |line: &StoryLine| level > 0 && line.side == Some(Side::Red);
    let past = story.past();
    let begin = past.iter().rposition(|line| line.about == Subject::Begin);
    let begin = begin.or((story.dropped > 0).then_some(0))?;
    let game = &past[begin..];
    let is_deed = |line: &StoryLine| line.about == Subject::Move || is_pass(log, line);
    let last = game
        .iter()
        .rposition(|line| is_deed(line) && !is_boards(line))?;
    let before = game[..last].last().map_or(0, |line| line.tick);
    let deeds = log.iter().filter(|line| {
        let is_deed = matches!(
            line.what,
            LogEntry::Event(Event::Move { .. } | Event::Part { .. } | Event::Passed { .. })
        );
        is_deed && line.tick > before
    });
    let first = deeds.map(|line| line.tick).min()?;
    Some(first.saturating_sub(1).max(before))
}

/// True if a line tells that somebody gave the turn away. A side that is passed over
/// because it has no move was not reported to be to move since the last move.
fn is_pass(log: &Log, line: &StoryLine) -> bool {
    if line.about != Subject::Turn || line.is_late {
        return false;
    }
    let events = || {
        log.iter().rev().filter_map(|line| match line.what {
            LogEntry::Event(event) => Some((line.tick, event)),
            LogEntry::Said(_) => None,
        })
    };
    let before = |(tick, event)| match event {
        _ if tick >= line.tick => None,
        Event::Turn(side) => Some(Some(side)),
        Event::Move { .. } => Some(None),
        _ => None,
    };
    let had_turn = events().find_map(before).flatten();
    had_turn.is_some_and(|side| events().any(|event| event == (line.tick, Event::Passed { side })))
}

/// The moment before the last game was left, if something was played in it.
fn before_left(log: &Log) -> Option<Tick> {
    let mut left = None;
    for line in log.iter().rev().filter(|line| !line.is_ahead) {
        let LogEntry::Event(event) = line.what else {
            continue;
        };
        match (event, left) {
            (Event::Stopped(Stop::Settings | Stop::Restart), None) => left = Some(line.tick),
            (Event::Move { .. } | Event::Passed { .. }, Some(at)) => {
                return Some(at.saturating_sub(1));
            }
            (Event::Move { .. } | Event::Over(_) | Event::Stopped(_), _) => return None,
            (Event::Started(_), Some(at)) if line.tick < at => return None,
            _ => {}
        }
    }
    None
}

fn take_back_by_key(
    mut strokes: MessageReader<Stroke>,
    mut past: GamePast,
    shown: Res<Shown>,
    mut commands: MessageWriter<WindowCommand>,
) {
    let asked = strokes
        .read()
        .filter(|stroke| stroke.begins(Meaning::TakeBack));
    // Two keystrokes in one picture would both refer to the same last move.
    if asked.last().is_some()
        && let Some(what) = past.undoable(&shown)
    {
        past.take_back(&mut commands, what);
    }
}

/// Notes that the board of a game that is continued waits for a touch.
fn wait_with_continued_game(
    mut answers: MessageReader<UnfinishedAnswer>,
    game: Option<Res<UnfinishedGame>>,
    mut waits: ResMut<TouchWait>,
) {
    let is_continued = answers.read().last() == Some(&UnfinishedAnswer::Continue);
    if is_continued && game.is_some() {
        *waits = TouchWait::Continued;
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
            WindowCommand::Do(_) => touched |= *waits != TouchWait::No,
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

#[cfg(test)]
mod tests {
    use protocol::{Layout, Point, Settings, StampedEvent};
    use touchboard_host::story::{StoryItem, story_of};

    use super::*;
    use crate::source::LOG_LINES;

    /// The time between two moves.
    const MOVE_MS: Tick = 2_000;

    /// The log of a game for two people, and its story.
    fn game(moves: u64) -> (Log, Story) {
        let mut log = Log::default();
        let mut note = |tick, event| {
            log.note(StampedEvent {
                number: 0,
                tick,
                event,
            });
        };
        note(100, Event::Started(Settings::default()));
        for number in 0..moves {
            let tick = (number + 1) * MOVE_MS;
            let side = Side::BOTH[(number % 2) as usize];
            let made = Event::Move {
                side,
                point: Point((number % 81) as u8),
                changed: 1,
            };
            note(tick, made);
            note(tick, Event::Score([number as u32 + 2, 2]));
            note(tick, Event::Turn(side.other()));
        }
        let events = log.iter().filter_map(|line| match line.what {
            LogEntry::Event(event) => Some((line.tick, StoryItem::Event(event))),
            LogEntry::Said(_) => None,
        });
        let settings = Settings::default();
        let story = Story {
            lines: story_of(events, Layout::MALDOO, settings, settings),
            ahead: 0,
            dropped: log.dropped(),
        };
        (log, story)
    }

    /// After the last move of a text's game, both sides are passed over.
    #[test]
    fn a_side_that_is_passed_over_did_not_pass() {
        let mut log = Log::default();
        let green = Side::Green;
        let point = Point(3);
        let events = [
            (100, Event::Started(Settings::default())),
            (102, Event::Turn(green)),
            (
                900,
                Event::Move {
                    side: green,
                    point,
                    changed: 0,
                },
            ),
            (903, Event::Passed { side: Side::Red }),
            (906, Event::Passed { side: green }),
        ];
        for (tick, event) in events {
            log.note(StampedEvent {
                number: 0,
                tick,
                event,
            });
        }
        let line = |tick, side| StoryLine {
            tick,
            about: Subject::Turn,
            side: Some(side),
            what: String::new(),
            score: None,
            is_late: false,
            times: 1,
        };
        assert!(!is_pass(&log, &line(903, Side::Red)));
        assert!(!is_pass(&log, &line(906, green)));
        log.note(StampedEvent {
            number: 0,
            tick: 1_000,
            event: Event::Turn(green),
        });
        log.note(StampedEvent {
            number: 0,
            tick: 1_500,
            event: Event::Passed { side: green },
        });
        assert!(is_pass(&log, &line(1_500, green)));
    }

    #[test]
    fn a_move_of_a_game_longer_than_the_log_can_be_taken_back() {
        for moves in [1, 20, LOG_LINES as u64] {
            let (log, story) = game(moves);
            assert_eq!(story.dropped > 0, moves > 20, "{moves} moves");
            let last = moves * MOVE_MS;
            assert_eq!(before_move(&story, &log, 0), Some(last - 1));
            // Red is the board, which moved after the person.
            let own = if moves % 2 == 0 { last - MOVE_MS } else { last };
            assert_eq!(before_move(&story, &log, 2), Some(own - 1));
        }
        let (log, story) = game(0);
        assert_eq!(before_move(&story, &log, 0), None);
    }
}
