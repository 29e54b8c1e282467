//! A PL011, Arm's UART, which chips of several manufacturers contain (Arm DDI 0183). Its
//! FIFO holds 16 bytes and the line takes 11 in a millisecond, so a loop that runs every
//! millisecond keeps it busy without an interrupt.
//!
//! Its clock and pins belong to the chip, and must be set up before it is started.

#![allow(unsafe_code)]

use crate::registers::Register;
use crate::uart::{BAUD, Uart};

const LINE_8N1_WITH_FIFO: u32 = 0x70;
const ENABLE_BOTH_WAYS: u32 = 0x301;
/// Bytes have been received, now or some time ago (receive timeout).
const RECEIVED: u32 = (1 << 4) | (1 << 6);
const FLAG_BUSY: u32 = 1 << 3;
const FLAG_NOTHING_RECEIVED: u32 = 1 << 4;
const FLAG_SEND_FULL: u32 = 1 << 5;

/// The PL011 whose registers start at `ADDRESS`, with a clock of `CLOCK_HZ`.
// Both are parameters of the type, because a field would have to be read at each use.
pub struct Pl011<const ADDRESS: u32, const CLOCK_HZ: u32>(());

impl<const ADDRESS: u32, const CLOCK_HZ: u32> Pl011<ADDRESS, CLOCK_HZ> {
    const DATA: Register = Self::register(0x00);
    const FLAGS: Register = Self::register(0x18);
    const BAUD_WHOLE: Register = Self::register(0x24);
    const BAUD_64THS: Register = Self::register(0x28);
    const LINE_CONTROL: Register = Self::register(0x2C);
    const CONTROL: Register = Self::register(0x30);
    const INTERRUPT_MASK: Register = Self::register(0x38);
    const INTERRUPT_CLEAR: Register = Self::register(0x44);

    /// The divisor of the 16-fold sampling clock in 64ths, rounded.
    const DIVISOR_64THS: u32 = (CLOCK_HZ * 4 + BAUD / 2) / BAUD;

    /// A handle of this UART.
    ///
    /// # Safety
    /// There is a PL011 at `ADDRESS`.
    #[must_use]
    pub const unsafe fn new() -> Self {
        Pl011(())
    }

    const fn register(offset: u32) -> Register {
        // SAFETY: `new` requires a PL011 at this address; none of its registers starts a
        // DMA transfer.
        unsafe { Register::at(ADDRESS + offset) }
    }
}

impl<const ADDRESS: u32, const CLOCK_HZ: u32> Uart for Pl011<ADDRESS, CLOCK_HZ> {
    fn start(&self) {
        Self::CONTROL.write(0);
        Self::BAUD_WHOLE.write(Self::DIVISOR_64THS / 64);
        Self::BAUD_64THS.write(Self::DIVISOR_64THS % 64);
        Self::LINE_CONTROL.write(LINE_8N1_WITH_FIFO);
        Self::INTERRUPT_MASK.write(RECEIVED);
        Self::CONTROL.write(ENABLE_BOTH_WAYS);
    }

    fn has_byte(&self) -> bool {
        Self::FLAGS.read() & FLAG_NOTHING_RECEIVED == 0
    }

    fn take(&self) -> u8 {
        // The upper bits report line errors, which the CRC detects anyway.
        Self::DATA.read() as u8
    }

    fn has_room(&self) -> bool {
        Self::FLAGS.read() & FLAG_SEND_FULL == 0
    }

    fn put(&self, byte: u8) {
        Self::DATA.write(byte.into());
    }

    fn is_sending(&self) -> bool {
        Self::FLAGS.read() & FLAG_BUSY != 0
    }

    fn acknowledge(&self) {
        Self::INTERRUPT_CLEAR.write(RECEIVED);
    }

    fn call_when_there_is_room(&self) {
        // There will be room within a millisecond, when the loop runs again.
    }
}
