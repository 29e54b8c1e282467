//! The moves played on a board, so that a game whose rules have changed can continue from
//! there.
//!
//! Invariants: moments are in the order of their ticks; moves that were left by going
//! back are dropped when a different move is made.

use firmware_core::AnyBoard;
use protocol::{Button, Event, Input, Layout, Point, StampedEvent, Tick};

/// An action of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoggedMove {
    /// The side touched a point: a move or a part of one.
    Touched(Point),
    /// The side passed, swapped the colours, or was passed over.
    Passed,
}

/// The log of the moves on a board.
#[derive(Clone, Debug, Default)]
pub struct MoveLog {
    /// The moves with their ticks; `None` marks the start of a game.
    moments: Vec<(Tick, Option<LoggedMove>)>,
    /// The last tick at which the board was seen.
    now: Tick,
}

impl MoveLog {
    /// Adds these events; the board is at tick `now`. If it went back, the log continues
    /// from there.
    pub fn note(&mut self, happened: impl IntoIterator<Item = StampedEvent>, now: Tick) {
        let mut happened = happened.into_iter().peekable();
        if let Some(first) = happened.peek() {
            let left = self.now.min(first.tick);
            self.moments.retain(|(tick, _)| *tick <= left);
        }
        self.now = now;
        for StampedEvent { tick, event, .. } in happened {
            let moment = match event {
                Event::Started(_) => None,
                Event::Move { point, .. } | Event::Part { point, .. } => {
                    Some(LoggedMove::Touched(point))
                }
                Event::Passed { .. } => Some(LoggedMove::Passed),
                _ => continue,
            };
            self.moments.push((tick, moment));
        }
    }

    /// The moves of the current game.
    #[must_use]
    pub fn of_this_game(&self) -> Vec<LoggedMove> {
        let so_far = self.moments.iter().filter(|(tick, _)| *tick <= self.now);
        let so_far: Vec<Option<LoggedMove>> = so_far.map(|(_, moment)| *moment).collect();
        let games = so_far.rsplit(Option::is_none).next();
        games
            .unwrap_or_default()
            .iter()
            .copied()
            .flatten()
            .collect()
    }
}

/// The inputs that repeat as many of these moves as the current rules of the layout's
/// game allow, in order.
#[must_use]
pub fn still_played(layout: Layout, seed: u64, done: &[LoggedMove]) -> Vec<Input> {
    let mut inputs = vec![Input::Press(Button::Start), Input::Lift(Button::Start)];
    let Ok(mut board) = AnyBoard::new(layout, seed) else {
        return inputs;
    };
    for input in &inputs {
        board.input(*input, &mut |_, _| {});
    }
    // A player who can only pass is skipped with the move before.
    let mut passed_over = 0;
    for done in done {
        let does = match done {
            LoggedMove::Passed if passed_over > 0 => {
                passed_over -= 1;
                continue;
            }
            LoggedMove::Passed => vec![Input::Pass],
            LoggedMove::Touched(point) => vec![Input::Touch(*point), Input::Release(*point)],
        };
        let mut accepted = false;
        let mut passes = 0;
        let mut see = |_, event: Event| match event {
            Event::Move { .. } | Event::Part { .. } => accepted = true,
            Event::Passed { .. } => passes += 1,
            _ => {}
        };
        for input in &does {
            board.input(*input, &mut see);
        }
        if *done == LoggedMove::Passed && passes > 0 {
            (accepted, passes) = (true, passes - 1);
        }
        if !accepted {
            break;
        }
        passed_over = passes;
        inputs.extend(does);
    }
    inputs
}

#[cfg(test)]
mod tests {
    use protocol::{Settings, Side};

    use super::*;

    fn at(tick: Tick, event: Event) -> StampedEvent {
        let number = 0;
        StampedEvent {
            number,
            tick,
            event,
        }
    }

    fn touched(tick: Tick, point: u8) -> StampedEvent {
        let point = Point(point);
        let side = Side::Green;
        at(tick, Event::Part { side, point })
    }

    fn points(course: &MoveLog) -> Vec<u8> {
        let done = course.of_this_game().into_iter();
        let point = |done| match done {
            LoggedMove::Touched(point) => point.0,
            LoggedMove::Passed => 255,
        };
        done.map(point).collect()
    }

    #[test]
    fn the_move_log_starts_with_the_game() {
        let mut course = MoveLog::default();
        let side = Side::Red;
        course.note(
            [touched(1, 9), at(2, Event::Started(Settings::default()))],
            2,
        );
        assert!(points(&course).is_empty());
        course.note([touched(3, 1), touched(3, 2)], 3);
        course.note([at(4, Event::Passed { side })], 5);
        assert_eq!(points(&course), [1, 2, 255]);
    }

    #[test]
    fn later_moves_stay_in_the_log_until_a_branch_begins() {
        let mut course = MoveLog::default();
        course.note([touched(1, 1)], 10);
        course.note([touched(20, 2)], 30);
        course.note([], 10);
        assert_eq!(points(&course), [1]);
        course.note([], 30);
        assert_eq!(points(&course), [1, 2], "it went on as it was");
        course.note([], 10);
        course.note([touched(15, 3)], 16);
        assert_eq!(points(&course), [1, 3]);
    }

    #[test]
    fn repeated_events_are_logged_once() {
        let mut course = MoveLog::default();
        course.note([touched(1, 1), touched(20, 2), touched(20, 3)], 30);
        course.note([], 10);
        course.note([touched(20, 2), touched(20, 3)], 30);
        assert_eq!(points(&course), [1, 2, 3]);
    }
}
