//! The history of the shell: the typed lines, in the user's folder for state, for the
//! shells at a terminal and in a window.
//!
//! Invariants: lines of several shells that run at the same time are all kept; readers
//! only find whole lines, even after a power cut; each line occurs once, where it was
//! last typed.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::whole_file;
use crate::why_no_file;

/// The maximum number of lines kept.
pub const MOST_LINES: usize = 1_000;
/// A file of more bytes is rewritten with the lines that are kept.
const MOST_BYTES: u64 = 256 << 10;
/// A file of more bytes is not a history.
const MOST_READ_BYTES: u64 = 8 << 20;

/// The user's history file, in `$XDG_STATE_HOME` or the system's equivalent.
#[must_use]
pub fn file() -> Option<PathBuf> {
    let folder = dirs::state_dir().or_else(dirs::data_local_dir)?;
    Some(folder.join("touchboard").join("shell-history"))
}

/// The history cannot be stored or read.
#[derive(Debug, thiserror::Error)]
#[error("the history is not saved, {} cannot be used: {}", file.display(), why_no_file(error))]
pub struct HistoryError {
    file: PathBuf,
    error: io::Error,
}

/// A history file.
#[derive(Debug)]
pub struct History {
    file: PathBuf,
    /// Locked while the history is written. The history itself cannot be locked, because
    /// it may be replaced.
    lock: File,
}

impl History {
    /// Opens a history, which need not exist.
    ///
    /// # Errors
    /// If it cannot be stored there.
    pub fn open(file: &Path) -> Result<History, HistoryError> {
        let folder = file.parent().unwrap_or(Path::new("."));
        let lock = fs::create_dir_all(folder)
            .and_then(|()| private().create(true).append(true).open(beside(file)));
        Ok(History {
            file: file.to_owned(),
            lock: lock.map_err(|error| unusable(file, error))?,
        })
    }

    /// The lines, oldest first. If the file has grown, it is rewritten without
    /// superfluous lines, unless another shell is using it.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn lines(&self) -> Result<Vec<String>, HistoryError> {
        let is_alone = match self.lock.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Error(error)) => return Err(unusable(&self.file, error)),
        };
        let lines = self.read().and_then(|(lines, bytes)| {
            if is_alone && bytes > MOST_BYTES {
                let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
                whole_file::write(&self.file, text.as_bytes())?;
            }
            Ok(lines)
        });
        if is_alone {
            let _ = self.lock.unlock();
        }
        lines.map_err(|error| unusable(&self.file, error))
    }

    fn read(&self) -> io::Result<(Vec<String>, u64)> {
        let mut bytes = Vec::new();
        match File::open(&self.file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), 0)),
            file => file?.take(MOST_READ_BYTES).read_to_end(&mut bytes)?,
        };
        // Anything after the last line break is an incomplete line.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
        let text = String::from_utf8_lossy(&bytes[..whole]);
        Ok((each_once(text.lines()), bytes.len() as u64))
    }

    /// Adds a line.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn add(&self, line: &str) -> Result<(), HistoryError> {
        let done = self.lock.lock().and_then(|()| self.append(line));
        let _ = self.lock.unlock();
        done.map_err(|error| unusable(&self.file, error))
    }

    fn append(&self, line: &str) -> io::Result<()> {
        let mut file = private()
            .create(true)
            .append(true)
            .read(true)
            .open(&self.file)?;
        let begin = if ends_with_a_line(&mut file)? {
            ""
        } else {
            "\n"
        };
        // A single write keeps the line in one piece.
        file.write_all(format!("{begin}{line}\n").as_bytes())
    }
}

/// Options for a file that only its owner can read.
fn private() -> OpenOptions {
    #[allow(unused_mut, reason = "only Unix has the bits of a file")]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// False if the last line is incomplete, because the disk was full.
fn ends_with_a_line(file: &mut File) -> io::Result<bool> {
    use std::io::{Seek, SeekFrom};
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// The newest of these lines, each at the place of its last use.
#[must_use]
pub fn each_once<'a>(lines: impl DoubleEndedIterator<Item = &'a str>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    let newest = lines
        .rev()
        .filter(|line| !line.trim().is_empty() && seen.insert(*line));
    let mut newest: Vec<String> = newest.take(MOST_LINES).map(str::to_owned).collect();
    newest.reverse();
    newest
}

fn beside(file: &Path) -> PathBuf {
    file.with_extension("lock")
}

fn unusable(file: &Path, error: io::Error) -> HistoryError {
    HistoryError {
        file: file.to_owned(),
        error,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use tempfile::tempdir;

    use super::*;

    #[test]
    fn the_history_has_each_line_once_at_its_latest_place() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("state").join("history");
        for _ in 0..2 {
            let history = History::open(&file).unwrap();
            for line in ["start", "tap d3", "start", "", "show"] {
                history.add(line).unwrap();
            }
        }
        let lines = History::open(&file).unwrap().lines();
        assert_eq!(lines.unwrap(), ["tap d3", "start", "show"]);
    }

    #[test]
    fn concurrent_shells_lose_no_line_of_the_history() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("history");
        const SHELLS: usize = 4;
        const LINES: usize = 60;
        let begin = Barrier::new(SHELLS);
        std::thread::scope(|scope| {
            for shell in 0..SHELLS {
                let (file, begin) = (&file, &begin);
                scope.spawn(move || {
                    let history = History::open(file).unwrap();
                    begin.wait();
                    for line in 0..LINES {
                        // Long enough for the file to be rewritten from time to time.
                        let padding = "x".repeat(4_000);
                        history.add(&format!("{shell} {line} {padding}")).unwrap();
                        assert!(!history.lines().unwrap().is_empty());
                    }
                });
            }
        });
        let lines = History::open(&file).unwrap().lines().unwrap();
        for shell in 0..SHELLS {
            for line in 0..LINES {
                let begin = format!("{shell} {line} ");
                let count = lines.iter().filter(|line| line.starts_with(&begin));
                assert_eq!(count.count(), 1, "{begin}");
            }
        }
    }

    #[test]
    fn a_cut_line_of_the_history_is_skipped() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("history");
        let history = History::open(&file).unwrap();
        history.add("start").unwrap();
        let mut cut = OpenOptions::new().append(true).open(&file).unwrap();
        cut.write_all(b"tap d").unwrap();
        assert_eq!(history.lines().unwrap(), ["start"]);
        history.add("show").unwrap();
        assert_eq!(history.lines().unwrap(), ["start", "tap d", "show"]);
    }

    #[test]
    fn a_long_history_is_rewritten_with_its_newest_lines() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("history");
        let history = History::open(&file).unwrap();
        let text: String = (0..60_000).map(|line| format!("wait {line}\n")).collect();
        fs::write(&file, &text).unwrap();
        let lines = history.lines().unwrap();
        assert_eq!(lines.len(), MOST_LINES);
        assert_eq!(lines.last().unwrap(), "wait 59999");
        assert!(fs::metadata(&file).unwrap().len() < MOST_BYTES);
        assert_eq!(history.lines().unwrap(), lines);
    }

    #[test]
    fn an_unwritable_history_is_reported_in_a_sentence() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "a file").unwrap();
        let error = History::open(&file.join("history")).expect_err("it is not a folder");
        let error = error.to_string();
        assert!(error.starts_with("the history is not saved, "), "{error}");
    }
}
