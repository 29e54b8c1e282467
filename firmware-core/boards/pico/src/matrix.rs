//! The contacts: a matrix whose lines are outputs of shift registers (74HC595), and whose
//! rows are pins.
//!
//! One line is low at a time; a closed contact pulls its row low through its diode,
//! against the row's pull-up resistor. The low level moves from output to output: a scan
//! starts by filling the registers with ones, followed by a zero, and each line shifts in
//! another one. A board therefore needs only as many registers as it has lines, and each
//! scan is independent of the one before.

use firmware_core::scan::ScanLine;

use crate::clock::SYSTEM_HZ;
use crate::gpio::{self, Function};
use crate::pins::{FIRST_ROW, LINES, LINES_CLOCK, LINES_DATA, LINES_LATCH, ROWS};

/// The cycles of an iteration of `delay` on this core: a subtraction and a branch.
const TURN_CYCLES: u32 = 3;

/// The length of a pulse of the clock or the latch, and the time before it: 100 ns. A
/// 74HC595 at 3.3 V needs 40 ns.
const PULSE_TURNS: u32 = (SYSTEM_HZ / 10_000_000).div_ceil(TURN_CYCLES);

/// The time for a row to rise through its resistor of 10 kΩ when a line goes high again:
/// with 100 pF, 2 µs are twice as long as it takes.
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
