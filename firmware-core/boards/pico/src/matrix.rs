//! The contacts: a matrix whose lines are at the outputs of shift registers (74HC595)
//! and whose rows are at pins.
//!
//! One line is low at a time; a closed contact pulls its row low through its diode,
//! against the row's pull-up resistor. The low level moves from output to output: a
//! scan begins with ones in the registers and a zero after them, and each line shifts
//! in a one. So a board needs only as many registers as it has lines, and each scan
//! is independent of the one before.

use firmware_core::scan::ScanLine;

use crate::clock::SYSTEM_HZ;
use crate::gpio::{self, Function};
use crate::pins::{FIRST_ROW, LINES, LINES_CLOCK, LINES_DATA, LINES_LATCH, ROWS};

/// The cycles of each iteration of `delay` on this core: a subtraction and a branch.
const TURN_CYCLES: u32 = 3;

/// A pulse of the clock or the latch, and as long before it: 100 ns. A 74HC595 at 3.3 V
/// needs 40 ns.
const PULSE_TURNS: u32 = (SYSTEM_HZ / 10_000_000).div_ceil(TURN_CYCLES);

/// A line that goes high again leaves its row to a resistor of 10 kΩ: with 100 pF, 2 µs
/// are twice as long as it takes.
const SETTLE_TURNS: u32 = (2 * SYSTEM_HZ / 1_000_000).div_ceil(TURN_CYCLES);

/// Takes over the pins of the matrix.
pub fn start() {
    for pin in [LINES_DATA, LINES_CLOCK, LINES_LATCH] {
        gpio::drive(pin, false);
    }
    for pin in FIRST_ROW..FIRST_ROW + ROWS {
        gpio::hand_over(pin, Function::Processor);
        gpio::pull_up(pin);
    }
}

/// The closed contacts of a line; the lines of a scan must be sampled in order.
pub fn sample(line: ScanLine) -> u16 {
    match line {
        ScanLine::Buttons => {
            gpio::put(LINES_DATA, true);
            for _ in 0..LINES {
                pulse(LINES_CLOCK);
            }
            gpio::put(LINES_DATA, false);
        }
        ScanLine::Column(_) => gpio::put(LINES_DATA, true),
    }
    pulse(LINES_CLOCK);
    pulse(LINES_LATCH);
    cortex_m::asm::delay(SETTLE_TURNS);
    !(gpio::all() >> FIRST_ROW) as u16
}

fn pulse(pin: u8) {
    cortex_m::asm::delay(PULSE_TURNS);
    gpio::put(pin, true);
    cortex_m::asm::delay(PULSE_TURNS);
    gpio::put(pin, false);
}
