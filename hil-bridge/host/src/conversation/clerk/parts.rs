//! The parts of the clerk's state, and its pending work.

use std::collections::VecDeque;
use std::time::Duration;

use protocol::{Hello, KnownLayout, Pace, ToHost};

use super::patience::Patience;
use crate::conversation::EventCursor;
use crate::happening::Happening;

/// The first pause between attempts to open a line that has ended; each further pause is
/// twice as long.
const BACK_OFF_FIRST: Duration = Duration::from_millis(50);
/// The maximum pause between attempts; see [`BACK_OFF_FIRST`].
const BACK_OFF_MOST: Duration = Duration::from_secs(2);

/// When to open a line that has ended again.
pub(super) struct Redial {
    pub at: Duration,
    /// The next pause between attempts.
    pub back_off: Duration,
}

impl Redial {
    /// Opens the first line at this time.
    pub fn at(at: Duration) -> Redial {
        Redial {
            at,
            back_off: BACK_OFF_FIRST,
        }
    }

    /// Resets the pause, after an attempt that succeeded.
    pub fn reset(&mut self) {
        self.back_off = BACK_OFF_FIRST;
    }

    /// Doubles the pause, after an attempt that failed.
    pub fn wait_longer(&mut self) {
        self.back_off = (self.back_off * 2).min(BACK_OFF_MOST);
    }
}

/// The state of the requests.
pub(super) struct Asking {
    /// The number that identifies this host.
    pub host: u32,
    /// The number of the last request.
    pub number: u32,
    /// The number of events that the last request acknowledged.
    pub acknowledged: u32,
    /// When a request was last sent, or answered.
    pub at: Duration,
    /// True once the board has answered a request in this run, so that it remembers one.
    pub was_answered: bool,
    /// True while a hello is due: only it tells whether the board is still in this run, so
    /// nothing counts before it.
    pub lacks_hello: bool,
    /// The events and frames that have arrived while a hello is due.
    pub before_hello: Vec<ToHost>,
    /// How many requests in a row were given up without an answer.
    pub unanswered: u32,
    /// The ping that has not been answered.
    pub ping: Option<Ping>,
}

impl Asking {
    pub fn new(host: u32, number: u32, now: Duration) -> Asking {
        Asking {
            host,
            number,
            acknowledged: 0,
            at: now,
            was_answered: false,
            lacks_hello: false,
            before_hello: Vec::new(),
            unanswered: 0,
            ping: None,
        }
    }

    /// Notes that a hello has arrived, after which everything counts again. Returns what
    /// arrived before it.
    pub fn has_hello(&mut self) -> Vec<ToHost> {
        self.lacks_hello = false;
        std::mem::take(&mut self.before_hello)
    }

    /// The number of the next request.
    pub fn next_number(&mut self) -> u32 {
        self.number = self.number.wrapping_add(1);
        self.number
    }
}

/// A request without a waiting caller; a command replaces it.
pub(super) struct Ping {
    pub number: u32,
    pub begin: Duration,
    pub patience: Patience,
}

/// What is known about the board.
pub(super) struct KnownBoard {
    pub hello: Option<Hello>,
    pub layout: Option<KnownLayout>,
    /// The number of the board's run; see
    /// [`BoardView::run`](crate::conversation::BoardView::run).
    pub run: u32,
    /// True from the greeting until the board's event number is known.
    pub is_unknown: bool,
    pub lockstep: bool,
    /// The last requested pace, which a restarted board gets again.
    pub pace: Option<Pace>,
}

impl Default for KnownBoard {
    fn default() -> Self {
        KnownBoard {
            hello: None,
            layout: None,
            run: 0,
            is_unknown: true,
            lockstep: false,
            pace: None,
        }
    }
}

/// A happening that is not an event and is reported at a place among the events.
pub(super) enum PlacedHappening {
    /// A happening that is reported at this place.
    Told(Happening),
    /// A place for a happening that is still awaited; later ones have to wait.
    Awaited,
}

/// The events and happenings that the program has not been given yet, in order.
#[derive(Default)]
pub(super) struct Events {
    pub cursor: EventCursor,
    /// True if an event is missing before one that arrived.
    pub gap: bool,
    /// Happenings to report before the event with this number, which has not arrived.
    pub placed: VecDeque<(u32, PlacedHappening)>,
    /// Happenings to report after the snapshot that is being read.
    pub held: Option<Vec<Happening>>,
}

impl Events {
    /// Handles that the number of the next event is unknown. Marks have no place any more:
    /// an earlier number may never come. A snapshot that is awaited goes before whatever is
    /// reported from now on.
    pub fn lose_place(&mut self) {
        self.cursor.suspend();
        let mut placed = self.placed.drain(..);
        if placed.any(|(_, placed)| matches!(placed, PlacedHappening::Awaited)) {
            self.held.get_or_insert_default();
        }
    }
}
