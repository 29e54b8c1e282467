//! A [`Store`] in two sectors of flash.
//!
//! Flash is erased sector by sector, to ones, and written word by word, which only
//! makes zeros of ones. So a sector is filled slot by slot with what was written,
//! each with a number that counts up and a CRC behind it; when it is full the other
//! sector is erased and goes on. A sector of 128 slots is erased once in 256 writes.
//!
//! | word | what |
//! | --- | --- |
//! | 0 | a mark |
//! | 1 | the number of the write |
//! | 2 | how many bytes |
//! | 3 ... | the bytes, the last word filled up with ones |
//! | next | CRC-32C of all words before it but the mark |
//!
//! What always holds: the slot of the write before is left alone until the new one
//! is whole; a sector is erased at once before it is written for the first time, so
//! that one whose erasing was cut short is never trusted.

use protocol::wire::crc32c;

use crate::store::{NotWritten, Store};

/// Bytes of a slot.
pub const SLOT_BYTES: usize = 1_024;

/// Bytes that can be kept.
pub const MOST_BYTES: usize = SLOT_BYTES - (HEAD + 1) * WORD;

const WORD: usize = 4;
/// Words before the bytes.
const HEAD: usize = 3;
const MARK: u32 = 0x7B0A_2D01;

/// One of the two sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sector {
    /// The one that is written first.
    One,
    /// The other one.
    Other,
}

impl Sector {
    const BOTH: [Sector; 2] = [Sector::One, Sector::Other];

    /// The one that this is not.
    #[must_use]
    pub const fn other(self) -> Sector {
        match self {
            Sector::One => Sector::Other,
            Sector::Other => Sector::One,
        }
    }
}

/// Two sectors of flash that nothing else is in.
pub trait Flash {
    /// Slots in each.
    const SLOTS: usize;

    /// The word at this byte of a sector.
    fn word(&self, sector: Sector, at: usize) -> u32;

    /// Makes ones of the whole sector.
    ///
    /// # Errors
    /// [`NotWritten`] if the chip does not do it.
    fn erase(&mut self, sector: Sector) -> Result<(), NotWritten>;

    /// Writes a word that is all ones so far.
    ///
    /// # Errors
    /// [`NotWritten`] if the chip does not do it.
    fn program(&mut self, sector: Sector, at: usize, word: u32) -> Result<(), NotWritten>;
}

/// A slot, and the number of the write that it is of.
#[derive(Clone, Copy)]
struct Slot {
    sector: Sector,
    slot: usize,
    number: u32,
}

/// A store in two sectors of flash.
#[derive(Debug)]
pub struct Journal<F> {
    flash: F,
}

impl<F: Flash> Journal<F> {
    /// The store in this flash, with what is kept there.
    #[must_use]
    pub const fn new(flash: F) -> Self {
        Journal { flash }
    }

    /// The flash.
    #[must_use]
    pub const fn flash(&self) -> &F {
        &self.flash
    }

    /// The flash, and no store in it.
    #[must_use]
    pub fn into_flash(self) -> F {
        self.flash
    }

    fn word(&self, sector: Sector, slot: usize, word: usize) -> u32 {
        self.flash.word(sector, slot * SLOT_BYTES + word * WORD)
    }

    /// Reads what is in a slot, if it is whole.
    fn whole(&self, sector: Sector, slot: usize, record: &mut Record) -> Option<Slot> {
        if self.word(sector, slot, 0) != MARK {
            return None;
        }
        let [number, length] = [1, 2].map(|word| self.word(sector, slot, word));
        let words = Record::words(usize::try_from(length).ok()?)?;
        for word in 0..words {
            record.set(word, self.word(sector, slot, word));
        }
        record.is_whole(words).then_some(Slot {
            sector,
            slot,
            number,
        })
    }

    /// The slot that was written last. What is in it is in the record then.
    fn last(&self, record: &mut Record) -> Option<Slot> {
        let mut last: Option<Slot> = None;
        for sector in Sector::BOTH {
            for slot in 0..F::SLOTS {
                let found = self.whole(sector, slot, record);
                if let Some(found) = found
                    && last.is_none_or(|last| last.number < found.number)
                {
                    last = Some(found);
                }
            }
        }
        let last = last?;
        self.whole(last.sector, last.slot, record)
    }

    fn is_free(&self, sector: Sector, slot: usize) -> bool {
        let words = SLOT_BYTES / WORD;
        (0..words).all(|word| self.word(sector, slot, word) == u32::MAX)
    }

    /// Where the next one goes: behind the last one, or at the beginning of the
    /// other sector, which is erased for it.
    fn make_room(&mut self, last: Option<Slot>) -> Result<(Sector, usize), NotWritten> {
        let fresh = match last {
            Some(Slot { sector, slot, .. }) => {
                let mut later = slot + 1..F::SLOTS;
                if let Some(slot) = later.find(|slot| self.is_free(sector, *slot)) {
                    return Ok((sector, slot));
                }
                sector.other()
            }
            None => Sector::One,
        };
        self.flash.erase(fresh)?;
        Ok((fresh, 0))
    }
}

impl<F: Flash> Store for Journal<F> {
    fn read(&mut self, buffer: &mut [u8]) -> Option<usize> {
        let mut record = Record::new();
        self.last(&mut record)?;
        let bytes = record.bytes()?;
        buffer.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(bytes.len())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), NotWritten> {
        let mut record = Record::new();
        let last = self.last(&mut record);
        let number = last.map_or(Some(0), |last| last.number.checked_add(1));
        let number = number.ok_or(NotWritten)?;
        let words = record.fill(number, bytes).ok_or(NotWritten)?;
        let (sector, slot) = self.make_room(last)?;
        for word in 0..words {
            let at = slot * SLOT_BYTES + word * WORD;
            self.flash.program(sector, at, record.word(word))?;
        }
        let is_there = (0..words).all(|word| self.word(sector, slot, word) == record.word(word));
        is_there.then_some(()).ok_or(NotWritten)
    }
}

/// What is in a slot.
struct Record([u8; SLOT_BYTES]);

impl Record {
    const fn new() -> Record {
        Record([u8::MAX; SLOT_BYTES])
    }

    /// Words of a record of so many bytes, the CRC included; `None` if they are too
    /// many.
    fn words(length: usize) -> Option<usize> {
        (length <= MOST_BYTES).then(|| HEAD + length.div_ceil(WORD) + 1)
    }

    fn word(&self, word: usize) -> u32 {
        let bytes = self.0.get(word * WORD..).and_then(<[u8]>::first_chunk);
        bytes.copied().map_or(u32::MAX, u32::from_le_bytes)
    }

    fn set(&mut self, word: usize, value: u32) {
        let place = self.0.get_mut(word * WORD..(word + 1) * WORD);
        if let Some(place) = place {
            place.copy_from_slice(&value.to_le_bytes());
        }
    }

    fn fill(&mut self, number: u32, bytes: &[u8]) -> Option<usize> {
        let words = Self::words(bytes.len())?;
        self.0.fill(u8::MAX);
        self.set(0, MARK);
        self.set(1, number);
        self.set(2, u32::try_from(bytes.len()).ok()?);
        let place = HEAD * WORD..HEAD * WORD + bytes.len();
        self.0.get_mut(place)?.copy_from_slice(bytes);
        self.set(words - 1, self.crc(words));
        Some(words)
    }

    fn crc(&self, words: usize) -> u32 {
        let covered = self.0.get(WORD..(words - 1) * WORD);
        crc32c(covered.unwrap_or_default())
    }

    fn is_whole(&self, words: usize) -> bool {
        self.word(words - 1) == self.crc(words)
    }

    fn bytes(&self) -> Option<&[u8]> {
        let length = usize::try_from(self.word(2)).ok()?;
        self.0.get(HEAD * WORD..)?.get(..length)
    }
}

#[cfg(test)]
mod tests;
