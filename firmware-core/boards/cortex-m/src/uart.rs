//! The interface to a chip's UART, and its received bytes.
//!
//! Invariants: a byte is taken from the chip only if there is room for it, so no byte
//! is lost after it was taken.

use heapless::Deque;

/// The baud rate of the line, with 8N1 framing.
pub const BAUD: u32 = 115_200;

/// The size of the queue: two of the longest messages, because the host sends one
/// request at a time.
const QUEUE_BYTES: usize = 512;

/// A serial port of the chip.
pub trait Uart {
    /// Sets the pins and the speed up, and lets bytes come, with an interrupt as
    /// long as one waits.
    fn start(&self);
    /// True if a byte waits that was received.
    fn has_byte(&self) -> bool;
    /// Takes a received byte.
    fn take(&self) -> u8;
    /// True if the chip takes a byte to send.
    fn has_room(&self) -> bool;
    /// Hands over a byte to send.
    fn put(&self, byte: u8);
    /// True while a byte is on its way out.
    fn is_sending(&self) -> bool;
    /// The interrupt came: takes back what called for it, other than bytes.
    fn acknowledge(&self);
    /// Lets the interrupt come once when there is room for a byte to send.
    fn call_when_there_is_room(&self);
}

/// Received bytes that nobody has read yet.
#[derive(Debug, Default)]
pub struct Inbox(Deque<u8, QUEUE_BYTES>);

impl Inbox {
    /// An inbox that holds no bytes.
    #[must_use]
    pub const fn new() -> Inbox {
        Inbox(Deque::new())
    }

    /// True if the inbox holds no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes received bytes from the chip, as far as there is room; false if some are
    /// left.
    #[must_use]
    pub fn take_all(&mut self, uart: &impl Uart) -> bool {
        while uart.has_byte() {
            if self.0.is_full() {
                return false;
            }
            let _ = self.0.push_back(uart.take());
        }
        true
    }

    /// Moves bytes into `buffer`, in their order, and returns how many.
    pub fn hand_out(&mut self, buffer: &mut [u8]) -> usize {
        let mut count = 0;
        for place in buffer {
            let Some(byte) = self.0.pop_front() else {
                break;
            };
            *place = byte;
            count += 1;
        }
        count
    }
}

/// Sends the first of these bytes, as many as the chip takes now, and returns
/// how many.
pub fn send(uart: &impl Uart, bytes: &[u8]) -> usize {
    let mut count = 0;
    for byte in bytes {
        if !uart.has_room() {
            break;
        }
        uart.put(*byte);
        count += 1;
    }
    count
}

/// Sends all of these bytes and waits until the last one is out.
pub fn send_all(uart: &impl Uart, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        bytes = bytes.get(send(uart, bytes)..).unwrap_or_default();
    }
    while uart.is_sending() {}
}

#[cfg(test)]
mod tests;
