//! UART0 at 115,200 baud, 8N1: received bytes come by interrupt through a
//! bounded queue, bytes to send go into the chip's FIFO as far as it has room.
//!
//! The FIFO holds 16 bytes and the line takes 11 in a millisecond, so a main
//! loop that runs every millisecond keeps it busy without an interrupt.
//!
//! What always holds: while the queue is full the interrupt is masked, and the
//! bytes stay in the chip until there is room.

use core::cell::RefCell;
use cortex_m::interrupt::{self, Mutex};
use heapless::Deque;

use crate::clock::SYSTEM_HZ;
use crate::registers::{port_a, system, uart0};

const BAUD: u32 = 115_200;
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

/// Two of the longest messages: the host asks one thing at a time.
const QUEUE_BYTES: usize = 512;

static RECEIVED_BYTES: Mutex<RefCell<Deque<u8, QUEUE_BYTES>>> =
    Mutex::new(RefCell::new(Deque::new()));

/// Sets the pins and the baud rate up, and lets bytes come.
pub fn start() {
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

/// The interrupt: takes what the chip received.
pub fn on_interrupt() {
    uart0::ICR.write(RECEIVED);
    interrupt::free(|token| {
        let mut queue = RECEIVED_BYTES.borrow(token).borrow_mut();
        while uart0::FR.read() & FLAG_NOTHING_RECEIVED == 0 {
            if queue.is_full() {
                uart0::IM.clear(RECEIVED);
                return;
            }
            // The upper bits tell of line errors; the CRC finds those.
            let _ = queue.push_back(uart0::DR.read() as u8);
        }
    });
}

/// Moves received bytes into `buffer`, and returns how many.
pub fn receive(buffer: &mut [u8]) -> usize {
    interrupt::free(|token| {
        let mut queue = RECEIVED_BYTES.borrow(token).borrow_mut();
        let mut count = 0;
        for place in buffer {
            let Some(byte) = queue.pop_front() else {
                break;
            };
            *place = byte;
            count += 1;
        }
        if count > 0 {
            uart0::IM.write(RECEIVED);
        }
        count
    })
}

/// True if [`receive`] would yield something.
pub fn has_received() -> bool {
    interrupt::free(|token| !RECEIVED_BYTES.borrow(token).borrow().is_empty())
}

/// Sends the first of these bytes, as many as the FIFO takes now, and returns
/// how many.
pub fn send(bytes: &[u8]) -> usize {
    let mut count = 0;
    for byte in bytes {
        if uart0::FR.read() & FLAG_SEND_FULL != 0 {
            break;
        }
        uart0::DR.write((*byte).into());
        count += 1;
    }
    count
}

/// Sends all of these bytes and waits until the last one is out.
pub fn send_all(mut bytes: &[u8]) {
    while !bytes.is_empty() {
        bytes = bytes.get(send(bytes)..).unwrap_or_default();
    }
    while uart0::FR.read() & FLAG_BUSY != 0 {}
}
