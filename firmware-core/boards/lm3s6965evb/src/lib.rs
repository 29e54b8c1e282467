//! The LM3S6965 evaluation board: the code specific to this chip.
//!
//! [`main`](../src/main.rs) is the image, and `instructions` the program that measures
//! the cost of the image's code; both use the same chip and the same board. Everything
//! else is in `cortex-m-board`.

#![no_std]
#![deny(unsafe_code)]
#![deny(missing_docs)]

pub mod clock;
pub mod registers;

use cortex_m_board::vectors::{self, Vector};
use cortex_m_board::{Chip, NoSecondLine, NoStore};
use firmware_core::{Board, NoPanel};

use registers::{UART0, Uart0, port_a, system};

/// The type of the board; its 9x9 points fit 128 bits.
#[cfg(not(feature = "broken-rule"))]
pub type Own = Board<u128>;
/// The type of the board, with a deliberate defect.
#[cfg(feature = "broken-rule")]
pub type Own = firmware_core::Broken<Board<u128>>;

/// UART0's interrupt (data sheet, table 2-9).
const UART0_INTERRUPT: u16 = 5;

/// The pins of port A that belong to UART0.
const UART0_PINS: u32 = 0b11;

/// Connects UART0 to its clock and its pins.
fn connect_uart0() {
    system::RCGC1.set(1);
    system::RCGC2.set(1);
    // The peripherals need some cycles until they are ready (data sheet, section 6.1.5).
    cortex_m::asm::delay(16);
    port_a::AFSEL.set(UART0_PINS);
    port_a::DEN.set(UART0_PINS);
}

/// The LM3S6965 and its peripherals.
pub struct Lm3s6965;

impl Chip for Lm3s6965 {
    type Board = Own;
    type Line = Uart0;
    type Store = NoStore;
    type SecondLine = NoSecondLine;
    type Panel = NoPanel;

    const NAME: &'static str = "lm3s6965evb";
    const SYSTEM_HZ: u32 = clock::SYSTEM_HZ;
    const LINE: Uart0 = UART0;
    const LINE_INTERRUPT: u16 = UART0_INTERRUPT;

    /// No part of the flash is reserved.
    fn store() -> Option<NoStore> {
        None
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
        connect_uart0();
    }
}

const PLACES: usize = UART0_INTERRUPT as usize + 1;

/// The place where `cortex-m-rt` looks for the vectors.
#[allow(unsafe_code)]
#[unsafe(link_section = ".vector_table.interrupts")]
#[unsafe(no_mangle)]
pub static __INTERRUPTS: [Vector; PLACES] = vectors::table::<Lm3s6965, PLACES>();
