//! How many instructions a call takes, or how many cycles.
//!
//! The timer of the core counts time, and under QEMU's `-icount shift=6` an
//! instruction takes 64 ns, 3.2 counts of 50 MHz, and under `shift=3` 8 ns, 1.34
//! counts of 168 MHz. So a difference of counts is a number of instructions, to
//! one; how many counts one takes is measured when the stopwatch is made, on
//! instructions whose number is known. The timer comes round after 5 million and
//! after 12 million: no call may take as long. Elsewhere a count is a cycle, and the
//! timer comes round after 16 million.
//!
//! Invariants: only what is between the two looks at the timer is
//! counted; the looks themselves are taken off. No interrupt may come while it
//! counts: the host is silent while it waits for its answer.

use core::arch::asm;

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;

/// The timer has 24 bits.
const COUNTS: u32 = 1 << 24;

/// Instructions of the loop that the timer is measured by: the timer of a chip
/// of 200 MHz can count them.
const KNOWN_INSTRUCTIONS: u32 = 1_000_000;

/// The unit in which a stopwatch counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Instructions, where each takes the same time.
    Instruction,
    /// Clock cycles of the core.
    Cycle,
}

/// Counts instructions or cycles, whichever the chip can count.
pub struct Stopwatch {
    timer: SYST,
    /// Counts of the timer for [`KNOWN_INSTRUCTIONS`], or for as many cycles.
    known_counts: u32,
    /// What two looks at the timer take.
    own: u32,
}

impl Stopwatch {
    /// A stopwatch that knows how fast its timer is.
    pub fn new(mut timer: SYST, unit: Unit) -> Self {
        timer.set_clock_source(SystClkSource::Core);
        timer.set_reload(COUNTS - 1);
        timer.clear_current();
        timer.enable_counter();
        let mut stopwatch = Stopwatch {
            timer,
            known_counts: KNOWN_INSTRUCTIONS,
            own: 0,
        };
        if unit == Unit::Instruction {
            stopwatch.known_counts = stopwatch.counts(run_known_instructions);
        }
        stopwatch.own = stopwatch.measure(|| {});
        stopwatch
    }

    /// How many instructions or cycles this takes.
    #[inline(always)]
    pub fn measure(&mut self, what: impl FnOnce()) -> u32 {
        let counts = u64::from(self.counts(what));
        let known = u64::from(self.known_counts);
        let whole = (counts * u64::from(KNOWN_INSTRUCTIONS) + known / 2) / known;
        (whole as u32).saturating_sub(self.own)
    }

    #[inline(always)]
    fn counts(&mut self, what: impl FnOnce()) -> u32 {
        self.timer.clear_current();
        let before = SYST::get_current();
        what();
        let after = SYST::get_current();
        // The timer counts down, so the difference is reversed.
        before.wrapping_sub(after) % COUNTS
    }
}

/// Two instructions, half a million times.
#[inline(never)]
#[allow(unsafe_code)]
fn run_known_instructions() {
    // SAFETY: the loop only changes its own register and the flags, which an
    // `asm!` may, and ends.
    unsafe {
        asm!(
            "2:",
            "subs {left}, #1",
            "bne 2b",
            left = inout(reg) KNOWN_INSTRUCTIONS / 2 => _,
        );
    }
}
