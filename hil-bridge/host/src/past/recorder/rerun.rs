//! Repeats a session on a board with rebuilt firmware and reports the first difference,
//! so that firmware can be changed in the middle of a game.

use std::mem;

use protocol::Tick;

use super::RecordingDriver;
use super::trace::Seen;
use crate::divergence::{Divergence, Rerun, difference};
use crate::driver::{Driver, DriverError};
use crate::session::SessionItem;

impl<D: Driver> RecordingDriver<D> {
    /// Records every frame from now on, for comparison by [`RecordingDriver::rerun`].
    pub fn keep_what_is_seen(&mut self) {
        self.trace.is_kept = true;
        self.collect();
    }

    /// Repeats on this board everything done so far, and replaces the old board by it, at
    /// the same tick. From then on the session has the new board's digests. Events from
    /// the first tick with a difference on are reported again.
    ///
    /// # Errors
    /// When the new board cannot be driven that far; the old one then stays, unchanged.
    pub fn rerun(&mut self, board: D) -> Result<Rerun, DriverError> {
        let (tick, done) = (self.inner.tick(), self.recorder.done());
        let before = mem::replace(&mut self.inner, board);
        let (recorder, trace) = (self.recorder.clone_past(), self.trace.clone());
        let mut events = mem::take(&mut self.events);
        let last = Seen {
            tick,
            done,
            moves: trace.moves,
            frame: before.frame().clone(),
        };
        let result = self.rerun_up_to(&last, &trace.seen);
        mem::swap(&mut events, &mut self.events);
        match result {
            Ok(first) => {
                if let Some(first) = &first {
                    self.events.retain(|event| event.tick < first.tick);
                    events.retain(|event| event.tick >= first.tick);
                    self.events.append(&mut events);
                }
                Ok(Rerun {
                    first,
                    moves: trace.moves,
                    tick,
                })
            }
            Err(error) => {
                self.inner = before;
                self.recorder = recorder;
                self.trace = trace;
                Err(error)
            }
        }
    }

    fn rerun_up_to(
        &mut self,
        last: &Seen,
        seen: &[Seen],
    ) -> Result<Option<Divergence>, DriverError> {
        let header = self.recorder.begin_again(self.inner.roster());
        self.do_both(&|board| header.begin(board))?;
        self.trace.begin();
        self.inner.take_events();
        self.keep()?;
        let mut first: Option<Divergence> = None;
        let is_past = |was: &&Seen| was.tick <= last.tick && was.done <= last.done;
        for was in seen.iter().filter(is_past).chain([last]) {
            let refused = self.redo(was.done)?;
            self.advance(was.tick)?;
            self.collect();
            first = first.or_else(|| self.divergence(was, refused));
        }
        Ok(first)
    }

    /// The difference from the earlier observation: a new refusal, or else a difference
    /// of the frames.
    fn divergence(&self, was: &Seen, refused: Option<String>) -> Option<Divergence> {
        let (layout, after) = (self.inner.layout(), self.inner.frame());
        let what = refused.or_else(|| difference(layout, &was.frame, after))?;
        Some(Divergence {
            tick: was.tick,
            moves: was.moves,
            what,
            layout: layout.into(),
            before: was.frame.clone(),
            after: after.clone(),
        })
    }

    /// Repeats the first `done` entries. Returns the first refusal, which did not happen
    /// before.
    fn redo(&mut self, done: usize) -> Result<Option<String>, DriverError> {
        let mut refused = None;
        while self.recorder.done() < done {
            let Some(entry) = self.recorder.next_entry() else {
                break;
            };
            self.advance(entry.tick)?;
            let item = match entry.item {
                SessionItem::Digest(_) => SessionItem::Digest(self.inner.digest()?),
                item => item,
            };
            match self.do_both(&|board| item.carry_out(board)) {
                Ok(()) if item.jumps() => {
                    // Events before it belong to an earlier count of ticks.
                    self.inner.take_events();
                    self.events.clear();
                    self.trace.begin();
                }
                Ok(()) => {}
                Err(DriverError::Refused(refusal)) => {
                    refused.get_or_insert(format!("an earlier input is refused now: {refusal}"));
                }
                Err(error) => return Err(error),
            }
            self.recorder.replace_next(item);
        }
        Ok(refused)
    }

    /// Advances to a tick, and keeps keyframes as they become due.
    fn advance(&mut self, tick: Tick) -> Result<(), DriverError> {
        while self.inner.tick() < tick {
            let now = self.inner.tick();
            let due = self.recorder.keyframe_due(now).map(|due| due.max(now + 1));
            let stop = due.map_or(tick, |due| due.min(tick));
            self.do_both(&|board| board.step(&[], stop - now))?;
            if due == Some(stop) {
                self.keep()?;
            }
        }
        Ok(())
    }
}
