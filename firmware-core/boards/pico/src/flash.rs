//! The end of the flash, which contains the store. It is read as memory, and erased and
//! written with the functions of the boot ROM (RP2040 data sheet, section 2.8.3.1.3).
//!
//! The flash cannot be read during a write, so the writing code is in RAM, and interrupts
//! are disabled.
//!
//! Invariants: no byte before [`START`] is erased or written.

#![allow(unsafe_code)]

use core::mem::transmute;

use cortex_m::interrupt;
use embedded_storage_async::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash,
};

use crate::watchdog;

/// The start of the store in the flash, where the memory map in `memory.x` ends.
const START: u32 = 0x1E_0000;
/// The size of the store in bytes.
const BYTES: u32 = 0x2_0000;
/// The address of the flash in memory.
const FLASH: u32 = 0x1000_0000;

const SECTOR_BYTES: u32 = 4 * 1_024;
/// The number of bytes erased at once, enough for the longest part.
const ERASED_BYTES: u32 = 4 * SECTOR_BYTES;
/// The number of bytes written at once.
const PAGE_BYTES: usize = 256;
/// The command that erases a sector; larger blocks are never requested.
const ERASE_SECTOR: u32 = 0x20;

/// The address of the ROM's table of functions, and of the function that looks one up.
const TABLE: *const u16 = 0x14 as *const u16;
const LOOKUP: *const u16 = 0x18 as *const u16;

type Lookup = unsafe extern "C" fn(u32, u32) -> usize;
type Plain = unsafe extern "C" fn();
type Erase = unsafe extern "C" fn(u32, u32, u32, u32);
type Program = unsafe extern "C" fn(u32, *const u8, u32);

/// The second stage of the boot loader, which makes the flash readable again.
type Boot2 = [u32; 64];

/// The functions of the ROM, and the second stage.
struct Rom {
    connect: Plain,
    exit_xip: Plain,
    erase: Erase,
    program: Program,
    flush_cache: Plain,
    boot2: Boot2,
}

/// An operation on the flash.
enum Deed<'a> {
    Erase(u32),
    Program(u32, &'a [u8; PAGE_BYTES]),
}

const fn code(letters: [u8; 2]) -> u32 {
    u16::from_le_bytes(letters) as u32
}

impl Rom {
    fn find() -> Rom {
        // SAFETY: the ROM has these two words, which point to a table and a function of
        // this type; for each code the function returns a function of one of the types
        // below.
        unsafe {
            let table = u32::from(TABLE.read_volatile());
            let lookup: Lookup = transmute(usize::from(LOOKUP.read_volatile()));
            let find = |letters| lookup(table, code(letters));
            Rom {
                connect: transmute::<usize, Plain>(find(*b"IF")),
                exit_xip: transmute::<usize, Plain>(find(*b"EX")),
                erase: transmute::<usize, Erase>(find(*b"RE")),
                program: transmute::<usize, Program>(find(*b"RP")),
                flush_cache: transmute::<usize, Plain>(find(*b"FC")),
                boot2: (FLASH as *const Boot2).read_volatile(),
            }
        }
    }
}

/// Erases or programs with the functions of the boot ROM.
// In RAM, and calls nothing that is in flash.
#[unsafe(link_section = ".data.flash")]
#[inline(never)]
fn carry_out(rom: &Rom, deed: &Deed<'_>) {
    // SAFETY: the functions of the ROM are called in the order that the data sheet
    // requires, with addresses in the store; the second stage is code in RAM and returns
    // to its caller.
    unsafe {
        (rom.connect)();
        (rom.exit_xip)();
        match *deed {
            Deed::Erase(at) => (rom.erase)(at, SECTOR_BYTES, SECTOR_BYTES, ERASE_SECTOR),
            Deed::Program(at, page) => (rom.program)(at, page.as_ptr(), PAGE_BYTES as u32),
        }
        (rom.flush_cache)();
        let boot2: Plain = transmute(rom.boot2.as_ptr().addr() | 1);
        boot2();
    }
}

/// The store's part of the flash.
pub struct StoreFlash {
    rom: Rom,
}

/// The error for an address that is not in the store.
#[derive(Debug)]
pub struct OutOfBounds;

impl NorFlashError for OutOfBounds {
    fn kind(&self) -> NorFlashErrorKind {
        NorFlashErrorKind::OutOfBounds
    }
}

fn check(from: u32, bytes: u32) -> Result<(), OutOfBounds> {
    let end = from.checked_add(bytes).filter(|end| *end <= BYTES);
    end.map(|_| ()).ok_or(OutOfBounds)
}

impl StoreFlash {
    /// The store, with the functions of the boot ROM looked up.
    #[expect(clippy::new_without_default, reason = "it is made in one place")]
    pub fn new() -> StoreFlash {
        StoreFlash { rom: Rom::find() }
    }

    fn carry_out(&self, deed: &Deed<'_>) {
        // Both operations take long, which must not count against the main loop.
        watchdog::feed();
        interrupt::free(|_| carry_out(&self.rom, deed));
    }
}

impl ErrorType for StoreFlash {
    type Error = OutOfBounds;
}

impl ReadNorFlash for StoreFlash {
    const READ_SIZE: usize = 1;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), OutOfBounds> {
        check(offset, bytes.len() as u32)?;
        let from = (FLASH + START + offset) as *const u8;
        for (index, byte) in bytes.iter_mut().enumerate() {
            // SAFETY: the address is in flash, which is always present and not used by
            // Rust.
            *byte = unsafe { from.add(index).read_volatile() };
        }
        Ok(())
    }

    fn capacity(&self) -> usize {
        BYTES as usize
    }
}

impl NorFlash for StoreFlash {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = ERASED_BYTES as usize;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), OutOfBounds> {
        check(from, to.saturating_sub(from))?;
        for sector in (from..to).step_by(SECTOR_BYTES as usize) {
            self.carry_out(&Deed::Erase(START + sector));
        }
        Ok(())
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), OutOfBounds> {
        check(offset, bytes.len() as u32)?;
        let mut at = offset as usize;
        let mut bytes = bytes;
        while !bytes.is_empty() {
            // Writing ones changes nothing, so the bytes around the data are ones.
            let mut page = [u8::MAX; PAGE_BYTES];
            let inside = at % PAGE_BYTES;
            let count = bytes.len().min(PAGE_BYTES - inside);
            let (now, later) = bytes.split_at(count);
            for (place, byte) in page.iter_mut().skip(inside).zip(now) {
                *place = *byte;
            }
            self.carry_out(&Deed::Program(START + (at - inside) as u32, &page));
            at += count;
            bytes = later;
        }
        Ok(())
    }
}
