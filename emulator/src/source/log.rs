//! The log for the user: events on the board, and news about the line.
//!
//! After going back in time, the lines of later events are kept as lines ahead. If the
//! game repeats them, each stays in its place. If the user does something different, they
//! belong to a branch that was left: they are dropped, and one line reports how many.
//!
//! Invariants: lines ahead come after all others, and nothing is dropped without a line
//! or number that reports it.

use std::collections::VecDeque;

use bevy::prelude::*;
use protocol::{Event, StampedEvent, Tick};

/// The maximum number of lines that the log keeps.
pub const LOG_LINES: usize = 400;

/// A line of the log: when it happened, and what.
#[derive(Clone, Debug, PartialEq)]
pub struct LogLine {
    /// The session time of the line, in ms.
    pub tick: Tick,
    /// The content of the line.
    pub what: LogEntry,
    /// True if it happened before the user went back, and has not happened again since.
    pub is_ahead: bool,
}

/// The content of a line of the log.
#[derive(Clone, Debug, PartialEq)]
pub enum LogEntry {
    /// An event of the board.
    Event(Event),
    /// News of the board or of its line, as a sentence.
    Said(String),
}

/// A tick as minutes and seconds: `0:16`.
#[must_use]
pub fn minutes(tick: Tick) -> String {
    let seconds = tick / 1_000;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// All lines: the past ones, oldest first, then those ahead.
#[derive(Resource, Debug, Default)]
pub struct Log {
    lines: VecDeque<LogLine>,
    /// The number of older lines that were dropped to make room.
    dropped: u64,
    /// The tick to which the board last went back.
    back_to: Tick,
    /// The last tick of the recording when the board went back.
    latest: Tick,
    /// The index of the first line that was added after going back and does not match a
    /// line ahead: the start of a new branch.
    other: Option<usize>,
}

impl Log {
    /// The lines, oldest first, with the lines ahead at the end.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &LogLine> {
        self.lines.iter()
    }

    /// True if the log has no lines.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The number of older lines that were dropped to make room.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// True if some lines lie ahead.
    #[must_use]
    pub fn has_lines_ahead(&self) -> bool {
        self.lines.back().is_some_and(|line| line.is_ahead)
    }

    /// Adds an event if it concerns people: button presses are visible on the board, and
    /// digests are compared by the program. An event that matches a line ahead turns that
    /// line into a past one.
    pub fn note(&mut self, stamped: StampedEvent) {
        if !stamped.event.is_for_people() {
            return;
        }
        let (tick, what) = (stamped.tick, LogEntry::Event(stamped.event));
        let happens_again = |line: &&mut LogLine| {
            line.tick == tick && line.what == what && (line.is_ahead || tick == self.back_to)
        };
        if self.has_lines_ahead()
            && let Some(line) = self.lines.iter_mut().find(happens_again)
        {
            line.is_ahead = false;
            self.bring_forward();
        } else {
            if self.has_lines_ahead() && self.other.is_none() {
                self.other = Some(self.lines.partition_point(|line| !line.is_ahead));
            }
            self.add(tick, what);
        }
    }

    /// Adds a sentence about the board or its line.
    pub fn add_sentence(&mut self, tick: Tick, sentence: String) {
        self.add(tick, LogEntry::Said(sentence));
    }

    /// Records that the board went back to tick `to`; the recording continues until tick
    /// `latest`.
    pub fn go_back(&mut self, to: Tick, latest: Tick) {
        (self.back_to, self.latest, self.other) = (to, latest, None);
        for line in &mut self.lines {
            line.is_ahead = line.tick > to;
        }
        self.bring_forward();
    }

    /// Records that the board has reached tick `now`, and that all events up to it are
    /// noted. Drops the lines ahead if one of them was due and did not happen, or if the
    /// recording now ends earlier than before (`latest`).
    pub fn come_to(&mut self, now: Tick, latest: Tick) {
        // Sentences are not repeated, so they stop being ahead once their tick is
        // reached.
        for line in &mut self.lines {
            line.is_ahead &= line.tick > now || matches!(line.what, LogEntry::Event(_));
        }
        self.bring_forward();
        let is_missed = |line: &LogLine| line.is_ahead && line.tick <= now;
        if latest < self.latest || self.lines.iter().any(is_missed) {
            self.leave_branch(now);
        }
    }

    /// Removes the lines from this tick on, because their events are about to be reported
    /// again.
    pub fn forget_from(&mut self, tick: Tick) {
        self.lines.retain(|line| line.tick < tick);
    }

    /// Removes all lines: the board has restarted, or another one is shown, so earlier
    /// events are not its past.
    pub fn restart(&mut self) {
        *self = Log::default();
    }

    /// Replaces everything by these lines of a game that is continued, before which this
    /// many were dropped.
    pub(super) fn continue_with(
        &mut self,
        lines: impl IntoIterator<Item = (Tick, LogEntry)>,
        dropped: u64,
    ) {
        self.restart();
        self.dropped = dropped;
        for (tick, what) in lines {
            self.add(tick, what);
        }
    }

    /// The moment before the begin of the oldest of this many newest games, or 0 if there
    /// are fewer.
    pub(super) fn begin_of_newest(&self, games: usize) -> Tick {
        let is_begin = |line: &&LogLine| matches!(line.what, LogEntry::Event(Event::Started(_)));
        let begins = self.iter().rev().filter(is_begin);
        let oldest = begins.map(|line| line.tick).nth(games.saturating_sub(1));
        oldest.map_or(0, |tick| tick.saturating_sub(1))
    }

    /// Drops the lines ahead, because they will not happen, and adds one line that counts
    /// them.
    fn leave_branch(&mut self, now: Tick) {
        let before = self.lines.len();
        let is_move = |line: &&LogLine| matches!(line.what, LogEntry::Event(Event::Move { .. }));
        let ahead = self.lines.iter().filter(|line| line.is_ahead);
        let moves = ahead.filter(is_move).count();
        let last = self.lines.back().map_or(now, |line| line.tick);
        self.lines.retain(|line| !line.is_ahead);
        let number = before - self.lines.len();
        let moves = match (moves, number) {
            (0, 1) => "one line".to_owned(),
            (0, number) => format!("{number} lines"),
            (1, _) => "one move".to_owned(),
            (moves, _) => format!("{moves} moves"),
        };
        let sentence = format!("taken back: {moves}, up to {}", minutes(last));
        self.latest = 0;
        // The line comes after everything before the moment that the user went back to,
        // and before what was done there instead.
        let end = self.lines.len();
        let at = self.other.take().map_or(end, |at| at.min(end));
        let tick = self.lines.get(at).map_or(now, |other| other.tick);
        let said = LogLine {
            tick,
            what: LogEntry::Said(sentence),
            is_ahead: false,
        };
        self.lines.insert(at, said);
        self.drop_oldest();
    }

    /// Moves the lines ahead behind all others.
    fn bring_forward(&mut self) {
        self.lines
            .make_contiguous()
            .sort_by_key(|line| line.is_ahead);
    }

    fn add(&mut self, tick: Tick, what: LogEntry) {
        let place = self.lines.partition_point(|line| !line.is_ahead);
        let is_ahead = false;
        self.lines.insert(
            place,
            LogLine {
                tick,
                what,
                is_ahead,
            },
        );
        self.drop_oldest();
    }

    fn drop_oldest(&mut self) {
        while self.lines.len() > LOG_LINES {
            self.lines.pop_front();
            self.dropped += 1;
            self.other = self.other.map(|other| other.saturating_sub(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::Side;

    use super::*;

    fn event(tick: Tick, side: Side) -> StampedEvent {
        StampedEvent {
            number: 0,
            tick,
            event: Event::Turn(side),
        }
    }

    fn turn(tick: Tick) -> StampedEvent {
        event(tick, Side::Green)
    }

    /// The log of a board that ran to tick 3,500 and went back to 1,500.
    fn wound_back() -> Log {
        let mut log = Log::default();
        for tick in [1_000, 2_000, 3_000] {
            log.note(turn(tick));
        }
        log.add_sentence(3_200, "the board answers again".to_owned());
        log.go_back(1_500, 3_000);
        log
    }

    fn ticks(log: &Log) -> Vec<(Tick, bool)> {
        log.iter().map(|line| (line.tick, line.is_ahead)).collect()
    }

    #[test]
    fn lines_ahead_stay_in_the_log_and_happen_again_in_place() {
        let mut log = wound_back();
        let [past, ahead] = [false, true];
        let all = [
            (1_000, past),
            (2_000, ahead),
            (3_000, ahead),
            (3_200, ahead),
        ];
        assert_eq!(ticks(&log), all);

        // News of the line stand between past events and lines ahead.
        log.add_sentence(1_600, "the picture was saved".to_owned());
        log.note(turn(2_000));
        log.come_to(2_500, 3_000);
        let next = [
            (1_000, past),
            (1_600, past),
            (2_000, past),
            (3_000, ahead),
            (3_200, ahead),
        ];
        assert_eq!(ticks(&log), next);

        log.note(turn(3_000));
        log.come_to(4_000, 3_000);
        assert_eq!(log.iter().count(), 5);
        assert!(!log.has_lines_ahead());
    }

    #[test]
    fn an_event_repeated_at_the_same_tick_is_logged_once() {
        let mut log = wound_back();
        log.go_back(2_000, 3_000);
        log.note(turn(2_000));
        assert_eq!(log.iter().filter(|line| line.tick == 2_000).count(), 1);
    }

    #[test]
    fn the_log_names_an_abandoned_branch() {
        let said = |log: &Log| match &log.iter().next_back().unwrap().what {
            LogEntry::Said(sentence) => sentence.clone(),
            LogEntry::Event(event) => format!("{event:?}"),
        };
        let sentence = "taken back: 3 lines, up to 0:03";
        // The user did something different: the recording ends earlier than before.
        let mut log = wound_back();
        log.come_to(1_700, 1_700);
        assert_eq!((said(&log).as_str(), log.iter().count()), (sentence, 2));
        assert!(!log.has_lines_ahead());

        // The event is overdue and did not happen.
        let mut log = wound_back();
        log.note(event(2_000, Side::Red));
        log.come_to(2_100, 3_000);
        assert_eq!(log.iter().count(), 3);
        let what = log.iter().nth(1).map(|line| line.what.clone());
        assert_eq!(what, Some(LogEntry::Said(sentence.to_owned())));
    }

    #[test]
    fn the_log_has_a_take_back_between_old_and_new_lines() {
        let mut log = Log::default();
        for tick in [1_000, 2_000, 3_000] {
            log.note(turn(tick));
        }
        // A move is taken back to the tick of the one before, and the game is paused.
        log.go_back(2_000, 3_000);
        let paused = StampedEvent {
            event: Event::Paused(true),
            ..turn(2_000)
        };
        log.note(paused);
        log.come_to(2_000, 2_000);
        let told: Vec<&LogEntry> = log.iter().map(|line| &line.what).collect();
        let sentence = LogEntry::Said("taken back: one line, up to 0:03".to_owned());
        let stays = LogEntry::Event(Event::Turn(Side::Green));
        let held = LogEntry::Event(Event::Paused(true));
        assert_eq!(told, [&stays, &stays, &sentence, &held]);
        assert!(log.iter().map(|line| line.tick).is_sorted());
    }

    #[test]
    fn a_restarted_board_has_an_empty_log() {
        let mut log = wound_back();
        log.restart();
        assert!(log.is_empty());
        log.note(turn(20));
        log.come_to(30, 30);
        assert_eq!(ticks(&log), [(20, false)]);
    }

    #[test]
    fn the_newest_games_begin_before_their_lines() {
        let mut log = Log::default();
        for tick in [100, 2_000, 3_000] {
            log.note(StampedEvent {
                event: Event::Started(protocol::Settings::default()),
                ..turn(tick)
            });
            log.note(turn(tick + 10));
        }
        let begins = [1, 2, 3, 4].map(|games| log.begin_of_newest(games));
        assert_eq!(begins, [2_999, 1_999, 99, 0]);
    }

    #[test]
    fn a_line_that_is_dropped_is_counted() {
        let mut log = Log::default();
        for tick in 0..LOG_LINES as Tick + 3 {
            log.note(turn(tick));
        }
        assert_eq!((log.iter().count(), log.dropped()), (LOG_LINES, 3));
    }
}
