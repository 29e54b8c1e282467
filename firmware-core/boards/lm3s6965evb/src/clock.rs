//! The clock: 50 MHz from the 8 MHz crystal.

use crate::registers::system;

/// The system clock in hertz after [`speed_up`].
pub const SYSTEM_HZ: u32 = 50_000_000;

/// Run-mode clock configuration (data sheet, section 6): divide the 200 MHz of the PLL by
/// 4, use the divider, 8 MHz crystal, main oscillator.
const RCC_50_MHZ: u32 = (3 << 23) | (1 << 22) | (0xE << 6);
const RCC_PLL_OFF: u32 = 1 << 13;
const RCC_BYPASS: u32 = 1 << 11;
const RIS_PLL_LOCKED: u32 = 1 << 6;
/// The maximum number of status reads while the PLL settles. Its half millisecond takes
/// far fewer at 12 MHz. If the PLL never locks, the board continues with a wrong clock.
const PLL_PATIENCE: u32 = 100_000;

/// Runs the chip at [`SYSTEM_HZ`].
pub fn speed_up() {
    system::RCC.write(RCC_50_MHZ | RCC_PLL_OFF | RCC_BYPASS);
    system::RCC.write(RCC_50_MHZ | RCC_BYPASS);
    system::RIS.wait_for(RIS_PLL_LOCKED, PLL_PATIENCE);
    system::RCC.write(RCC_50_MHZ);
}
