//! The core's own switch of the interrupt that an image uses.

#![allow(unsafe_code)]

use cortex_m::interrupt::InterruptNumber;
use cortex_m::peripheral::NVIC;

use crate::chip::Chip;

#[derive(Clone, Copy)]
struct Interrupt(u16);

// SAFETY: the number of a chip's interrupt is right and does not change.
unsafe impl InterruptNumber for Interrupt {
    fn number(self) -> u16 {
        self.0
    }
}

/// Lets the interrupt come.
pub fn enable<C: Chip>() {
    // SAFETY: the handler only touches the UART and a queue that every other
    // user locks.
    unsafe { NVIC::unmask(Interrupt(C::LINE_INTERRUPT)) };
}

/// Holds it back until it is enabled again.
// Not at the UART: one that QEMU models calls on although it was told not to.
pub fn hold_back<C: Chip>() {
    NVIC::mask(Interrupt(C::LINE_INTERRUPT));
}
