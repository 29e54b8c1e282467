//! The line to the host: received bytes come by interrupt through a bounded
//! queue, bytes to send go into the chip as far as it has room.

use core::cell::RefCell;

use cortex_m::interrupt::{self, Mutex};

use crate::uart::{Inbox, Uart};

static INBOX: Mutex<RefCell<Inbox>> = Mutex::new(RefCell::new(Inbox::new()));

/// The interrupt: takes what the chip received.
pub fn on_interrupt(uart: &impl Uart) {
    uart.acknowledge();
    interrupt::free(|token| INBOX.borrow(token).borrow_mut().fill(uart));
}

/// Moves received bytes into `buffer`, and returns how many.
pub fn receive(uart: &impl Uart, buffer: &mut [u8]) -> usize {
    interrupt::free(|token| INBOX.borrow(token).borrow_mut().hand_out(uart, buffer))
}

/// True if [`receive`] would yield something.
pub fn has_received() -> bool {
    interrupt::free(|token| !INBOX.borrow(token).borrow().is_empty())
}
