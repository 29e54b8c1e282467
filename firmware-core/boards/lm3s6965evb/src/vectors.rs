//! The one interrupt that the image uses: UART0, number 5 of the chip.
//!
//! The table of the chip's interrupts is short enough to be written here; a
//! whole peripheral access crate for it would be thousands of lines.

#![allow(unsafe_code)]

use cortex_m::interrupt::InterruptNumber;
use cortex_m::peripheral::NVIC;

use crate::uart;

#[derive(Clone, Copy)]
struct Uart0;

/// Data sheet, table 2-9: UART0 is interrupt 5.
const UART0: u16 = 5;

// SAFETY: the number is right and does not change.
unsafe impl InterruptNumber for Uart0 {
    fn number(self) -> u16 {
        UART0
    }
}

/// One place of the vector table.
#[repr(C)]
pub union Vector {
    handler: unsafe extern "C" fn(),
    reserved: usize,
}

unsafe extern "C" {
    fn DefaultHandler();
}

/// The vectors that `cortex-m-rt` puts behind those of the core.
#[unsafe(link_section = ".vector_table.interrupts")]
#[unsafe(no_mangle)]
pub static __INTERRUPTS: [Vector; UART0 as usize + 1] = [
    Vector {
        handler: DefaultHandler,
    },
    Vector {
        handler: DefaultHandler,
    },
    Vector {
        handler: DefaultHandler,
    },
    Vector {
        handler: DefaultHandler,
    },
    Vector {
        handler: DefaultHandler,
    },
    Vector { handler: on_uart0 },
];

extern "C" fn on_uart0() {
    uart::on_interrupt();
}

/// Lets the interrupt come.
pub fn enable(_controller: &mut NVIC) {
    // SAFETY: the handler only touches the UART and a queue that every other
    // user locks.
    unsafe { NVIC::unmask(Uart0) };
}
