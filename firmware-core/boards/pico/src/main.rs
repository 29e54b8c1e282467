//! The touch board on the Raspberry Pi Pico. Its UART0 is the line to the host.

#![no_std]
#![no_main]
#![deny(unsafe_code)]

use core::panic::PanicInfo;

use cortex_m_board::image::{self, Memory};
use cortex_m_rt::{ExceptionFrame, entry, exception};
use pico::{Own, Rp2040};

#[entry]
fn main() -> ! {
    static mut MEMORY: Memory<Own> = Memory::new();
    image::run::<Rp2040>(MEMORY)
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    image::panicked::<Rp2040>(info)
}

#[exception]
#[allow(unsafe_code)]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    image::faulted::<Rp2040>(frame)
}
