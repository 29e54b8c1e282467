//! Moves a board at the end of a line to a different moment, while the window continues
//! to draw.

use std::collections::VecDeque;
use std::sync::Arc;

use crossbeam_channel::{Receiver, TryRecvError};
use touchboard_host::DriverError;
use touchboard_host::link_error::LinkError;
use touchboard_host::recorder::TripPath;

use crate::source::system::{LineClient, TripThread, set_out};
use crate::source::{SourceError, WindowCommand};

/// Whether the moments on the way are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TripEvents {
    /// The events happen now and are shown.
    Seen,
    /// The events were reported before, so only the end of the trip is shown.
    Unseen,
}

/// The trips of a board, and what waits for their end.
#[derive(Default)]
pub struct Trips {
    /// The trip in progress.
    pub now: Option<Trip>,
    /// The number of jumps to another time that skipped the moments in between.
    pub jumps: u32,
    /// The commands that arrived during a trip.
    pub waiting: VecDeque<WindowCommand>,
}

/// A trip to another moment, on its path.
pub struct Trip {
    end: Receiver<Result<(), DriverError>>,
    /// Dropped with the trip, which then ends.
    _thread: TripThread,
    /// Whether the moments on the way are shown.
    pub events: TripEvents,
}

impl Trip {
    /// Starts a trip on this run of the board.
    pub fn begin(
        client: Arc<LineClient>,
        run: u32,
        path: TripPath,
        events: TripEvents,
    ) -> Result<Trip, SourceError> {
        let (end, thread) = set_out(client, run, path)?;
        Ok(Trip {
            end,
            _thread: thread,
            events,
        })
    }

    /// The result once the trip has ended. All its events are then among the
    /// client's happenings.
    pub fn ended(&self) -> Option<Result<(), DriverError>> {
        match self.end.try_recv() {
            Ok(result) => Some(result),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                Some(Err(LinkError::lost(SourceError::Unanswered.to_string())))
            }
        }
    }
}
