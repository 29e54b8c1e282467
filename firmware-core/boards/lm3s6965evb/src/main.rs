//! The touch board on the LM3S6965 evaluation board, real or in QEMU. Its UART0
//! is the line to the host.

#![no_std]
#![no_main]
#![deny(unsafe_code)]

use core::panic::PanicInfo;

use cortex_m_board::image::{self, Memory};
use cortex_m_rt::{ExceptionFrame, entry, exception};
use lm3s6965evb::{Lm3s6965, Own};

#[entry]
fn main() -> ! {
    static mut MEMORY: Memory<Own> = Memory::new();
    image::run::<Lm3s6965>(MEMORY)
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    image::panicked::<Lm3s6965>(info)
}

#[exception]
#[allow(unsafe_code)]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    image::faulted::<Lm3s6965>(frame)
}
