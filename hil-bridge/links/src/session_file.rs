//! Sessions in files: read, written as a whole, or written while they are recorded.
//!
//! Invariants: each line is written completely in one call, so the session is valid
//! whenever the program ends; an older file with the same path stays until the new one is
//! complete.

use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use protocol::Tick;
use touchboard_host::recorder::{SessionLog, Unwritten};
use touchboard_host::session::{EntryWriter, Header, MOST_BYTES, SessionEntry, SessionItem};
use touchboard_host::{Session, SessionError};

use touchboard_files::{whole_file, why_no_file};

/// Why a session cannot be read from a file, or written to it.
#[derive(Debug, thiserror::Error)]
pub enum SessionFileError {
    /// A line is not a valid entry.
    #[error("line {} of the session {}: {}", error.line, path.display(), error.problem)]
    Line {
        /// The path of the file.
        path: PathBuf,
        /// The number of the line, and what is wrong with it.
        error: SessionError,
    },
    /// The file cannot be read or written.
    #[error("the session {} cannot be {what}: {}", path.display(), why_no_file(error))]
    File {
        /// The path of the file.
        path: PathBuf,
        /// `read` or `written`, for the sentence.
        what: &'static str,
        /// Why it failed.
        error: io::Error,
    },
}

impl SessionFileError {
    fn unwritten(path: &Path, error: io::Error) -> SessionFileError {
        SessionFileError::File {
            path: path.into(),
            what: "written",
            error,
        }
    }
}

impl From<SessionFileError> for Unwritten {
    fn from(error: SessionFileError) -> Unwritten {
        Unwritten(error.to_string())
    }
}

/// Reads and writes sessions as whole files.
pub trait SessionInFile: Sized {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or is not a session.
    fn load(path: &Path) -> Result<Self, SessionFileError>;

    /// Writes a file, completely or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    fn save(&self, path: &Path) -> Result<(), SessionFileError>;

    /// Checks in advance that [`SessionInFile::save`] can write there. An existing file
    /// is not changed.
    ///
    /// # Errors
    /// When it cannot.
    fn check_saving(path: &Path) -> Result<(), SessionFileError>;
}

impl SessionInFile for Session {
    fn load(path: &Path) -> Result<Session, SessionFileError> {
        let file = File::open(path).map_err(|error| SessionFileError::File {
            path: path.into(),
            what: "read",
            error,
        })?;
        let read = Session::read(BufReader::new(file));
        read.map_err(|error| SessionFileError::Line {
            path: path.into(),
            error,
        })
    }

    fn save(&self, path: &Path) -> Result<(), SessionFileError> {
        let text = self.to_text();
        room_for(text.len() as u64)
            .and_then(|()| whole_file::write(path, text.as_bytes()))
            .map_err(|error| SessionFileError::unwritten(path, error))
    }

    fn check_saving(path: &Path) -> Result<(), SessionFileError> {
        whole_file::check_writing(path).map_err(|error| SessionFileError::unwritten(path, error))
    }
}

/// Fails if a file of this size would be too long to be read.
fn room_for(bytes: u64) -> io::Result<()> {
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "it is full, a session has at most {} MiB: begin another one",
        MOST_BYTES >> 20
    )))
}

/// The maximum length of the end marker's line, in bytes.
const END_BYTES: u64 = 64;

/// A session file that is written while a session is recorded.
pub struct SessionFile {
    file: File,
    /// The path of the file being written.
    path: PathBuf,
    /// The path of an existing file, which this one replaces when it is complete.
    older: Option<PathBuf>,
    writer: EntryWriter,
    /// The number of bytes in whole lines.
    bytes: u64,
    last_tick: Tick,
    /// True once an entry was written.
    begun: bool,
}

impl SessionFile {
    /// Starts a file. If `path` exists, the new file is written next to it, and replaces
    /// it in [`SessionFile::finish`].
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<SessionFile, SessionFileError> {
        let mut first = header.to_line();
        first.push('\n');
        let begin = || {
            let target = whole_file::target(path)?;
            let older = fs::metadata(&target).is_ok().then(|| target.clone());
            let path = match older {
                Some(_) => whole_file::beside(&target),
                None => target,
            };
            let mut file = File::create(&path)?;
            file.write_all(first.as_bytes())?;
            Ok((file, path, older))
        };
        let (file, path, older) =
            begin().map_err(|error| SessionFileError::unwritten(path, error))?;
        Ok(SessionFile {
            file,
            path,
            older,
            writer: EntryWriter::new(header),
            bytes: first.len() as u64,
            last_tick: 0,
            begun: false,
        })
    }

    /// Writes an entry.
    ///
    /// # Errors
    /// When the file cannot be written any more, or is full.
    pub fn record(&mut self, tick: Tick, item: SessionItem) -> Result<(), SessionFileError> {
        // Keeps room for the end marker.
        let reserve = if item == SessionItem::End {
            0
        } else {
            END_BYTES
        };
        let mut line = self.writer.write(&SessionEntry { tick, item });
        line.push('\n');
        let bytes = self.bytes + line.len() as u64;
        room_for(bytes + reserve)
            .and_then(|()| self.file.write_all(line.as_bytes()))
            .map_err(|error| {
                // Removes an incomplete line, which would make the file invalid.
                let _ = self.file.set_len(self.bytes);
                SessionFileError::unwritten(&self.path, error)
            })?;
        self.bytes = bytes;
        self.last_tick = tick;
        self.begun = true;
        Ok(())
    }

    /// The tick of the last entry.
    #[must_use]
    pub fn last_tick(&self) -> Tick {
        self.last_tick
    }

    /// The path of the file that is being written, which stays if the program ends early.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the end marker, at this tick or at that of the last entry, whichever is
    /// later. Then replaces an older file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(mut self, tick: Tick) -> Result<(), SessionFileError> {
        let tick = tick.max(self.last_tick);
        self.record(tick, SessionItem::End)?;
        let whole = self.file.sync_all();
        let placed = match &self.older {
            Some(older) => whole
                .and_then(|()| whole_file::keep_permissions(older, &self.path))
                .and_then(|()| fs::rename(&self.path, older)),
            None => whole,
        };
        placed.map_err(|error| SessionFileError::unwritten(&self.path, error))
    }

    /// Closes the file without an end marker; an older file stays. Returns the path of
    /// the file if it has entries; otherwise the file is removed.
    #[must_use]
    pub fn abandon(self) -> Option<PathBuf> {
        if self.begun {
            return Some(self.path);
        }
        // A file that cannot be removed is a valid session without entries.
        let _ = fs::remove_file(&self.path);
        None
    }
}

impl SessionLog for SessionFile {
    fn record(&mut self, tick: Tick, item: SessionItem) -> Result<(), Unwritten> {
        Ok(SessionFile::record(self, tick, item)?)
    }

    fn last_tick(&self) -> Tick {
        self.last_tick
    }

    fn finish(self: Box<Self>, tick: Tick) -> Result<(), Unwritten> {
        Ok(SessionFile::finish(*self, tick)?)
    }

    fn abandon(self: Box<Self>) -> Option<PathBuf> {
        SessionFile::abandon(*self)
    }
}

#[cfg(test)]
mod tests;
