//! The line itself: opened on a thread, one step with every picture.

use std::sync::Arc;

use crossbeam_channel::{TryRecvError, bounded};
use firmware_core::faults::FaultyLine;
use protocol::{Command, Pace as DevicePace};
use touchboard_host::DriverError;
use touchboard_host::traffic::LineRecord;
use touchboard_links::link::SharedRecord;
use touchboard_links::{Client, LinkError, Where};

use super::{Line, Remote};
use crate::source::{BoardPace, Source};

/// This place, changed so that the traffic of its line is recorded, and the
/// record.
pub fn with_record(mut place: Where) -> (Where, SharedRecord) {
    let record = SharedRecord::begin(LineRecord::new(place.line_medium()));
    place.line.record = Some(record.clone());
    (place, record)
}

impl Remote {
    fn begin(&mut self, client: Client) -> Result<(), DriverError> {
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
    pub(super) fn client(&mut self) -> Option<Arc<Client>> {
        if let Line::Closed(place, before) = &mut self.line {
            let line = self.faults.line().cloned();
            self.line = dial((**place).clone(), line, before.take());
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

/// Opens the line in the background, after the previous board has closed its own.
fn dial(place: Where, line: Option<FaultyLine>, before: Option<Box<dyn Source>>) -> Line {
    let (give, take) = bounded(1);
    let thread = std::thread::Builder::new().name("open-board".into());
    let opening = thread.spawn(move || {
        drop(before);
        // The receiver is gone if another board was chosen in the meantime.
        let line = line.unwrap_or_else(|| place.faulty_line());
        let _ = give.send(place.client_over(line));
    });
    match opening {
        Ok(_) => Line::Opening(take),
        Err(error) => Line::Failed(format!("no thread: {error}")),
    }
}
