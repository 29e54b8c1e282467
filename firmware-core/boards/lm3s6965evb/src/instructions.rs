//! Measures what the image's code costs: see `cortex_m_board::instructions`.

#![no_std]
#![no_main]
#![deny(unsafe_code)]

use core::panic::PanicInfo;

use cortex_m_board::instructions::{self, Unit};
use cortex_m_rt::{ExceptionFrame, entry, exception};
use lm3s6965evb::{Lm3s6965, Own};

#[entry]
fn main() -> ! {
    static mut BOARD: Option<Own> = None;
    instructions::run::<Lm3s6965>(BOARD, Unit::Instruction)
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    instructions::panicked::<Lm3s6965>(info)
}

#[exception]
#[allow(unsafe_code)]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    instructions::faulted(frame)
}
