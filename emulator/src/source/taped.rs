//! The board in this process, driven step by step: whatever is done to it this
//! way is on its tape too, so that one can go back into it.

use firmware_core::Faults;
use hil_bridge::session::Act;
use hil_bridge::{BridgeError, Driver};
use protocol::{Frame, Input, Layout, Point, Position, Settings, StampedEvent, Status, Tick};

use super::core::InProcess;

impl Driver for InProcess {
    fn at(&self) -> &str {
        self.driver().at()
    }

    fn layout(&self) -> Layout {
        self.driver().layout()
    }

    fn tick(&self) -> Tick {
        self.driver().tick()
    }

    fn frame(&self) -> &Frame {
        self.driver().frame()
    }

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), BridgeError> {
        if self.fingers().are_on_bad_sensors() {
            return self.live_all(inputs, ticks);
        }
        for input in inputs {
            self.act(Act::Input(*input))?;
        }
        self.pass_all(ticks)
    }

    fn set_settings(&mut self, settings: Settings) -> Result<(), BridgeError> {
        self.act(Act::Settings(settings))
    }

    fn set_position(&mut self, position: &Position) -> Result<(), BridgeError> {
        self.act(Act::Position(position.clone()))
    }

    fn status(&mut self) -> Result<Status, BridgeError> {
        self.driver_mut().status()
    }

    fn legal(&mut self) -> Result<Vec<Point>, BridgeError> {
        self.driver_mut().legal()
    }

    fn digest(&mut self) -> Result<u64, BridgeError> {
        self.driver_mut().digest()
    }

    fn save(&mut self) -> Result<Vec<u8>, BridgeError> {
        self.driver_mut().save()
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), BridgeError> {
        self.act(Act::Load(bytes.to_vec()))
    }

    fn reset(&mut self, seed: u64, layout: Layout) -> Result<(), BridgeError> {
        self.begin_anew(seed, layout)
    }

    fn take_events(&mut self) -> Vec<StampedEvent> {
        self.driver_mut().take_events()
    }

    fn take_remarks(&mut self) -> Vec<String> {
        self.fingers_mut().take_said()
    }

    fn faults(&self) -> Faults {
        self.fingers().faults().clone()
    }

    fn set_faults(&mut self, faults: Faults) -> Result<(), String> {
        self.fingers_mut().set_faults(faults)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use hil_bridge::CoreDriver;
    use protocol::Button;

    use super::*;
    use crate::source::{Order, Shown, Source};

    fn source() -> InProcess {
        InProcess::new(CoreDriver::new(Layout::MALDOO, 1).unwrap()).unwrap()
    }

    #[test]
    fn one_can_go_back_to_before_what_was_done_step_by_step() {
        let mut source = source();
        source.step(&[], 2_000).unwrap();
        let before = source.digest().unwrap();
        source.step(&[Input::Press(Button::Start)], 0).unwrap();
        source.step(&[Input::Lift(Button::Start)], 3_000).unwrap();
        let mut shown = Shown::default();
        let still = Duration::ZERO;
        source.update(still, &mut shown, &mut |_, _| ()).unwrap();
        assert_eq!((shown.earliest, shown.latest), (Some(0), 5_000));
        source.order(&Order::GoTo(2_000)).unwrap();
        assert_ne!(source.digest().unwrap(), before, "Start was pressed then");
    }

    #[test]
    fn a_state_that_was_loaded_is_where_the_tape_begins() {
        let mut other = source();
        other.step(&[], 7_000).unwrap();
        let mut source = source();
        source.step(&[], 100).unwrap();
        source.load(&other.save().unwrap()).unwrap();
        source.step(&[], 2_500).unwrap();
        let mut shown = Shown::default();
        source
            .update(Duration::ZERO, &mut shown, &mut |_, _| ())
            .unwrap();
        assert_eq!(shown.earliest, Some(7_000));
        let there = source.digest().unwrap();
        source.order(&Order::GoTo(7_200)).unwrap();
        source.order(&Order::GoTo(9_500)).unwrap();
        assert_eq!(source.digest().unwrap(), there);
    }
}
