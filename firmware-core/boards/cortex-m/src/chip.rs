//! What an image says of its chip.

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
    /// Where its best scores are kept over its power-off;
    /// [`NoStore`](crate::NoStore) for a chip without room for them.
    type Store: FlashStore;
    /// Its other line to a host; [`NoSecondLine`](crate::NoSecondLine) for a chip that
    /// has one alone.
    type SecondLine: SecondLine;
    /// The contacts and the lights at its pins; [`NoPanel`](firmware_core::NoPanel) for
    /// a chip without any.
    type Panel: FrontPanel;

    /// As the board tells it to a host.
    const NAME: &'static str;
    /// The frequency of the system clock, in hertz, after [`Chip::speed_up`].
    const SYSTEM_HZ: u32;
    /// The chip's first line to a host.
    const LINE: Self::Line;
    /// The number of its interrupt.
    const LINE_INTERRUPT: u16;
    /// The number of that of its other line, which is smaller.
    const SECOND_LINE_INTERRUPT: Option<u16> = None;
    /// What a host is told that finds the board at the first or the other line taken.
    const HOSTS: [&'static str; 2] = [""; 2];

    /// What it keeps its best scores in, if that is there.
    fn store() -> Option<Self::Store>;

    /// What it feels and shows, if anything is at its pins; once, and after
    /// [`Chip::speed_up`].
    fn panel() -> Option<Self::Panel>;

    /// Its other line, if it has one; once, and after [`Chip::speed_up`].
    fn second_line() -> Option<Self::SecondLine>;

    /// Runs the chip at [`Chip::SYSTEM_HZ`].
    fn speed_up();

    /// Begins to watch whether the loop goes on, where the chip can: see
    /// [`Chip::goes_on`].
    fn watch() {}

    /// The loop goes on. A chip that watches it and does not hear this for too long
    /// starts anew.
    fn goes_on() {}

    /// Keeps the last words before a reset, where the chip can.
    fn keep_last_words(words: &str) {
        let _ = words;
    }

    /// Why the chip started anew, if that was not to be: its last words, or that the
    /// loop did not go on. Once.
    fn why_reset() -> Option<Text<96>> {
        None
    }

    /// Restarts the chip; does not return.
    fn reset() -> ! {
        SCB::sys_reset()
    }
}
