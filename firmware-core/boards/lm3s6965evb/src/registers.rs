//! The registers of the chip that the image uses, by their addresses in its
//! data sheet.

use cortex_m_board::registers::Register;

#[allow(unsafe_code)]
const fn at(address: u32) -> Register {
    // SAFETY: each address below is a device register of the LM3S6965 that
    // starts no DMA transfer and does not move the vector table.
    unsafe { Register::at(address) }
}

/// System control.
pub mod system {
    use super::{Register, at};
    /// Raw interrupt status.
    pub const RIS: Register = at(0x400F_E050);
    /// Run-mode clock configuration.
    pub const RCC: Register = at(0x400F_E060);
    /// Clock gates: UARTs.
    pub const RCGC1: Register = at(0x400F_E104);
    /// Clock gates: GPIO ports.
    pub const RCGC2: Register = at(0x400F_E108);
}

/// GPIO port A, where UART0 comes out.
pub mod port_a {
    use super::{Register, at};
    /// Alternate function.
    pub const AFSEL: Register = at(0x4000_4420);
    /// Digital enable.
    pub const DEN: Register = at(0x4000_451C);
}

/// UART0, a PL011.
pub mod uart0 {
    use super::{Register, at};
    /// Data.
    pub const DR: Register = at(0x4000_C000);
    /// Flags.
    pub const FR: Register = at(0x4000_C018);
    /// Baud rate, whole part.
    pub const IBRD: Register = at(0x4000_C024);
    /// Baud rate, 64ths.
    pub const FBRD: Register = at(0x4000_C028);
    /// Line control.
    pub const LCRH: Register = at(0x4000_C02C);
    /// Control.
    pub const CTL: Register = at(0x4000_C030);
    /// Interrupt mask.
    pub const IM: Register = at(0x4000_C038);
    /// Interrupt clear.
    pub const ICR: Register = at(0x4000_C044);
}
