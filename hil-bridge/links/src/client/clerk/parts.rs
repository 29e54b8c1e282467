//! What the clerk knows, and what it is about to do.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use protocol::{Hello, KnownLayout, Pace};
use touchboard_host::happening::Happening;

use super::feed::Feed;
use super::patience::Patience;
use crate::client::reader::Reader;
use crate::client::{EventCursor, chance};
use crate::link::Link;

/// The waits between attempts to open a line that has ended: each twice the
/// one before.
const BACK_OFF_FIRST: Duration = Duration::from_millis(50);
/// The longest pause between attempts; see [`BACK_OFF_FIRST`].
const BACK_OFF_MOST: Duration = Duration::from_secs(2);

/// A line that is open.
pub(super) struct Line {
    pub link: Box<dyn Link>,
    pub reader: Reader,
}

/// When a line that has ended is opened again.
pub(super) struct Redial {
    pub at: Instant,
    /// From one attempt to the next.
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
    /// After an attempt that succeeded.
    pub fn reset(&mut self) {
        self.back_off = BACK_OFF_FIRST;
    }

    /// After one that did not.
    pub fn wait_longer(&mut self) {
        self.back_off = (self.back_off * 2).min(BACK_OFF_MOST);
    }
}

/// The requests, and who makes them.
pub(super) struct Asking {
    /// Who we are, to the board.
    pub host: u32,
    /// The number of the last request.
    pub number: u32,
    /// The `seen` of the last request.
    pub acknowledged: u32,
    /// When the board was last asked anything, or answered.
    pub at: Instant,
    /// What was asked unasked, and is not answered yet.
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

/// A question that nobody waits for: a command takes its place.
pub(super) struct Ping {
    pub number: u32,
    pub begin: Instant,
    pub patience: Patience,
}

/// The board, as it was met and told since.
pub(super) struct KnownBoard {
    pub hello: Option<Hello>,
    pub layout: Option<KnownLayout>,
    /// The number of the board's run; see
    /// [`BoardView::run`](crate::client::BoardView::run).
    pub run: u32,
    /// It was greeted, and it is not known yet where its events are.
    pub is_unknown: bool,
    pub lockstep: bool,
    /// The pace that was asked for, for a board that was restarted.
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

/// Where a happening belongs that is not an event.
pub(super) enum Mark {
    /// A happening that is reported at this mark.
    Told(Happening),
    /// It is still on its way: what comes after it has to wait.
    Awaited,
}

/// What happened on the board, on its way to the program in its order.
pub(super) struct Events {
    pub cursor: EventCursor,
    /// An event came whose predecessor did not.
    pub gap: bool,
    /// What happened before the event of this number, which has not come yet.
    pub marks: VecDeque<(u32, Mark)>,
    /// What happened after a snapshot that is still on its way.
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
