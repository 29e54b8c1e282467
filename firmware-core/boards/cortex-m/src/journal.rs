//! A [`FlashStore`] in two sectors of flash.
//!
//! Erasing sets a sector of flash to ones; writing goes word by word and only turns ones
//! into zeros. A sector is therefore filled record by record, each with a counter and a
//! CRC; when it is full, the other sector is erased and used. A record starts at a slot
//! and takes as many slots as it needs. It contains all parts, with the unchanged ones
//! copied from the previous record. So only the newest record is needed, and the sector
//! with the older ones can be erased.
//!
//! | word | contents |
//! | --- | --- |
//! | 0 | a mark |
//! | 1 | the number of the write |
//! | 2 | the length of the best scores in bytes |
//! | 3 | the length of the layout in bytes |
//! | 4 ... | the bytes of each, with the last word padded with ones |
//! | next | CRC-32C of all words before it except the mark |
//!
//! Invariants: the previous record is kept until the new one is complete; a sector is
//! erased immediately before its first write, so a sector whose erasure was interrupted
//! is never trusted; the contents of a record, even of an interrupted one, are never
//! mistaken for another record.

use protocol::DRAWING_BYTES;
use protocol::wire::crc32c_of_pieces;

use crate::store::{FlashStore, NotWritten, StoredPart};

/// The size of a slot in bytes.
pub const SLOT_BYTES: usize = 1_024;

const WORD: usize = 4;
const PARTS: usize = StoredPart::ALL.len();
/// The number of words before the bytes: the mark, the number, and a length for each
/// part.
const HEAD: usize = 2 + PARTS;
const MARK: u32 = 0x7B0A_2D02;

/// The maximum number of bytes of a part.
#[must_use]
pub const fn most_bytes(part: StoredPart) -> usize {
    match part {
        StoredPart::Best => SLOT_BYTES - (HEAD + 1) * WORD,
        StoredPart::Layout => DRAWING_BYTES,
        StoredPart::Settings => 0,
    }
}

/// The number of slots of the longest record.
pub const MOST_SLOTS: usize = {
    let bytes =
        most_bytes(StoredPart::Best) + most_bytes(StoredPart::Layout).next_multiple_of(WORD);
    ((HEAD + 1) * WORD + bytes).div_ceil(SLOT_BYTES)
};

/// One of the two sectors of the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sector {
    /// The sector that is written first.
    One,
    /// The sector that follows the first.
    Other,
}

impl Sector {
    const BOTH: [Sector; 2] = [Sector::One, Sector::Other];

    /// The other of the two sectors.
    #[must_use]
    pub const fn other(self) -> Sector {
        match self {
            Sector::One => Sector::Other,
            Sector::Other => Sector::One,
        }
    }
}

/// Two sectors of flash that contain nothing else.
pub trait Flash {
    /// The number of slots in each sector; at least [`MOST_SLOTS`].
    const SLOTS: usize;

    /// The word at this byte offset of a sector.
    fn word(&self, sector: Sector, at: usize) -> u32;

    /// Erases the whole sector to ones.
    ///
    /// # Errors
    /// [`NotWritten`] if the chip fails to erase it.
    fn erase(&mut self, sector: Sector) -> Result<(), NotWritten>;

    /// Writes a word that has been all ones since it was erased.
    ///
    /// # Errors
    /// [`NotWritten`] if the chip fails to write it.
    fn program(&mut self, sector: Sector, at: usize, word: u32) -> Result<(), NotWritten>;
}

/// A record: its place, and the contents of its head.
#[derive(Clone, Copy)]
struct JournalRecord {
    sector: Sector,
    slot: usize,
    number: u32,
    /// The length of each part in bytes.
    lengths: [usize; PARTS],
}

impl JournalRecord {
    /// The number of words of a record with parts of these lengths, including the CRC.
    fn words(lengths: [usize; PARTS]) -> usize {
        let of_parts = lengths.map(|length| length.div_ceil(WORD));
        HEAD + of_parts.into_iter().sum::<usize>() + 1
    }

    /// The number of slots that `words` words take.
    const fn slots(words: usize) -> usize {
        (words * WORD).div_ceil(SLOT_BYTES)
    }

    /// The number of the slot after the record.
    fn end(&self) -> usize {
        self.slot + Self::slots(Self::words(self.lengths))
    }

    /// The location of a part's bytes.
    fn kept(&self, part: StoredPart) -> Bytes<'static> {
        let before = self.lengths.get(..part as usize).unwrap_or_default();
        let words = before.iter().map(|length| length.div_ceil(WORD));
        Bytes::Kept {
            sector: self.sector,
            at: self.slot * SLOT_BYTES + (HEAD + words.sum::<usize>()) * WORD,
            length: self.lengths.get(part as usize).copied().unwrap_or(0),
        }
    }
}

/// The bytes of a part.
#[derive(Clone, Copy)]
enum Bytes<'a> {
    /// Bytes that have not been written yet.
    Given(&'a [u8]),
    /// Bytes that are already in the flash.
    Kept {
        sector: Sector,
        at: usize,
        length: usize,
    },
}

impl Bytes<'_> {
    const fn len(&self) -> usize {
        match self {
            Bytes::Given(bytes) => bytes.len(),
            Bytes::Kept { length, .. } => *length,
        }
    }
}

/// A store in two sectors of flash.
#[derive(Debug)]
pub struct FlashJournal<F> {
    flash: F,
}

impl<F: Flash> FlashJournal<F> {
    const HAS_ROOM: () = assert!(F::SLOTS >= MOST_SLOTS, "the longest record fits a sector");

    /// The journal in this flash, with the parts stored there.
    #[must_use]
    pub const fn new(flash: F) -> Self {
        let () = Self::HAS_ROOM;
        FlashJournal { flash }
    }

    /// The flash that contains the journal.
    #[must_use]
    pub const fn flash(&self) -> &F {
        &self.flash
    }

    /// The flash, without the journal.
    #[must_use]
    pub fn into_flash(self) -> F {
        self.flash
    }

    fn word(&self, sector: Sector, slot: usize, word: usize) -> u32 {
        self.flash.word(sector, slot * SLOT_BYTES + word * WORD)
    }

    /// The record that starts at this slot, complete or not.
    fn begun(&self, sector: Sector, slot: usize) -> Option<JournalRecord> {
        if self.word(sector, slot, 0) != MARK {
            return None;
        }
        let mut lengths = [0; PARTS];
        for (index, part) in StoredPart::ALL.into_iter().enumerate() {
            let length = self.word(sector, slot, 2 + index) as usize;
            if length > most_bytes(part) {
                return None;
            }
            *lengths.get_mut(index)? = length;
        }
        let record = JournalRecord {
            sector,
            slot,
            number: self.word(sector, slot, 1),
            lengths,
        };
        (record.end() <= F::SLOTS).then_some(record)
    }

    fn is_whole(&self, record: &JournalRecord) -> bool {
        let (sector, slot) = (record.sector, record.slot);
        let last = JournalRecord::words(record.lengths) - 1;
        let covered = (1..last).map(|word| self.word(sector, slot, word).to_le_bytes());
        self.word(sector, slot, last) == crc32c_of_pieces(covered)
    }

    /// The records that were started in a sector, in order.
    fn records(&self, sector: Sector) -> impl Iterator<Item = JournalRecord> + '_ {
        let mut slot = 0;
        core::iter::from_fn(move || {
            let found = (slot..F::SLOTS).find_map(|slot| self.begun(sector, slot))?;
            slot = found.end();
            Some(found)
        })
    }

    /// The slot after everything that was written to a sector, in records or not.
    fn end(&self, sector: Sector) -> usize {
        let of_records = self.records(sector).last().map_or(0, |last| last.end());
        let mut later = (of_records..F::SLOTS).rev();
        let written = later.find(|slot| !self.is_free(sector, *slot));
        written.map_or(of_records, |slot| slot + 1)
    }

    /// The last record that was written.
    fn last(&self) -> Option<JournalRecord> {
        let mut last: Option<JournalRecord> = None;
        for record in Sector::BOTH
            .into_iter()
            .flat_map(|sector| self.records(sector))
        {
            if last.is_none_or(|last| last.number < record.number) && self.is_whole(&record) {
                last = Some(record);
            }
        }
        last
    }

    fn is_free(&self, sector: Sector, slot: usize) -> bool {
        let words = SLOT_BYTES / WORD;
        (0..words).all(|word| self.word(sector, slot, word) == u32::MAX)
    }

    /// The place of the next record, with room for `slots`: after the last one, or at the
    /// start of the other sector, which is then erased.
    fn make_room(
        &mut self,
        last: Option<JournalRecord>,
        slots: usize,
    ) -> Result<Place, NotWritten> {
        let fresh = match last {
            Some(JournalRecord { sector, .. }) => {
                let slot = self.end(sector);
                if slot + slots <= F::SLOTS {
                    return Ok((sector, slot));
                }
                sector.other()
            }
            None => Sector::One,
        };
        self.flash.erase(fresh)?;
        Ok((fresh, 0))
    }

    /// A word of a part; the last one is padded with ones.
    fn word_of(&self, bytes: &Bytes<'_>, word: usize) -> u32 {
        match *bytes {
            Bytes::Given(bytes) => {
                let mut four = [u8::MAX; WORD];
                let rest = bytes.get(word * WORD..).unwrap_or_default();
                for (place, byte) in four.iter_mut().zip(rest) {
                    *place = *byte;
                }
                u32::from_le_bytes(four)
            }
            Bytes::Kept { sector, at, .. } => self.flash.word(sector, at + word * WORD),
        }
    }

    /// True if these bytes equal the stored ones.
    fn is_same(&self, kept: &Bytes<'_>, bytes: &[u8]) -> bool {
        let words = bytes.len().div_ceil(WORD);
        kept.len() == bytes.len()
            && (0..words)
                .all(|word| self.word_of(kept, word) == self.word_of(&Bytes::Given(bytes), word))
    }
}

/// A sector, and a slot in it.
type Place = (Sector, usize);

impl<F: Flash> FlashStore for FlashJournal<F> {
    fn read(&mut self, part: StoredPart, buffer: &mut [u8]) -> Option<usize> {
        let kept = self.last()?.kept(part);
        let length = Some(kept.len()).filter(|length| *length > 0)?;
        let pieces = buffer.get_mut(..length)?.chunks_mut(WORD);
        for (word, piece) in pieces.enumerate() {
            let bytes = self.word_of(&kept, word).to_le_bytes();
            piece.copy_from_slice(bytes.get(..piece.len())?);
        }
        Some(length)
    }

    fn write(&mut self, part: StoredPart, bytes: &[u8]) -> Result<(), NotWritten> {
        if bytes.len() > most_bytes(part) {
            return Err(NotWritten);
        }
        let last = self.last();
        let kept = |part| last.map_or(Bytes::Given(&[]), |last| last.kept(part));
        if self.is_same(&kept(part), bytes) {
            return Ok(());
        }
        let number = last.map_or(Some(0), |last| last.number.checked_add(1));
        let number = number.ok_or(NotWritten)?;
        let parts = StoredPart::ALL.map(|each| match each == part {
            true => Bytes::Given(bytes),
            false => kept(each),
        });
        let lengths = parts.map(|bytes| bytes.len());
        let words = JournalRecord::words(lengths);
        // The bytes to copy are in the sector that is not erased here.
        let (sector, slot) = self.make_room(last, JournalRecord::slots(words))?;
        let mut at = slot * SLOT_BYTES;
        let mut put = |own: &mut Self, word: u32| {
            own.flash.program(sector, at, word)?;
            let is_there = own.flash.word(sector, at) == word;
            at += WORD;
            is_there.then_some(()).ok_or(NotWritten)
        };
        put(self, MARK)?;
        put(self, number)?;
        for length in lengths {
            put(self, length as u32)?;
        }
        for bytes in parts {
            for word in 0..bytes.len().div_ceil(WORD) {
                let word = self.word_of(&bytes, word);
                put(self, word)?;
            }
        }
        let covered = (1..words - 1).map(|word| self.word(sector, slot, word).to_le_bytes());
        let crc = crc32c_of_pieces(covered);
        put(self, crc)
    }
}

#[cfg(test)]
mod tests;
