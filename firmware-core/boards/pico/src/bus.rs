//! The I2C bus of the display and the tiles.
//!
//! Transfers fit the controller's buffers, so a transfer is started in one round of the
//! main loop and checked in a later one.
//!
//! Invariants: only one transfer is in progress; a transfer is only started on a free
//! bus.

use cortex_m::asm::delay;
use cortex_m_board::ht16k33::BusByte;
use cortex_m_board::trellis::{BusOutcome, Bytes, Transfer};

use crate::clock::SYSTEM_HZ;
use crate::gpio::{self, Function};
use crate::pins::{BUS_CLOCK, BUS_DATA};
use crate::registers::{TIMERAWL, i2c1};

/// The clock frequency of the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
    /// The rate that the maker of the tiles recommends.
    Hz100000,
    /// The rate that the modules of the display support.
    Hz400000,
}

impl Speed {
    /// The counts for which the clock is high and low. At 100 kHz it must be low for at
    /// least 4.7 µs and high for 4 µs, at 400 kHz low for 1.3 µs (I2C specification).
    const fn counts(self) -> [u32; 2] {
        let period = SYSTEM_HZ
            / match self {
                Speed::Hz100000 => 100_000,
                Speed::Hz400000 => 400_000,
            };
        let low = match self {
            Speed::Hz100000 => period * 11 / 20,
            Speed::Hz400000 => period * 3 / 5,
        };
        [period - low, low]
    }
}

/// Data stays stable for 300 ns after the falling edge of the clock.
const HOLD: u32 = SYSTEM_HZ / 10_000_000 * 3 + 1;
/// Pulses of up to slightly more than 50 ns are suppressed as spikes.
const SPIKE: u32 = SYSTEM_HZ / 1_000_000 / 16;
/// Half a clock period of the bus, in cycles, when the processor makes the clock.
const HALF_CYCLES: u32 = SYSTEM_HZ / 100_000 / 2;
/// A device that was interrupted within a byte has sent the rest of it after this many
/// periods (I2C specification, "bus clear").
const CLEARED_AFTER: u32 = 9;

/// The settings of a bus controller in fast mode, whose counts apply to any rate,
/// with repeated starts (section 4.3.17).
const CONTROLLER: u32 = (1 << 0) | (2 << 1) | (1 << 5) | (1 << 6);
const READ: u32 = 1 << 8;
const STOP: u32 = 1 << 9;
/// Bits of STATUS: the transmit buffer is empty; the controller is active.
const IS_EMPTY: u32 = 1 << 2;
const IS_ACTIVE: u32 = 1 << 5;
/// TX_ABRT: no device acknowledged the message.
const ABORTED: u32 = 1 << 6;
/// STOP_DET: the bus has been released since this bit was cleared.
const STOPPED: u32 = 1 << 9;

/// Longer than any transfer on a working bus.
const LONGEST_US: u32 = 5_000;
/// The delay until a device has the answer to its first request, in microseconds.
const ANSWERS_US: u32 = 1_000;

/// The I2C bus of the display and the tiles.
pub struct Bus {
    /// True if a transfer was started and may not have ended.
    is_begun: bool,
}

impl Bus {
    /// Takes over the pins and enables the controller.
    pub fn start(speed: Speed) -> Bus {
        clear();
        i2c1::ENABLE.write(0);
        i2c1::CON.write(CONTROLLER);
        i2c1::SDA_HOLD.write(HOLD);
        i2c1::FS_SPKLEN.write(SPIKE);
        for pin in [BUS_DATA, BUS_CLOCK] {
            gpio::hand_over(pin, Function::I2c);
            // Modules and tiles have resistors of their own; without any, these are
            // enough.
            gpio::pull_up(pin);
        }
        let mut bus = Bus { is_begun: false };
        bus.set_speed(speed);
        bus
    }

    /// Sets the rate of the bus, which must be free.
    pub fn set_speed(&mut self, speed: Speed) {
        let [high, low] = speed.counts();
        i2c1::ENABLE.write(0);
        i2c1::FS_SCL_HCNT.write(high);
        i2c1::FS_SCL_LCNT.write(low);
    }

    /// True if no transfer is in progress.
    pub fn is_free(&self) -> bool {
        // A transfer that has only just been started looks as if it had ended.
        if self.is_begun && i2c1::RAW_INTR_STAT.read() & STOPPED == 0 {
            return false;
        }
        let status = i2c1::STATUS.read();
        status & IS_EMPTY != 0 && status & IS_ACTIVE == 0
    }

    /// Starts a transfer with the device at `address`.
    fn begin(&mut self, address: u8, words: impl Iterator<Item = u32>) {
        // The address can only be changed while the controller is disabled.
        i2c1::ENABLE.write(0);
        i2c1::TAR.write(address.into());
        i2c1::ENABLE.write(1);
        // Nothing is sent until this bit is cleared.
        i2c1::CLR_TX_ABRT.read();
        i2c1::CLR_STOP_DET.read();
        self.is_begun = true;
        words.for_each(|word| i2c1::DATA_CMD.write(word));
    }

    /// Starts to send a message to the device at `address`.
    pub fn send(&mut self, address: u8, message: &[BusByte]) {
        let stop = |is_last| if is_last { STOP } else { 0 };
        let words = message
            .iter()
            .map(|BusByte { byte, is_last }| u32::from(*byte) | stop(*is_last));
        self.begin(address, words);
    }

    /// Starts a transfer, whose end is polled later.
    pub fn transfer(&mut self, transfer: &Transfer) {
        let last = |at: usize, count: usize| if at + 1 == count { STOP } else { 0 };
        match transfer {
            Transfer::Write { address, bytes } => {
                let words = bytes.iter().enumerate();
                let words = words.map(|(at, byte)| u32::from(*byte) | last(at, bytes.len()));
                self.begin(*address, words);
            }
            Transfer::Read { address, count } => {
                let count = usize::from(*count);
                self.begin(*address, (0..count).map(|at| READ | last(at, count)));
            }
        }
    }

    /// The result of the last transfer.
    pub fn outcome(&mut self) -> BusOutcome {
        if i2c1::RAW_INTR_STAT.read() & ABORTED != 0 {
            i2c1::CLR_TX_ABRT.read();
            return BusOutcome::Refused;
        }
        let mut bytes = Bytes::new();
        while i2c1::RXFLR.read() > 0 && bytes.push(i2c1::DATA_CMD.read() as u8).is_ok() {}
        BusOutcome::Done(bytes)
    }

    /// Carries out a transfer and waits for its end, and for the answer of the device.
    pub fn request(&mut self, transfer: &Transfer) -> BusOutcome {
        if !self.is_free() {
            return BusOutcome::Refused;
        }
        self.transfer(transfer);
        let begun_us = TIMERAWL.read();
        let passed_us = || TIMERAWL.read().wrapping_sub(begun_us);
        while !self.is_free() {
            // A device blocks the bus permanently, so nothing on it can be used.
            if passed_us() > LONGEST_US {
                return BusOutcome::Refused;
            }
        }
        let outcome = self.outcome();
        if outcome != BusOutcome::Refused {
            while passed_us() < ANSWERS_US {}
        }
        outcome
    }
}

/// Clocks out a device that was interrupted within a byte when the chip restarted; it
/// would hold the data line low until its byte is complete.
fn clear() {
    for pin in [BUS_CLOCK, BUS_DATA] {
        gpio::release(pin);
    }
    for _ in 0..CLEARED_AFTER {
        delay(HALF_CYCLES);
        if gpio::all() & (1 << BUS_DATA) != 0 {
            return;
        }
        gpio::pull_down(BUS_CLOCK);
        delay(HALF_CYCLES);
        gpio::release(BUS_CLOCK);
    }
}
