//! The Raspberry Pi Pico: what is this chip's own, an RP2040, and what is at its pins.
//!
//! From the bottom up: [`registers`]; [`pins`], what is wired where; [`gpio`] and
//! [`clock`]; [`matrix`], the contacts, [`leds`], the lights, [`display`] and [`beeper`];
//! [`panel`], all of them as the loop of `cortex-m-board` meets them.

#![no_std]
#![deny(unsafe_code)]
#![deny(missing_docs)]

pub mod beeper;
pub mod clock;
pub mod display;
pub mod gpio;
pub mod leds;
pub mod matrix;
pub mod panel;
pub mod pins;
pub mod registers;

use cortex_m_board::vectors::{self, Vector};
use cortex_m_board::{Chip, NoStore};
use firmware_core::AnyBoard;

use gpio::Function;
use panel::PicoPanel;
use registers::{UART0, Uart0};

/// The board: any layout, at the narrowest width that fits it.
#[cfg(not(feature = "broken-rule"))]
pub type Own = AnyBoard;
/// The board, with a mistake in it.
#[cfg(feature = "broken-rule")]
pub type Own = firmware_core::Broken<AnyBoard>;

/// UART0's interrupt (RP2040 data sheet, section 2.3.2).
const UART0_INTERRUPT: u16 = 20;

/// The RP2040, and what it is here.
pub struct Rp2040;

impl Chip for Rp2040 {
    type Board = Own;
    type Line = Uart0;
    type Store = NoStore;
    type Panel = PicoPanel;

    const NAME: &'static str = "pico";
    const SYSTEM_HZ: u32 = clock::SYSTEM_HZ;
    const LINE: Uart0 = UART0;
    const LINE_INTERRUPT: u16 = UART0_INTERRUPT;

    /// None of its flash is set apart yet.
    fn store() -> Option<NoStore> {
        None
    }

    fn panel() -> Option<PicoPanel> {
        PicoPanel::start()
    }

    fn speed_up() {
        clock::speed_up();
        gpio::hand_over(pins::UART_OUT, Function::Uart);
        gpio::hand_over(pins::UART_IN, Function::Uart);
        // An open line is held high.
        gpio::pull_up(pins::UART_IN);
    }
}

const PLACES: usize = UART0_INTERRUPT as usize + 1;

/// Where `cortex-m-rt` looks for it.
#[allow(unsafe_code)]
#[unsafe(link_section = ".vector_table.interrupts")]
#[unsafe(no_mangle)]
pub static __INTERRUPTS: [Vector; PLACES] = vectors::table::<Rp2040, PLACES>();

/// The second stage of the boot loader, which the one in ROM looks for at the start of
/// the flash: for the Pico's W25Q16, which is read as a W25Q080 is.
#[allow(unsafe_code)]
#[unsafe(link_section = ".boot2")]
#[used]
pub static BOOT2: [u8; 256] = rp2040_boot2::BOOT_LOADER_W25Q080;
