//! The fourth PWM counter, which switches pins by time (RP2040 data sheet, section
//! 4.5.3); GP22 is its first output.

use super::{Register, at};

/// CSR: whether the counter runs.
pub const CSR: Register = at(0x4005_003C);
/// DIV: the divider of the system clock, in 16ths.
pub const DIV: Register = at(0x4005_0040);
/// CC: the count up to which the pin is high.
pub const CC: Register = at(0x4005_0048);
/// TOP: the last count before the counter restarts at 0.
pub const TOP: Register = at(0x4005_004C);
