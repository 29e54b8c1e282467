//! The file of `save` and `load`: a header, the bytes of the board's state, and a
//! checksum over both.
//!
//! | bytes | what |
//! | --- | --- |
//! | 4 | `TBST` |
//! | 1 | version of this file format |
//! | 1, 1 | columns and rows of the layout; 0 and 0 if it is a drawing |
//! | 2, .. | for a drawing: its length, little-endian, and its bytes |
//! | 8 | seed, little-endian, to which `reset` returns |
//! | 4 | length of the state, little-endian |
//! | .. | the state, from [`Driver::save`](touchboard_host::Driver::save) |
//! | 4 | CRC-32 of all preceding bytes, little-endian |
//!
//! Invariants: a file that was cut, extended or changed in any bit is refused with a
//! sentence.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crc::{CRC_32_ISO_HDLC, Crc};
use protocol::{Drawing, KnownLayout, Layout};

use touchboard_files::{WritingError, read_bounded, whole_file, why_no_file};

const MAGIC: &[u8; 4] = b"TBST";
const VERSION: u8 = 1;
const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
const CRC_BYTES: usize = 4;
/// In place of columns and rows; the length of a drawing and its bytes follow.
const DRAWN: [u8; 2] = [0, 0];
/// The maximum size of a file, far more than that of the largest state.
const MOST_BYTES: u64 = 1 << 20;

/// Why a file is not the state of a board. The sentence is the rest of one that begins
/// with the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateFileProblem {
    /// The file is of another kind.
    #[error("is not a saved board: choose a file that `save` wrote")]
    NotSaved,
    /// The file has another format, of this number.
    #[error("has format {0}, but this program reads format {VERSION}: save the board again")]
    Format(u8),
    /// The file was cut, extended or changed.
    #[error("is damaged: save the board again")]
    Damaged,
}

/// Why the state of a board cannot be read from a file.
#[derive(Debug, thiserror::Error)]
pub enum StateFileError {
    /// The file cannot be read.
    #[error("cannot read {}: {}", path.display(), why_no_file(error))]
    Reading {
        /// The path of the file.
        path: PathBuf,
        /// Why it failed.
        error: io::Error,
    },
    /// The file is not the state of a board.
    #[error("{} {problem}", path.display())]
    Content {
        /// The path of the file.
        path: PathBuf,
        /// What is wrong with it.
        problem: StateFileProblem,
    },
}

/// The contents of such a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateFile {
    /// The layout of the board.
    pub layout: KnownLayout,
    /// The seed of the board.
    pub seed: u64,
    /// The bytes of the state.
    pub state: Vec<u8>,
}

impl StateFile {
    /// The bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(VERSION);
        match (self.layout.sides(), self.layout.drawing()) {
            (Some(sides), _) => bytes.extend([sides.columns(), sides.rows()]),
            (None, known) => {
                let drawing = known.map_or(&[][..], |known| known.as_drawing().bytes());
                bytes.extend(DRAWN);
                bytes.extend((drawing.len() as u16).to_le_bytes());
                bytes.extend(drawing);
            }
        }
        bytes.extend(self.seed.to_le_bytes());
        let length = u32::try_from(self.state.len()).unwrap_or(u32::MAX);
        bytes.extend(length.to_le_bytes());
        bytes.extend(&self.state);
        bytes.extend(CRC.checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads these bytes.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn from_bytes(bytes: &[u8]) -> Result<StateFile, StateFileProblem> {
        let mut rest = bytes;
        if take(&mut rest) != Some(*MAGIC) {
            return Err(StateFileProblem::NotSaved);
        }
        let [version] = take(&mut rest).ok_or(StateFileProblem::Damaged)?;
        if version != VERSION {
            return Err(StateFileProblem::Format(version));
        }
        Self::body(bytes, rest).ok_or(StateFileProblem::Damaged)
    }

    fn body(bytes: &[u8], mut rest: &[u8]) -> Option<StateFile> {
        let (all, seal) = bytes.split_at_checked(bytes.len().checked_sub(CRC_BYTES)?)?;
        if CRC.checksum(all).to_le_bytes() != seal {
            return None;
        }
        let layout = match take(&mut rest)? {
            DRAWN => {
                let length = u16::from_le_bytes(take(&mut rest)?);
                let (drawing, behind) = rest.split_at_checked(length.into())?;
                rest = behind;
                Drawing::new(drawing).ok()?.keep().ok()?
            }
            [columns, rows] => Layout::grid(columns, rows).ok()?.into(),
        };
        let seed = u64::from_le_bytes(take(&mut rest)?);
        let length = usize::try_from(u32::from_le_bytes(take(&mut rest)?)).ok()?;
        let (state, rest) = rest.split_at_checked(length)?;
        (rest.len() == CRC_BYTES).then_some(())?;
        Some(StateFile {
            layout,
            seed,
            state: state.to_vec(),
        })
    }

    /// Writes the file, completely or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), WritingError> {
        whole_file::write(path, &self.to_bytes()).map_err(WritingError::about(path))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is not the state of a board.
    pub fn read(path: &Path) -> Result<StateFile, StateFileError> {
        let read = match read_bounded(path, MOST_BYTES) {
            Ok(bytes) => StateFile::from_bytes(&bytes),
            Err(error) if error.kind() == ErrorKind::FileTooLarge => {
                Err(StateFileProblem::NotSaved)
            }
            Err(error) => {
                let path = path.to_owned();
                return Err(StateFileError::Reading { path, error });
            }
        };
        read.map_err(|problem| StateFileError::Content {
            path: path.to_owned(),
            problem,
        })
    }
}

/// Takes the first `N` bytes off the front.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> StateFile {
        StateFile {
            layout: Layout::MALDOO.into(),
            seed: 0x0123_4567_89AB_CDEF,
            state: (0..=255).collect(),
        }
    }

    #[test]
    fn a_state_file_reads_back_as_written() {
        assert_eq!(StateFile::from_bytes(&file().to_bytes()), Ok(file()));
    }

    #[test]
    fn a_state_file_with_any_change_is_refused() {
        let good = file().to_bytes();
        let said = |bytes: &[u8]| StateFile::from_bytes(bytes).unwrap_err().to_string();
        for place in 0..good.len() {
            let sentence = match place {
                0..4 => "is not a saved board",
                4 => "has format ",
                _ => "is damaged",
            };
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[place] ^= 1 << bit;
                let said = said(&bad);
                assert!(said.starts_with(sentence), "byte {place} bit {bit}: {said}");
            }
            let sentence = match place {
                0..4 => "is not a saved board",
                _ => "is damaged",
            };
            let said = said(&good[..place]);
            assert!(said.starts_with(sentence), "cut at {place}: {said}");
        }
        let mut longer = good.clone();
        longer.push(0);
        assert_eq!(said(&longer), "is damaged: save the board again");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_end_is_refused() {
        let error = StateFile::read(Path::new("/dev/zero")).expect_err("it is not a board");
        let error = error.to_string();
        assert!(
            error.starts_with("/dev/zero is not a saved board"),
            "{error}"
        );
    }

    #[test]
    fn a_device_file_or_a_folder_is_refused_with_a_sentence() {
        let error = StateFile::read(Path::new("/")).expect_err("a folder is not a file");
        let error = error.to_string();
        assert!(error.starts_with("cannot read /"), "{error}");
    }
}
