//! What was seen of a board, to be compared when what was done is done again.

use protocol::{Event, Frame, Tick};

/// What is kept of what was seen, at most: what is older is not compared.
const MOST_SEEN: usize = 100_000;

/// What a board showed from a tick on.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) tick: Tick,
    /// How much was done by then.
    pub(super) done: usize,
    /// How many moves were made by then.
    pub(super) moves: u32,
    pub(super) frame: Frame,
}

/// What was seen of a board so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    pub(super) seen: Vec<Seen>,
    pub(super) moves: u32,
    /// False where nobody wants to compare.
    pub(super) is_kept: bool,
}

impl Trace {
    /// Counts moves.
    pub(super) fn hear(&mut self, event: Event) {
        self.moves += u32::from(matches!(event, Event::Move { .. }));
    }

    /// The board shows this now.
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

    /// The board is back where it was after `done` items, at this tick: what came after
    /// is seen again.
    pub(super) fn wind_to(&mut self, tick: Tick, done: usize) {
        self.seen
            .retain(|seen| seen.tick <= tick && seen.done <= done);
        self.moves = self.seen.last().map_or(0, |seen| seen.moves);
    }

    /// Another time begins.
    pub(super) fn begin(&mut self) {
        self.seen.clear();
        self.moves = 0;
    }
}
