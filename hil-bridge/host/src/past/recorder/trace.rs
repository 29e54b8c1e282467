//! Observations of a board, for comparison when the same actions are repeated.

use protocol::{Event, Frame, Tick};

/// The maximum number of stored observations; older ones are not compared.
const MOST_SEEN: usize = 100_000;

/// A frame and the moment from which it was shown.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) tick: Tick,
    /// The number of entries carried out by then.
    pub(super) done: usize,
    /// The number of moves made by then.
    pub(super) moves: u32,
    pub(super) frame: Frame,
}

/// All observations of a board so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    pub(super) seen: Vec<Seen>,
    pub(super) moves: u32,
    /// False if observations are not wanted.
    pub(super) is_kept: bool,
}

impl Trace {
    /// Counts the moves among the events.
    pub(super) fn count(&mut self, event: Event) {
        self.moves += u32::from(matches!(event, Event::Move { .. }));
    }

    /// Records the frame, if it differs from the last one.
    pub(super) fn see(&mut self, tick: Tick, done: usize, frame: &Frame) {
        let same = |last: &Seen| last.frame == *frame;
        if !self.is_kept || self.seen.last().is_some_and(same) {
            return;
        }
        if self.seen.len() >= MOST_SEEN {
            self.seen.drain(..MOST_SEEN / 2);
        }
        self.seen.push(Seen {
            tick,
            done,
            moves: self.moves,
            frame: frame.clone(),
        });
    }

    /// Drops the observations after this tick, to which the board went back, and after
    /// `done` entries.
    pub(super) fn return_to(&mut self, tick: Tick, done: usize) {
        self.seen
            .retain(|seen| seen.tick <= tick && seen.done <= done);
        self.moves = self.seen.last().map_or(0, |seen| seen.moves);
    }

    /// Drops all observations, because ticks start again.
    pub(super) fn begin(&mut self) {
        self.seen.clear();
        self.moves = 0;
    }
}
