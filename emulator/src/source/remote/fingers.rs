//! Puts fingers on a board at the end of a line. They act on its sensors if these are
//! simulated and being read, and are sent as messages otherwise.
//!
//! Invariants: a finger is lifted in the way in which it was put down. If it was put down
//! on a sensor, and is lifted while the board does not read its sensors, the lift waits
//! until it does.

use crate::source::system::LineClient;
use crossbeam_channel::TryRecvError;
use protocol::{Command, Hello, Input, Pace, Refusal};
use touchboard_host::DriverError;

use super::{Answer, Remote};
use crate::source::{Clicks, ContactReports};

/// The fingers on a board, and how they reach it.
#[derive(Default)]
pub(super) struct RemoteFingers {
    /// True if the board's sensors are simulated.
    simulated: bool,
    /// The inputs whose fingers are on the sensors now.
    down: Vec<Input>,
    /// Lifts that wait until the board reads its sensors.
    leaving: Vec<Input>,
    /// The requests in progress. A request without an input asks whether the sensors are
    /// simulated.
    asked: Vec<(Answer, Option<Input>)>,
}

impl RemoteFingers {
    /// True if the finger that this input lifts was put down on a sensor.
    pub(super) fn came_over_sensors(&self, lift: Input) -> bool {
        self.down.contains(&lift.reverse())
    }
}

impl Remote {
    /// Asks a board whether its sensors are simulated, if its hello says that it has
    /// sensors.
    pub(super) fn request_sensors(
        &mut self,
        hello: &Hello,
        client: &LineClient,
    ) -> Result<(), DriverError> {
        self.fingers.simulated = false;
        if !hello.capabilities.sensors {
            return Ok(());
        }
        self.touch_sensors(None, client)
    }

    /// True while the board reads its sensors, as far as is known.
    fn reads_sensors(&self) -> bool {
        matches!(self.time.told, Some(Pace::Free { .. }))
    }

    /// How a new finger reaches the board.
    pub(super) fn clicks(&self) -> Clicks {
        if self.fingers.simulated && self.reads_sensors() {
            Clicks::OverSensors
        } else {
            Clicks::AsMessages
        }
    }

    /// Whether the board reports its contacts: only simulated ones are reported.
    pub(super) fn contacts(&self) -> ContactReports {
        match self.fingers.simulated {
            true => ContactReports::Told,
            false => ContactReports::Untold,
        }
    }

    /// Puts down or lifts a finger, or passes the turn.
    pub(super) fn touch(&mut self, input: Input, client: &LineClient) -> Result<(), DriverError> {
        let is_press = matches!(input, Input::Touch(_) | Input::Press(_));
        if is_press && self.clicks() == Clicks::OverSensors {
            self.fingers.down.push(input);
        } else if self.fingers.came_over_sensors(input) {
            self.fingers.down.retain(|press| press.reverse() != input);
            if !self.reads_sensors() {
                self.fingers.leaving.push(input);
                return Ok(());
            }
        } else {
            self.answers.push(client.post(Command::Do(input.into()))?);
            return Ok(());
        }
        self.touch_sensors(Some(input), client)
    }

    fn touch_sensors(
        &mut self,
        input: Option<Input>,
        client: &LineClient,
    ) -> Result<(), DriverError> {
        let answer = client.post(Command::fingers(input))?;
        self.fingers.asked.push((answer, input));
        Ok(())
    }

    /// Carries out the lifts that waited until the board reads its sensors.
    pub(super) fn leave_sensors(&mut self, client: &LineClient) -> Result<(), DriverError> {
        if !self.reads_sensors() {
            return Ok(());
        }
        let mut leaving = std::mem::take(&mut self.fingers.leaving).into_iter();
        leaving.try_for_each(|lift| self.touch_sensors(Some(lift), client))
    }

    /// Handles the replies to requests for the sensors. If a board refuses because its
    /// sensors are not simulated, or because time was held meanwhile, the input is sent
    /// as a message, except a lift of a finger that is on a sensor.
    pub(super) fn receive_sensors(&mut self, client: &LineClient) -> Result<(), DriverError> {
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
                Err(DriverError::Refused(Refusal::FeelsNoFingers)) => {
                    self.fingers.simulated = false;
                    self.fingers.down.clear();
                    let message = input.map(|input| client.post(Command::Do(input.into())));
                    self.answers.extend(message.transpose()?);
                }
                Err(DriverError::Refused(Refusal::InLockstep)) => {
                    self.fingers.simulated = true;
                    let Some(input) = input else { continue };
                    if self.fingers.down.contains(&input) {
                        self.fingers.down.retain(|press| *press != input);
                        self.answers.push(client.post(Command::Do(input.into()))?);
                    } else {
                        self.fingers.leaving.push(input);
                    }
                }
                Err(error) => trouble = Err(error),
            }
        }
        trouble
    }
}
