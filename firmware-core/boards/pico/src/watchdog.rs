//! The watchdog, which restarts the chip when the main loop stops, or when the image
//! requests it (RP2040 data sheet, section 4.7).
//!
//! Invariants: a start after a reset by the watchdog is distinguished from any other
//! start, and is reported once.

#![allow(unsafe_code)]

use core::fmt::Write;
use core::mem::MaybeUninit;

use cortex_m_board::last_words::{self, LastWords};
use protocol::Text;

use crate::registers::{psm, watchdog};

/// The maximum duration of a round of the main loop, in microseconds. The longest rounds
/// are those in which a board thinks a hundred times (half a second), or in which the
/// flash is erased (four times 400 ms).
const PATIENCE_US: u32 = 4_000_000;
/// The watchdog counts twice in a microsecond (erratum RP2040-E1).
const COUNTS_PER_US: u32 = 2;

const TRIGGER: u32 = 1 << 31;
const ON: u32 = 1 << 30;
/// The watchdog pauses while a debugger has halted the chip.
const STANDS_FOR_DEBUGGER: u32 = 0b111 << 24;
/// The reason of the last reset: the countdown ended.
const BY_TIME: u32 = 1 << 0;
/// All parts that the watchdog can reset, except the oscillators.
const ALL_BUT_OSCILLATORS: u32 = 0x1_FFFC;

#[unsafe(link_section = ".uninit.last_words")]
static mut LAST_WORDS: MaybeUninit<LastWords> = MaybeUninit::uninit();

/// Starts the watchdog's countdown.
pub fn start() {
    psm::WDSEL.write(ALL_BUT_OSCILLATORS);
    feed();
    watchdog::CTRL.write(ON | STANDS_FOR_DEBUGGER);
}

/// Restarts the countdown; the main loop calls it.
pub fn feed() {
    watchdog::LOAD.write(PATIENCE_US * COUNTS_PER_US);
}

/// Restarts the chip; does not return.
pub fn reset() -> ! {
    psm::WDSEL.write(ALL_BUT_OSCILLATORS);
    watchdog::CTRL.write(TRIGGER);
    loop {
        cortex_m::asm::nop();
    }
}

/// Stores the last words before a reset.
pub fn keep_last_words(words: &str) {
    let place = (&raw mut LAST_WORDS).cast::<LastWords>();
    // SAFETY: `place` is valid and aligned; interrupts and the loop have ended, so no
    // other code uses it.
    unsafe { place.write_volatile(last_words::written(words)) };
}

/// Why the chip restarted unexpectedly, if it did.
pub fn why_reset() -> Option<Text<96>> {
    let place = (&raw mut LAST_WORDS).cast::<LastWords>();
    // SAFETY: as in `keep_last_words`; any bits are valid words, and the loop has not
    // started.
    let mut memory = unsafe { place.read_volatile() };
    let words = last_words::take(&mut memory);
    // SAFETY: as for the read above.
    unsafe { place.write_volatile(memory) };
    let mut line = Text::new();
    let written = match words {
        Some(words) => write!(line, "{words}"),
        None if watchdog::REASON.read() & BY_TIME != 0 => write!(
            line,
            "the firmware hung for {} s: its watchdog restarted it",
            PATIENCE_US / 1_000_000
        ),
        None => return None,
    };
    // Text that does not fit is cut off.
    let _ = written;
    Some(line)
}
