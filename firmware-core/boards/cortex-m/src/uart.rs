//! What is asked of a chip's UART, and the bytes that come and go through it.
//!
//! What always holds: while the [`Inbox`] is full the interrupt is held back,
//! and no byte that was taken from the chip is lost.

use heapless::Deque;

/// 8N1, at this speed.
pub const BAUD: u32 = 115_200;

/// Two of the longest messages: the host asks one thing at a time.
const QUEUE_BYTES: usize = 512;

/// A UART.
pub trait Uart {
    /// Sets the pins and the speed up, and lets bytes come.
    fn start(&self);
    /// True if a byte waits that was received.
    fn has_byte(&self) -> bool;
    /// Takes it.
    fn take(&self) -> u8;
    /// True if the chip takes a byte to send.
    fn has_room(&self) -> bool;
    /// Gives it one.
    fn put(&self, byte: u8);
    /// True while a byte is on its way out.
    fn is_sending(&self) -> bool;
    /// Lets the interrupt of received bytes come.
    fn listen(&self);
    /// Holds it back: bytes stay in the chip as far as that has room.
    fn hold_back(&self);
    /// The interrupt came: takes back what called for it, other than bytes.
    fn acknowledge(&self);
    /// Lets the interrupt come once when there is room for a byte to send.
    fn call_when_there_is_room(&self);
}

/// Received bytes that nobody has read yet.
#[derive(Debug, Default)]
pub struct Inbox(Deque<u8, QUEUE_BYTES>);

impl Inbox {
    /// An empty one.
    #[must_use]
    pub const fn new() -> Inbox {
        Inbox(Deque::new())
    }

    /// True if there is no byte in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes what the chip received, as far as there is room.
    pub fn fill(&mut self, uart: &impl Uart) {
        while uart.has_byte() {
            if self.0.is_full() {
                uart.hold_back();
                return;
            }
            let _ = self.0.push_back(uart.take());
        }
    }

    /// Moves bytes into `buffer`, in their order, and returns how many.
    pub fn hand_out(&mut self, uart: &impl Uart, buffer: &mut [u8]) -> usize {
        let mut count = 0;
        for place in buffer {
            let Some(byte) = self.0.pop_front() else {
                break;
            };
            *place = byte;
            count += 1;
        }
        if count > 0 {
            uart.listen();
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
