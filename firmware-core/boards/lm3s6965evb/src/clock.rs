//! The clock: 50 MHz from the 8 MHz crystal, and a millisecond's tick from it.

use core::sync::atomic::{AtomicU32, Ordering};

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::exception;

use crate::registers::system;

/// What [`speed_up`] sets up.
pub const SYSTEM_HZ: u32 = 50_000_000;

/// Run-mode clock configuration (data sheet, section 6): divide the 200 MHz of
/// the PLL by 4, use the divider, 8 MHz crystal, main oscillator.
const RCC_50_MHZ: u32 = (3 << 23) | (1 << 22) | (0xE << 6);
const RCC_PLL_OFF: u32 = 1 << 13;
const RCC_BYPASS: u32 = 1 << 11;
const RIS_PLL_LOCKED: u32 = 1 << 6;
/// Reads of the status while the PLL settles: half a millisecond takes far
/// fewer at 12 MHz. A board whose PLL never locks runs on, with a wrong clock.
const PLL_PATIENCE: u32 = 100_000;

static ELAPSED_MS: AtomicU32 = AtomicU32::new(0);

/// Runs the chip at [`SYSTEM_HZ`].
pub fn speed_up() {
    system::RCC.write(RCC_50_MHZ | RCC_PLL_OFF | RCC_BYPASS);
    system::RCC.write(RCC_50_MHZ | RCC_BYPASS);
    for _ in 0..PLL_PATIENCE {
        if system::RIS.read() & RIS_PLL_LOCKED != 0 {
            break;
        }
    }
    system::RCC.write(RCC_50_MHZ);
}

/// Starts the millisecond's tick.
pub fn start(timer: &mut SYST) {
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(SYSTEM_HZ / 1_000 - 1);
    timer.clear_current();
    timer.enable_counter();
    timer.enable_interrupt();
}

/// Milliseconds since the last call.
pub fn elapsed_ms() -> u32 {
    ELAPSED_MS.swap(0, Ordering::Relaxed)
}

/// True if [`elapsed_ms`] would tell any.
pub fn has_elapsed() -> bool {
    ELAPSED_MS.load(Ordering::Relaxed) > 0
}

#[exception]
fn SysTick() {
    ELAPSED_MS.fetch_add(1, Ordering::Relaxed);
}
