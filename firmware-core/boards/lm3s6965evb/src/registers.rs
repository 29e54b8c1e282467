//! The registers of the chip, by their addresses in its data sheet.
//!
//! This is the only module with `unsafe` in it. Each address is a register of
//! the LM3S6965 that reading or writing does not make memory unsound: none
//! starts a DMA transfer or moves the vector table.

#![allow(unsafe_code)]

/// A 32-bit register of a peripheral.
#[derive(Clone, Copy)]
pub struct Register(u32);

impl Register {
    /// What is in it.
    pub fn read(self) -> u32 {
        // SAFETY: `self.0` is one of the constants below: a device register,
        // aligned, always there.
        unsafe { (self.0 as *const u32).read_volatile() }
    }

    /// Puts this into it.
    pub fn write(self, value: u32) {
        // SAFETY: as in `read`.
        unsafe { (self.0 as *mut u32).write_volatile(value) }
    }

    /// Sets these bits and leaves the others.
    pub fn set(self, bits: u32) {
        self.write(self.read() | bits);
    }

    /// Clears these bits and leaves the others.
    pub fn clear(self, bits: u32) {
        self.write(self.read() & !bits);
    }
}

/// System control.
pub mod system {
    use super::Register;
    /// Raw interrupt status.
    pub const RIS: Register = Register(0x400F_E050);
    /// Run-mode clock configuration.
    pub const RCC: Register = Register(0x400F_E060);
    /// Clock gates: UARTs.
    pub const RCGC1: Register = Register(0x400F_E104);
    /// Clock gates: GPIO ports.
    pub const RCGC2: Register = Register(0x400F_E108);
}

/// GPIO port A, where UART0 comes out.
pub mod port_a {
    use super::Register;
    /// Alternate function.
    pub const AFSEL: Register = Register(0x4000_4420);
    /// Digital enable.
    pub const DEN: Register = Register(0x4000_451C);
}

/// UART0, a PL011.
pub mod uart0 {
    use super::Register;
    /// Data.
    pub const DR: Register = Register(0x4000_C000);
    /// Flags.
    pub const FR: Register = Register(0x4000_C018);
    /// Baud rate, whole part.
    pub const IBRD: Register = Register(0x4000_C024);
    /// Baud rate, 64ths.
    pub const FBRD: Register = Register(0x4000_C028);
    /// Line control.
    pub const LCRH: Register = Register(0x4000_C02C);
    /// Control.
    pub const CTL: Register = Register(0x4000_C030);
    /// Interrupt mask.
    pub const IM: Register = Register(0x4000_C038);
    /// Interrupt clear.
    pub const ICR: Register = Register(0x4000_C044);
}
