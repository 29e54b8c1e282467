//! The core's own switches of the interrupts that an image uses.

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

/// Enables the interrupt with this number, whose handler is one of [`crate::line`].
pub fn unmask(number: u16) {
    // SAFETY: those handlers only touch the core's own switches, a UART and a queue that
    // every other user locks.
    unsafe { NVIC::unmask(Interrupt(number)) };
}

/// Holds it back until it is let come again.
pub fn mask(number: u16) {
    NVIC::mask(Interrupt(number));
}

/// Lets the interrupt of the line come.
pub fn enable<C: Chip>() {
    unmask(C::LINE_INTERRUPT);
}

/// Holds it back until it is enabled again.
// Disabled at the core, because a UART that QEMU models keeps requesting the
// interrupt even if it is disabled there.
pub fn hold_back<C: Chip>() {
    mask(C::LINE_INTERRUPT);
}
