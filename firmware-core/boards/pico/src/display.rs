//! The display: three modules side by side on the I2C bus.
//!
//! Each message contains everything that its module needs, so a module that is plugged in
//! later, or that does not answer, needs no special treatment.
//!
//! Invariants: the newest text is shown eventually.

use cortex_m_board::ht16k33::{MODULE_CHARACTERS, message};
use protocol::{DISPLAY_CHARACTERS, Text};

use crate::bus::Bus;
use crate::pins::DISPLAY_MODULES;

const _: () = assert!(DISPLAY_MODULES.len() * MODULE_CHARACTERS == DISPLAY_CHARACTERS);

/// The display: three modules on the bus.
pub struct Display {
    text: Text<DISPLAY_CHARACTERS>,
    /// The number of modules that already show the text.
    told: usize,
}

impl Display {
    /// A display that shows nothing yet.
    pub const fn dark() -> Display {
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

    /// Sends to the next module over the bus, which must be free. False if all modules
    /// are up to date.
    pub fn go_on(&mut self, bus: &mut Bus) -> bool {
        let Some(address) = DISPLAY_MODULES.get(self.told) else {
            return false;
        };
        bus.send(*address, &message(&self.text, self.told));
        self.told += 1;
        true
    }
}
