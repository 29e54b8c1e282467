//! Moves a board at the end of a line to a different moment, while the window continues
//! to draw.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, TryRecvError, bounded};
use touchboard_host::DriverError;
use touchboard_host::recorder::ReplayPath;
use touchboard_links::{Client, LinkError};

/// Whether the moments on the way are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TripEvents {
    /// The events happen now and are shown.
    Seen,
    /// The events were reported before, so only the end of the trip is shown.
    Unseen,
}

/// A trip to another moment, on its own thread.
pub struct Trip {
    end: Receiver<Result<(), DriverError>>,
    thread: Option<JoinHandle<()>>,
    /// Whether the moments on the way are shown.
    pub events: TripEvents,
}

impl Trip {
    /// Starts a trip on this run of the board.
    pub fn begin(
        client: Arc<Client>,
        run: u32,
        way: ReplayPath,
        events: TripEvents,
    ) -> io::Result<Trip> {
        let (give, end) = bounded(1);
        let thread = std::thread::Builder::new().name("trip".into());
        let thread = thread.spawn(move || {
            // The receiver is gone if another board was chosen in the meantime.
            let _ = give.send(touchboard_links::go_to::go(&way, &client, run));
        })?;
        Ok(Trip {
            end,
            thread: Some(thread),
            events,
        })
    }

    /// The result once the trip has ended. All its events are then among the
    /// client's happenings.
    pub fn ended(&self) -> Option<Result<(), DriverError>> {
        match self.end.try_recv() {
            Ok(result) => Some(result),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(LinkError::lost(
                "the connection ended before the board answered".to_owned(),
            ))),
        }
    }
}

impl Drop for Trip {
    fn drop(&mut self) {
        // The line may only be closed after the thread has stopped using it.
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
