//! A Raspberry Pi Pico in BOOTSEL mode: a drive that accepts an image as a UF2 file.
//!
//! Its boot ROM writes each block into flash as it arrives, and starts the image when all
//! have arrived. So a file is checked before its first byte is written: an incomplete
//! file, or one for a different chip, would leave the board without an image.
//!
//! Invariants: nothing is written unless the whole file is for an RP2040 and exactly one
//! drive is that of an RP2040; a partly written file is removed again.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use touchboard_files::{read_bounded, read_bounded_text, why_no_file};
use touchboard_host::driver::DriverError;

use crate::image_file;
use crate::pico::NAME;

/// The file in which a drive in BOOTSEL mode describes itself.
const INFO: &str = "INFO_UF2.TXT";
/// The line of that file that names the board, and its value for an RP2040.
const BOARD_ID: &str = "Board-ID:";
const RPI_RP2: &str = "RPI-RP2";

/// From the UF2 specification (Microsoft, "USB Flashing Format").
const BLOCK_BYTES: usize = 512;
const MAGIC: [u32; 2] = [0x0A32_4655, 0x9E5D_5157];
const MAGIC_END: u32 = 0x0AB1_6F30;
const HAS_FAMILY: u32 = 0x2000;
const RP2040: u32 = 0xE48B_FF56;
const PAGE_BYTES: u32 = 256;
const FLASH: Range<u32> = 0x1000_0000..0x1020_0000;
/// The bytes of a file with a block for every page of the flash.
const MOST_BYTES: u64 = ((FLASH.end - FLASH.start) / PAGE_BYTES) as u64 * BLOCK_BYTES as u64;
/// The most bytes of [`INFO`], which has a few lines.
const MOST_INFO_BYTES: u64 = 4_096;

/// Why an image was not written to a board.
#[derive(Debug, thiserror::Error)]
pub enum BootselError {
    /// There is no such image.
    #[error(transparent)]
    NoImage(#[from] DriverError),
    /// The file cannot be read.
    #[error("cannot read {path}: {}; a UF2 file is expected, such as `cargo xtask firmware pico` builds", why_no_file(.error), path = .path.display())]
    Unreadable {
        /// The path of the file.
        path: PathBuf,
        /// Why it cannot be read.
        error: io::Error,
    },
    /// The file is not a UF2 file, or is incomplete.
    #[error("{path} is not a whole UF2 file: {why}; build one with `cargo xtask firmware pico`", path = .path.display())]
    NotWhole {
        /// The path of the file.
        path: PathBuf,
        /// What is wrong with the file.
        why: &'static str,
    },
    /// The file is for a different chip.
    #[error("{path} is for a chip of the family {family:#010x}, and a Pico is of {RP2040:#010x}: build its image with `cargo xtask firmware pico`", path = .path.display())]
    OtherChip {
        /// The path of the file.
        path: PathBuf,
        /// The chip family that the file names.
        family: u32,
    },
    /// No drive of a Pico in BOOTSEL mode was found.
    #[error(
        "no Pico is in BOOTSEL mode: pull its USB cable out, hold its BOOTSEL button down and plug the cable in; a drive named RPI-RP2 appears. If it does, and is not found, name it with --drive"
    )]
    NoDrive,
    /// There is more than one such drive.
    #[error("several Picos are in BOOTSEL mode, at {}: name the drive of one with --drive", words(.0))]
    Several(Vec<PathBuf>),
    /// The folder is not a drive of a board in BOOTSEL mode.
    #[error("{drive} is not a board in BOOTSEL mode: it has no {INFO}; name the drive RPI-RP2 with --drive", drive = .0.display())]
    NotADrive(PathBuf),
    /// The drive belongs to a different board.
    #[error("{drive} is a board {board:?}, and the image is for {RPI_RP2}: name the drive of a Pico with --drive", drive = .drive.display())]
    OtherBoard {
        /// The path of the drive.
        drive: PathBuf,
        /// The board that the drive names.
        board: String,
    },
    /// The drive did not accept the file.
    #[error("{drive} did not take the image: {error}; nothing of it was left there, and the board is still in BOOTSEL mode: try again", drive = .drive.display())]
    NotWritten {
        /// The path of the drive.
        drive: PathBuf,
        /// Why it could not be written.
        error: io::Error,
    },
}

fn words(drives: &[PathBuf]) -> String {
    let drives: Vec<String> = drives
        .iter()
        .map(|drive| drive.display().to_string())
        .collect();
    drives.join(" and ")
}

/// A complete UF2 file for an RP2040.
#[derive(Debug)]
pub struct Uf2 {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Uf2 {
    /// Reads this file, or without one the image that `cargo xtask firmware` built.
    ///
    /// # Errors
    /// When there is no such file, or it is not for an RP2040.
    pub fn read(path: Option<&Path>) -> Result<Uf2, BootselError> {
        let path = match path {
            Some(path) => path.to_owned(),
            None => image_file::find(&format!("{NAME}.uf2"), NAME)?,
        };
        match read_bounded(&path, MOST_BYTES) {
            Ok(bytes) => Uf2::of(path, bytes),
            Err(error) => Err(BootselError::Unreadable { path, error }),
        }
    }

    /// Checks the bytes of this file.
    ///
    /// # Errors
    /// When they are not a whole UF2 file for an RP2040.
    pub fn of(path: PathBuf, bytes: Vec<u8>) -> Result<Uf2, BootselError> {
        if let Some(family) = families(&bytes).find(|family| *family != RP2040) {
            return Err(BootselError::OtherChip { path, family });
        }
        match check(&bytes) {
            Ok(()) => Ok(Uf2 { path, bytes }),
            Err(why) => Err(BootselError::NotWhole { path, why }),
        }
    }

    /// The number of bytes of flash that the image takes.
    #[must_use]
    pub fn flash_bytes(&self) -> usize {
        self.bytes.len() / BLOCK_BYTES * PAGE_BYTES as usize
    }
}

/// The little-endian word at this offset of a block.
fn word(block: &[u8], at: usize) -> u32 {
    let bytes = block
        .get(at..at + 4)
        .and_then(|bytes| bytes.try_into().ok());
    bytes.map_or(0, u32::from_le_bytes)
}

/// The chip families that the blocks name.
fn families(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let blocks = bytes.chunks_exact(BLOCK_BYTES);
    let named = blocks.filter(|block| {
        [word(block, 0), word(block, 4)] == MAGIC && word(block, 8) & HAS_FAMILY != 0
    });
    named.map(|block| word(block, 28))
}

/// Checks that these are all blocks of one image.
fn check(bytes: &[u8]) -> Result<(), &'static str> {
    let blocks = bytes.chunks(BLOCK_BYTES);
    let count = blocks.len() as u32;
    if count == 0 {
        return Err("it is empty");
    }
    let mut places = BTreeSet::new();
    for (number, block) in (0..).zip(blocks) {
        if block.len() < BLOCK_BYTES {
            return Err("its last block is cut off");
        }
        let magic = [word(block, 0), word(block, 4), word(block, BLOCK_BYTES - 4)];
        let [flags, place, length] = [8, 12, 16].map(|at| word(block, at));
        if magic != [MAGIC[0], MAGIC[1], MAGIC_END] {
            return Err("one of its blocks is none");
        }
        if flags & HAS_FAMILY == 0 {
            return Err("it does not say for which chip it is");
        }
        if [word(block, 20), word(block, 24)] != [number, count] {
            return Err("blocks of it are missing");
        }
        let is_page = length == PAGE_BYTES && place.is_multiple_of(PAGE_BYTES);
        if !is_page || !FLASH.contains(&place) || !places.insert(place) {
            return Err("one of its blocks is on no page of the flash");
        }
    }
    Ok(())
}

/// The board that a drive names; `None` if it is not a board in BOOTSEL mode.
fn board_of(drive: &Path) -> Option<String> {
    let text = read_bounded_text(&drive.join(INFO), MOST_INFO_BYTES).ok()?;
    let id = text.lines().find_map(|line| line.strip_prefix(BOARD_ID));
    Some(id.unwrap_or_default().trim().to_owned())
}

/// The mounted drives of this system.
#[must_use]
pub fn mounted() -> Vec<PathBuf> {
    let inside = |folder: &str| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    match std::env::consts::OS {
        "windows" => ('D'..='Z')
            .map(|letter| format!("{letter}:\\").into())
            .collect(),
        "macos" => inside("/Volumes"),
        _ => {
            let table = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
            let places = table.lines().filter_map(|line| line.split(' ').nth(1));
            // The system escapes spaces in the names of drives.
            places
                .map(|place| place.replace("\\040", " ").into())
                .collect()
        }
    }
}

/// The drive of an RP2040 in BOOTSEL mode among these.
///
/// # Errors
/// When there is none, or more than one.
pub fn find(drives: &[PathBuf]) -> Result<PathBuf, BootselError> {
    let is_one = |drive: &&PathBuf| board_of(drive).is_some_and(|board| board == RPI_RP2);
    let found: Vec<PathBuf> = drives.iter().filter(is_one).cloned().collect();
    match &found[..] {
        [] => Err(BootselError::NoDrive),
        [drive] => Ok(drive.clone()),
        _ => Err(BootselError::Several(found)),
    }
}

/// Checks that this folder is the drive of an RP2040.
///
/// # Errors
/// When it is not.
pub fn check_drive(drive: &Path) -> Result<(), BootselError> {
    match board_of(drive) {
        Some(board) if board == RPI_RP2 => Ok(()),
        Some(board) => Err(BootselError::OtherBoard {
            drive: drive.to_owned(),
            board,
        }),
        None => Err(BootselError::NotADrive(drive.to_owned())),
    }
}

/// Writes an image to the board with this drive.
///
/// # Errors
/// When the drive does not accept it. The part that was written is then removed.
pub fn put(image: &Uf2, drive: &Path) -> Result<(), BootselError> {
    check_drive(drive)?;
    let name = image.path.file_name().unwrap_or("image.uf2".as_ref());
    let place = drive.join(name);
    let written = File::create(&place).and_then(|mut file| {
        file.write_all(&image.bytes)?;
        file.sync_all()
    });
    match written {
        Ok(()) => Ok(()),
        // The board starts the image as soon as it is complete, and then is no longer a
        // drive.
        Err(_) if !drive.join(INFO).exists() => Ok(()),
        Err(error) => {
            // If it cannot be removed either, the board still waits for the rest.
            let _ = fs::remove_file(&place);
            Err(BootselError::NotWritten {
                drive: drive.to_owned(),
                error,
            })
        }
    }
}

#[cfg(test)]
mod tests;
