//! The beeper: a piezo driven by a hardware counter, so that the processor only sets the
//! pitch.

use cortex_m_board::pitch::{Counts, counts};

use crate::clock::SYSTEM_HZ;
use crate::gpio::{self, Function};
use crate::pins::BEEPER;
use crate::registers::pwm3;

/// The fractional part of the divider has four bits.
const SIXTEENTHS: u32 = 16;
const ON: u32 = 1;

/// Takes over the pin, in silence.
pub fn start() {
    sound(0);
    pwm3::CSR.write(ON);
    gpio::hand_over(BEEPER, Function::Pwm);
}

/// Starts a tone of this pitch, or silence for 0. The current tone ends with its period.
pub fn sound(hz: u16) {
    let Some(Counts { divider, counts }) = counts(SYSTEM_HZ, hz) else {
        pwm3::CC.write(0);
        return;
    };
    pwm3::DIV.write(divider * SIXTEENTHS);
    pwm3::TOP.write(counts - 1);
    pwm3::CC.write(counts / 2);
}
