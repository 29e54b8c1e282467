//! The interface to a chip's UART, and the received bytes.
//!
//! Invariants: a byte is only taken from the chip if there is room for it, so no byte is
//! lost after that.

use heapless::Deque;

/// The baud rate of the line, with 8N1 framing.
pub const BAUD: u32 = 115_200;

/// The size of the queue in bytes: two of the longest messages, because the host sends
/// one request at a time.
const QUEUE_BYTES: usize = 512;

/// A serial port of the chip.
pub trait Uart {
    /// Sets up pins and baud rate, and enables reception, with an interrupt while a byte
    /// is waiting.
    fn start(&self);
    /// True if a received byte is waiting.
    fn has_byte(&self) -> bool;
    /// Takes a received byte.
    fn take(&self) -> u8;
    /// True if the chip can take a byte to send.
    fn has_room(&self) -> bool;
    /// Writes a byte to send.
    fn put(&self, byte: u8);
    /// True while a byte is being sent.
    fn is_sending(&self) -> bool;
    /// Handles the interrupt: clears its causes other than received bytes.
    fn acknowledge(&self);
    /// Requests one interrupt when there is room for a byte to send.
    fn call_when_there_is_room(&self);
}

/// The received bytes that have not been read yet.
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

    /// Takes received bytes from the chip as far as there is room. False if some are
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

    /// Moves bytes into `buffer` in order, and returns how many.
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

/// Sends as many of these bytes as the chip can take now, and returns how many.
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

/// Sends all of these bytes, and waits until the last one has left the chip.
pub fn send_all(uart: &impl Uart, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        bytes = bytes.get(send(uart, bytes)..).unwrap_or_default();
    }
    while uart.is_sending() {}
}

#[cfg(test)]
mod tests;
