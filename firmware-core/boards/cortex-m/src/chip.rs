//! The properties of an image's chip.

use firmware_core::{AnyWidth, FrontPanel};

use cortex_m::peripheral::SCB;
use protocol::Text;

use crate::hosts::SecondLine;
use crate::store::FlashStore;
use crate::uart::Uart;

/// A chip, and the board that its image holds.
pub trait Chip {
    /// The board: as wide as the chip has room for.
    type Board: AnyWidth;
    /// The UART that is the line to the host.
    type Line: Uart;
    /// The store of its best scores; [`NoStore`](crate::NoStore) for a chip without
    /// room for them.
    type Store: FlashStore;
    /// Its second line to a host; [`NoSecondLine`](crate::NoSecondLine) for a chip
    /// with one line.
    type SecondLine: SecondLine;
    /// The contacts and the lights at its pins; [`NoPanel`](firmware_core::NoPanel) for
    /// a chip without any.
    type Panel: FrontPanel;

    /// The name of the board in its hello.
    const NAME: &'static str;
    /// The frequency of the system clock, in hertz, after [`Chip::speed_up`].
    const SYSTEM_HZ: u32;
    /// The chip's first line to a host.
    const LINE: Self::Line;
    /// The number of its interrupt.
    const LINE_INTERRUPT: u16;
    /// The number of the second line's interrupt, which is smaller than that of the
    /// first.
    const SECOND_LINE_INTERRUPT: Option<u16> = None;
    /// The names of the lines by which a host is informed which of the two has the
    /// board.
    const HOSTS: [&'static str; 2] = [""; 2];

    /// The store of its best scores, if the chip has one.
    fn store() -> Option<Self::Store>;

    /// The front panel at its pins, if it has one. Called once, after
    /// [`Chip::speed_up`].
    fn panel() -> Option<Self::Panel>;

    /// Its second line, if it has one. Called once, after [`Chip::speed_up`].
    fn second_line() -> Option<Self::SecondLine>;

    /// Runs the chip at [`Chip::SYSTEM_HZ`].
    fn speed_up();

    /// Starts to watch whether the main loop still runs, if the chip can: see
    /// [`Chip::goes_on`].
    fn watch() {}

    /// The main loop calls this in each round. A chip with a watchdog restarts if the
    /// calls stop for too long.
    fn goes_on() {}

    /// Keeps the last words before a reset, where the chip can.
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
