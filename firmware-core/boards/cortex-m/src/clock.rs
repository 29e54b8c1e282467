//! A millisecond tick from the timer of the core.

use core::sync::atomic::{AtomicU32, Ordering};

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::exception;

static ELAPSED_MS: AtomicU32 = AtomicU32::new(0);

/// Starts the millisecond tick of a core that runs at `system_hz`.
pub fn start(timer: &mut SYST, system_hz: u32) {
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(system_hz / 1_000 - 1);
    timer.clear_current();
    timer.enable_counter();
    timer.enable_interrupt();
}

/// Milliseconds since the last call.
pub fn elapsed_ms() -> u32 {
    take()
}

#[cfg(target_has_atomic = "32")]
fn take() -> u32 {
    ELAPSED_MS.swap(0, Ordering::Relaxed)
}

/// As above, for a Cortex-M0+, which has no atomic exchange.
#[cfg(not(target_has_atomic = "32"))]
fn take() -> u32 {
    cortex_m::interrupt::free(|_| {
        let ms = ELAPSED_MS.load(Ordering::Relaxed);
        ELAPSED_MS.store(0, Ordering::Relaxed);
        ms
    })
}

/// True if [`elapsed_ms`] would return more than 0.
pub fn has_elapsed() -> bool {
    ELAPSED_MS.load(Ordering::Relaxed) > 0
}

#[exception]
fn SysTick() {
    // No other interrupt can intervene, and the main loop takes the value with interrupts
    // disabled.
    let ms = ELAPSED_MS.load(Ordering::Relaxed);
    ELAPSED_MS.store(ms.wrapping_add(1), Ordering::Relaxed);
}
