//! UART0. Its FIFO holds 16 bytes and the line takes 11 in a millisecond, so a
//! loop that runs every millisecond keeps it busy without an interrupt.

use cortex_m_board::uart::{BAUD, Uart};

use crate::clock::SYSTEM_HZ;
use crate::registers::{port_a, system, uart0};

/// 64ths of the divisor of the 16-fold sampling clock, rounded.
const DIVISOR_64THS: u32 = (SYSTEM_HZ * 4 + BAUD / 2) / BAUD;

const LINE_8N1_WITH_FIFO: u32 = 0x70;
const ENABLE_BOTH_WAYS: u32 = 0x301;
/// Bytes came, or came a while ago.
const RECEIVED: u32 = (1 << 4) | (1 << 6);
const FLAG_BUSY: u32 = 1 << 3;
const FLAG_NOTHING_RECEIVED: u32 = 1 << 4;
const FLAG_SEND_FULL: u32 = 1 << 5;
const PINS: u32 = 0b11;

/// Data sheet, table 2-9.
pub const INTERRUPT: u16 = 5;

/// UART0.
pub struct Uart0;

impl Uart for Uart0 {
    fn start(&self) {
        system::RCGC1.set(1);
        system::RCGC2.set(1);
        // The peripherals take some cycles to wake (data sheet, section 6.1.5).
        cortex_m::asm::delay(16);
        port_a::AFSEL.set(PINS);
        port_a::DEN.set(PINS);
        uart0::CTL.write(0);
        uart0::IBRD.write(DIVISOR_64THS / 64);
        uart0::FBRD.write(DIVISOR_64THS % 64);
        uart0::LCRH.write(LINE_8N1_WITH_FIFO);
        uart0::IM.write(RECEIVED);
        uart0::CTL.write(ENABLE_BOTH_WAYS);
    }

    fn has_byte(&self) -> bool {
        uart0::FR.read() & FLAG_NOTHING_RECEIVED == 0
    }

    fn take(&self) -> u8 {
        // The upper bits tell of line errors; the CRC finds those.
        uart0::DR.read() as u8
    }

    fn has_room(&self) -> bool {
        uart0::FR.read() & FLAG_SEND_FULL == 0
    }

    fn put(&self, byte: u8) {
        uart0::DR.write(byte.into());
    }

    fn is_sending(&self) -> bool {
        uart0::FR.read() & FLAG_BUSY != 0
    }

    fn acknowledge(&self) {
        uart0::ICR.write(RECEIVED);
    }

    fn call_when_there_is_room(&self) {
        // In a millisecond there is, and the loop runs again.
    }
}
