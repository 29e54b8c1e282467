//! A flash whose power fails at any byte; afterwards it contains old and new bytes.

use std::collections::BTreeMap;

use embedded_storage_async::nor_flash::{
    ErrorType, MultiwriteNorFlash, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash,
};
use law::{Judged, Weight, law};
use proptest::prelude::*;

use super::*;

/// As on the Pico: four sectors of 4 KiB are erased as one page, one after the other.
const PAGE_BYTES: usize = 16 * 1_024;
const PAGES: usize = 4;
const SECTOR_BYTES: usize = 4 * 1_024;

/// The state of a byte that was being changed when the power failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Torn {
    /// The cell is unchanged.
    Before,
    /// Some of its bits have changed.
    Half,
}

#[derive(Clone, Debug)]
struct Simulated {
    bytes: Vec<u8>,
    /// The number of bytes that are changed before the power fails.
    lasts: usize,
    torn: Torn,
    changed: usize,
}

#[derive(Debug)]
struct PowerFailed;

impl NorFlashError for PowerFailed {
    fn kind(&self) -> NorFlashErrorKind {
        NorFlashErrorKind::Other
    }
}

impl Simulated {
    fn new(fill: u8) -> Simulated {
        Simulated {
            bytes: vec![fill; PAGES * PAGE_BYTES],
            lasts: usize::MAX,
            torn: Torn::Before,
            changed: 0,
        }
    }

    fn change(&mut self, at: usize, into: u8) -> Result<(), PowerFailed> {
        if self.changed >= self.lasts {
            if self.changed == self.lasts && self.torn == Torn::Half {
                self.bytes[at] = self.bytes[at] & 0xF0 | into & 0x0F;
            }
            self.changed = usize::MAX;
            return Err(PowerFailed);
        }
        self.changed += 1;
        self.bytes[at] = into;
        Ok(())
    }

    /// The same flash with power that does not fail.
    fn powered(self) -> Simulated {
        Simulated {
            lasts: usize::MAX,
            changed: 0,
            ..self
        }
    }
}

impl ErrorType for Simulated {
    type Error = PowerFailed;
}

impl ReadNorFlash for Simulated {
    const READ_SIZE: usize = 1;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), PowerFailed> {
        let at = offset as usize;
        bytes.copy_from_slice(&self.bytes[at..at + bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.bytes.len()
    }
}

impl NorFlash for Simulated {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = PAGE_BYTES;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), PowerFailed> {
        (from as usize..to as usize).try_for_each(|at| self.change(at, u8::MAX))
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), PowerFailed> {
        for (at, byte) in (offset as usize..).zip(bytes) {
            self.change(at, self.bytes[at] & byte)?;
        }
        Ok(())
    }
}

impl MultiwriteNorFlash for Simulated {}

const PARTS: [StoredPart; 3] = [StoredPart::Best, StoredPart::Layout, StoredPart::Settings];

/// The stored bytes of each part.
type All = [Option<Vec<u8>>; PARTS.len()];

fn with<T>(flash: Simulated, what: impl FnOnce(&mut Pages<'_, Simulated>) -> T) -> (Simulated, T) {
    let mut buffer = Box::new(Buffer([0; BUFFER_BYTES]));
    let mut pages = Pages::new(flash, &mut buffer).expect("it is large enough");
    let done = what(&mut pages);
    (pages.into_flash(), done)
}

fn kept(pages: &mut Pages<'_, Simulated>) -> All {
    let mut buffer = vec![0; BUFFER_BYTES];
    PARTS.map(|part| {
        pages
            .read(part, &mut buffer)
            .map(|length| buffer[..length].to_vec())
    })
}

/// Parts with their bytes: short ones, or a drawing of maximum length.
fn writes() -> impl Strategy<Value = Vec<(usize, Vec<u8>)>> {
    let short = (0..PARTS.len(), 0..40_usize);
    let long = (Just(1), DRAWING_BYTES - 8..=DRAWING_BYTES);
    let write = (prop_oneof![4 => short, 1 => long], any::<u8>(), any::<u8>());
    let write = write.prop_map(|((part, length), first, step)| {
        let bytes = (0..length).map(|at| first.wrapping_add(step.wrapping_mul(at as u8)));
        (part, bytes.collect())
    });
    proptest::collection::vec(write, 1..24)
}

fn some(bytes: &[u8]) -> Option<Vec<u8>> {
    (!bytes.is_empty()).then(|| bytes.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn the_latest_of_many_writes_is_read(
        all in writes(),
        fill in prop_oneof![Just(0xFF_u8), Just(0), Just(0x5A)],
    ) {
        let mut flash = Simulated::new(fill);
        let mut expected: All = Default::default();
        // Write enough to use all pages several times.
        for (part, bytes) in all.iter().cycle().take(40) {
            let written;
            (flash, written) = with(flash, |pages| pages.write(PARTS[*part], bytes));
            prop_assert_eq!(written, Ok(()));
            expected[*part] = some(bytes);
        }
        let (_, read) = with(flash, kept);
        prop_assert_eq!(read, expected);
    }
}

/// The law of the store: the power may fail at any byte that is erased or written,
/// before or within it. Afterwards a read of that part gives either the old or the
/// new contents, all other parts are unchanged, and the store accepts further writes.
#[test]
fn a_power_cut_at_any_byte_keeps_the_old_or_the_new() {
    let bytes = proptest::collection::vec(any::<u8>(), 1..60);
    let picks = proptest::collection::vec(any::<prop::sample::Index>(), 8);
    let cases = (writes(), 0..PARTS.len(), bytes, picks);
    law(Weight::of(8, 90), cases, |(before, part, bytes, picks)| {
        let mut flash = Simulated::new(u8::MAX);
        for (part, bytes) in before.iter().cycle().take(40) {
            flash = with(flash, |pages| pages.write(PARTS[*part], bytes)).0;
        }
        let (flash, old) = with(flash.powered(), kept);
        let (whole, _) = with(flash.clone().powered(), |pages| {
            pages.write(PARTS[part], &bytes)
        });
        let changes = whole.changed;
        if changes == 0 {
            return Ok(Judged::Nothing);
        }
        let mut cuts = BTreeMap::new();
        for pick in picks {
            cuts.insert(pick.index(changes), ());
        }
        for cut in cuts.into_keys().chain([0, changes - 1]) {
            for torn in [Torn::Before, Torn::Half] {
                let failing = Simulated {
                    lasts: cut,
                    torn,
                    ..flash.clone()
                };
                let (failed, written) = with(failing, |pages| pages.write(PARTS[part], &bytes));
                prop_assert_eq!(written, Err(NotWritten));
                let (flash, read) = with(failed.powered(), kept);
                for index in 0..PARTS.len() {
                    let is_new = index == part && read[index] == some(&bytes);
                    prop_assert!(
                        is_new || read[index] == old[index],
                        "cut at {} of {}, {:?}: {:?}",
                        cut,
                        changes,
                        torn,
                        PARTS[index]
                    );
                }
                let (flash, again) = with(flash, |pages| pages.write(PARTS[part], &bytes));
                prop_assert_eq!(again, Ok(()));
                let (_, read) = with(flash, kept);
                prop_assert_eq!(&read[part], &some(&bytes));
            }
        }
        Ok(Judged::Something)
    });
}

/// Tests every byte of the write that starts a page, for which another page is erased.
#[test]
fn a_power_cut_while_a_page_is_erased_loses_nothing() {
    let layout = vec![7; DRAWING_BYTES];
    let mut flash = Simulated::new(u8::MAX);
    let parts = [
        (StoredPart::Layout, layout),
        (StoredPart::Best, vec![3; 40]),
    ];
    for (part, bytes) in &parts {
        flash = with(flash, |pages| pages.write(*part, bytes)).0;
    }
    // Small writes, until one of them erases a page.
    let (mut before, mut turn) = (flash.clone(), 0_u16);
    let erases = |flash: &Simulated| flash.changed >= PAGE_BYTES;
    while !erases(&flash) {
        before = flash.powered();
        turn += 1;
        let bytes = turn.to_le_bytes();
        flash = with(before.clone(), |pages| {
            pages.write(StoredPart::Settings, &bytes)
        })
        .0;
    }
    let (old, new) = ((turn - 1).to_le_bytes(), turn.to_le_bytes());
    let every = SECTOR_BYTES / 8 - 1;
    for cut in (0..flash.changed)
        .step_by(every)
        .chain(flash.changed - 64..flash.changed)
    {
        for torn in [Torn::Before, Torn::Half] {
            let failing = Simulated {
                lasts: cut,
                torn,
                ..before.clone()
            };
            let (failed, _) = with(failing, |pages| pages.write(StoredPart::Settings, &new));
            let (_, [best, layout, settings]) = with(failed.powered(), kept);
            assert_eq!(best.as_deref(), Some(&parts[1].1[..]), "{cut} {torn:?}");
            assert_eq!(layout.as_deref(), Some(&parts[0].1[..]), "{cut} {torn:?}");
            let settings = settings.expect("they are kept");
            assert!(
                [old, new].contains(&settings[..].try_into().unwrap()),
                "{cut} {torn:?}"
            );
        }
    }
}
