//! The line to the host: an interrupt moves received bytes to a bounded queue, and bytes
//! to send go directly to the chip as far as it has room.
//!
//! Invariants: while the queue is full the interrupt is disabled in the core, and
//! received bytes stay in the chip as far as it has room.

use core::cell::RefCell;
use core::marker::PhantomData;

use cortex_m::interrupt::{self, Mutex};

use crate::chip::Chip;
use crate::hosts::HostLine;
use crate::nvic;
use crate::uart::{Inbox, Uart, send};

static INBOX: Mutex<RefCell<Inbox>> = Mutex::new(RefCell::new(Inbox::new()));

/// The interrupt handler: takes the bytes that the chip has received.
pub fn on_interrupt<C: Chip>() {
    C::LINE.acknowledge();
    interrupt::free(|token| {
        if !INBOX.borrow(token).borrow_mut().take_all(&C::LINE) {
            nvic::hold_back::<C>();
        }
    });
}

/// The interrupt handler of the second line. The main loop services that line, so the
/// interrupt only has to wake the core.
pub fn on_second_interrupt<C: Chip>() {
    if let Some(number) = C::SECOND_LINE_INTERRUPT {
        nvic::mask(number);
    }
}

/// The first line, on a chip with two.
pub struct FirstLine<C>(PhantomData<C>);

impl<C: Chip> FirstLine<C> {
    /// A handle of the first line, without data.
    #[expect(clippy::new_without_default, reason = "it is made in one place")]
    pub const fn new() -> Self {
        FirstLine(PhantomData)
    }
}

impl<C: Chip> HostLine for FirstLine<C> {
    fn receive(&mut self, buffer: &mut [u8]) -> usize {
        receive::<C>(buffer)
    }

    fn send(&mut self, bytes: &[u8]) -> usize {
        send(&C::LINE, bytes)
    }
}

/// Moves received bytes into `buffer`, and returns how many.
pub fn receive<C: Chip>(buffer: &mut [u8]) -> usize {
    interrupt::free(|token| {
        let count = INBOX.borrow(token).borrow_mut().hand_out(buffer);
        if count > 0 {
            nvic::enable::<C>();
        }
        count
    })
}

/// True if [`receive`] would return any bytes.
pub fn has_received() -> bool {
    interrupt::free(|token| !INBOX.borrow(token).borrow().is_empty())
}
