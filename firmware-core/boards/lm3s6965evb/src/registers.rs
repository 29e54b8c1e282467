//! The registers of the chip that the image uses, by their addresses in its
//! data sheet.

use cortex_m_board::pl011::Pl011;
use cortex_m_board::registers::Register;

#[allow(unsafe_code)]
const fn at(address: u32) -> Register {
    // SAFETY: each address below is that of a device register of the LM3S6965 which
    // neither starts a DMA transfer nor moves the vector table.
    unsafe { Register::at(address) }
}

/// The registers of the system control.
pub mod system {
    use super::{Register, at};
    /// RIS: the raw interrupt status.
    pub const RIS: Register = at(0x400F_E050);
    /// RCC: the run-mode clock configuration.
    pub const RCC: Register = at(0x400F_E060);
    /// RCGC1: the clock gates of the UARTs.
    pub const RCGC1: Register = at(0x400F_E104);
    /// RCGC2: the clock gates of the GPIO ports.
    pub const RCGC2: Register = at(0x400F_E108);
}

/// GPIO port A, which has the pins of UART0.
pub mod port_a {
    use super::{Register, at};
    /// AFSEL: the pins with an alternate function.
    pub const AFSEL: Register = at(0x4000_4420);
    /// DEN: the pins that are enabled for digital use.
    pub const DEN: Register = at(0x4000_451C);
}

/// UART0 (data sheet, section 12).
pub type Uart0 = Pl011<0x4000_C000, { crate::clock::SYSTEM_HZ }>;
/// The first UART; see [`Uart0`].
#[allow(unsafe_code)]
// SAFETY: there is a PL011 at this address.
pub const UART0: Uart0 = unsafe { Pl011::new() };
