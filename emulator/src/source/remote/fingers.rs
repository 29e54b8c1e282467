//! Fingers on a board at the end of a line: over its sensors where these are simulated
//! and listened to, and as messages of touches everywhere else.
//!
//! What always holds: a finger leaves the way that it came. So one that came over the
//! sensors, and is lifted while the board does not listen to them, leaves once it does.

use crossbeam_channel::TryRecvError;
use protocol::{Command, Hello, Input, Pace, Refusal};
use touchboard_host::DriverError;
use touchboard_links::Client;

use super::super::Clicks;
use super::{Answer, Remote};

/// What fingers did to a board, and which way.
#[derive(Default)]
pub(super) struct Fingers {
    /// The board said that its sensors are simulated.
    simulated: bool,
    /// What brought the fingers onto the sensors that are on them.
    down: Vec<Input>,
    /// Fingers that leave the sensors once these are listened to.
    leaving: Vec<Input>,
    /// What is on its way to them; without an input the question whether they are
    /// simulated.
    asked: Vec<(Answer, Option<Input>)>,
}

impl Fingers {
    /// True if what the finger does undoes what came over the sensors.
    pub(super) fn came_over_sensors(&self, lift: Input) -> bool {
        came_with(lift).is_some_and(|press| self.down.contains(&press))
    }
}

/// What brought the finger that leaves with this; `None` if none does.
fn came_with(input: Input) -> Option<Input> {
    match input {
        Input::Release(point) => Some(Input::Touch(point)),
        Input::Lift(button) => Some(Input::Press(button)),
        Input::Touch(_) | Input::Press(_) | Input::Pass => None,
    }
}

impl Remote {
    /// Asks a board that says hello whether its sensors are simulated: one that has
    /// none is not asked.
    pub(super) fn ask_for_sensors(&mut self, hello: &Hello, client: &Client) {
        self.fingers.simulated = false;
        if hello.capabilities.sensors {
            let asked = client.post(Command::fingers([])).ok();
            self.fingers.asked.extend(asked.map(|asked| (asked, None)));
        }
    }

    /// Which way a finger takes that comes now.
    pub(super) fn clicks(&self) -> Clicks {
        match self.told_pace {
            Some(Pace::Free { .. }) if self.fingers.simulated => Clicks::OverSensors,
            _ => Clicks::AsMessages,
        }
    }

    /// A finger comes or goes, or a host passes.
    pub(super) fn touch(&mut self, input: Input, client: &Client) -> Result<(), DriverError> {
        let listens = matches!(self.told_pace, Some(Pace::Free { .. }));
        let is_press = matches!(input, Input::Touch(_) | Input::Press(_));
        if is_press && self.clicks() == Clicks::OverSensors {
            self.fingers.down.push(input);
        } else if self.fingers.came_over_sensors(input) {
            self.fingers
                .down
                .retain(|press| came_with(input) != Some(*press));
            if !listens {
                self.fingers.leaving.push(input);
                return Ok(());
            }
        } else {
            self.answers.push(client.post(Command::Do(input.into()))?);
            return Ok(());
        }
        let asked = client.post(Command::fingers([input]))?;
        self.fingers.asked.push((asked, Some(input)));
        Ok(())
    }

    /// Lifts what had to wait for the sensors to be listened to.
    pub(super) fn leave_sensors(&mut self, client: &Client) -> Result<(), DriverError> {
        if !matches!(self.told_pace, Some(Pace::Free { .. })) {
            return Ok(());
        }
        for lift in std::mem::take(&mut self.fingers.leaving) {
            let asked = client.post(Command::fingers([lift]))?;
            self.fingers.asked.push((asked, Some(lift)));
        }
        Ok(())
    }

    /// Looks what came of what went to the sensors. What a board refuses whose sensors
    /// are not simulated is a message then.
    pub(super) fn hear_sensors(&mut self, client: &Client) -> Result<(), DriverError> {
        let mut trouble = Ok(());
        for (answer, input) in std::mem::take(&mut self.fingers.asked) {
            let reply = match answer.try_recv() {
                Err(TryRecvError::Empty) => {
                    self.fingers.asked.push((answer, input));
                    continue;
                }
                Err(TryRecvError::Disconnected) => continue,
                Ok(reply) => reply,
            };
            match reply.and_then(|reply| Ok(reply.result?)) {
                Ok(_) => self.fingers.simulated = true,
                Err(DriverError::Refused(Refusal::NotInLockstep)) => {
                    self.fingers.simulated = false;
                    self.fingers.down.clear();
                    let message = input.map(|input| client.post(Command::Do(input.into())));
                    self.answers.extend(message.transpose()?);
                }
                Err(error) => trouble = Err(error),
            }
        }
        trouble
    }
}
