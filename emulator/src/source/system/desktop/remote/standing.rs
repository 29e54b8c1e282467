//! How the game stands at a board that is asked now and then, and where one may play.

use std::time::Duration;

use crossbeam_channel::TryRecvError;
use protocol::{Command, Done, Point, Reply, Status};
use touchboard_links::Client;
use touchboard_links::remote::legal_points;

use super::Answer;

/// Between two questions for how the game stands.
const STATUS_EVERY: Duration = Duration::from_millis(200);

/// The latest status of the board, and the request in progress.
pub(super) struct Standing {
    pub status: Status,
    pub legal: Vec<Point>,
    status_asked: Option<Answer>,
    status_age: Duration,
    legal_asked: Option<Answer>,
}

impl Default for Standing {
    fn default() -> Self {
        Standing {
            status: Status::default(),
            legal: Vec::new(),
            status_asked: None,
            status_age: STATUS_EVERY,
            legal_asked: None,
        }
    }
}

impl Standing {
    /// Another board is there, and nothing about it is known. Pending requests are
    /// answered all the same.
    pub fn begin_anew(&mut self) {
        self.status = Status::default();
        self.legal.clear();
        self.ask_soon();
    }

    /// The game may stand otherwise: it is asked for with the next picture.
    pub fn ask_soon(&mut self) {
        self.status_age = STATUS_EVERY;
    }

    /// Asks how the game stands, now and then.
    pub fn ask(&mut self, client: &Client, elapsed: Duration) {
        if let Some(answer) = &self.status_asked {
            match answer.try_recv() {
                Err(TryRecvError::Empty) => return,
                Ok(Ok(Reply {
                    result: Ok(Done::Status(status)),
                    ..
                })) => self.hear_status(status, client),
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

    /// Asks where one may play, once it may be somewhere else.
    fn hear_status(&mut self, status: Status, client: &Client) {
        let besides_clock = |status: Status| Status {
            clock: None,
            ..status
        };
        if besides_clock(status) != besides_clock(self.status) {
            self.legal_asked = client.post(Command::Legal).ok();
        }
        self.status = status;
    }

    /// Looks at the answer about where one may play.
    pub fn hear_legal(&mut self, client: &Client) {
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
