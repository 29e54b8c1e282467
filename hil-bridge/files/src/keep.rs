//! A file with the data that a board keeps while its power is off: its best scores, and
//! an inserted layout with a game. A physical board uses its flash.
//!
//! Invariants: the file is complete or absent, whatever happens while it is written; a
//! file of a different kind is never overwritten; the owner of the file owns the drawing
//! in it.

use std::error::Error;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use firmware_core::digest::digest_of_bytes;
use firmware_core::keeping::Store;
use firmware_core::{AnyBoard, AnyWidth, BEST_BYTES, BestScores, Keeping};
use protocol::{Drawing, KnownLayout, Layout, Roster};

use crate::{read_bounded, whole_file, why_no_file};

/// The beginning of a file with best scores only, followed by [`BestScores::save`].
const HEAD: &[u8] = b"touchboard best scores 1\n";

/// The beginning of a file with a layout. It is followed by the length of
/// [`BestScores::save`] (two bytes, little-endian), its bytes, the bytes of the drawing
/// with its game, and the digest of everything.
const HEAD_WITH_LAYOUT: &[u8] = b"touchboard best scores and layout 1\n";

const SEAL_BYTES: usize = 8;

/// The most bytes of a file, far more than best scores and the largest drawing need.
const MOST_BYTES: u64 = 1 << 20;

/// The sentence about a stored layout that cannot be used.
pub const NOT_PLAYED: &str =
    "the game that was kept is not played by this program: insert it again";

/// Why the data of a board cannot be kept in a file.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// The file is of another kind, or damaged.
    #[error(
        "{} is not a file of best scores and a game, or was damaged: move it away, or name another one",
        .0.display()
    )]
    NotKept(PathBuf),
    /// The file cannot be read.
    #[error("the best scores cannot be read from {}: {}", path.display(), why_no_file(error))]
    Reading {
        /// The path of the file.
        path: PathBuf,
        /// Why it failed.
        error: io::Error,
    },
    /// Nothing can be written there.
    #[error("the best scores cannot be kept in {}: {error}", path.display())]
    Place {
        /// The path of the file.
        path: PathBuf,
        /// Why it failed.
        error: io::Error,
    },
    /// A change could not be written.
    #[error("the best scores and the game cannot be written to {}: {error}", path.display())]
    Writing {
        /// The path of the file.
        path: PathBuf,
        /// Why it failed.
        error: io::Error,
    },
}

/// What a board keeps, as the file contains it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeepContents {
    best: BestScores,
    /// The bytes of the drawing with its game; empty if there is none.
    drawing: Vec<u8>,
}

impl KeepContents {
    /// Reads the bytes of a file; `None` if they are those of another one, or damaged.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<KeepContents> {
        if let Some(best) = bytes.strip_prefix(HEAD) {
            let (best, drawing) = (BestScores::load(best)?, Vec::new());
            return Some(KeepContents { best, drawing });
        }
        let sealed = bytes.strip_prefix(HEAD_WITH_LAYOUT)?;
        let (rest, seal) = sealed.split_at_checked(sealed.len().checked_sub(SEAL_BYTES)?)?;
        let (length, rest) = rest.split_first_chunk()?;
        let (best, drawing) = rest.split_at_checked(u16::from_le_bytes(*length).into())?;
        let has_game = Drawing::new(drawing).ok()?.game().is_some();
        let is_whole = digest_of_bytes(&sealed[..sealed.len() - SEAL_BYTES]).to_le_bytes() == seal;
        (has_game && is_whole).then_some(KeepContents {
            best: BestScores::load(best)?,
            drawing: drawing.to_vec(),
        })
    }

    /// The layout with its game, which is known as long as the result exists.
    #[must_use]
    pub fn layout(&self) -> Option<KnownLayout> {
        Drawing::new(&self.drawing).ok()?.keep().ok()
    }

    /// The bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut buffer = [0; BEST_BYTES];
        let best = self.best.save(&mut buffer).unwrap_or_default();
        if self.drawing.is_empty() {
            return [HEAD, best].concat();
        }
        let length = (best.len() as u16).to_le_bytes();
        let sealed = [&length, best, &self.drawing].concat();
        let seal = digest_of_bytes(&sealed).to_le_bytes();
        [HEAD_WITH_LAYOUT, &sealed, &seal].concat()
    }
}

/// A file with the data that a board keeps.
#[derive(Debug)]
pub struct KeepFile {
    path: PathBuf,
    /// The current contents, even if they could not be written.
    written: KeepContents,
    /// True if the last attempt to write them failed.
    is_unwritten: bool,
    /// The stored layout.
    layout: Option<KnownLayout>,
}

impl KeepFile {
    /// Reads this file, or checks that it can be written.
    ///
    /// # Errors
    /// If it is not a file of kept data, or cannot be read or written.
    pub fn open(path: &Path) -> Result<KeepFile, KeepError> {
        let path = path.to_owned();
        let written = match read_bounded(&path, MOST_BYTES) {
            Ok(bytes) => match KeepContents::read(&bytes) {
                Some(written) => written,
                None => return Err(KeepError::NotKept(path)),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => KeepContents::default(),
            Err(error) => return Err(KeepError::Reading { path, error }),
        };
        if let Err(error) = whole_file::check_writing(&path) {
            return Err(KeepError::Place { path, error });
        }
        Ok(KeepFile {
            path,
            layout: written.layout(),
            written,
            is_unwritten: false,
        })
    }

    /// The stored best scores.
    #[must_use]
    pub fn best(&self) -> &BestScores {
        &self.written.best
    }

    /// The stored layout with its game, if there is one.
    #[must_use]
    pub fn layout(&self) -> Option<&KnownLayout> {
        self.layout.as_ref()
    }

    /// The initial layout of a board with these games: the stored one, or `own`; and a
    /// sentence if the board cannot use the stored one.
    #[must_use]
    pub fn layout_at_power_on(&self, own: Layout, games: Roster) -> (Layout, Option<&'static str>) {
        if self.written.drawing.is_empty() {
            return (own, None);
        }
        let kept = self.layout().map(KnownLayout::layout);
        let kept = kept.filter(|layout| AnyBoard::with_games(*layout, games, 0).is_ok());
        kept.map_or((own, Some(NOT_PLAYED)), |layout| (layout, None))
    }

    /// Writes what this board keeps, if it has changed.
    ///
    /// # Errors
    /// If it cannot be written. This is reported once, and tried again at the next change,
    /// or when this is dropped.
    pub fn store_changes(&mut self, board: &impl AnyWidth) -> Result<(), KeepError> {
        let best = board.best().map(|(best, _)| best);
        // Until a game is inserted or removed on this board, the stored one is kept.
        let inserted = board.inserted().filter(|(_, times)| *times > 0);
        let drawing = inserted.map(|(drawing, _)| drawing.map_or(&[][..], Drawing::bytes));
        let written = &mut self.written;
        if best.is_none_or(|best| *best == written.best)
            && drawing.is_none_or(|bytes| *bytes == written.drawing)
        {
            return Ok(());
        }
        written.best = best.unwrap_or(&written.best).clone();
        if let Some(drawing) = drawing {
            written.drawing = drawing.to_vec();
            self.layout = written.layout();
        }
        let done = whole_file::write(&self.path, &written.bytes());
        self.is_unwritten = done.is_err();
        done.map_err(|error| KeepError::Writing {
            path: self.path.clone(),
            error,
        })
    }
}

impl Drop for KeepFile {
    /// Tries once more what could not be written, as on a disk that was full for a while.
    fn drop(&mut self) {
        if self.is_unwritten {
            // The failure was reported when it happened.
            let _ = whole_file::write(&self.path, &self.written.bytes());
        }
    }
}

impl Store for KeepFile {
    fn best(&self) -> &BestScores {
        KeepFile::best(self)
    }

    fn layout_at_power_on(&self, own: Layout, games: Roster) -> (Layout, Option<&'static str>) {
        KeepFile::layout_at_power_on(self, own, games)
    }

    fn store_changes(
        &mut self,
        board: &Keeping<AnyBoard>,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(KeepFile::store_changes(self, board)?)
    }
}

/// Renames a file that does not contain a board's data, and returns a sentence about it.
/// A file that cannot be renamed stays.
pub fn set_aside(path: &Path) -> Option<String> {
    match read_bounded(path, MOST_BYTES) {
        Ok(bytes) if KeepContents::read(&bytes).is_some() => return None,
        Err(error) if error.kind() != ErrorKind::FileTooLarge => return None,
        _ => {}
    }
    let mut aside = path.as_os_str().to_owned();
    aside.push(".broken");
    fs::rename(path, &aside).ok()?;
    Some(format!(
        "{} was not a file of best scores and a game, or was damaged: it was renamed to {}, and new ones are kept",
        path.display(),
        Path::new(&aside).display()
    ))
}

#[cfg(test)]
mod tests;
