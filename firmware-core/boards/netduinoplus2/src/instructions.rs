//! Measures what the image's code costs: see `cortex_m_board::instructions`.

#![no_std]
#![no_main]
#![deny(unsafe_code)]

use core::panic::PanicInfo;

use cortex_m_board::instructions::{self, Unit};
use cortex_m_rt::{ExceptionFrame, entry, exception};
use netduinoplus2::{Own, Stm32f405};

#[entry]
fn main() -> ! {
    static mut BOARD: Option<Own> = None;
    instructions::run::<Stm32f405>(BOARD, Unit::Instruction)
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    instructions::panicked::<Stm32f405>(info)
}

#[exception]
#[allow(unsafe_code)]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    instructions::faulted(frame)
}
