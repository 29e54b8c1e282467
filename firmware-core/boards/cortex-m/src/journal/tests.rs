use super::*;

const SLOTS: usize = MOST_SLOTS + 2;
const SECTOR_BYTES: usize = SLOTS * SLOT_BYTES;

/// The state of a byte that was being changed when the power failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Torn {
    /// The cell is unchanged.
    Before,
    /// Some of its bits have changed.
    Half,
}

/// Two sectors of flash, whose power fails after a number of bytes.
#[derive(Clone)]
struct Simulated {
    bytes: [Vec<u8>; 2],
    /// The number of bytes that can be erased or written before the power fails; `None`
    /// if it does not fail.
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

    /// Changes a byte, as long as there is power.
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

/// The stored bytes of both parts.
type Both = [Option<Vec<u8>>; PARTS];

fn kept(store: &mut FlashJournal<Simulated>) -> Both {
    StoredPart::ALL.map(|part| {
        let mut buffer = vec![0; most_bytes(part)];
        let length = store.read(part, &mut buffer)?;
        buffer.truncate(length);
        Some(buffer)
    })
}

/// The contents of the write with this number: alternately one part and the other, of any
/// length, and sometimes empty.
fn text(number: usize) -> (StoredPart, Vec<u8>) {
    let (part, length) = match number % 3 {
        0 => (StoredPart::Best, number * 7 % 60),
        1 => (StoredPart::Layout, number * 1_117 % 4_000),
        _ => (StoredPart::Best, 1 + number % 5),
    };
    let length = if number % 11 == 4 { 0 } else { length };
    let bytes = (0..length).map(|byte| (byte * number + 1) as u8);
    (part, bytes.collect())
}

fn put(both: &mut Both, part: StoredPart, bytes: Vec<u8>) {
    both[part as usize] = Some(bytes).filter(|bytes| !bytes.is_empty());
}

/// A store after this many writes, and its contents. The flash was either erased before
/// or contained arbitrary data.
fn after(writes: usize, fill: u8) -> (FlashJournal<Simulated>, Both) {
    let mut store = FlashJournal::new(Simulated::new(fill));
    let mut both = Both::default();
    for number in 0..writes {
        let (part, bytes) = text(number);
        assert_eq!(store.write(part, &bytes), Ok(()));
        put(&mut both, part, bytes);
    }
    (store, both)
}

/// The same flash after the power has returned.
fn powered(store: &FlashJournal<Simulated>) -> FlashJournal<Simulated> {
    let mut flash = store.flash().clone();
    flash.lasts = None;
    FlashJournal::new(flash)
}

/// The same flash, whose power fails after this many bytes.
fn failing(
    store: &FlashJournal<Simulated>,
    lasts: Option<usize>,
    torn: Torn,
) -> FlashJournal<Simulated> {
    let mut flash = store.flash().clone();
    (flash.done, flash.lasts, flash.torn) = (0, lasts, torn);
    FlashJournal::new(flash)
}

#[test]
fn the_latest_of_many_writes_is_read() {
    for fill in [u8::MAX, 0, 0x5A] {
        let (mut store, mut both) = after(0, fill);
        assert_eq!(kept(&mut store), [None, None]);
        for number in 0..120 {
            let (part, bytes) = text(number);
            assert_eq!(store.write(part, &bytes), Ok(()));
            put(&mut both, part, bytes);
            assert_eq!(kept(&mut store), both);
            assert_eq!(kept(&mut powered(&store)), both);
        }
        assert!(store.flash().erased > 8, "{}", store.flash().erased);
    }
}

/// A sector is erased once each time it is full, and not at all if it is already erased.
#[test]
fn a_sector_is_erased_when_the_other_one_is_full() {
    let (mut store, _) = after(0, u8::MAX);
    let layout = vec![7; 3 * SLOT_BYTES];
    assert_eq!(store.write(StoredPart::Layout, &layout), Ok(()));
    let of_each = JournalRecord::slots(JournalRecord::words([1, layout.len()]));
    for number in 0..4 * SLOTS / of_each {
        assert_eq!(store.write(StoredPart::Best, &[number as u8]), Ok(()));
        let erased = store.flash().erased;
        assert_eq!(erased, 1 + (number + 1) / (SLOTS / of_each));
        for _ in 0..3 {
            assert_eq!(store.write(StoredPart::Best, &[number as u8]), Ok(()));
            assert_eq!(store.write(StoredPart::Layout, &layout), Ok(()));
        }
        assert_eq!(store.flash().erased, erased);
    }
    // If nothing is stored, there is nothing to clear.
    let (mut store, _) = after(0, u8::MAX);
    assert_eq!(store.write(StoredPart::Layout, &[]), Ok(()));
    assert_eq!(store.flash().done, 0);
}

#[test]
fn each_part_is_stored_up_to_its_limit() {
    let (mut store, _) = after(1, u8::MAX);
    let most = StoredPart::ALL.map(|part| vec![7; most_bytes(part)]);
    for round in 0..3 {
        for part in StoredPart::ALL {
            let mut bytes = most[part as usize].clone();
            bytes[0] = round;
            assert_eq!(store.write(part, &bytes), Ok(()));
            let more = vec![7; most_bytes(part) + 1];
            assert_eq!(store.write(part, &more), Err(NotWritten));
            let mut short = vec![0; most_bytes(part) - 1];
            assert_eq!(store.read(part, &mut short), None);
            assert_eq!(kept(&mut store)[part as usize], Some(bytes));
        }
    }
    let is_full = |kept: &Option<Vec<u8>>, part| kept.as_ref().unwrap().len() == most_bytes(part);
    let both = kept(&mut store);
    assert!(
        StoredPart::ALL
            .iter()
            .zip(&both)
            .all(|(part, kept)| is_full(kept, *part))
    );
}

/// The law of a [`FlashStore`]: the power may fail at any byte of any write, including
/// those of an erasure, and may leave that byte in any state.
#[test]
fn a_power_cut_at_any_byte_leaves_the_older_or_the_newer() {
    let (mut cuts, mut are_left_older, mut erasing) = (0, 0, 0);
    for (fill, torn) in [
        (u8::MAX, Torn::Before),
        (u8::MAX, Torn::Half),
        (0, Torn::Before),
        (0, Torn::Half),
    ] {
        for writes in 0..22 {
            let (before, older) = after(writes, fill);
            let (part, bytes) = text(writes + 70);
            let mut newer = older.clone();
            put(&mut newer, part, bytes.clone());
            let mut whole = failing(&before, None, torn);
            assert_eq!(whole.write(part, &bytes), Ok(()));
            let (all, erases) = (
                whole.flash().done,
                whole.flash().erased > before.flash().erased,
            );
            erasing += usize::from(erases);
            // Within an erasure, and within the bytes of a part, all places are
            // equivalent.
            let edges = [0, SECTOR_BYTES, all];
            let is_near_an_edge = |at: usize| edges.iter().any(|edge| edge.abs_diff(at) < 48);
            let cut_at = (0..all).filter(|at| is_near_an_edge(*at) || at % 131 == 0);
            for lasts in cut_at {
                let mut cut = failing(&before, Some(lasts), torn);
                assert_eq!(cut.write(part, &bytes), Err(NotWritten));
                let mut again = powered(&cut);
                let found = kept(&mut again);
                assert!(
                    found == older || found == newer,
                    "{writes} {lasts} {torn:?}"
                );
                // The journal can be used from there, even if the power fails again.
                let (part, bytes) = (StoredPart::ALL[lasts % 2], vec![9; 5]);
                let mut second = found.clone();
                put(&mut second, part, bytes.clone());
                let mut twice = failing(&again, Some(lasts / 2), torn);
                let _ = twice.write(part, &bytes);
                let mut last = powered(&twice);
                let later = kept(&mut last);
                assert!(later == found || later == second, "{writes} {lasts}");
                let mut third = later;
                let (part, bytes) = text(5);
                assert_eq!(last.write(part, &bytes), Ok(()));
                put(&mut third, part, bytes);
                assert_eq!(kept(&mut last), third);
                are_left_older += usize::from(found == older);
                cuts += 1;
            }
        }
    }
    assert!(
        cuts > 8_000 && are_left_older > 4_000,
        "{cuts} {are_left_older}"
    );
    assert!(erasing > 4, "{erasing}");
}

/// The bytes of a layout come from a host, who may have included a record in them.
#[test]
fn bytes_in_a_record_are_never_read_as_a_record() {
    let (mut store, _) = after(0, u8::MAX);
    // A record in the format of the flash, which would be newer than all others.
    let mut forged = FlashJournal::new(Simulated::new(u8::MAX));
    for number in 0..8 {
        assert_eq!(forged.write(StoredPart::Best, &[number]), Ok(()));
    }
    let last = forged.last().unwrap();
    let at = last.slot * SLOT_BYTES;
    let record = &forged.flash().bytes[0][at..at + SLOT_BYTES];
    // The offset at which it is aligned to a slot.
    let to_a_slot = SLOT_BYTES - HEAD * WORD - WORD;
    let layout = [&vec![3; to_a_slot], record, &[3; 500]].concat();
    assert_eq!(store.write(StoredPart::Best, b"mine"), Ok(()));
    let mut whole = failing(&store, None, Torn::Before);
    assert_eq!(whole.write(StoredPart::Layout, &layout), Ok(()));
    let slot = 2;
    assert!(
        whole
            .begun(Sector::One, slot)
            .is_some_and(|record| whole.is_whole(&record)),
        "the forged record is where one is looked for"
    );
    let both = [Some(b"mine".to_vec()), Some(layout.clone())];
    assert_eq!(kept(&mut whole), both);
    for lasts in (0..whole.flash().done).step_by(7) {
        let mut cut = failing(&store, Some(lasts), Torn::Half);
        assert_eq!(cut.write(StoredPart::Layout, &layout), Err(NotWritten));
        let mut again = powered(&cut);
        assert_eq!(kept(&mut again), [Some(b"mine".to_vec()), None]);
        assert_eq!(again.write(StoredPart::Best, b"more"), Ok(()));
        assert_eq!(kept(&mut again), [Some(b"more".to_vec()), None]);
    }
}

#[test]
fn no_damaged_bit_of_a_record_is_read() {
    let (store, older) = {
        let (mut store, both) = after(2, u8::MAX);
        assert_eq!(store.write(StoredPart::Best, b"the newer one"), Ok(()));
        (store, both)
    };
    let last = store.last().unwrap();
    let begin = last.slot * SLOT_BYTES;
    for at in begin..begin + JournalRecord::words(last.lengths) * WORD {
        for bit in 0..8 {
            let mut flash = store.flash().clone();
            flash.bytes[0][at] ^= 1 << bit;
            let found = kept(&mut FlashJournal::new(flash));
            // The padding of the last word is also covered by the CRC.
            assert_eq!(found, older, "byte {at}, bit {bit}");
        }
    }
}
