//! The parts of the clerk's state, and its pending work.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use protocol::{Hello, KnownLayout, Pace};
use touchboard_host::happening::Happening;

use super::feed::Feed;
use super::patience::Patience;
use crate::client::reader::Reader;
use crate::client::{EventCursor, chance};
use crate::link::Link;

/// The first pause between attempts to open a line that has ended; each further pause is
/// twice as long.
const BACK_OFF_FIRST: Duration = Duration::from_millis(50);
/// The maximum pause between attempts; see [`BACK_OFF_FIRST`].
const BACK_OFF_MOST: Duration = Duration::from_secs(2);

/// An open line.
pub(super) struct Line {
    pub link: Box<dyn Link>,
    pub reader: Reader,
}

/// When to open a line that has ended again.
pub(super) struct Redial {
    pub at: Instant,
    /// The next pause between attempts.
    pub back_off: Duration,
}

impl Default for Redial {
    fn default() -> Self {
        Redial {
            at: Instant::now(),
            back_off: BACK_OFF_FIRST,
        }
    }
}

impl Redial {
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
    pub at: Instant,
    /// The ping that has not been answered.
    pub ping: Option<Ping>,
}

impl Default for Asking {
    fn default() -> Self {
        Asking {
            host: chance(),
            number: chance(),
            acknowledged: 0,
            at: Instant::now(),
            ping: None,
        }
    }
}

impl Asking {
    /// The number of the next request.
    pub fn next_number(&mut self) -> u32 {
        self.number = self.number.wrapping_add(1);
        self.number
    }
}

/// A request without a waiting caller; a command replaces it.
pub(super) struct Ping {
    pub number: u32,
    pub begin: Instant,
    pub patience: Patience,
}

/// What is known about the board.
pub(super) struct KnownBoard {
    pub hello: Option<Hello>,
    pub layout: Option<KnownLayout>,
    /// The number of the board's run; see
    /// [`BoardView::run`](crate::client::BoardView::run).
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
pub(super) enum Mark {
    /// A happening that is reported at this mark.
    Told(Happening),
    /// A place for a happening that is still awaited; later ones have to wait.
    Awaited,
}

/// The events and happenings that the program has not been given yet, in order.
pub(super) struct Events {
    pub cursor: EventCursor,
    /// True if an event is missing before one that arrived.
    pub gap: bool,
    /// Happenings to report before the event with this number, which has not arrived.
    pub marks: VecDeque<(u32, Mark)>,
    /// Happenings to report after the snapshot that is being read.
    pub held: Option<Vec<Happening>>,
    pub feed: Feed,
}

impl Events {
    pub fn new(feed: Feed) -> Events {
        Events {
            cursor: EventCursor::default(),
            gap: false,
            marks: VecDeque::new(),
            held: None,
            feed,
        }
    }
}
