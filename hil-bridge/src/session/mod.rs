//! The one file format for what happened on a board: records, replays,
//! failures that were shrunk, golden tests.
//!
//! A session is lines of JSON. The first says what was recorded; each other one
//! is an [`Entry`]: something that was done at a tick, the digest of the whole
//! board at a tick, or a note for whoever reads it, with which nothing is done.
//!
//! ```text
//! {"touchboard":"session","format":1,"firmware":"0.1.0","layout":"9x9","seed":7}
//! {"tick":0,"press":"start"}
//! {"tick":80,"lift":"start"}
//! {"tick":700,"touch":"d3"}
//! {"tick":700,"digest":"93cd0e2f9a1b6c54"}
//! {"tick":900,"note":"the line to /dev/ttyACM0 was lost"}
//! {"tick":1000,"end":true}
//! ```
//!
//! What always holds: [`Session::parse`] takes any bytes and never panics; what
//! it yields can be replayed on any board; what [`Session::to_text`] writes is
//! read as the same session.

use std::io;
use std::path::{Path, PathBuf};

use protocol::{Command, Event, Input, Layout, Position, Settings, Tick};

use crate::client::Happening;
use crate::whole_file;

mod driver;
mod header;
mod line;
mod recorder;
mod replay;

pub use driver::RecordingDriver;
pub use recorder::Recorder;
pub use replay::{Mismatch, Replay};

/// The version of the format that is written, and the newest that is read.
pub const FORMAT: u64 = 1;

/// The last tick that a session can have: four months of board time. What is
/// later is damage.
pub const LAST_TICK: Tick = 10_000_000_000;

/// What was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The version of the firmware that it was recorded from.
    pub firmware: String,
    /// The layout.
    pub layout: Layout,
    /// What all chance followed from.
    pub seed: u64,
    /// Settings that were chosen at the start, if any.
    pub settings: Option<Settings>,
    /// The state that the board began in, if it was not just switched on.
    pub state: Option<Vec<u8>>,
    /// What it is and why it was written, for a person.
    pub note: String,
}

impl Header {
    /// A board of this version that was just switched on.
    #[must_use]
    pub fn new(layout: Layout, seed: u64, note: &str) -> Header {
        Header {
            firmware: env!("CARGO_PKG_VERSION").into(),
            layout,
            seed,
            settings: None,
            state: None,
            note: note.into(),
        }
    }
}

/// What was done, or seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// A touch, a button, a pass.
    Input(Input),
    /// Settings were chosen by the host.
    Settings(Settings),
    /// A position was set up.
    Position(Position),
    /// The board began anew; its ticks count from 0 again.
    Reset {
        /// What all chance follows from.
        seed: u64,
        /// The layout.
        layout: Layout,
    },
    /// The board became the one of this state; its ticks go on from there.
    Load(Vec<u8>),
    /// The digest of the whole board.
    Digest(u64),
    /// Words for whoever reads the session: that the line was lost, that the
    /// board was restarted. Nothing is done.
    Note(String),
    /// The recording ended.
    End,
}

impl Act {
    /// True if it is done to the board; false if it is only compared or read.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        !matches!(self, Act::Digest(_) | Act::Note(_) | Act::End)
    }
}

/// An [`Act`] and its tick. Those of the same tick are in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When.
    pub tick: Tick,
    /// What.
    pub act: Act,
}

impl Entry {
    /// What a happening of a board that runs by itself is in a session; `None`
    /// if it is nothing that was done or compared.
    #[must_use]
    pub fn of(happening: &Happening) -> Option<Entry> {
        let entry = |tick, act| Some(Entry { tick, act });
        match happening {
            Happening::Event(event) => match event.event {
                Event::Taken(input) => entry(event.tick, Act::Input(input)),
                Event::Digest(digest) => entry(event.tick, Act::Digest(digest)),
                _ => None,
            },
            Happening::Carried { tick, command } => match &**command {
                Command::Settings(settings) => entry(*tick, Act::Settings(*settings)),
                Command::Position(position) => entry(*tick, Act::Position(position.clone())),
                Command::Reset { seed, layout } => {
                    let (seed, layout) = (*seed, *layout);
                    entry(*tick, Act::Reset { seed, layout })
                }
                _ => None,
            },
            // A gap: what follows begins from this state.
            Happening::Snapshot { tick, state } => entry(*tick, Act::Load(state.clone())),
            _ => None,
        }
    }
}

/// A whole session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// What was recorded.
    pub header: Header,
    /// What happened, in order.
    pub entries: Vec<Entry>,
}

/// Why a file is no session, and where.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// A line is not what it should be.
    #[error("line {line} of the session: {problem}")]
    Line {
        /// Which, from 1.
        line: usize,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// The same, of a file.
    #[error("line {line} of the session {}: {problem}", path.display())]
    FileLine {
        /// Which file.
        path: PathBuf,
        /// Which, from 1.
        line: usize,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// The file cannot be read or written.
    #[error("the session {} cannot be {what}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// `read` or `written`.
        what: &'static str,
        /// Why.
        error: io::Error,
    },
}

impl Session {
    /// A session in which nothing happened yet.
    #[must_use]
    pub fn new(header: Header) -> Session {
        Session {
            header,
            entries: Vec::new(),
        }
    }

    /// Adds what happened next.
    pub fn push(&mut self, tick: Tick, act: Act) {
        self.entries.push(Entry { tick, act });
    }

    /// How many things are done in it.
    #[must_use]
    pub fn acts(&self) -> usize {
        let done = self.entries.iter().filter(|entry| entry.act.is_done());
        done.count()
    }

    /// Its last tick.
    #[must_use]
    pub fn last_tick(&self) -> Tick {
        self.entries.last().map_or(0, |entry| entry.tick)
    }

    /// True if it was recorded to its end.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.entries
            .last()
            .is_some_and(|entry| entry.act == Act::End)
    }

    /// The bytes of a file as a session. A last line without its line break was
    /// cut off while it was written, and is left out.
    ///
    /// # Errors
    /// A sentence that names the first line that is wrong.
    pub fn parse(bytes: &[u8]) -> Result<Session, SessionError> {
        let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').zip(1..);
        let damage = |line, problem| SessionError::Line { line, problem };
        let Some((first, _)) = lines.next() else {
            return Err(damage(1, "the file is empty".into()));
        };
        let header = header::read(first).map_err(|problem| damage(1, problem))?;
        let mut reader = line::Reader::new(&header);
        let mut session = Session::new(header);
        for (bytes, number) in lines {
            let Some(whole) = bytes.strip_suffix(b"\n") else {
                break;
            };
            if whole.trim_ascii().is_empty() {
                continue;
            }
            let entry = reader
                .read(whole)
                .map_err(|problem| damage(number, problem))?;
            session.entries.push(entry);
        }
        Ok(session)
    }

    /// The session as the text of a file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut writer = line::Writer::new(&self.header);
        let mut text = header::write(&self.header);
        for entry in &self.entries {
            text.push('\n');
            text.push_str(&writer.write(entry));
        }
        text.push('\n');
        text
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or is no session.
    pub fn load(path: &Path) -> Result<Session, SessionError> {
        let bytes = std::fs::read(path).map_err(|error| SessionError::File {
            path: path.into(),
            what: "read",
            error,
        })?;
        Session::parse(&bytes).map_err(|error| match error {
            SessionError::Line { line, problem } => SessionError::FileLine {
                path: path.into(),
                line,
                problem,
            },
            other => other,
        })
    }

    /// Writes a file: whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), SessionError> {
        whole_file::write(path, self.to_text().as_bytes()).map_err(|error| SessionError::File {
            path: path.into(),
            what: "written",
            error,
        })
    }
}

#[cfg(test)]
mod tests;
