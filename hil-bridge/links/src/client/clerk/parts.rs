//! The state of the clerk, and its pending work.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use protocol::{Hello, KnownLayout, Pace};
use touchboard_host::happening::Happening;

use super::feed::Feed;
use super::patience::Patience;
use crate::client::reader::Reader;
use crate::client::{EventCursor, chance};
use crate::link::Link;

/// The shortest pause between attempts to open a line that has ended; each pause is
/// twice the one before.
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
    /// The pause between attempts.
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
    /// The number of this host.
    pub host: u32,
    /// The number of the last request.
    pub number: u32,
    /// The `seen` of the last request.
    pub acknowledged: u32,
    /// When a request was last sent, or answered.
    pub at: Instant,
    /// The ping that is not answered yet.
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

/// The known facts about the board.
pub(super) struct KnownBoard {
    pub hello: Option<Hello>,
    pub layout: Option<KnownLayout>,
    /// The number of the board's run; see
    /// [`BoardView::run`](crate::client::BoardView::run).
    pub run: u32,
    /// True if it was greeted and its event number is not known yet.
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

/// The place of a happening that is not an event.
pub(super) enum Mark {
    /// A happening that is reported at this mark.
    Told(Happening),
    /// The happening is still awaited: later ones have to wait.
    Awaited,
}

/// The events and happenings on their way to the program, in order.
pub(super) struct Events {
    pub cursor: EventCursor,
    /// An event came whose predecessor did not.
    pub gap: bool,
    /// The happenings before the event with this number, which has not arrived yet.
    pub marks: VecDeque<(u32, Mark)>,
    /// The happenings after a snapshot that is still being read.
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
