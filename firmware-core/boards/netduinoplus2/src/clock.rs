//! The clock: 168 MHz from the 25 MHz crystal, or from the chip's own 16 MHz oscillator
//! if the crystal does not start.
//!
//! QEMU models none of this: nothing ever becomes ready there, and the core runs at 168
//! MHz from the start.

use crate::registers::{flash, rcc};

/// The system clock in hertz after [`speed_up`].
pub const SYSTEM_HZ: u32 = 168_000_000;
/// The clock of USART1: half of the system clock (RM0090, section 7.2).
pub const USART1_HZ: u32 = SYSTEM_HZ / 2;

const CR_CRYSTAL_ON: u32 = 1 << 16;
const CR_CRYSTAL_READY: u32 = 1 << 17;
const CR_PLL_ON: u32 = 1 << 24;
const CR_PLL_READY: u32 = 1 << 25;

/// The source divided to 1 MHz, multiplied by 336, and divided by 2; by 7 for USB.
const PLL_FROM_CRYSTAL: u32 = (1 << 22) | 25;
const PLL_FROM_CHIP: u32 = 16;
const PLL_168_MHZ: u32 = (7 << 24) | (336 << 6);

/// The slower bus gets a quarter of the clock, the faster one half of it.
const CFGR_BUSES: u32 = (0b101 << 10) | (0b100 << 13);
const CFGR_FROM_PLL: u32 = 0b10;
const CFGR_IS_FROM_PLL: u32 = 0b10 << 2;

/// Five wait states at 168 MHz and 3.3 V; prefetch and both caches on.
const FLASH_WAITS: u32 = 5 | (1 << 8) | (1 << 9) | (1 << 10);

/// The maximum number of status reads while something settles. The crystal's 2 ms take
/// fewer at 16 MHz. If nothing settles, the board continues with a wrong clock.
const PATIENCE: u32 = 20_000;

/// Runs the chip at [`SYSTEM_HZ`].
pub fn speed_up() {
    rcc::CR.set(CR_CRYSTAL_ON);
    let source = match rcc::CR.wait_for(CR_CRYSTAL_READY, PATIENCE) {
        true => PLL_FROM_CRYSTAL,
        false => PLL_FROM_CHIP,
    };
    rcc::PLLCFGR.write(PLL_168_MHZ | source);
    rcc::CR.set(CR_PLL_ON);
    flash::ACR.write(FLASH_WAITS);
    rcc::CFGR.write(CFGR_BUSES);
    if rcc::CR.wait_for(CR_PLL_READY, PATIENCE) {
        rcc::CFGR.write(CFGR_BUSES | CFGR_FROM_PLL);
        rcc::CFGR.wait_for(CFGR_IS_FROM_PLL, PATIENCE);
    }
}
