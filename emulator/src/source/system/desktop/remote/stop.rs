//! Freezes a board at the end of a line when a condition on a signal comes true.
//!
//! The board's time runs freely, so it cannot be sampled tick by tick. Its inputs are
//! known, though: they are repeated on a board in this process, which is sampled tick
//! by tick. That board is behind the other by the events not yet received, so the
//! other one is sent back to the moment that was found.
//!
//! Invariants: the moment is the one at which a board in this process would have
//! stopped.

use firmware_core::{AnyBoard, SNAPSHOT_BYTES};
use protocol::Tick;
use touchboard_host::session::TimedItem;
use touchboard_host::{CoreDriver, Driver, DriverError, Recorder};

use super::Remote;
use crate::source::{StopCondition, StoppedAt, Triggers, WindowCommand};

/// How many looks at it a picture may cost.
const LOOKS: usize = 2_000;

/// A board in this process that follows the one on the line, watched for conditions.
pub(super) struct StopOnLine {
    triggers: Triggers,
    board: CoreDriver,
    /// The number of entries that were applied to it.
    done: usize,
}

impl StopOnLine {
    /// Watches from the moment of this twin on, which the recorder has come to as well.
    pub(super) fn from(
        twin: &AnyBoard,
        recorder: &Recorder,
        stops: &[StopCondition],
    ) -> Result<StopOnLine, DriverError> {
        let mut board = CoreDriver::with_games(twin.layout(), twin.roster(), 0)?;
        let mut buffer = vec![0; SNAPSHOT_BYTES];
        if let Some(state) = twin.save(&mut buffer) {
            board.load(state)?;
        }
        let mut triggers = Triggers::default();
        triggers.watch(stops);
        let mut stop = StopOnLine {
            triggers,
            board,
            done: deeds(recorder).count(),
        };
        stop.look();
        Ok(stop)
    }

    /// True if the board is where it was expected: not in another time.
    pub(super) fn can_follow(&self, recorder: &Recorder, twin: &AnyBoard) -> bool {
        let same_layout = self.board.board().layout() == twin.layout();
        same_layout && self.board.tick() <= twin.tick() && self.done <= deeds(recorder).count()
    }

    /// Watches for these from now on.
    pub(super) fn watch(&mut self, stops: &[StopCondition]) {
        self.triggers.watch(stops);
        self.look();
    }

    /// Follows the board up to this tick. Returns where a condition has come true first.
    pub(super) fn follow(
        &mut self,
        recorder: &Recorder,
        until: Tick,
    ) -> Result<Option<StoppedAt>, DriverError> {
        let ahead: Vec<&TimedItem> = deeds(recorder).skip(self.done).collect();
        let mut ahead = ahead.into_iter().peekable();
        for _ in 0..LOOKS {
            let now = self.board.tick();
            if let Some(entry) = ahead.next_if(|entry| entry.tick <= now) {
                entry.item.carry_out(&mut self.board)?;
                self.done += 1;
            } else {
                let most = ahead.peek().map_or(until, |entry| entry.tick.min(until));
                if now >= most {
                    return Ok(None);
                }
                let due = self.triggers.next_look(self.board.board(), most);
                let due = due.clamp(now + 1, most);
                self.board.step(&[], due - now)?;
            }
            if let Some(stopped) = self.look() {
                return Ok(Some(stopped));
            }
        }
        Ok(None)
    }

    /// Looks at it; why time is to freeze there, if it is.
    fn look(&mut self) -> Option<StoppedAt> {
        for event in self.board.take_events() {
            self.triggers.hear(&event.event);
        }
        self.triggers.look(self.board.board())
    }
}

/// The deeds on the board, without entries that are only compared or read: a mark may
/// be set anywhere.
fn deeds(recorder: &Recorder) -> impl Iterator<Item = &TimedItem> {
    let entries = recorder.entries().iter();
    entries.filter(|entry| entry.item.is_done())
}

impl Remote {
    /// Watches for these conditions from now on.
    pub(super) fn stop_when(&mut self, stops: &[StopCondition]) {
        if let Some(watch) = &mut self.stop_watch {
            watch.watch(stops);
        }
        self.stops = stops.to_vec();
    }

    /// Goes back to where a condition has come true, if one has.
    pub(super) fn look_for_stop(&mut self) -> Result<(), String> {
        if self.is_unseen() {
            return Ok(());
        }
        let watch = &mut self.stop_watch;
        if !self.stops.iter().any(|stop| stop.is_on) {
            *watch = None;
            return Ok(());
        }
        let twin = self.comparison.twin().board();
        let (Some(twin), Some(recorder)) = (twin, self.recorder.as_ref()) else {
            *watch = None;
            return Ok(());
        };
        // While time is frozen nothing is waited for.
        if self.time.pace.frozen {
            *watch = None;
            return Ok(());
        }
        let known = watch
            .take()
            .filter(|watch| watch.can_follow(recorder, twin));
        let found = match known {
            Some(known) => Ok(known),
            None => StopOnLine::from(twin, recorder, &self.stops),
        };
        let found = found.and_then(|known| {
            let known = watch.insert(known);
            known.follow(recorder, twin.tick())
        });
        let Some(stopped) = found.map_err(|error| error.to_string())? else {
            return Ok(());
        };
        self.time.pace.frozen = true;
        let tick = self.time_of(stopped.tick);
        let there = WindowCommand::GoTo(tick);
        self.stopped_at = Some(StoppedAt { tick, ..stopped });
        match self.has_to_wait(&there) {
            true => self.wait_with(&there),
            false => self.obey_now(&there)?,
        }
        Ok(())
    }
}
