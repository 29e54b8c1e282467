//! Tests with a simulated controller that behaves as the reference manual describes, and
//! panics on anything that the manual does not allow.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::*;
use crate::journal::FlashJournal;
use crate::store::{FlashStore, StoredPart};

/// How long an operation takes, in reads of the status.
const BUSY_READS: u32 = 3;

/// A controller and its flash.
#[derive(Default)]
pub(crate) struct Simulated {
    /// The words that are not all ones, by address.
    flash: BTreeMap<u32, u32>,
    acr: u32,
    cr: u32,
    sr: u32,
    /// The number of keys received in the right order.
    keys: u8,
    /// True after a wrong key, which locks the controller until the next reset.
    is_shut: bool,
    busy: Cell<u32>,
    /// How often the caches were emptied.
    emptied: u32,
    /// The number of writes that are accepted before the power fails.
    lasts: Option<u32>,
    /// A sector that cannot be written.
    pub(crate) protected: bool,
    erased: Vec<u32>,
}

impl Simulated {
    /// The controller as it is after a reset.
    pub(crate) fn new() -> Simulated {
        Simulated {
            cr: LOCK,
            acr: 5 | (1 << 8) | CACHES,
            ..Simulated::default()
        }
    }

    /// The same flash after its power failed.
    pub(crate) fn powered(self) -> Simulated {
        Simulated {
            flash: self.flash,
            ..Simulated::new()
        }
    }

    fn key(&mut self, key: u32) {
        match (self.keys, key) {
            (0, KEY_1) if !self.is_shut => self.keys = 1,
            (1, KEY_2) => {
                self.keys = 0;
                self.cr &= !LOCK;
            }
            _ => self.is_shut = true,
        }
    }

    fn control(&mut self, value: u32) {
        assert_eq!(self.busy.get(), 0, "it is at work");
        if self.cr & LOCK != 0 {
            return;
        }
        let is_ready = self.cr & !STRT == value & !STRT;
        self.cr = value & !STRT;
        if value & STRT == 0 {
            return;
        }
        assert!(
            is_ready && value & SER != 0 && value & PG == 0,
            "{value:#x}"
        );
        assert_eq!(value & PSIZE_32, PSIZE_32);
        let number = value >> SNB & 0xF;
        assert!(
            [10, 11].contains(&number),
            "the image is in sector {number}"
        );
        self.busy.set(BUSY_READS);
        if self.protected {
            self.sr |= 1 << 4;
            return;
        }
        self.erased.push(number);
        let begin = 0x080C_0000 + (number - 10) * 0x2_0000;
        self.flash
            .retain(|address, _| !(begin..begin + 0x2_0000).contains(address));
    }

    fn program(&mut self, address: u32, value: u32) {
        assert_eq!(self.busy.get(), 0, "it is at work");
        assert!(
            (0x080C_0000..0x0810_0000).contains(&address) && address.is_multiple_of(4),
            "{address:#x}"
        );
        if self.cr != PSIZE_32 | PG {
            // PGSERR: programming was not enabled before the word.
            self.sr |= 1 << 7;
            return;
        }
        self.busy.set(BUSY_READS);
        if self.protected {
            self.sr |= 1 << 4;
            return;
        }
        *self.flash.entry(address).or_insert(u32::MAX) &= value;
    }
}

impl Bus for Simulated {
    fn read(&self, address: u32) -> u32 {
        match address {
            register::ACR => self.acr,
            register::CR => self.cr,
            register::SR => {
                let busy = self.busy.get();
                self.busy.set(busy.saturating_sub(1));
                self.sr | if busy > 0 { BSY } else { 0 }
            }
            register::KEYR => 0,
            _ => {
                assert_eq!(self.busy.get(), 0, "the core would wait");
                self.flash.get(&address).copied().unwrap_or(u32::MAX)
            }
        }
    }

    fn write(&mut self, address: u32, value: u32) {
        if let Some(lasts) = &mut self.lasts {
            match lasts.checked_sub(1) {
                Some(left) => *lasts = left,
                None => return,
            }
        }
        match address {
            register::ACR => {
                if value & EMPTY_CACHES == EMPTY_CACHES {
                    assert_eq!(value & CACHES, 0, "the caches are on");
                    self.emptied += 1;
                }
                self.acr = value;
            }
            register::KEYR => self.key(value),
            register::CR => self.control(value),
            register::SR => self.sr &= !value,
            _ => self.program(address, value),
        }
    }
}

/// A chip as under QEMU, without a flash controller.
struct Nothing;

impl Bus for Nothing {
    fn read(&self, _address: u32) -> u32 {
        0
    }
    fn write(&mut self, _address: u32, _value: u32) {}
}

pub(crate) fn store(bus: Simulated) -> FlashJournal<LastSectors<Simulated>> {
    FlashJournal::new(LastSectors::find(bus).expect("a controller"))
}

pub(crate) fn bus(store: FlashJournal<LastSectors<Simulated>>) -> Simulated {
    store.into_flash().bus
}

fn kept(store: &mut FlashJournal<LastSectors<Simulated>>) -> Option<Vec<u8>> {
    kept_of(store, StoredPart::Best)
}

fn kept_of(store: &mut FlashJournal<LastSectors<Simulated>>, part: StoredPart) -> Option<Vec<u8>> {
    let mut buffer = [0; 10 * SLOT_BYTES];
    let length = store.read(part, &mut buffer)?;
    Some(buffer[..length].to_vec())
}

#[test]
fn no_flash_is_found_without_a_controller() {
    assert!(LastSectors::find(Nothing).is_none());
}

#[test]
fn the_flash_is_unlocked_by_its_keys_and_locked_again() {
    let mut flash = LastSectors::find(Simulated::new()).expect("a controller");
    assert_eq!(flash.program(Sector::Other, 8, 0x1234_5678), Ok(()));
    assert_eq!(flash.word(Sector::Other, 8), 0x1234_5678);
    assert_eq!(flash.bus().flash.keys().collect::<Vec<_>>(), [&0x080E_0008]);
    assert_eq!(flash.bus().cr & LOCK, LOCK);
    assert_eq!(flash.erase(Sector::Other), Ok(()));
    assert_eq!(flash.bus().erased, [11]);
    assert_eq!(flash.word(Sector::Other, 8), u32::MAX);
    assert_eq!(flash.bus().cr & LOCK, LOCK);
    // The caches are enabled as before, and contain no outdated data.
    assert_eq!(flash.bus().emptied, 1);
    assert_eq!(flash.bus().acr, Simulated::new().acr);
    assert!(!flash.bus().is_shut);
}

#[test]
fn a_chip_that_does_not_write_is_detected() {
    let mut flash = LastSectors::find(Simulated::new()).expect("a controller");
    flash.bus.protected = true;
    assert_eq!(flash.erase(Sector::One), Err(NotWritten));
    assert_eq!(flash.program(Sector::One, 0, 7), Err(NotWritten));
    assert_eq!(flash.bus().cr & LOCK, LOCK);
    // An error flag from an earlier operation is cleared.
    flash.bus.protected = false;
    assert_eq!(flash.program(Sector::One, 0, 7), Ok(()));
    assert_eq!(flash.program(Sector::One, SECTOR_BYTES, 7), Err(NotWritten));
    flash.bus.is_shut = true;
    assert_eq!(flash.program(Sector::One, 4, 7), Err(NotWritten));
}

#[test]
fn a_store_survives_many_sectors_and_power_cuts() {
    let mut one = store(Simulated::new());
    assert_eq!(kept(&mut one), None);
    let writes = 3 * SECTOR_BYTES / SLOT_BYTES + 2;
    for number in 0..writes {
        let text = (number as u32).to_le_bytes();
        assert_eq!(one.write(StoredPart::Best, &text), Ok(()));
        if number % 97 == 0 {
            one = store(bus(one).powered());
        }
        assert_eq!(kept(&mut one), Some(text.to_vec()));
    }
    assert_eq!(
        kept(&mut store(bus(one).powered())),
        Some((writes as u32 - 1).to_le_bytes().to_vec())
    );
}

#[test]
fn a_power_cut_between_writes_leaves_old_or_new_bytes() {
    for writes in [1, SECTOR_BYTES / SLOT_BYTES] {
        let mut cuts = 0;
        for lasts in 0.. {
            let mut one = store(Simulated::new());
            for number in 0..writes {
                assert_eq!(one.write(StoredPart::Best, &[number as u8]), Ok(()));
            }
            let mut chip = bus(one);
            chip.lasts = Some(lasts);
            let mut cut = store(chip);
            let written = cut.write(StoredPart::Best, b"newer");
            let mut again = store(bus(cut).powered());
            let found = kept(&mut again).expect("one of the two");
            let older = vec![(writes - 1) as u8];
            assert!(found == older || found == b"newer", "{lasts}");
            if written.is_ok() {
                assert_eq!(found, b"newer");
                break;
            }
            cuts += 1;
            assert_eq!(again.write(StoredPart::Best, b"later"), Ok(()));
            assert_eq!(kept(&mut again), Some(b"later".to_vec()));
        }
        assert!(cuts > 30, "{cuts}");
    }
}

/// A layout with its game takes several slots, and the best scores are copied along with
/// it.
#[test]
fn a_power_cut_keeps_layouts_whole_and_the_best_scores() {
    let layouts = [1_100, 1_200].map(|length: u32| {
        let bytes = (0..length).map(|byte| (byte * 7 / 3) as u8);
        bytes.collect::<Vec<u8>>()
    });
    // One write for which there is room after the record, and one for which the other
    // sector is erased.
    for writes in [1, SECTOR_BYTES / SLOT_BYTES / 2 - 1] {
        let mut before = store(Simulated::new());
        assert_eq!(before.write(StoredPart::Layout, &layouts[0]), Ok(()));
        for number in 0..writes {
            assert_eq!(before.write(StoredPart::Best, &[number as u8]), Ok(()));
        }
        let best = kept(&mut before);
        let before = bus(before).powered();
        let mut cuts = 0;
        for lasts in (0..).map(|cut| cut * 3) {
            let chip = Simulated {
                flash: before.flash.clone(),
                lasts: Some(lasts),
                ..Simulated::new()
            };
            let mut cut = store(chip);
            let written = cut.write(StoredPart::Layout, &layouts[1]);
            let mut again = store(bus(cut).powered());
            assert_eq!(kept(&mut again), best);
            let found = kept_of(&mut again, StoredPart::Layout).expect("one of the two");
            if written.is_ok() {
                assert_eq!(found, layouts[1]);
                break;
            }
            assert!(layouts.contains(&found), "{lasts}");
            cuts += 1;
            if cuts % 16 == 0 {
                assert_eq!(again.write(StoredPart::Layout, &[]), Ok(()));
                assert_eq!(kept_of(&mut again, StoredPart::Layout), None);
                assert_eq!(kept(&mut again), best);
            }
        }
        assert!(cuts > 500, "{cuts}");
    }
}
