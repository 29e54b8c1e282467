use super::*;

const SLOTS: usize = 4;
const SECTOR_BYTES: usize = SLOTS * SLOT_BYTES;

/// How a cell is left that was being changed when the power failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Torn {
    /// As it was.
    Before,
    /// Some of its bits have changed.
    Half,
}

/// Two sectors whose power fails after so many bytes.
#[derive(Clone)]
struct Simulated {
    bytes: [Vec<u8>; 2],
    /// Bytes that are erased or written before the power fails; `None`: it does not.
    lasts: Option<usize>,
    torn: Torn,
    done: usize,
    erased: usize,
}

impl Simulated {
    fn new(fill: u8) -> Simulated {
        Simulated {
            bytes: [vec![fill; SECTOR_BYTES], vec![fill; SECTOR_BYTES]],
            lasts: None,
            torn: Torn::Before,
            done: 0,
            erased: 0,
        }
    }

    /// Changes a byte, while there is power.
    fn change(&mut self, sector: Sector, at: usize, into: u8) -> Result<(), NotWritten> {
        let place = &mut self.bytes[sector as usize][at];
        if self.lasts.is_some_and(|lasts| self.done > lasts) {
            return Err(NotWritten);
        }
        if self.lasts == Some(self.done) {
            self.done += 1;
            if self.torn == Torn::Half {
                *place = *place & 0xF0 | into & 0x0F;
            }
            return Err(NotWritten);
        }
        self.done += 1;
        *place = into;
        Ok(())
    }
}

impl Flash for Simulated {
    const SLOTS: usize = SLOTS;

    fn word(&self, sector: Sector, at: usize) -> u32 {
        let bytes = &self.bytes[sector as usize][at..at + WORD];
        u32::from_le_bytes(bytes.try_into().unwrap())
    }

    fn erase(&mut self, sector: Sector) -> Result<(), NotWritten> {
        self.erased += 1;
        (0..SECTOR_BYTES).try_for_each(|at| self.change(sector, at, u8::MAX))
    }

    fn program(&mut self, sector: Sector, at: usize, word: u32) -> Result<(), NotWritten> {
        assert_eq!(self.word(sector, at), u32::MAX, "written twice");
        let bytes = word.to_le_bytes().into_iter().zip(at..);
        bytes
            .into_iter()
            .try_for_each(|(byte, at)| self.change(sector, at, byte))
    }
}

fn kept(store: &mut Journal<Simulated>) -> Option<Vec<u8>> {
    let mut buffer = [0; SLOT_BYTES];
    let length = store.read(&mut buffer)?;
    Some(buffer[..length].to_vec())
}

fn text(number: usize) -> Vec<u8> {
    // Of any length, zero included.
    (0..number * 7 % 60)
        .map(|byte| (byte * number) as u8)
        .collect()
}

/// A store after so many writes; the flash was erased before, or anything was in it.
fn after(writes: usize, fill: u8) -> Journal<Simulated> {
    let mut store = Journal::new(Simulated::new(fill));
    for number in 0..writes {
        assert_eq!(store.write(&text(number)), Ok(()));
    }
    store
}

/// The same flash when there is power again.
fn powered(store: &Journal<Simulated>) -> Journal<Simulated> {
    let mut flash = store.flash().clone();
    flash.lasts = None;
    Journal::new(flash)
}

#[test]
fn what_was_written_last_is_read_however_often_it_was_written() {
    for fill in [u8::MAX, 0, 0x5A] {
        let mut store = after(0, fill);
        assert_eq!(kept(&mut store), None);
        for number in 0..10 * SLOTS {
            assert_eq!(store.write(&text(number)), Ok(()));
            assert_eq!(kept(&mut store), Some(text(number)));
            assert_eq!(kept(&mut powered(&store)), Some(text(number)));
        }
        // Once for each time that a sector is full.
        assert_eq!(store.flash().erased, 10);
    }
}

#[test]
fn as_much_is_kept_as_fits_a_slot_and_no_more() {
    let mut store = after(1, u8::MAX);
    let most = vec![7; MOST_BYTES];
    assert_eq!(store.write(&most), Ok(()));
    assert_eq!(kept(&mut store), Some(most.clone()));
    assert_eq!(store.write(&vec![7; MOST_BYTES + 1]), Err(NotWritten));
    assert_eq!(kept(&mut store), Some(most.clone()));
    assert_eq!(store.read(&mut [0; MOST_BYTES - 1]), None);
}

/// The law of a [`Store`]: at every byte of every write, the erasing of a sector
/// included, and with the byte that was under way left in any state.
#[test]
fn a_power_cut_at_any_byte_leaves_the_older_or_the_newer() {
    let mut cuts = 0;
    for (fill, torn) in [
        (u8::MAX, Torn::Before),
        (u8::MAX, Torn::Half),
        (0, Torn::Before),
        (0, Torn::Half),
    ] {
        for writes in 0..2 * SLOTS + 2 {
            let before = after(writes, fill);
            let older = writes.checked_sub(1).map(text);
            let newer = vec![writes as u8; 30];
            let mut lasts = 0;
            let mut are_left_older = 0;
            loop {
                let mut flash = before.flash().clone();
                (flash.done, flash.lasts, flash.torn) = (0, Some(lasts), torn);
                let mut cut = Journal::new(flash);
                let written = cut.write(&newer);
                let mut again = powered(&cut);
                let found = kept(&mut again);
                match written {
                    Ok(()) => assert_eq!(found, Some(newer.clone())),
                    Err(NotWritten) => assert!(
                        found == older || found == Some(newer.clone()),
                        "{writes} {lasts} {torn:?}"
                    ),
                }
                // It goes on from there, also if the power fails once more.
                let second = vec![9; 5];
                let mut flash = again.flash().clone();
                (flash.done, flash.lasts) = (0, Some(lasts / 2));
                let mut twice = Journal::new(flash);
                let _ = twice.write(&second);
                let mut last = powered(&twice);
                let later = kept(&mut last);
                assert!(
                    later == found || later == Some(second.clone()),
                    "{writes} {lasts}"
                );
                assert_eq!(last.write(&text(5)), Ok(()));
                assert_eq!(kept(&mut last), Some(text(5)));
                are_left_older += usize::from(found == older);
                if written.is_ok() {
                    break;
                }
                cuts += 1;
                // In the midst of an erasing one byte is as the other.
                let is_like_others = (200..SECTOR_BYTES - 2).contains(&lasts);
                lasts += if is_like_others { 13 } else { 1 };
            }
            assert!(are_left_older > 40, "{are_left_older}");
        }
    }
    assert!(cuts > 4_000, "{cuts}");
}

#[test]
fn no_damaged_bit_of_a_slot_is_read() {
    let store = after(2, u8::MAX);
    for at in SLOT_BYTES..SLOT_BYTES + 3 * WORD + text(1).len() + WORD {
        for bit in 0..8 {
            let mut flash = store.flash().clone();
            flash.bytes[0][at] ^= 1 << bit;
            let found = kept(&mut Journal::new(flash));
            // What fills the last word up is covered too.
            assert_eq!(found, Some(text(0)), "byte {at}, bit {bit}");
        }
    }
}
