//! USART1, at the pins SC (out) and SD (in) of the header. It has no FIFO: the interrupt
//! handler takes each received byte, and wakes the loop whenever a byte can be sent.

use cortex_m_board::uart::{BAUD, Uart};

use crate::clock::USART1_HZ;
use crate::registers::{port_b, rcc, usart1};

const PORT_B: u32 = 1 << 1;
const USART1: u32 = 1 << 4;

/// PB6 and PB7 belong to a peripheral, with pull-up resistors that hold an open line
/// high; USART1 is their alternate function 7.
const PINS_ALTERNATE: u32 = (0b10 << 12) | (0b10 << 14);
const PINS_UP: u32 = (0b01 << 12) | (0b01 << 14);
const PINS_USART1: u32 = (7 << 24) | (7 << 28);

/// The divisor of the 16-fold sampling clock in 16ths, rounded.
const DIVISOR_16THS: u32 = (USART1_HZ + BAUD / 2) / BAUD;

const ENABLE_BOTH_WAYS: u32 = (1 << 13) | (1 << 3) | (1 << 2);
/// The enable bits of the interrupts: a byte was received; a byte can be sent.
const CALL_RECEIVED: u32 = 1 << 5;
const CALL_ROOM: u32 = 1 << 7;

/// A byte was received, or was lost because the one before had not been taken. Reading
/// the data register clears both flags.
const FLAGS_RECEIVED: u32 = (1 << 5) | (1 << 3);
const FLAG_ROOM: u32 = 1 << 7;
const FLAG_SENT: u32 = 1 << 6;

/// The number of USART1's interrupt (RM0090, table 62).
pub const INTERRUPT: u16 = 37;

/// USART1, the serial port of the line.
pub struct Usart1;

impl Uart for Usart1 {
    fn start(&self) {
        rcc::AHB1ENR.set(PORT_B);
        rcc::APB2ENR.set(USART1);
        // The peripherals need some cycles until they are ready.
        cortex_m::asm::delay(16);
        port_b::AFRL.set(PINS_USART1);
        port_b::PUPDR.set(PINS_UP);
        port_b::MODER.set(PINS_ALTERNATE);
        usart1::BRR.write(DIVISOR_16THS);
        usart1::CR1.write(ENABLE_BOTH_WAYS | CALL_RECEIVED);
    }

    fn has_byte(&self) -> bool {
        usart1::SR.read() & FLAGS_RECEIVED != 0
    }

    fn take(&self) -> u8 {
        // A byte that was lost or damaged on the line is detected by the CRC.
        usart1::DR.read() as u8
    }

    fn has_room(&self) -> bool {
        usart1::SR.read() & FLAG_ROOM != 0
    }

    fn put(&self, byte: u8) {
        usart1::DR.write(byte.into());
    }

    fn is_sending(&self) -> bool {
        usart1::SR.read() & FLAG_SENT == 0
    }

    fn acknowledge(&self) {
        usart1::CR1.clear(CALL_ROOM);
    }

    fn call_when_there_is_room(&self) {
        usart1::CR1.set(CALL_ROOM);
    }
}
