//! Writing a session while it happens.
//!
//! What always holds: each line goes to the file whole and at once, so whatever
//! ends the program leaves a session that can be replayed up to there; an older
//! file at its place stays until the new one is complete.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use protocol::Tick;

use super::{Act, Entry, Header, SessionError, header, line, room_for};
use crate::whole_file;

/// More than the line of an end has.
const END_BYTES: u64 = 64;

/// A session file that grows.
pub struct SessionFile {
    file: File,
    /// What is written now.
    path: PathBuf,
    /// The older file whose place it takes when it is complete, if there is one.
    older: Option<PathBuf>,
    writer: line::Writer,
    /// The bytes of the lines that are whole.
    bytes: u64,
    last_tick: Tick,
    /// True once something was noted.
    begun: bool,
}

impl SessionFile {
    /// Begins a file. One that is there stays until [`SessionFile::finish`]; the
    /// new one grows beside it until then.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<SessionFile, SessionError> {
        let mut first = header::write(header);
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
        let (file, path, older) = begin().map_err(|error| SessionError::unwritten(path, error))?;
        Ok(SessionFile {
            file,
            path,
            older,
            writer: line::Writer::new(header),
            bytes: first.len() as u64,
            last_tick: 0,
            begun: false,
        })
    }

    /// Writes what happened.
    ///
    /// # Errors
    /// When the file takes no more.
    pub fn note(&mut self, tick: Tick, act: Act) -> Result<(), SessionError> {
        // A full file still takes its end.
        let reserve = if act == Act::End { 0 } else { END_BYTES };
        let mut line = self.writer.write(&Entry { tick, act });
        line.push('\n');
        let bytes = self.bytes + line.len() as u64;
        room_for(bytes + reserve)
            .and_then(|()| self.file.write_all(line.as_bytes()))
            .map_err(|error| {
                // A part of a line would be no session.
                let _ = self.file.set_len(self.bytes);
                SessionError::unwritten(&self.path, error)
            })?;
        self.bytes = bytes;
        self.last_tick = tick;
        self.begun = true;
        Ok(())
    }

    /// The tick of what was noted last.
    #[must_use]
    pub fn last_tick(&self) -> Tick {
        self.last_tick
    }

    /// Where it is written now: what is left behind if the program ends.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes that the session ended, at this tick or at the last one that was
    /// noted; it takes the place of an older file then.
    ///
    /// # Errors
    /// When the file takes no more.
    pub fn finish(mut self, tick: Tick) -> Result<(), SessionError> {
        let tick = tick.max(self.last_tick);
        self.note(tick, Act::End)?;
        let whole = self.file.sync_all();
        let placed = match &self.older {
            Some(older) => whole
                .and_then(|()| whole_file::keep_permissions(older, &self.path))
                .and_then(|()| fs::rename(&self.path, older)),
            None => whole,
        };
        placed.map_err(|error| SessionError::unwritten(&self.path, error))
    }

    /// Ends without an end: an older file stays. Says where the rest is, if
    /// anything was noted; otherwise nothing is left.
    #[must_use]
    pub fn abandon(self) -> Option<PathBuf> {
        if self.begun {
            return Some(self.path);
        }
        // What cannot be removed is a session in which nothing happened.
        let _ = fs::remove_file(&self.path);
        None
    }
}
