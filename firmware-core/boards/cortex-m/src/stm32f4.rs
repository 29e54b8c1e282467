//! The flash controller of an STM32F4: two of its sectors as [`Flash`].
//!
//! It is described in the chip's reference manual (RM0090, section 3: embedded flash
//! memory interface). The controller is locked until two keys are written in order. The
//! core stalls while a sector is erased or a word is written, because its program is in
//! the same flash: up to two seconds for a sector of 128 KiB.
//!
//! Invariants: the controller is locked again after each erasure and each word,
//! successful or not; nothing outside of the two sectors is written.

use crate::journal::{Flash, SLOT_BYTES, Sector};
use crate::store::NotWritten;

/// Memory access by address: registers and flash.
pub trait Bus {
    /// The word at this address.
    fn read(&self, address: u32) -> u32;
    /// Writes a word to this address.
    fn write(&mut self, address: u32, value: u32);
}

/// The registers of the flash controller (RM0090, 3.9).
pub mod register {
    const BASE: u32 = 0x4002_3C00;
    /// ACR: wait states of the flash, and its caches.
    pub const ACR: u32 = BASE;
    /// Takes the two keys that unlock the controller.
    pub const KEYR: u32 = BASE + 0x04;
    /// SR: the status and the errors.
    pub const SR: u32 = BASE + 0x0C;
    /// CR: the operation to carry out.
    pub const CR: u32 = BASE + 0x10;
}

/// Unlocks the controller, first half (RM0090, 3.6.1).
pub const KEY_1: u32 = 0x4567_0123;
/// Unlocks the controller, second half.
pub const KEY_2: u32 = 0xCDEF_89AB;

/// Bits of `CR`: write words.
pub const PG: u32 = 1 << 0;
/// Bits of `CR`: erase a sector.
pub const SER: u32 = 1 << 1;
/// The lowest bit of `CR` with the number of the sector to erase.
pub const SNB: u32 = 3;
/// Bits of `CR`: write 32 bits at once, which requires 2.7 V.
pub const PSIZE_32: u32 = 0b10 << 8;
/// Bits of `CR`: start to erase.
pub const STRT: u32 = 1 << 16;
/// Bits of `CR`: locked; only the keys unlock the register.
pub const LOCK: u32 = 1 << 31;

/// Bits of `SR`: an operation is in progress.
pub const BSY: u32 = 1 << 16;
/// Bits of `SR`: the errors OPERR, WRPERR, PGAERR, PGPERR, PGSERR. Writing a one
/// clears an error.
pub const ERRORS: u32 = (1 << 1) | (0b1111 << 4);

/// Bits of `ACR` that enable the instruction and data caches. They must be off while the
/// caches are emptied (RM0090, 3.5.3).
pub const CACHES: u32 = (1 << 9) | (1 << 10);
/// Bits of `ACR` that empty the caches; see [`CACHES`].
pub const EMPTY_CACHES: u32 = (1 << 11) | (1 << 12);

/// The maximum number of status reads while waiting: many more than the two seconds of an
/// erasure take at 168 MHz. If the chip is still busy then, the operation has failed.
const PATIENCE: u32 = 100_000_000;

/// A flash sector of 128 KiB.
#[derive(Clone, Copy, Debug)]
pub struct FlashSector {
    /// The number of the sector in `CR`.
    pub number: u32,
    /// The address of the sector's first byte.
    pub address: u32,
}

/// Sectors 10 and 11, the last ones of 1 MiB (RM0090, table 5).
pub const LAST_SECTORS: [FlashSector; 2] = [
    FlashSector {
        number: 10,
        address: 0x080C_0000,
    },
    FlashSector {
        number: 11,
        address: 0x080E_0000,
    },
];

/// The size of each sector in bytes.
pub const SECTOR_BYTES: usize = 128 * 1_024;

/// The last two sectors of the chip's flash.
#[derive(Debug)]
pub struct LastSectors<B> {
    bus: B,
}

impl<B: Bus> LastSectors<B> {
    /// The flash, if there is a controller that is locked, as it is after a reset. QEMU
    /// has no controller: all bits are 0 there.
    pub fn find(bus: B) -> Option<Self> {
        let is_there = bus.read(register::CR) & LOCK != 0;
        is_there.then_some(LastSectors { bus })
    }

    /// The bus on which the flash controller is.
    #[must_use]
    pub const fn bus(&self) -> &B {
        &self.bus
    }

    const fn place(sector: Sector) -> FlashSector {
        let [one, other] = LAST_SECTORS;
        match sector {
            Sector::One => one,
            Sector::Other => other,
        }
    }

    /// Waits until the current operation is complete.
    fn wait(&self) -> Result<(), NotWritten> {
        let is_done = (0..PATIENCE).any(|_| self.bus.read(register::SR) & BSY == 0);
        is_done.then_some(()).ok_or(NotWritten)
    }

    /// Unlocks the controller for an operation, and locks it again.
    fn unlocked(
        &mut self,
        what: impl FnOnce(&mut Self) -> Result<(), NotWritten>,
    ) -> Result<(), NotWritten> {
        self.wait()?;
        self.bus.write(register::KEYR, KEY_1);
        self.bus.write(register::KEYR, KEY_2);
        if self.bus.read(register::CR) & LOCK != 0 {
            return Err(NotWritten);
        }
        self.bus.write(register::SR, ERRORS);
        let mut done = what(self).and_then(|()| self.wait());
        if self.bus.read(register::SR) & ERRORS != 0 {
            done = Err(NotWritten);
        }
        self.bus.write(register::CR, LOCK);
        done
    }

    /// Empties the caches, whose contents are outdated after an erasure.
    fn empty_caches(&mut self) {
        let before = self.bus.read(register::ACR);
        let off = before & !CACHES;
        self.bus.write(register::ACR, off);
        self.bus.write(register::ACR, off | EMPTY_CACHES);
        self.bus.write(register::ACR, off);
        self.bus.write(register::ACR, before);
    }
}

impl<B: Bus> Flash for LastSectors<B> {
    const SLOTS: usize = SECTOR_BYTES / SLOT_BYTES;

    fn word(&self, sector: Sector, at: usize) -> u32 {
        self.bus.read(Self::place(sector).address + at as u32)
    }

    fn erase(&mut self, sector: Sector) -> Result<(), NotWritten> {
        let erased = self.unlocked(|own| {
            let what = PSIZE_32 | SER | (Self::place(sector).number << SNB);
            own.bus.write(register::CR, what);
            own.bus.write(register::CR, what | STRT);
            Ok(())
        });
        self.empty_caches();
        erased
    }

    fn program(&mut self, sector: Sector, at: usize, word: u32) -> Result<(), NotWritten> {
        if at >= SECTOR_BYTES {
            return Err(NotWritten);
        }
        self.unlocked(|own| {
            own.bus.write(register::CR, PSIZE_32 | PG);
            own.bus.write(Self::place(sector).address + at as u32, word);
            Ok(())
        })
    }
}

#[cfg(test)]
pub(crate) mod tests;
