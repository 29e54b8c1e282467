//! The display: three modules on an I2C bus of 400 kHz, one after the other.
//!
//! A message for a module fits the controller's buffer, so none is waited for: the next
//! one is sent in a turn of the loop that finds the bus free. Each message tells its
//! module all that it has to know, so a module that is plugged in later, or that nobody
//! answers for, is no case of its own.
//!
//! Invariants: what is shown in the end is the newest text.

use cortex_m_board::ht16k33::{BusByte, MODULE_CHARACTERS, message};
use protocol::{DISPLAY_CHARACTERS, Text};

use crate::clock::SYSTEM_HZ;
use crate::gpio::{self, Function};
use crate::pins::{DISPLAY_CLOCK, DISPLAY_DATA, DISPLAY_MODULES};
use crate::registers::i2c1;

const BUS_HZ: u32 = 400_000;
/// Low for three fifths of a period: 1.3 µs at least (I2C specification, fast mode).
const PERIOD: u32 = SYSTEM_HZ / BUS_HZ;
const LOW: u32 = PERIOD * 3 / 5;
/// Data stay for 300 ns after the clock fell.
const HOLD: u32 = SYSTEM_HZ / 10_000_000 * 3 + 1;
/// 50 ns and a little more count as a change.
const SPIKE: u32 = LOW / 16;

/// A controller of the bus, in fast mode, which may begin anew without an end (section
/// 4.3.17).
const CONTROLLER: u32 = (1 << 0) | (2 << 1) | (1 << 5) | (1 << 6);
const STOP: u32 = 1 << 9;
/// The buffer is empty, and the bus at rest.
const IS_EMPTY: u32 = 1 << 2;
const IS_ACTIVE: u32 = 1 << 5;

const _: () = assert!(DISPLAY_MODULES.len() * MODULE_CHARACTERS == DISPLAY_CHARACTERS);

/// The display.
pub struct Display {
    text: Text<DISPLAY_CHARACTERS>,
    /// How many modules show it already.
    told: usize,
}

impl Display {
    /// Takes the pins over; it is dark.
    pub fn start() -> Display {
        i2c1::ENABLE.write(0);
        i2c1::CON.write(CONTROLLER);
        i2c1::FS_SCL_HCNT.write(PERIOD - LOW);
        i2c1::FS_SCL_LCNT.write(LOW);
        i2c1::SDA_HOLD.write(HOLD);
        i2c1::FS_SPKLEN.write(SPIKE);
        for pin in [DISPLAY_DATA, DISPLAY_CLOCK] {
            gpio::hand_over(pin, Function::I2c);
            // The modules have resistors of their own; without a display these are enough.
            gpio::pull_up(pin);
        }
        Display {
            text: Text::new(),
            told: 0,
        }
    }

    /// Shows this text from now on.
    pub fn show(&mut self, text: &Text<DISPLAY_CHARACTERS>) {
        if self.text != *text {
            self.text = text.clone();
            self.told = 0;
        }
    }

    /// Tells the next module, if there is one and the bus is free.
    pub fn go_on(&mut self) {
        let Some(address) = DISPLAY_MODULES.get(self.told) else {
            return;
        };
        let status = i2c1::STATUS.read();
        if status & IS_EMPTY == 0 || status & IS_ACTIVE != 0 {
            return;
        }
        // The address changes only while the controller is off.
        i2c1::ENABLE.write(0);
        i2c1::TAR.write((*address).into());
        i2c1::ENABLE.write(1);
        // While that is remembered nothing is sent.
        i2c1::CLR_TX_ABRT.read();
        for BusByte { byte, is_last } in message(&self.text, self.told) {
            let stop = if is_last { STOP } else { 0 };
            i2c1::DATA_CMD.write(u32::from(byte) | stop);
        }
        self.told += 1;
    }
}
