//! Freezes a board where a signal comes to be as somebody wishes.

use firmware_core::AnyBoard;
use protocol::{StampedEvent, Tick};
use touchboard_host::pieces::board_of_state;
use touchboard_host::recorder::RecordingDriver;
use touchboard_host::signals::{SignalCondition, SignalReader, SignalWatch, next_look};
use touchboard_host::{Driver, DriverError};

/// Watches a board that is stepped for a condition.
///
/// Invariants: the board's state is read once a step, since what a look finds tells how
/// long the next step may be.
pub struct StopWatch {
    reader: SignalReader,
    watch: SignalWatch,
    /// The condition was not met at the last look: once it is, time freezes. So a board
    /// that goes on does not freeze at once because it still is.
    is_armed: bool,
    next: Option<NextLook>,
}

/// When the next look is due, if the board only lets time pass until then.
#[derive(Clone, Copy, Debug)]
struct NextLook {
    /// The tick of the look before it, and how much was done to the board by then.
    after: (Tick, usize),
    at: Tick,
}

impl StopWatch {
    /// Watches this board for a condition to come true from now on.
    pub fn at<D: Driver>(
        board: &mut RecordingDriver<D>,
        condition: SignalCondition,
    ) -> Result<Self, DriverError> {
        let mut watch = StopWatch {
            reader: SignalReader::new(vec![condition.signal().clone()]),
            watch: SignalWatch::new(condition),
            is_armed: false,
            next: None,
        };
        watch.look(board, &[])?;
        Ok(watch)
    }

    /// What is watched for.
    pub fn condition(&self) -> SignalCondition {
        self.watch.condition().clone()
    }

    /// How many ticks may pass before the next look, at most this many.
    pub fn stride<D: Driver>(
        &mut self,
        board: &mut RecordingDriver<D>,
        most: Tick,
    ) -> Result<Tick, DriverError> {
        let now = moment(board);
        let known = self.next.filter(|next| next.after == now);
        let at = match known {
            Some(next) => next.at,
            None => match board_of_state(&board.save()?) {
                Some(state) => self.due(&state),
                None => return Ok(1),
            },
        };
        Ok(at.saturating_sub(board.tick()).clamp(1, most))
    }

    /// Looks at the board after these events; true if the condition has come true.
    pub fn look<D: Driver>(
        &mut self,
        board: &mut RecordingDriver<D>,
        events: &[StampedEvent],
    ) -> Result<bool, DriverError> {
        self.next = None;
        events
            .iter()
            .for_each(|event| self.reader.hear(&event.event));
        let Some(state) = board_of_state(&board.save()?) else {
            return Ok(false);
        };
        let Some((_, value)) = self.reader.read(&state).next() else {
            return Ok(false);
        };
        let is_met = self.watch.look(state.tick(), &value);
        self.next = Some(NextLook {
            after: moment(board),
            at: self.due(&state),
        });
        let has_come_true = is_met && self.is_armed;
        self.is_armed = !is_met;
        Ok(has_come_true)
    }

    /// Something was done that may change when the next look is due.
    pub fn forget(&mut self) {
        self.next = None;
    }

    /// The tick at which the signal may change by itself, or the condition is met without.
    fn due(&self, state: &AnyBoard) -> Tick {
        let next = next_look(state, &self.reader, Tick::MAX);
        self.watch.meets_at().map_or(next, |at| at.min(next))
    }
}

/// The tick of a board, and how much was done to it.
fn moment<D: Driver>(board: &RecordingDriver<D>) -> (Tick, usize) {
    (board.tick(), board.recorder().done())
}
