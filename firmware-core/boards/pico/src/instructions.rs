//! Measures what the image's code costs: see `cortex_m_board::instructions`.

#![no_std]
#![no_main]
#![deny(unsafe_code)]

use core::panic::PanicInfo;

use cortex_m_board::instructions::{self, Unit};
use cortex_m_rt::{ExceptionFrame, entry, exception};
use pico::{Own, Rp2040};

#[entry]
fn main() -> ! {
    static mut BOARD: Option<Own> = None;
    instructions::run::<Rp2040>(BOARD, Unit::Cycle)
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    instructions::panicked::<Rp2040>(info)
}

#[exception]
#[allow(unsafe_code)]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    instructions::faulted(frame)
}
