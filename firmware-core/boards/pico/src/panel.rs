//! The front panel of the Pico: contacts, lights, display and beeper.

use cortex_m::singleton;
use cortex_m_board::ws2812::MOST_LIGHTS;
use firmware_core::scan::Line;
use firmware_core::{FrontPanel, Seen};
use protocol::Layout;

use crate::display::Display;
use crate::leds::Leds;
use crate::{beeper, matrix};

/// All that is felt, seen and heard of the board.
pub struct PicoPanel {
    leds: Leds,
    display: Display,
}

impl PicoPanel {
    /// Takes the pins over; once.
    pub fn start() -> Option<PicoPanel> {
        let words = singleton!(: [u32; MOST_LIGHTS] = [0; MOST_LIGHTS])?;
        matrix::start();
        beeper::start();
        Some(PicoPanel {
            leds: Leds::start(words),
            display: Display::start(),
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
        self.display.show(&seen.display);
        beeper::sound(seen.beep_hz);
    }

    fn go_on(&mut self) {
        self.display.go_on();
    }
}
