//! The clocks: 125 MHz from the 12 MHz crystal, and 48 MHz for USB.

use crate::registers::{PLL_SYS, PLL_USB, Pll, WATCHDOG_TICK, clocks, resets, xosc};

/// The system clock in hertz after [`speed_up`].
pub const SYSTEM_HZ: u32 = 125_000_000;

const CRYSTAL_MHZ: u32 = 12;

/// Range 1 to 15 MHz, enabled (section 2.16.7).
const XOSC_ON: u32 = 0xAA0 | (0xFAB << 12);
/// The start-up delay in units of 256 periods: 64 ms, since some crystals start slowly.
const XOSC_DELAY: u32 = 64 * (CRYSTAL_MHZ * 1_000).div_ceil(256);
const STABLE: u32 = 1 << 31;

/// 1,500 MHz, divided by 6 and by 2 (section 2.18.2).
const SYS_PLL: PllSettings = PllSettings {
    feedback: 125,
    dividers: (6 << 16) | (2 << 12),
};
/// 1,200 MHz, divided by 5 and by 5.
const USB_PLL: PllSettings = PllSettings {
    feedback: 100,
    dividers: (5 << 16) | (5 << 12),
};
const PLL_UNPOWERED: u32 = (1 << 0) | (1 << 5);
const PLL_DIVIDERS_UNPOWERED: u32 = 1 << 3;
const PLL_LOCKED: u32 = 1 << 31;

const REF_FROM_CRYSTAL: u32 = 2;
const REF_IS_FROM_CRYSTAL: u32 = 1 << 2;
const SYS_FROM_PLL: u32 = 1;
const SYS_IS_FROM_REF: u32 = 1 << 0;
const SYS_IS_FROM_PLL: u32 = 1 << 1;
const PERI_ON_FROM_SYS: u32 = 1 << 11;
const USB_ON_FROM_PLL: u32 = 1 << 11;

const WATCHDOG_TICK_ON: u32 = 1 << 9;

/// The subsystems that the image uses (section 2.14.3): DMA, I2C1, IO_BANK0,
/// PADS_BANK0, PIO0, PLL_SYS, PLL_USB, PWM, TIMER, UART0 and USBCTRL.
const USED: u32 = {
    let numbers = [2, 4, 5, 8, 10, 12, 13, 14, 21, 22, 24];
    let mut bits = 0;
    let mut index = 0;
    while index < numbers.len() {
        bits |= 1 << numbers[index];
        index += 1;
    }
    bits
};

/// Runs the chip at [`SYSTEM_HZ`], and takes the subsystems that the image uses out of
/// reset.
pub fn speed_up() {
    xosc::STARTUP.write(XOSC_DELAY);
    xosc::CTRL.write(XOSC_ON);
    wait_for(|| xosc::STATUS.read() & STABLE != 0);
    // After a reset of the core alone, the system clock still comes from the PLL. It has
    // to be switched away before the PLL is changed.
    clocks::SYS_CTRL.clear(SYS_FROM_PLL);
    wait_for(|| clocks::SYS_SELECTED.read() == SYS_IS_FROM_REF);
    clocks::REF_CTRL.write(REF_FROM_CRYSTAL);
    wait_for(|| clocks::REF_SELECTED.read() == REF_IS_FROM_CRYSTAL);
    resets::RESET.set(USED);
    resets::RESET.clear(USED);
    wait_for(|| resets::RESET_DONE.read() & USED == USED);
    start(&PLL_SYS, SYS_PLL);
    start(&PLL_USB, USB_PLL);
    // After a reset, the auxiliary source is the PLL.
    clocks::SYS_CTRL.write(0);
    clocks::SYS_CTRL.write(SYS_FROM_PLL);
    wait_for(|| clocks::SYS_SELECTED.read() == SYS_IS_FROM_PLL);
    clocks::PERI_CTRL.write(PERI_ON_FROM_SYS);
    clocks::USB_CTRL.write(USB_ON_FROM_PLL);
    WATCHDOG_TICK.write(CRYSTAL_MHZ | WATCHDOG_TICK_ON);
}

/// What a PLL multiplies the crystal's frequency by, and its two dividers in the bits of
/// their register.
struct PllSettings {
    feedback: u32,
    dividers: u32,
}

fn start(pll: &Pll, settings: PllSettings) {
    pll.cs.write(1);
    pll.fbdiv_int.write(settings.feedback);
    pll.pwr.clear(PLL_UNPOWERED);
    wait_for(|| pll.cs.read() & PLL_LOCKED != 0);
    pll.prim.write(settings.dividers);
    pll.pwr.clear(PLL_DIVIDERS_UNPOWERED);
}

/// Waits for a condition; for ever if the crystal does not oscillate, since the chip can
/// do nothing without it.
fn wait_for(is_so: impl Fn() -> bool) {
    while !is_so() {}
}
