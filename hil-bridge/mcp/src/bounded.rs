//! A board that fails once the time of a call is up.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use protocol::{Deed, Input, Tick};
use touchboard_host::{Driver, DriverError};

/// How much board time passes between checks of the clock, in ms.
const SLICE_MS: Tick = 1_000;

/// The time of the current call.
#[derive(Clone, Debug)]
pub struct CallTime(Rc<Cell<(Instant, Duration)>>);

impl CallTime {
    /// A call that starts now, with this limit.
    pub fn new(limit: Duration) -> CallTime {
        CallTime(Rc::new(Cell::new((Instant::now() + limit, limit))))
    }

    /// Marks the beginning of the next call.
    pub fn begin(&self) {
        let (_, limit) = self.0.get();
        self.0.set((Instant::now() + limit, limit));
    }

    /// The time that is left.
    pub fn left(&self) -> Duration {
        self.0.get().0.saturating_duration_since(Instant::now())
    }

    /// Checks that there is time left.
    ///
    /// # Errors
    /// A sentence that says what to do.
    pub fn lasts(&self) -> Result<(), DriverError> {
        let (until, limit) = self.0.get();
        if Instant::now() < until {
            return Ok(());
        }
        Err(DriverError::Impossible(format!(
            "the call took longer than {} s, and was ended in the middle: ask for less at once, or start this server with a larger --limit-s",
            limit.as_secs()
        )))
    }
}

/// A board that is limited to the time of a call.
pub struct Bounded {
    pub inner: Box<dyn Driver>,
    pub time: CallTime,
}

impl Driver for Bounded {
    touchboard_host::forward!(inner; own: step, step_and_digest, carry_out);

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        self.time.lasts()?;
        let first = ticks.min(SLICE_MS);
        self.inner.step(inputs, first)?;
        let mut left = ticks - first;
        while left > 0 {
            self.time.lasts()?;
            let slice = left.min(SLICE_MS);
            self.inner.step(&[], slice)?;
            left -= slice;
        }
        Ok(())
    }

    fn carry_out(&mut self, deed: &Deed) -> Result<(), DriverError> {
        self.time.lasts()?;
        self.inner.carry_out(deed)
    }
}

#[cfg(test)]
mod tests {
    use protocol::Layout;
    use touchboard_host::CoreDriver;

    use super::*;

    fn bounded(limit: Duration) -> Bounded {
        Bounded {
            inner: Box::new(CoreDriver::new(Layout::MALDOO, 1).unwrap()),
            time: CallTime::new(limit),
        }
    }

    #[test]
    fn a_call_out_of_time_ends_between_two_slices() {
        let mut board = bounded(Duration::ZERO);
        let error = board.step(&[], 10).unwrap_err().to_string();
        assert!(error.contains("took longer than 0 s"), "{error}");
        assert_eq!(board.tick(), 0);
    }

    #[test]
    fn time_in_slices_equals_time_at_once() {
        let mut board = bounded(Duration::from_secs(60));
        board.step(&[], 12_345).unwrap();
        let mut whole = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        whole.step(&[], 12_345).unwrap();
        assert_eq!(board.digest().unwrap(), whole.digest().unwrap());
    }
}
