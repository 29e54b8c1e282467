//! The line itself: opened in the background, one step with every picture.

use std::sync::Arc;

use crossbeam_channel::TryRecvError;
use protocol::{Command, Pace as DevicePace};
use touchboard_host::DriverError;
use touchboard_host::link_error::LinkError;

use super::{Line, Remote};
use crate::source::BoardPace;
use crate::source::system::{LineClient, dial};

impl Remote {
    fn begin(&mut self, client: LineClient) -> Result<(), DriverError> {
        let hello = client.view().hello;
        self.run = client.run();
        self.layout = Some(hello.layout.into());
        let pace = device_pace(self.time.pace);
        // Requested before time continues, so that the snapshot is of this moment.
        self.answers.push(client.post_resync()?);
        self.answers.push(client.post(Command::Pace(pace))?);
        self.time.told = Some(pace);
        self.request_sensors(&hello, &client)?;
        self.ask_for_faults(&client);
        self.line = Line::Open(Arc::new(client));
        Ok(())
    }

    /// Opens the line, one step with every picture. Returns the client once it is open.
    pub(super) fn client(&mut self) -> Option<Arc<LineClient>> {
        if let Line::Closed(place, before) = &mut self.line {
            let line = self.faults.line().cloned();
            self.line = match dial((**place).clone(), line, before.take()) {
                Ok(opening) => Line::Opening(opening),
                Err(error) => Line::Failed(error.to_string()),
            };
        }
        let opened = match std::mem::replace(&mut self.line, Line::Failed(String::new())) {
            Line::Ready(client) => self.begin(*client),
            Line::Opening(take) => match take.try_recv() {
                Err(TryRecvError::Empty) => {
                    self.line = Line::Opening(take);
                    Ok(())
                }
                Ok(Ok(client)) => self.begin(client),
                Ok(Err(error)) => Err(error),
                Err(TryRecvError::Disconnected) => {
                    Err(LinkError::lost("the line was never opened".to_owned()))
                }
            },
            Line::Shrinking(shrinking) => {
                self.await_shrunk(shrinking);
                Ok(())
            }
            line => {
                self.line = line;
                Ok(())
            }
        };
        if let Err(error) = opened {
            self.line = Line::Failed(error.to_string());
        }
        match &self.line {
            Line::Open(client) => Some(client.clone()),
            _ => None,
        }
    }
}

/// The pace as the protocol expresses it.
pub(super) fn device_pace(pace: BoardPace) -> DevicePace {
    if pace.frozen {
        DevicePace::Lockstep
    } else {
        DevicePace::Free {
            permille: (pace.speed * 1000.0).round() as u32,
        }
    }
}
