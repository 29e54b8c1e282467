//! Access by address to the registers of the flash controller and to the last two sectors
//! of the flash.

use cortex_m_board::stm32f4::{Bus, LAST_SECTORS, SECTOR_BYTES, register};

/// The addresses that the store may use; no others are read or written.
#[derive(Debug)]
pub struct Addresses;

const fn is_own(address: u32) -> bool {
    let [one, other] = LAST_SECTORS;
    let end = other.address + SECTOR_BYTES as u32;
    let is_flash = one.address <= address && address < end;
    let is_register = register::ACR <= address && address <= register::CR;
    (is_flash || is_register) && address.is_multiple_of(4)
}

#[allow(unsafe_code)]
impl Bus for Addresses {
    fn read(&self, address: u32) -> u32 {
        if !is_own(address) {
            return 0;
        }
        // SAFETY: a register of the flash controller, or a word of the two sectors that
        // `memory.x` excludes: aligned, always present, and not used by Rust.
        unsafe { (address as *const u32).read_volatile() }
    }

    fn write(&mut self, address: u32, value: u32) {
        if is_own(address) {
            // SAFETY: as in `read`. The write only affects the two sectors.
            unsafe { (address as *mut u32).write_volatile(value) }
            // The write must be complete before the controller's status is read.
            cortex_m::asm::dsb();
        }
    }
}
