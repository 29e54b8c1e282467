//! Freezes a board where a signal comes to be as somebody wishes.

use protocol::{StampedEvent, Tick};
use touchboard_host::pieces::board_of_state;
use touchboard_host::signals::{SignalCondition, SignalReader, SignalWatch, next_look};
use touchboard_host::{Driver, DriverError};

/// Watches a board that is stepped for a condition.
pub struct StopWatch {
    reader: SignalReader,
    watch: SignalWatch,
    /// The condition was not met at the last look: once it is, time freezes. So a board
    /// that goes on does not freeze at once because it still is.
    is_armed: bool,
}

impl StopWatch {
    /// Watches this board for a condition to come true from now on.
    pub fn at(board: &mut dyn Driver, condition: SignalCondition) -> Result<Self, DriverError> {
        let mut watch = StopWatch {
            reader: SignalReader::new(vec![condition.signal().clone()]),
            watch: SignalWatch::new(condition),
            is_armed: false,
        };
        watch.look(board, &[])?;
        Ok(watch)
    }

    /// What is watched for.
    pub fn condition(&self) -> SignalCondition {
        self.watch.condition().clone()
    }

    /// How many ticks may pass before the next look, at most this many.
    pub fn stride(&self, board: &mut dyn Driver, most: Tick) -> Result<Tick, DriverError> {
        let now = board.tick();
        let Some(state) = board_of_state(&board.save()?) else {
            return Ok(1);
        };
        let next = next_look(&state, &self.reader, now + most);
        let next = self.watch.meets_at().map_or(next, |at| at.min(next));
        Ok(next.saturating_sub(now).clamp(1, most))
    }

    /// Looks at the board after these events; true if the condition has come true.
    pub fn look(
        &mut self,
        board: &mut dyn Driver,
        events: &[StampedEvent],
    ) -> Result<bool, DriverError> {
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
        let has_come_true = is_met && self.is_armed;
        self.is_armed = !is_met;
        Ok(has_come_true)
    }
}
