//! The front panel of the Pico: the contacts and the lights. A display and a beeper are
//! at no pin yet.

use cortex_m::singleton;
use cortex_m_board::ws2812::MOST_LIGHTS;
use firmware_core::scan::Line;
use firmware_core::{FrontPanel, Seen};
use protocol::Layout;

use crate::leds::Leds;
use crate::matrix;

/// The contacts and the lights.
pub struct PicoPanel {
    leds: Leds,
}

impl PicoPanel {
    /// Takes the pins over; once.
    pub fn start() -> Option<PicoPanel> {
        let words = singleton!(: [u32; MOST_LIGHTS] = [0; MOST_LIGHTS])?;
        matrix::start();
        Some(PicoPanel {
            leds: Leds::start(words),
        })
    }
}

impl FrontPanel for PicoPanel {
    fn sample(&mut self, line: Line) -> u16 {
        matrix::sample(line)
    }

    fn is_free(&mut self) -> bool {
        self.leds.is_free()
    }

    fn show(&mut self, layout: Layout, seen: &Seen) {
        self.leds.show(layout, seen);
    }
}
