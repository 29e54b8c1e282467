//! Sessions: the one file format for what happened on a board. Recordings, shrunk
//! failures and golden tests are sessions.
//!
//! A session is lines of JSON. The first says what was recorded. Each other line is an
//! [`TimedItem`]: something that was done at a tick, the digest of the board at a tick,
//! or something to read, which does nothing: a note, or a contact that closed or opened.
//!
//! ```text
//! {"touchboard":"session","format":1,"firmware":"0.1.0","layout":"9x9","games":"0123456789","seed":7}
//! {"tick":0,"press":"start"}
//! {"tick":80,"lift":"start"}
//! {"tick":694,"closed":"d3"}
//! {"tick":700,"touch":"d3"}
//! {"tick":700,"digest":"93cd0e2f9a1b6c54"}
//! {"tick":900,"note":"the line to /dev/ttyACM0 was lost"}
//! {"tick":1000,"end":true}
//! ```
//!
//! A file whose last line stops in the middle was cut off and is refused. A file whose
//! last line is whole but no `end` was not recorded to its end: it replays as far as it
//! goes, and [`Session::unfinished`] says so. The last line break may be missing, since an
//! editor may have left it out.
//!
//! Invariants: [`Session::parse`] takes any bytes and never panics; what it yields
//! replays on any board, and owns the drawings of its layouts; what
//! [`Session::to_text`] writes reads as the same session; neither a line nor a file is
//! read further than a session can go.

use std::io::{BufRead, Read};

use firmware_core::games;
use protocol::{
    Deed, Event, Hello, Input, KnownDrawings, KnownLayout, Layout, Refusal, Roster, Settings, Tick,
};

use crate::driver::{Driver, DriverError, Sensation, StampedSensation};
use crate::happening::Happening;

mod clock;
mod header;
mod line;
mod replay;
mod trim;

pub use clock::{SessionClock, tick_of};
pub use line::Writer;
pub use replay::{Mismatch, Replay};
pub use trim::{SessionSpan, TrimError};

/// The version of the format that is written, and the newest that is read. Format 1
/// named the points of drawn layouts by [rows](Layout::point_by_rows).
pub const FORMAT: u64 = 2;

/// The largest tick of a session: four months of board time. Anything later is
/// damage.
pub const LAST_TICK: Tick = 10_000_000_000;

/// The largest file that is read or written, in bytes: two weeks of a board that
/// reports its digest every second.
pub const MOST_BYTES: u64 = 64 << 20;

/// The longest line, in bytes: far more than the largest state in hexadecimal digits,
/// or than a note on a command line.
const LONGEST_LINE: u64 = 1 << 20;

/// The header of a session: which board, and its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The version of the firmware that it was recorded from.
    pub firmware: String,
    /// The layout of the board.
    pub layout: KnownLayout,
    /// The games that the board had.
    pub roster: Roster,
    /// The seed of all chance.
    pub seed: u64,
    /// Settings that were chosen at the start, if any.
    pub settings: Option<Settings>,
    /// The state that the board began in, if it was not just switched on.
    pub state: Option<Vec<u8>>,
    /// What the session is and why it was recorded, for people.
    pub note: String,
}

impl Header {
    /// A board of this version, with all of its games, that was just switched
    /// on.
    #[must_use]
    pub fn new(layout: impl Into<KnownLayout>, seed: u64, note: &str) -> Header {
        Header {
            firmware: env!("CARGO_PKG_VERSION").into(),
            layout: layout.into(),
            roster: games::ROSTER,
            seed,
            settings: None,
            state: None,
            note: note.into(),
        }
    }

    /// The same header with these games.
    #[must_use]
    pub fn with_games(self, roster: Roster) -> Header {
        Header { roster, ..self }
    }

    /// Checks whether a board with these games can repeat the session: the games of a
    /// board are part of its state.
    ///
    /// # Errors
    /// [`Refusal::Roster`] if it has different games.
    pub fn fits(&self, roster: Roster) -> Result<(), Refusal> {
        // A layout's own game comes and goes with the layout.
        match games::of_any_layout(self.roster) == games::of_any_layout(roster) {
            true => Ok(()),
            false => Err(Refusal::Roster(self.roster)),
        }
    }

    /// The header for a board at the end of a line, in the state that it reported.
    #[must_use]
    pub fn of_board(hello: &Hello, state: &[u8], note: &str) -> Header {
        Header {
            firmware: hello.firmware.to_string(),
            roster: hello.capabilities.roster,
            state: Some(state.to_vec()),
            ..Header::new(hello.layout, hello.seed, note)
        }
    }

    /// The first line of its session.
    #[must_use]
    pub fn to_line(&self) -> String {
        header::write(self)
    }

    /// Brings a board to the state with which the session begins.
    ///
    /// # Errors
    /// When the board cannot be reached, or refuses.
    pub fn begin(&self, board: &mut dyn Driver) -> Result<(), DriverError> {
        self.fits(board.roster())?;
        let (seed, layout) = (self.seed, self.layout.layout());
        board.carry_out(&Deed::Reset { seed, layout })?;
        if let Some(state) = &self.state {
            board.load(state)?;
        }
        match self.settings {
            Some(settings) => board.carry_out(&Deed::Settings(settings)),
            None => Ok(()),
        }
    }
}

/// An action or an observation in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionItem {
    /// This was done to the board. After a reset its ticks count from 0 again.
    Do(Deed),
    /// The board loaded this state; its ticks continue from there.
    Load(Vec<u8>),
    /// The digest of the whole board.
    Digest(u64),
    /// Words for the reader, such as that the line was lost or the board restarted.
    /// They do nothing.
    Note(String),
    /// A simulated contact closed ([`Input::Touch`], [`Input::Press`]) or opened at this
    /// tick, whatever the board made of it. Nothing is done: what it felt is an input.
    Contact(Input),
    /// The end of the recording.
    End,
}

impl SessionItem {
    /// True if it is done to the board; false if it is only compared or read.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        !matches!(
            self,
            SessionItem::Digest(_)
                | SessionItem::Note(_)
                | SessionItem::Contact(_)
                | SessionItem::End
        )
    }

    /// True if the ticks of the board do not count on after it.
    #[must_use]
    pub const fn jumps(&self) -> bool {
        match self {
            SessionItem::Do(deed) => deed.begins_anew(),
            SessionItem::Load(_) => true,
            SessionItem::Digest(_)
            | SessionItem::Note(_)
            | SessionItem::Contact(_)
            | SessionItem::End => false,
        }
    }

    /// The layout of the board afterwards, if the item changes it.
    pub(crate) fn layout(&self) -> Option<Layout> {
        match self {
            SessionItem::Do(Deed::Reset { layout, .. }) => Some(*layout),
            SessionItem::Load(state) => line::layout_of_state(state),
            _ => None,
        }
    }

    /// Does it to a board, if it is something that is done.
    ///
    /// # Errors
    /// When the board refuses it, or cannot be reached.
    pub fn carry_out(&self, board: &mut dyn Driver) -> Result<(), DriverError> {
        match self {
            SessionItem::Do(deed) => board.carry_out(deed),
            SessionItem::Load(state) => board.load(state),
            SessionItem::Digest(_)
            | SessionItem::Note(_)
            | SessionItem::Contact(_)
            | SessionItem::End => Ok(()),
        }
    }
}

impl From<Deed> for SessionItem {
    fn from(deed: Deed) -> SessionItem {
        SessionItem::Do(deed)
    }
}

impl From<Input> for SessionItem {
    fn from(input: Input) -> SessionItem {
        SessionItem::Do(Deed::Input(input))
    }
}

/// A [`SessionItem`] and its tick. Items of the same tick are in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedItem {
    /// The tick of the item.
    pub tick: Tick,
    /// The item that was recorded.
    pub item: SessionItem,
}

impl TimedItem {
    /// The entry for a happening of a free-running board; `None` if it is neither an
    /// action nor a comparison.
    #[must_use]
    pub fn of(happening: &Happening) -> Option<TimedItem> {
        let entry = |tick, item| Some(TimedItem { tick, item });
        match happening {
            Happening::Event(event) => match event.event {
                Event::Taken(input) => entry(event.tick, SessionItem::Do(Deed::Input(input))),
                Event::Digest(digest) => entry(event.tick, SessionItem::Digest(digest)),
                _ => None,
            },
            Happening::Carried { tick, deed, .. } => {
                entry(*tick, SessionItem::Do((**deed).clone()))
            }
            Happening::Stepped { tick, digest } => entry(*tick, SessionItem::Digest(*digest)),
            // After a gap, the session continues from this state.
            Happening::Snapshot { tick, state } => entry(*tick, SessionItem::Load(state.clone())),
            _ => None,
        }
    }
}

impl From<StampedSensation> for TimedItem {
    fn from(StampedSensation { tick, sensation }: StampedSensation) -> TimedItem {
        let item = match sensation {
            Sensation::Contact(contact) => SessionItem::Contact(contact),
            Sensation::Felt(input) => SessionItem::from(input),
            Sensation::Restart { seed, layout } => Deed::Reset { seed, layout }.into(),
        };
        TimedItem { tick, item }
    }
}

/// A whole session. It owns the drawings of all layouts in it.
#[derive(Clone, Debug)]
pub struct Session {
    /// The header: which board was recorded.
    pub header: Header,
    /// The recorded items, in order.
    pub entries: Vec<TimedItem>,
    /// The drawings of the layouts in the entries.
    pub(crate) drawings: KnownDrawings,
}

impl PartialEq for Session {
    /// Compares headers and entries; the drawings follow from them.
    fn eq(&self, other: &Session) -> bool {
        (&self.header, &self.entries) == (&other.header, &other.entries)
    }
}

impl Eq for Session {}

/// Why a text is not a session, and where.
#[derive(Debug, thiserror::Error)]
#[error("line {line} of the session: {problem}")]
pub struct SessionError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong, and what is expected.
    pub problem: String,
}

impl Session {
    /// A session in which nothing happened yet.
    #[must_use]
    pub fn new(header: Header) -> Session {
        Session {
            header,
            entries: Vec::new(),
            drawings: KnownDrawings::default(),
        }
    }

    /// A session in which this happened.
    #[must_use]
    pub fn with_entries(header: Header, entries: impl IntoIterator<Item = TimedItem>) -> Session {
        let mut session = Session::new(header);
        for TimedItem { tick, item } in entries {
            session.push(tick, item);
        }
        session
    }

    /// Appends an item at `tick`.
    pub fn push(&mut self, tick: Tick, item: SessionItem) {
        if let Some(layout) = item.layout() {
            self.drawings.own(layout);
        }
        self.entries.push(TimedItem { tick, item });
    }

    /// The number of actions in it.
    #[must_use]
    pub fn acts(&self) -> usize {
        let done = self.entries.iter().filter(|entry| entry.item.is_done());
        done.count()
    }

    /// The last tick of the session.
    #[must_use]
    pub fn last_tick(&self) -> Tick {
        self.entries.last().map_or(0, |entry| entry.tick)
    }

    /// True if it was recorded to its end.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.entries
            .last()
            .is_some_and(|entry| entry.item == SessionItem::End)
    }

    /// How far it goes, if it was not recorded to its end, in words.
    #[must_use]
    pub fn unfinished(&self) -> Option<String> {
        (!self.is_complete()).then(|| {
            format!(
                "the session has no end, it was cut off: there are {}",
                self.extent()
            )
        })
    }

    fn extent(&self) -> String {
        format!(
            "{} entries up to tick {}",
            self.entries.len(),
            self.last_tick()
        )
    }

    /// The bytes of a file as a session.
    ///
    /// # Errors
    /// A sentence that names the first line that is wrong.
    pub fn parse(bytes: &[u8]) -> Result<Session, SessionError> {
        Session::read(bytes)
    }

    /// Reads a session line by line, and no further than one can go.
    ///
    /// # Errors
    /// A sentence that names the first line that is wrong, or cannot be read.
    pub fn read(mut input: impl BufRead) -> Result<Session, SessionError> {
        let damage = |line, problem: String| SessionError { line, problem };
        let mut session: Option<(Session, line::Reader)> = None;
        let (mut line, mut total) = (Vec::new(), 0);
        for number in 1.. {
            line.clear();
            let mut bounded = input.by_ref().take(LONGEST_LINE + 1);
            let length = bounded.read_until(b'\n', &mut line);
            total += length
                .map_err(|error| damage(number, format!("it cannot be read: {error}")))?
                as u64;
            if line.is_empty() {
                break;
            }
            if line.len() as u64 > LONGEST_LINE || total > MOST_BYTES {
                return Err(damage(number, too_long(line.len() as u64)));
            }
            match &mut session {
                None => {
                    let (header, format) =
                        header::read(&line).map_err(|problem| damage(number, problem))?;
                    let reader = line::Reader::new(&header, format);
                    session = Some((Session::new(header), reader));
                }
                Some(_) if line.trim_ascii().is_empty() => {}
                Some((session, reader)) => {
                    let read = reader.read(&line).map_err(|problem| {
                        if line::is_cut(&line) {
                            cut(session)
                        } else {
                            problem
                        }
                    });
                    let TimedItem { tick, item } =
                        read.map_err(|problem| damage(number, problem))?;
                    session.push(tick, item);
                }
            }
        }
        let session = session.map(|(session, _)| session);
        session.ok_or_else(|| damage(1, "the file is empty".into()))
    }

    /// The session as the text of a file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut writer = Writer::new(&self.header);
        let mut text = header::write(&self.header);
        for entry in &self.entries {
            text.push('\n');
            text.push_str(&writer.write(entry));
        }
        text.push('\n');
        text
    }
}

/// The sentence about a line that stops in the middle, after these entries.
fn cut(before: &Session) -> String {
    format!(
        "it stops in the middle, the file was cut off there: take this line out to replay the {} before it",
        before.extent()
    )
}

/// The sentence for a line of this many bytes, which is too long, or for a file that
/// is.
fn too_long(line: u64) -> String {
    if line > LONGEST_LINE {
        return format!("it has more than {LONGEST_LINE} bytes, which no line of a session has");
    }
    format!(
        "the file goes on for more than {} MiB, which no session does",
        MOST_BYTES >> 20
    )
}

#[cfg(test)]
mod tests;
