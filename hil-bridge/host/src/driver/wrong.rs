//! A board with a deliberate mistake, for tests of programs that find mistakes.

use protocol::{Event, Input, Point, StampedEvent, Tick};

use super::{CoreDriver, Driver, DriverError};

/// What the board does instead of a touch on a point of the last row.
pub type Mistake = fn(Point) -> Result<Input, DriverError>;

/// Makes a mistake at every touch on a point of the last row.
pub struct WrongDriver(CoreDriver, Mistake);

impl WrongDriver {
    /// Mistakes the point for the previous one.
    pub fn new(right: CoreDriver) -> Self {
        WrongDriver(right, |point| Ok(Input::Touch(Point(point.0 - 1))))
    }

    /// Panics at the touch.
    pub fn that_panics(right: CoreDriver) -> Self {
        WrongDriver(right, |point| {
            Err(DriverError::Panicked(format!("point {}", point.0)))
        })
    }
}

impl Driver for WrongDriver {
    fn at(&self) -> &str {
        "wrong"
    }
    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        let layout = self.0.layout();
        let wrong = |input: &Input| match input {
            Input::Touch(point) if layout.row(*point) + 1 == layout.rows() => self.1(*point),
            other => Ok(*other),
        };
        let inputs: Result<Vec<Input>, DriverError> = inputs.iter().map(wrong).collect();
        self.0.step(&inputs?, ticks)
    }
    crate::forward!(0; own: at, is_at_line, step, step_and_digest, take_events);
    fn take_events(&mut self) -> Vec<StampedEvent> {
        let mut events = self.0.take_events();
        events.retain(|event| !matches!(event.event, Event::Digest(_)));
        events
    }
}
