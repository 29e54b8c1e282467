//! Where the piece of the last move came from, by the touches that made the move.

use protocol::{Event, LastMove, Point};

use crate::source::{Log, LogEntry};

/// The points that the last move led over before it came to its end: that of the
/// piece that moved first. Empty in a game that puts pieces on the board, or if the log
/// does not reach back to the move.
#[must_use]
pub fn came_from(log: &Log, last: LastMove) -> Vec<Point> {
    let events = log.iter().rev().filter(|line| !line.is_ahead);
    let events = events.filter_map(|line| match line.what {
        LogEntry::Event(event) => Some(event),
        LogEntry::Said(_) => None,
    });
    let is_last = |event: &Event| matches!(event, Event::Move { side, point, .. } if (*side, *point) == (last.side, last.point));
    let mut before = events.skip_while(|event| !is_last(event)).skip(1);
    let mut parts = Vec::new();
    for event in before.by_ref() {
        match event {
            Event::Part { side, point } if side == last.side => parts.push(point),
            Event::Bleep(_) | Event::Illegal { .. } | Event::Score(_) | Event::TimedOut { .. } => {}
            _ => break,
        }
    }
    parts.reverse();
    // A piece that was put down again did not move.
    let mut way: Vec<Point> = Vec::new();
    for part in parts {
        match way.last() == Some(&part) {
            true => drop(way.pop()),
            false => way.push(part),
        }
    }
    way.retain(|point| *point != last.point);
    way
}

#[cfg(test)]
mod tests {
    use protocol::{Mover, Side, StampedEvent};

    use super::*;

    fn log(events: &[Event]) -> Log {
        let mut log = Log::default();
        for (tick, event) in (1..).zip(events) {
            log.note(StampedEvent {
                number: 0,
                tick,
                event: *event,
            });
        }
        log
    }

    const SIDE: Side = Side::Green;

    fn part(point: u8) -> Event {
        Event::Part {
            side: SIDE,
            point: Point(point),
        }
    }

    fn moved(point: u8) -> Event {
        Event::Move {
            side: SIDE,
            point: Point(point),
            changed: 1,
        }
    }

    fn last(point: u8) -> LastMove {
        LastMove {
            side: SIDE,
            point: Point(point),
            by: Mover::Finger,
        }
    }

    #[test]
    fn a_move_comes_from_the_points_that_were_touched_for_it_alone() {
        let way = |events: &[Event], to| came_from(&log(events), last(to));
        let turn = Event::Turn(SIDE);
        assert_eq!(way(&[turn, part(3), moved(5)], 5), [Point(3)]);
        assert_eq!(
            way(&[part(1), moved(2), turn, part(3), part(4), moved(5)], 5),
            [Point(3), Point(4)]
        );
        // The piece on 1 was put down again.
        assert_eq!(
            way(&[turn, part(1), part(1), part(3), moved(5)], 5),
            [Point(3)]
        );
        assert_eq!(way(&[turn, moved(5)], 5), []);
        // The last move is not in this log.
        assert_eq!(way(&[turn, part(3), moved(5)], 6), []);
    }

    #[test]
    fn a_later_move_is_not_the_last_move_of_the_shown_moment() {
        let turn = Event::Turn(SIDE);
        let mut log = log(&[turn, part(3), moved(5), turn, part(7), moved(5)]);
        log.go_back(4, 6);
        assert_eq!(came_from(&log, last(5)), [Point(3)]);
    }
}
