//! Writing a session while it happens.
//!
//! What always holds: each line goes to the file whole and at once, so whatever
//! ends the program leaves a session that can be replayed up to there.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use protocol::Tick;

use super::{Act, Entry, Header, SessionError, header, line};

/// A session file that grows.
pub struct Recorder {
    file: File,
    path: PathBuf,
    writer: line::Writer,
    last_tick: Tick,
}

impl Recorder {
    /// Begins a file; one that is there is replaced.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<Recorder, SessionError> {
        let mut first = header::write(header);
        first.push('\n');
        // The place of an older file is taken by a whole one.
        crate::whole_file::write(path, first.as_bytes())
            .and_then(|()| File::options().append(true).open(path))
            .map(|file| Recorder {
                file,
                path: path.into(),
                writer: line::Writer::new(header),
                last_tick: 0,
            })
            .map_err(|error| SessionError::File {
                path: path.into(),
                what: "written",
                error,
            })
    }

    /// Writes what happened.
    ///
    /// # Errors
    /// When the file takes no more.
    pub fn note(&mut self, tick: Tick, act: Act) -> Result<(), SessionError> {
        self.last_tick = tick;
        let mut line = self.writer.write(&Entry { tick, act });
        line.push('\n');
        self.file
            .write_all(line.as_bytes())
            .map_err(|error| SessionError::File {
                path: self.path.clone(),
                what: "written",
                error,
            })
    }

    /// Writes that the session ended, at this tick or at the last one that was
    /// noted.
    ///
    /// # Errors
    /// When the file takes no more.
    pub fn finish(mut self, tick: Tick) -> Result<(), SessionError> {
        let tick = tick.max(self.last_tick);
        self.note(tick, Act::End)
    }
}
