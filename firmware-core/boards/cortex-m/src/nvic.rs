//! The core's own switches for the interrupts that an image uses.

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
    // SAFETY: those handlers only access the core's own switches, a UART, and a queue
    // that all other code locks.
    unsafe { NVIC::unmask(Interrupt(number)) };
}

/// Masks the interrupt with this number.
pub fn mask(number: u16) {
    NVIC::mask(Interrupt(number));
}

/// Enables the interrupt of the line.
pub fn enable<C: Chip>() {
    unmask(C::LINE_INTERRUPT);
}

/// Masks the interrupt of the line until it is enabled again.
// It is masked in the core, because a UART as modelled by QEMU keeps requesting the
// interrupt even if it is disabled there.
pub fn hold_back<C: Chip>() {
    mask(C::LINE_INTERRUPT);
}
