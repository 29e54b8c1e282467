//! The registers of the chip that the image uses, by their addresses in its
//! reference manual (RM0090).

use cortex_m_board::registers::Register;

#[allow(unsafe_code)]
const fn at(address: u32) -> Register {
    // SAFETY: each address below is that of a device register of the STM32F405 which
    // neither starts a DMA transfer nor moves the vector table.
    unsafe { Register::at(address) }
}

/// The registers of reset and clock control.
pub mod rcc {
    use super::{Register, at};
    /// CR: the oscillators and the PLL, enabled and ready.
    pub const CR: Register = at(0x4002_3800);
    /// PLLCFGR: the source and the factors of the PLL.
    pub const PLLCFGR: Register = at(0x4002_3804);
    /// CFGR: the source of the system clock, and its dividers.
    pub const CFGR: Register = at(0x4002_3808);
    /// AHB1ENR: the clock gates of the GPIO ports.
    pub const AHB1ENR: Register = at(0x4002_3830);
    /// APB2ENR: the clock gate of USART1.
    pub const APB2ENR: Register = at(0x4002_3844);
}

/// The registers of the flash interface.
pub mod flash {
    use super::{Register, at};
    /// ACR: the wait states of the flash.
    pub const ACR: Register = at(0x4002_3C00);
}

/// GPIO port B, which has the pins of USART1.
pub mod port_b {
    use super::{Register, at};
    /// MODER: the mode of each pin.
    pub const MODER: Register = at(0x4002_0400);
    /// PUPDR: the pull-up or pull-down resistor of each pin.
    pub const PUPDR: Register = at(0x4002_040C);
    /// AFRL: the peripheral of each of the pins 0 to 7.
    pub const AFRL: Register = at(0x4002_0420);
}

/// The registers of USART1.
pub mod usart1 {
    use super::{Register, at};
    /// SR: the status flags.
    pub const SR: Register = at(0x4001_1000);
    /// DR: the data register, received or to be sent.
    pub const DR: Register = at(0x4001_1004);
    /// BRR: the divider for the baud rate, in 16ths.
    pub const BRR: Register = at(0x4001_1008);
    /// CR1: the first control register.
    pub const CR1: Register = at(0x4001_100C);
}
