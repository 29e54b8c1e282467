//! The Netduino Plus 2: the code specific to this chip, an STM32F405.
//!
//! [`main`](../src/main.rs) is the image, and `instructions` the program that measures
//! the cost of the image's code; both use the same chip and the same board. Everything
//! else is in `cortex-m-board`.

#![no_std]
#![deny(unsafe_code)]
#![deny(missing_docs)]

pub mod clock;
pub mod flash;
pub mod registers;
pub mod uart;

use cortex_m_board::journal::FlashJournal;
use cortex_m_board::stm32f4::LastSectors;
use cortex_m_board::vectors::{self, Vector};
use cortex_m_board::{Chip, NoSecondLine};
use firmware_core::{AnyBoard, Keeping, NoPanel};

/// The type of the board: any layout, with the narrowest word that fits it. The widest
/// word alone would take half the flash, and three times as long on 9x9; see README.md.
#[cfg(not(feature = "broken-rule"))]
pub type Own = Keeping<AnyBoard>;
/// The type of the board, with a deliberate defect.
#[cfg(feature = "broken-rule")]
pub type Own = Keeping<firmware_core::Broken<AnyBoard>>;

/// The STM32F405 and its peripherals.
pub struct Stm32f405;

impl Chip for Stm32f405 {
    type Board = Own;
    type Line = uart::Usart1;
    type Store = FlashJournal<LastSectors<flash::Addresses>>;
    type SecondLine = NoSecondLine;
    type Panel = NoPanel;

    const NAME: &'static str = "netduinoplus2";
    const SYSTEM_HZ: u32 = clock::SYSTEM_HZ;
    const LINE: uart::Usart1 = uart::Usart1;
    const LINE_INTERRUPT: u16 = uart::INTERRUPT;

    fn store() -> Option<Self::Store> {
        LastSectors::find(flash::Addresses).map(FlashJournal::new)
    }

    /// The chip has no front panel.
    fn panel() -> Option<NoPanel> {
        None
    }

    fn second_line() -> Option<NoSecondLine> {
        None
    }

    fn speed_up() {
        clock::speed_up();
    }
}

const PLACES: usize = uart::INTERRUPT as usize + 1;

/// The place where `cortex-m-rt` looks for the vectors.
#[allow(unsafe_code)]
#[unsafe(link_section = ".vector_table.interrupts")]
#[unsafe(no_mangle)]
pub static __INTERRUPTS: [Vector; PLACES] = vectors::table::<Stm32f405, PLACES>();
