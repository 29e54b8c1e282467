//! The registers of the chip that the image uses, by their addresses in its data sheet
//! (RP2040 Datasheet, Raspberry Pi Ltd).

use cortex_m_board::pl011::Pl011;
use cortex_m_board::registers::Register;

#[allow(unsafe_code)]
const fn at(address: u32) -> Register {
    // SAFETY: each address below is that of a device register of the RP2040 which neither
    // starts a DMA transfer nor moves the vector table; the registers of `dma` are only
    // written by an unsafe function.
    unsafe { Register::at(address) }
}

/// UART0 (section 4.2), which runs on the system clock.
pub type Uart0 = Pl011<0x4003_4000, { crate::clock::SYSTEM_HZ }>;
/// The first UART; see [`Uart0`].
#[allow(unsafe_code)]
// SAFETY: there is a PL011 at this address.
pub const UART0: Uart0 = unsafe { Pl011::new() };

/// The resets of subsystems (section 2.14).
pub mod resets {
    use super::{Register, at};
    /// RESET: the subsystems that are held in reset, one bit each.
    pub const RESET: Register = at(0x4000_C000);
    /// RESET_DONE: the subsystems that are out of reset and ready, one bit each.
    pub const RESET_DONE: Register = at(0x4000_C008);
}

/// The crystal oscillator (section 2.16).
pub mod xosc {
    use super::{Register, at};
    /// CTRL: the frequency range and the enable bits.
    pub const CTRL: Register = at(0x4002_4000);
    /// STATUS: whether the oscillator is stable.
    pub const STATUS: Register = at(0x4002_4004);
    /// STARTUP: the delay until it counts as stable.
    pub const STARTUP: Register = at(0x4002_400C);
}

/// The registers of a PLL (section 2.18).
pub struct Pll {
    /// CS: the divider of the reference, and whether the PLL is locked.
    pub cs: Register,
    /// PWR: the parts that are powered down.
    pub pwr: Register,
    /// FBDIV_INT: the multiplier of the reference.
    pub fbdiv_int: Register,
    /// PRIM: the two dividers after the oscillator.
    pub prim: Register,
}

const fn pll(address: u32) -> Pll {
    Pll {
        cs: at(address),
        pwr: at(address + 0x4),
        fbdiv_int: at(address + 0x8),
        prim: at(address + 0xC),
    }
}

/// The PLL of the system clock.
pub const PLL_SYS: Pll = pll(0x4002_8000);
/// The PLL of the USB clock.
pub const PLL_USB: Pll = pll(0x4002_C000);

/// The registers of the clocks (section 2.15).
pub mod clocks {
    use super::{Register, at};
    /// CLK_REF_CTRL: the source of the reference clock.
    pub const REF_CTRL: Register = at(0x4000_8030);
    /// CLK_REF_SELECTED: the current source, one bit each.
    pub const REF_SELECTED: Register = at(0x4000_8038);
    /// CLK_SYS_CTRL: the source of the system clock.
    pub const SYS_CTRL: Register = at(0x4000_803C);
    /// CLK_SYS_SELECTED: the current source, one bit each.
    pub const SYS_SELECTED: Register = at(0x4000_8044);
    /// CLK_PERI_CTRL: the clock of the UARTs.
    pub const PERI_CTRL: Register = at(0x4000_8048);
    /// CLK_USB_CTRL: the clock of the USB controller.
    pub const USB_CTRL: Register = at(0x4000_8054);
}

/// Power-on state machine (section 2.13).
pub mod psm {
    use super::{Register, at};
    /// WDSEL: the parts that the watchdog resets.
    pub const WDSEL: Register = at(0x4001_0008);
}

/// The registers of the watchdog (section 4.7).
pub mod watchdog {
    use super::{Register, at};
    /// CTRL: enables the watchdog and triggers it.
    pub const CTRL: Register = at(0x4005_8000);
    /// LOAD: the counts until the watchdog resets the chip.
    pub const LOAD: Register = at(0x4005_8004);
    /// REASON: the cause of the last reset by the watchdog.
    pub const REASON: Register = at(0x4005_8008);
}

/// The USB controller, and its memory (section 4.1).
pub mod usb {
    use super::{Register, at};

    const MEMORY: u32 = 0x5010_0000;

    /// The word at this byte offset of the controller's memory.
    pub const fn word(offset: u16) -> Register {
        at(MEMORY + offset as u32)
    }
    /// The control word of endpoint `index`, from 1 on; `way` is 0 to the host, 1 from
    /// it.
    pub const fn endpoint_control(index: u16, way: u16) -> Register {
        word(8 * index + 4 * way)
    }
    /// The state of an endpoint's buffer.
    pub const fn buffer_control(index: u16, way: u16) -> Register {
        word(0x80 + 8 * index + 4 * way)
    }

    /// ADDR_ENDP: the address of the device.
    pub const ADDR_ENDP: Register = at(0x5011_0000);
    /// MAIN_CTRL: enables the controller.
    pub const MAIN_CTRL: Register = at(0x5011_0040);
    /// SIE_CTRL: the serial interface engine: pull-up and interrupts.
    pub const SIE_CTRL: Register = at(0x5011_004C);
    /// SIE_STATUS: the events and states of the bus.
    pub const SIE_STATUS: Register = at(0x5011_0050);
    /// BUFF_STATUS: the buffers that the controller has returned.
    pub const BUFF_STATUS: Register = at(0x5011_0058);
    /// EP_STALL_ARM: whether endpoint 0 stalls.
    pub const EP_STALL_ARM: Register = at(0x5011_0068);
    /// USB_MUXING: what the controller is connected to.
    pub const MUXING: Register = at(0x5011_0074);
    /// USB_PWR: overrides of the power signals.
    pub const PWR: Register = at(0x5011_0078);
    /// INTE: the interrupts that are enabled.
    pub const INTE: Register = at(0x5011_0090);
    /// INTS: the enabled interrupts that are pending.
    pub const INTS: Register = at(0x5011_0098);
}

pub mod i2c1;
pub mod pwm3;

/// The divider of the watchdog, which also makes the timer's microseconds (section
/// 4.7.2).
pub const WATCHDOG_TICK: Register = at(0x4005_802C);

/// TIMERAWL: the low word of the microseconds since the start (section 4.6).
pub const TIMERAWL: Register = at(0x4005_4028);

/// GPIO_CTRL: the function of a pin (section 2.19.6.1).
pub const fn io_bank0_ctrl(pin: u8) -> Register {
    at(0x4001_4004 + 8 * pin as u32)
}

/// The pad of a pin (section 2.19.6.3).
pub const fn pads_bank0(pin: u8) -> Register {
    at(0x4001_C004 + 4 * pin as u32)
}

/// The pins as driven by the processor itself (section 2.3.1.7).
pub mod sio {
    use super::{Register, at};
    /// GPIO_IN: the levels of all pins.
    pub const GPIO_IN: Register = at(0xD000_0004);
    /// GPIO_OUT_SET: sets outputs to high.
    pub const GPIO_OUT_SET: Register = at(0xD000_0014);
    /// GPIO_OUT_CLR: sets outputs to low.
    pub const GPIO_OUT_CLR: Register = at(0xD000_0018);
    /// GPIO_OE_SET: makes pins outputs.
    pub const GPIO_OE_SET: Register = at(0xD000_0024);
    /// GPIO_OE_CLR: makes pins inputs.
    pub const GPIO_OE_CLR: Register = at(0xD000_0028);
}

/// The first of two blocks of programmable I/O, and the first of its state machines
/// (section 3.7).
pub mod pio0 {
    use super::{Register, at};
    /// CTRL: the state machines that are enabled.
    pub const CTRL: Register = at(0x5020_0000);
    /// INSTR_MEM: an instruction of the program.
    pub const fn instruction(number: u8) -> Register {
        at(0x5020_0048 + 4 * number as u32)
    }
    /// TXF0: the FIFO for the words of the state machine.
    pub const TXF0: u32 = 0x5020_0010;
    /// SM0_CLKDIV: the clock divider of the state machine.
    pub const SM0_CLKDIV: Register = at(0x5020_00C8);
    /// SM0_EXECCTRL: where its program wraps.
    pub const SM0_EXECCTRL: Register = at(0x5020_00CC);
    /// SM0_SHIFTCTRL: how bits are shifted out of words.
    pub const SM0_SHIFTCTRL: Register = at(0x5020_00D0);
    /// SM0_INSTR: executes an instruction at once.
    pub const SM0_INSTR: Register = at(0x5020_00D8);
    /// SM0_PINCTRL: the pins that the state machine drives.
    pub const SM0_PINCTRL: Register = at(0x5020_00DC);
}

/// The first channel of the DMA controller (section 2.5.7). Its registers are private,
/// because code that starts a transfer must guarantee that the memory may be read.
pub mod dma {
    use core::sync::atomic::{Ordering, compiler_fence};

    use super::{Register, at, pio0};

    /// READ_ADDR: the address of the next read.
    const READ_ADDR: Register = at(0x5000_0000);
    /// WRITE_ADDR: the address of the next write.
    const WRITE_ADDR: Register = at(0x5000_0004);
    /// TRANS_COUNT: the number of transfers left.
    const TRANS_COUNT: Register = at(0x5000_0008);
    /// CTRL_TRIG: the settings; writing them starts the transfer.
    const CTRL_TRIG: Register = at(0x5000_000C);

    /// Word transfers from increasing addresses, paced by request 0, that of state
    /// machine 0 of PIO0.
    const TRANSFER: u32 = (1 << 0) | (2 << 2) | (1 << 4);
    const BUSY: u32 = 1 << 24;

    /// True while words are being sent.
    pub fn is_busy() -> bool {
        CTRL_TRIG.read() & BUSY != 0
    }

    /// Sends these words to state machine 0 of PIO0.
    ///
    /// # Safety
    /// The channel must be idle. Until it is idle again, the words must stay in place and
    /// must not be written.
    #[allow(unsafe_code)]
    pub unsafe fn start(words: &[u32]) {
        // Earlier writes must be visible to the controller.
        compiler_fence(Ordering::SeqCst);
        READ_ADDR.write(words.as_ptr().addr() as u32);
        WRITE_ADDR.write(pio0::TXF0);
        TRANS_COUNT.write(words.len() as u32);
        CTRL_TRIG.write(TRANSFER);
    }
}
