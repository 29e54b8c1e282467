//! Measures how many instructions or cycles a call takes.
//!
//! The timer of the core counts time. Under QEMU's `-icount shift=6` an instruction takes
//! 64 ns, which is 3.2 counts at 50 MHz; under `shift=3` it takes 8 ns, which is 1.34
//! counts at 168 MHz. A difference of counts therefore gives the number of instructions
//! with an error of at most one. The number of counts per instruction is measured when
//! the stopwatch is created, with a known number of instructions. The timer wraps after 5
//! million or 12 million instructions, so no call may take that long. On other chips a
//! count is a cycle, and the timer wraps after 16 million.
//!
//! Invariants: only what happens between the two readings is counted; the readings
//! themselves are subtracted. No interrupt occurs in between, because the host is silent
//! while it waits for an answer.

use core::arch::asm;

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;

/// The number of values of the timer, which has 24 bits.
const COUNTS: u32 = 1 << 24;

/// The number of instructions in the loop that calibrates the timer. The timer of a 200
/// MHz chip can count them without wrapping.
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
    /// The counts of the timer for [`KNOWN_INSTRUCTIONS`], or for the same number of
    /// cycles.
    known_counts: u32,
    /// The counts between two consecutive readings of the timer.
    own: u32,
}

impl Stopwatch {
    /// A stopwatch whose timer has been calibrated.
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

    /// The number of instructions or cycles that a function takes.
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

/// Runs [`KNOWN_INSTRUCTIONS`]: two instructions, half a million times.
#[inline(never)]
#[allow(unsafe_code)]
fn run_known_instructions() {
    // SAFETY: the loop terminates, and only changes its own register and the flags,
    // which `asm!` allows.
    unsafe {
        asm!(
            "2:",
            "subs {left}, #1",
            "bne 2b",
            left = inout(reg) KNOWN_INSTRUCTIONS / 2 => _,
        );
    }
}
