//! The properties of an image's chip.

use firmware_core::{AnyWidth, FrontPanel};

use cortex_m::peripheral::SCB;
use protocol::Text;

use crate::hosts::SecondLine;
use crate::store::FlashStore;
use crate::uart::Uart;

/// A chip, and the board that its image holds.
pub trait Chip {
    /// The board: as wide as the memory of the chip allows.
    type Board: AnyWidth + 'static;
    /// The UART of the line to the host.
    type Line: Uart;
    /// The store of the best scores; [`NoStore`](crate::NoStore) for a chip without room
    /// for it.
    type Store: FlashStore;
    /// The second line to a host; [`NoSecondLine`](crate::NoSecondLine) for a chip with
    /// one line.
    type SecondLine: SecondLine;
    /// The contacts and lights at the pins; [`NoPanel`](firmware_core::NoPanel) for a
    /// chip without any.
    type Panel: FrontPanel;

    /// The name of the board in its hello.
    const NAME: &'static str;
    /// The frequency of the system clock, in hertz, after [`Chip::speed_up`].
    const SYSTEM_HZ: u32;
    /// The chip's first line to a host.
    const LINE: Self::Line;
    /// The number of the first line's interrupt.
    const LINE_INTERRUPT: u16;
    /// The number of the second line's interrupt, which must be smaller than that of the
    /// first line.
    const SECOND_LINE_INTERRUPT: Option<u16> = None;
    /// The names of the two lines, by which a host is told which of them has the board.
    const HOSTS: [&'static str; 2] = [""; 2];

    /// The store of the best scores, if the chip has one.
    fn store() -> Option<Self::Store>;

    /// The front panel at the pins, if there is one. Called once, after
    /// [`Chip::speed_up`].
    fn panel() -> Option<Self::Panel>;

    /// The second line, if there is one. Called once, after [`Chip::speed_up`].
    fn second_line() -> Option<Self::SecondLine>;

    /// Runs the chip at [`Chip::SYSTEM_HZ`].
    fn speed_up();

    /// Starts the watchdog, if the chip has one.
    fn start_watchdog() {}

    /// The main loop calls this in each round. A chip with a watchdog restarts if the
    /// calls stop for too long.
    fn feed_watchdog() {}

    /// Stores the last words before a reset, if the chip can.
    fn keep_last_words(words: &str) {
        let _ = words;
    }

    /// Why the chip restarted unexpectedly: its last words, or that the main loop had
    /// stopped. Returned once.
    fn why_reset() -> Option<Text<96>> {
        None
    }

    /// Restarts the chip; does not return.
    fn reset() -> ! {
        SCB::sys_reset()
    }
}
