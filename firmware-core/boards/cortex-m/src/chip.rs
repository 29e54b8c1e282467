//! What an image says of its chip.

use firmware_core::{AnyWidth, FrontPanel};

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
    /// The contacts and the lights at its pins; [`NoPanel`](firmware_core::NoPanel) for
    /// a chip without any.
    type Panel: FrontPanel;

    /// As the board tells it to a host.
    const NAME: &'static str;
    /// What [`Chip::speed_up`] sets up.
    const SYSTEM_HZ: u32;
    /// The line.
    const LINE: Self::Line;
    /// The number of its interrupt.
    const LINE_INTERRUPT: u16;

    /// What it keeps its best scores in, if that is there.
    fn store() -> Option<Self::Store>;

    /// What it feels and shows, if anything is at its pins; once, and after
    /// [`Chip::speed_up`].
    fn panel() -> Option<Self::Panel>;

    /// Runs the chip at [`Chip::SYSTEM_HZ`].
    fn speed_up();
}
