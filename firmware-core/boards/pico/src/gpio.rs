//! The pins: the function of each, and the control of those that the processor uses.

use crate::registers::{io_bank0_ctrl, pads_bank0, sio};

/// The peripheral that a pin belongs to (section 2.19.2).
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub enum Function {
    /// The pin belongs to a UART.
    Uart = 2,
    /// The pin belongs to an I2C controller.
    I2c = 3,
    /// The pin belongs to a counter that switches it by time.
    Pwm = 4,
    /// The pin is controlled by the processor (SIO).
    Processor = 5,
    /// The pin belongs to the first programmable I/O block.
    Pio0 = 6,
}

/// The settings of a pad: slow edges, a Schmitt trigger, 4 mA, input enabled (section
/// 2.19.6.3).
const PAD: u32 = (1 << 1) | (1 << 4) | (1 << 6);
const PAD_PULL_UP: u32 = 1 << 3;

/// Assigns a pin to a peripheral.
pub fn hand_over(pin: u8, function: Function) {
    pads_bank0(pin).write(PAD);
    io_bank0_ctrl(pin).write(function as u32);
}

/// Enables the pull-up of a pin.
pub fn pull_up(pin: u8) {
    pads_bank0(pin).write(PAD | PAD_PULL_UP);
}

/// Makes the processor drive the pin, which is first set to this level.
pub fn drive(pin: u8, is_high: bool) {
    put(pin, is_high);
    sio::GPIO_OE_SET.write(1 << pin);
    hand_over(pin, Function::Processor);
}

/// Releases a pin with a pull-up: it is high unless something pulls it low.
pub fn release(pin: u8) {
    sio::GPIO_OE_CLR.write(1 << pin);
    hand_over(pin, Function::Processor);
    pull_up(pin);
}

/// Drives a released pin low.
pub fn pull_down(pin: u8) {
    put(pin, false);
    sio::GPIO_OE_SET.write(1 << pin);
}

/// Drives a pin high or low.
pub fn put(pin: u8, is_high: bool) {
    let register = match is_high {
        true => sio::GPIO_OUT_SET,
        false => sio::GPIO_OUT_CLR,
    };
    register.write(1 << pin);
}

/// The levels of all pins, one bit each.
pub fn all() -> u32 {
    sio::GPIO_IN.read()
}
