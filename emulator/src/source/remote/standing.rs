//! Polls a board for the status of its game and the legal moves.

use std::time::Duration;

use crate::source::system::LineClient;
use crossbeam_channel::TryRecvError;
use protocol::{Command, Done, Point, Reply, Status};
use touchboard_host::client::legal_points;

use super::Answer;

/// The interval between two requests for the status.
const STATUS_EVERY: Duration = Duration::from_millis(200);

/// The latest status of the board, and the request in progress.
pub(super) struct PolledStatus {
    pub status: Status,
    pub legal: Vec<Point>,
    status_asked: Option<Answer>,
    status_age: Duration,
    legal_asked: Option<Answer>,
}

impl Default for PolledStatus {
    fn default() -> Self {
        PolledStatus {
            status: Status::default(),
            legal: Vec::new(),
            status_asked: None,
            status_age: STATUS_EVERY,
            legal_asked: None,
        }
    }
}

impl PolledStatus {
    /// Resets the status for a board that replaces the current one. Replies to pending
    /// requests are still accepted.
    pub fn restart(&mut self) {
        self.status = Status::default();
        self.legal.clear();
        self.request_soon();
    }

    /// Requests the status with the next picture, because it may have changed.
    pub fn request_soon(&mut self) {
        self.status_age = STATUS_EVERY;
    }

    /// Requests the status at intervals, and handles the replies.
    pub fn request(&mut self, client: &LineClient, elapsed: Duration) {
        if let Some(answer) = &self.status_asked {
            match answer.try_recv() {
                Err(TryRecvError::Empty) => return,
                Ok(Ok(Reply {
                    result: Ok(Done::Status(status)),
                    ..
                })) => self.update_status(status, client),
                _ => {}
            }
            self.status_asked = None;
        }
        self.status_age += elapsed;
        if self.status_age >= STATUS_EVERY {
            self.status_age = Duration::ZERO;
            self.status_asked = client.post(Command::Status).ok();
        }
    }

    /// Keeps the status, and requests the legal points if it changed in anything but the
    /// clock.
    fn update_status(&mut self, status: Status, client: &LineClient) {
        let besides_clock = |status: Status| Status {
            clock: None,
            ..status
        };
        if besides_clock(status) != besides_clock(self.status) {
            self.legal_asked = client.post(Command::Legal).ok();
        }
        self.status = status;
    }

    /// Handles the reply with the legal points.
    pub fn receive_legal(&mut self, client: &LineClient) {
        let Some(asked) = &self.legal_asked else {
            return;
        };
        match asked.try_recv() {
            Err(TryRecvError::Empty) => return,
            Ok(Ok(Reply {
                result: Ok(Done::Legal(bits)),
                ..
            })) => self.legal = legal_points(&bits, client.view().hello.layout),
            _ => {}
        }
        self.legal_asked = None;
    }
}
