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
use touchboard_host::signals::{SignalCondition, SignalTrigger};
use touchboard_host::{CoreDriver, Driver, DriverError, Recorder};

use super::Remote;
use crate::source::WindowCommand;

/// How many looks at it a picture may cost.
const LOOKS: usize = 2_000;

/// A board in this process that follows the one on the line, watched for a condition.
pub(super) struct StopOnLine {
    trigger: SignalTrigger,
    board: CoreDriver,
    /// The number of entries that were applied to it.
    done: usize,
}

impl StopOnLine {
    /// Watches from the moment of this twin on, which the recorder has come to as well.
    pub(super) fn from(
        twin: &AnyBoard,
        recorder: &Recorder,
        condition: SignalCondition,
    ) -> Result<StopOnLine, DriverError> {
        let mut board = CoreDriver::with_games(twin.layout(), twin.roster(), 0)?;
        let mut buffer = vec![0; SNAPSHOT_BYTES];
        if let Some(state) = twin.save(&mut buffer) {
            board.load(state)?;
        }
        let mut stop = StopOnLine {
            trigger: SignalTrigger::new(condition),
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

    /// Follows the board up to this tick. Returns the first tick at which the condition
    /// has come true.
    pub(super) fn follow(
        &mut self,
        recorder: &Recorder,
        until: Tick,
    ) -> Result<Option<Tick>, DriverError> {
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
                let due = self.trigger.next_look(self.board.board(), most);
                let due = due.clamp(now + 1, most);
                self.board.step(&[], due - now)?;
            }
            if self.look() {
                return Ok(Some(self.board.tick()));
            }
        }
        Ok(None)
    }

    /// Looks at it; true if the condition has come true.
    fn look(&mut self) -> bool {
        for event in self.board.take_events() {
            self.trigger.hear(&event.event);
        }
        self.trigger.look(self.board.board())
    }
}

/// The deeds on the board, without entries that are only compared or read: a mark may
/// be set anywhere.
fn deeds(recorder: &Recorder) -> impl Iterator<Item = &TimedItem> {
    let entries = recorder.entries().iter();
    entries.filter(|entry| entry.item.is_done())
}

impl Remote {
    /// Watches for this condition from now on, or for none.
    pub(super) fn stop_when(&mut self, condition: Option<&SignalCondition>) {
        self.stop = condition.cloned().map(|condition| (condition, None));
        self.stopped_at = None;
    }

    /// Goes back to where the condition has come true, if it has.
    pub(super) fn look_for_stop(&mut self) -> Result<(), String> {
        if self.is_unseen() {
            return Ok(());
        }
        let Some((condition, watch)) = &mut self.stop else {
            return Ok(());
        };
        let twin = self.comparison.twin().board();
        let (Some(twin), Some(recorder)) = (twin, self.recorder.as_ref()) else {
            *watch = None;
            return Ok(());
        };
        // While time is frozen nothing is waited for.
        if self.time.pace.paused {
            *watch = None;
            return Ok(());
        }
        let known = watch
            .take()
            .filter(|watch| watch.can_follow(recorder, twin));
        let found = match known {
            Some(known) => Ok(known),
            None => StopOnLine::from(twin, recorder, condition.clone()),
        };
        let found = found.and_then(|known| {
            let known = watch.insert(known);
            known.follow(recorder, twin.tick())
        });
        let Some(tick) = found.map_err(|error| error.to_string())? else {
            return Ok(());
        };
        self.time.pace.paused = true;
        let time = self.time_of(tick);
        self.stopped_at = Some(time);
        let there = WindowCommand::GoTo(time);
        match self.has_to_wait(&there) {
            true => self.wait_with(&there),
            false => self.obey_now(&there)?,
        }
        Ok(())
    }
}
