//! The Raspberry Pi Pico: the code specific to this chip, an RP2040, and to the
//! devices at its pins.
//!
//! From the bottom up: [`registers`]; [`pins`], the wiring; [`gpio`] and [`clock`];
//! [`flash`], the end of which stores a few bytes; [`matrix`], the contacts; [`leds`],
//! the lights; [`bus`], [`display`] and [`beeper`]; [`panel`], all of these as the loop
//! of `cortex-m-board` uses them; [`usb_bus`] and [`usb`], the line over USB;
//! [`watchdog`], and the reason for a restart.

#![no_std]
#![deny(unsafe_code)]
#![deny(missing_docs)]

pub mod beeper;
pub mod bus;
pub mod clock;
pub mod display;
pub mod flash;
pub mod gpio;
pub mod leds;
pub mod matrix;
pub mod panel;
pub mod pins;
pub mod registers;
pub mod usb;
pub mod usb_bus;
pub mod watchdog;

use cortex_m::singleton;
use cortex_m_board::Chip;
use cortex_m_board::pages::{BUFFER_BYTES, Buffer, Pages};
use cortex_m_board::vectors::{self, Vector};
use firmware_core::{AnyBoard, Keeping};
use protocol::Text;

use flash::StoreFlash;
use gpio::Function;
use panel::PicoPanel;
use registers::{UART0, Uart0};
use usb::Usb;

/// The type of the board: any layout, with the narrowest word that fits it.
#[cfg(not(feature = "broken-rule"))]
pub type Own = Keeping<AnyBoard>;
/// The type of the board, with a deliberate defect.
#[cfg(feature = "broken-rule")]
pub type Own = Keeping<firmware_core::Broken<AnyBoard>>;

/// UART0's interrupt (RP2040 data sheet, section 2.3.2).
const UART0_INTERRUPT: u16 = 20;

/// The RP2040 and its peripherals.
pub struct Rp2040;

impl Chip for Rp2040 {
    type Board = Own;
    type Line = Uart0;
    type Store = Pages<'static, StoreFlash>;
    type SecondLine = Usb;
    type Panel = PicoPanel;

    const NAME: &'static str = "pico";
    const SYSTEM_HZ: u32 = clock::SYSTEM_HZ;
    const LINE: Uart0 = UART0;
    const LINE_INTERRUPT: u16 = UART0_INTERRUPT;
    const SECOND_LINE_INTERRUPT: Option<u16> = Some(usb::INTERRUPT);
    const HOSTS: [&'static str; 2] = ["a host on its UART", "a host on its USB port"];

    fn store() -> Option<Self::Store> {
        let buffer = singleton!(: Buffer = Buffer([0; BUFFER_BYTES]))?;
        Pages::new(StoreFlash::new(), buffer)
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

    fn second_line() -> Option<Usb> {
        Usb::start()
    }

    fn start_watchdog() {
        watchdog::start();
    }

    fn feed_watchdog() {
        watchdog::feed();
    }

    fn keep_last_words(words: &str) {
        watchdog::keep_last_words(words);
    }

    fn why_reset() -> Option<Text<96>> {
        watchdog::why_reset()
    }

    fn reset() -> ! {
        watchdog::reset()
    }
}

const PLACES: usize = UART0_INTERRUPT as usize + 1;

/// The place where `cortex-m-rt` looks for the vectors.
#[allow(unsafe_code)]
#[unsafe(link_section = ".vector_table.interrupts")]
#[unsafe(no_mangle)]
pub static __INTERRUPTS: [Vector; PLACES] = vectors::table::<Rp2040, PLACES>();

/// The second stage of the boot loader, which the first stage in ROM expects at the start
/// of the flash. The Pico's W25Q16 is read like a W25Q080.
#[allow(unsafe_code)]
#[unsafe(link_section = ".boot2")]
#[used]
pub static BOOT2: [u8; 256] = rp2040_boot2::BOOT_LOADER_W25Q080;
