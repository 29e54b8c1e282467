//! The touch board on the Netduino Plus 2, real or in QEMU. Its USART1
//! is the line to the host.

#![no_std]
#![no_main]
#![deny(unsafe_code)]

use core::panic::PanicInfo;

use cortex_m_board::image::{self, Memory};
use cortex_m_rt::{ExceptionFrame, entry, exception};
use netduinoplus2::{Own, Stm32f405};

#[entry]
fn main() -> ! {
    static mut MEMORY: Memory<Own> = Memory::new();
    image::run::<Stm32f405>(MEMORY)
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    image::panicked::<Stm32f405>(info)
}

#[exception]
#[allow(unsafe_code)]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    image::faulted::<Stm32f405>(frame)
}
