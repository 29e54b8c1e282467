//! Sessions: the one file format for what happened on a board. Recordings, shrunk
//! failures and golden tests are sessions.
//!
//! A session is lines of JSON. The first line is the header, which says what was
//! recorded. Each other line is a [`SessionEntry`]: an action at a tick, the digest of the
//! board at a tick, or something that is only read: a note, or a contact that closed or
//! opened.
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
//! A file whose last line breaks off was cut and is refused. A file whose last line is
//! complete but not `end` was not recorded to its end: it replays up to there, and
//! [`Session::unfinished`] says so. The last line break may be missing, because some
//! editors omit it.
//!
//! Invariants: [`Session::parse`] takes any bytes and never panics; what it returns
//! replays on any board, and owns the drawings of its layouts; what [`Session::to_text`]
//! writes is read as the same session; reading stops at the maximum lengths of a line and
//! of a file.

use std::io::{self, BufRead, Read};

use firmware_core::games;
use protocol::{
    Deed, Event, Hello, Input, KnownDrawings, KnownLayout, Layout, Refusal, Roster, Settings, Tick,
};

use crate::driver::{Driver, DriverError, Sensation, StampedSensation};
use crate::happening::Happening;
pub use crate::note_kind::NoteKind;

mod clock;
mod faults;
mod header;
mod line;
mod replay;
mod trim;

pub use clock::{SessionClock, tick_of};
pub use faults::{RecordedFaults, faults_note, faults_of_note};
pub use header::HeaderError;
pub use line::{EntryError, EntryWriter, FieldError};
pub use replay::{Mismatch, Replay};
pub use trim::{SessionSpan, TrimError};

/// The version of the format that is written, and the newest that is read. Format 1
/// named the points of drawn layouts by [rows](Layout::point_by_rows).
pub const FORMAT: u64 = 2;

/// The last possible tick of a session: about four months of board time. Later ticks mean
/// a damaged file.
pub const LAST_TICK: Tick = 10_000_000_000;

/// The maximum size of a file that is read or written, in bytes: two weeks of a board
/// that reports its digest every second.
pub const MOST_BYTES: u64 = 64 << 20;

/// The maximum length of a line, in bytes: far more than the largest state in hexadecimal
/// digits, or a note from a command line.
const LONGEST_LINE: u64 = 1 << 20;

/// The header of a session: which board was recorded, and its initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The version of the firmware that it was recorded from.
    pub firmware: String,
    /// The layout of the board.
    pub layout: KnownLayout,
    /// The games that the board had.
    pub roster: Roster,
    /// The seed of the board's random numbers.
    pub seed: u64,
    /// The settings chosen at the start, if any.
    pub settings: Option<Settings>,
    /// The initial state, unless the board was just switched on.
    pub state: Option<Vec<u8>>,
    /// What the session is and why it was recorded, for people.
    pub note: String,
}

impl Header {
    /// The header of a freshly switched-on board with this version of the firmware and
    /// all of its games.
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

    /// Checks that a board with these games can repeat the session, because a board's
    /// roster is part of its state.
    ///
    /// # Errors
    /// [`Refusal::Roster`] if the games differ.
    pub fn fits(&self, roster: Roster) -> Result<(), Refusal> {
        // A layout's own game is only in the roster while the layout is.
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

    /// Brings a board to the session's initial state.
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
    /// A deed that was done to the board. After a reset, its ticks start again from 0.
    Do(Deed),
    /// The board loaded this state; its ticks continue from there.
    Load(Vec<u8>),
    /// The digest of the whole board.
    Digest(u64),
    /// Words for the reader, for example that the line was lost or the board restarted.
    Note(String),
    /// A simulated contact closed ([`Input::Touch`], [`Input::Press`]) or opened at this
    /// tick. Only for reading: if the board felt it, an input follows.
    Contact(Input),
    /// The end of the recording.
    End,
}

impl SessionItem {
    /// True if the item is an action; false if it is only compared or read.
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

    /// True if the board's ticks do not simply continue after the item.
    #[must_use]
    pub const fn jumps(&self) -> bool {
        match self {
            SessionItem::Do(deed) => deed.restarts(),
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

    /// Carries the item out on a board; does nothing if it is not an action.
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

/// A [`SessionItem`] and its tick. Items with the same tick are in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionEntry {
    /// The tick of the item.
    pub tick: Tick,
    /// The item that was recorded.
    pub item: SessionItem,
}

impl SessionEntry {
    /// The entry for a happening of a free-running board; `None` if it is neither an
    /// action nor a comparison.
    #[must_use]
    pub fn of(happening: &Happening) -> Option<SessionEntry> {
        let entry = |tick, item| Some(SessionEntry { tick, item });
        match happening {
            Happening::Event(event) => match event.event {
                Event::Taken(input) => entry(event.tick, SessionItem::Do(Deed::Input(input))),
                Event::Contact(contact) => entry(event.tick, SessionItem::Contact(contact)),
                Event::Digest(digest) => entry(event.tick, SessionItem::Digest(digest)),
                _ => None,
            },
            Happening::Carried { tick, deed, .. } => {
                entry(*tick, SessionItem::Do((**deed).clone()))
            }
            Happening::Stepped { tick, digest } => entry(*tick, SessionItem::Digest(*digest)),
            // Events were lost before a snapshot, so the session continues from its state.
            Happening::Snapshot { tick, state } => entry(*tick, SessionItem::Load(state.clone())),
            _ => None,
        }
    }
}

impl From<StampedSensation> for SessionEntry {
    fn from(StampedSensation { tick, sensation }: StampedSensation) -> SessionEntry {
        let item = match sensation {
            Sensation::Contact(contact) => SessionItem::Contact(contact),
            Sensation::Felt(input) => SessionItem::from(input),
            Sensation::Restart { seed, layout } => Deed::Reset { seed, layout }.into(),
        };
        SessionEntry { tick, item }
    }
}

/// A whole session. It owns the drawings of all layouts in it.
#[derive(Clone, Debug)]
pub struct Session {
    /// The header: which board was recorded.
    pub header: Header,
    /// The recorded items, in order.
    pub entries: Vec<SessionEntry>,
    /// The owned drawings of the layouts in the entries.
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
    pub problem: SessionProblem,
}

/// What is wrong with a line of a session.
#[derive(Debug, thiserror::Error)]
pub enum SessionProblem {
    /// The file has no line.
    #[error("the file is empty")]
    Empty,
    /// The line cannot be read from its file.
    #[error("it cannot be read: {0}")]
    Unread(io::Error),
    /// The line has more bytes than any line of a session.
    #[error("it is longer than {LONGEST_LINE} bytes, which no line of a session is")]
    LongLine,
    /// The file has more than [`MOST_BYTES`] up to this line.
    #[error("the file is longer than {} MiB, which no session is", MOST_BYTES >> 20)]
    LongFile,
    /// The line breaks off.
    #[error(
        "it stops in the middle, the file was cut off there: take this line out to replay the {entries} entries up to tick {tick} before it"
    )]
    Cut {
        /// The number of entries before the line.
        entries: usize,
        /// The tick of the last of them.
        tick: Tick,
    },
    /// The first line is not a header.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// A later line is not an entry.
    #[error(transparent)]
    Entry(#[from] EntryError),
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
    pub fn with_entries(
        header: Header,
        entries: impl IntoIterator<Item = SessionEntry>,
    ) -> Session {
        let mut session = Session::new(header);
        for SessionEntry { tick, item } in entries {
            session.push(tick, item);
        }
        session
    }

    /// Appends an item at `tick`.
    pub fn push(&mut self, tick: Tick, item: SessionItem) {
        if let Some(layout) = item.layout() {
            self.drawings.own(layout);
        }
        self.entries.push(SessionEntry { tick, item });
    }

    /// The number of actions in the session.
    #[must_use]
    pub fn acts(&self) -> usize {
        let done = self.entries.iter().filter(|entry| entry.item.is_done());
        done.count()
    }

    /// The tick of the last entry.
    #[must_use]
    pub fn last_tick(&self) -> Tick {
        self.entries.last().map_or(0, |entry| entry.tick)
    }

    /// True if the session was recorded to its end.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.entries
            .last()
            .is_some_and(|entry| entry.item == SessionItem::End)
    }

    /// If the session was not recorded to its end, a sentence that says how far it goes.
    #[must_use]
    pub fn unfinished(&self) -> Option<String> {
        (!self.is_complete()).then(|| {
            format!(
                "the session has no end, it was cut off: there are {} entries up to tick {}",
                self.entries.len(),
                self.last_tick()
            )
        })
    }

    /// Reads a session from the bytes of a file.
    ///
    /// # Errors
    /// The first wrong line, with a [`SessionProblem`].
    pub fn parse(bytes: &[u8]) -> Result<Session, SessionError> {
        Session::read(bytes)
    }

    /// Reads a session line by line, and stops at the maximum lengths.
    ///
    /// # Errors
    /// The first line that is wrong or cannot be read, with a [`SessionProblem`].
    pub fn read(mut input: impl BufRead) -> Result<Session, SessionError> {
        let damage = |line, problem| SessionError { line, problem };
        let mut session: Option<(Session, line::EntryReader)> = None;
        let (mut line, mut total) = (Vec::new(), 0);
        for number in 1.. {
            line.clear();
            let mut bounded = input.by_ref().take(LONGEST_LINE + 1);
            let length = bounded.read_until(b'\n', &mut line);
            total += length.map_err(|error| damage(number, SessionProblem::Unread(error)))? as u64;
            if line.is_empty() {
                break;
            }
            if line.len() as u64 > LONGEST_LINE {
                return Err(damage(number, SessionProblem::LongLine));
            }
            if total > MOST_BYTES {
                return Err(damage(number, SessionProblem::LongFile));
            }
            match &mut session {
                None => {
                    let read = header::read(&line);
                    let (header, format) = read.map_err(|error| damage(number, error.into()))?;
                    let reader = line::EntryReader::new(&header, format);
                    session = Some((Session::new(header), reader));
                }
                Some(_) if line.trim_ascii().is_empty() => {}
                Some((session, reader)) => {
                    let read = reader
                        .read(&line)
                        .map_err(|error| match line::is_cut(&line) {
                            true => SessionProblem::Cut {
                                entries: session.entries.len(),
                                tick: session.last_tick(),
                            },
                            false => error.into(),
                        });
                    let SessionEntry { tick, item } =
                        read.map_err(|error| damage(number, error))?;
                    session.push(tick, item);
                }
            }
        }
        let session = session.map(|(session, _)| session);
        session.ok_or_else(|| damage(1, SessionProblem::Empty))
    }

    /// The session as the text of a file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut writer = EntryWriter::new(&self.header);
        let mut text = header::write(&self.header);
        for entry in &self.entries {
            text.push('\n');
            text.push_str(&writer.write(entry));
        }
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests;
