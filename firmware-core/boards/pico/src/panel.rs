//! The front panel of the Pico: contacts, lights, display and beeper.
//!
//! Contacts and lights are either a matrix and a chain, or tiles, if a tile is on the bus
//! at power-on; the chain is then dark. With tiles, buttons may still be wired to the
//! rows of the matrix, each between its row and ground, because nothing drives the lines.

use cortex_m::singleton;
use cortex_m_board::trellis::Trellis;
use cortex_m_board::ws2812::MOST_LIGHTS;
use firmware_core::scan::ScanLine;
use firmware_core::{FrontPanel, Seen};
use protocol::Layout;

use crate::bus::{Bus, Speed};
use crate::display::Display;
use crate::leds::{LIMIT_MA, Leds};
use crate::registers::TIMERAWL;
use crate::{beeper, matrix};

/// All parts of the front panel.
pub struct PicoPanel {
    leds: Leds,
    bus: Bus,
    display: Display,
    tiles: Option<Trellis>,
}

impl PicoPanel {
    /// Takes over the pins. To be called once.
    pub fn start() -> Option<PicoPanel> {
        let words = singleton!(: [u32; MOST_LIGHTS] = [0; MOST_LIGHTS])?;
        matrix::start();
        beeper::start();
        let mut bus = Bus::start(Speed::Hz100000);
        let tiles = Trellis::find(|transfer| bus.request(transfer));
        let tiles = tiles.is_there().then_some(tiles);
        if tiles.is_none() {
            bus.set_speed(Speed::Hz400000);
        }
        Some(PicoPanel {
            leds: Leds::start(words),
            bus,
            display: Display::dark(),
            tiles,
        })
    }
}

impl FrontPanel for PicoPanel {
    fn layout(&self) -> Option<Layout> {
        self.tiles.as_ref()?.layout()
    }

    fn sample(&mut self, line: ScanLine) -> u16 {
        let Some(tiles) = &self.tiles else {
            return matrix::sample(line);
        };
        let at_rows = match line {
            ScanLine::Buttons => matrix::sample(line),
            ScanLine::Column(_) => 0,
        };
        tiles.sample(line) | at_rows
    }

    fn is_free(&mut self) -> bool {
        self.tiles.is_some() || self.leds.is_free()
    }

    fn show(&mut self, layout: Layout, seen: &Seen) {
        match &mut self.tiles {
            Some(tiles) => tiles.show(layout, seen, LIMIT_MA),
            None => self.leds.show(layout, seen),
        }
        self.display.show(&seen.display);
        beeper::sound(seen.beep_hz);
    }

    fn go_on(&mut self) {
        if !self.bus.is_free() {
            return;
        }
        if let Some(tiles) = &mut self.tiles
            && tiles.is_on_bus()
        {
            tiles.done(&self.bus.outcome());
        }
        if self.display.go_on(&mut self.bus) {
            return;
        }
        if let Some(tiles) = &mut self.tiles
            && let Some(transfer) = tiles.next(TIMERAWL.read())
        {
            self.bus.transfer(&transfer);
        }
    }
}
